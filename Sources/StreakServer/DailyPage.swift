import EventLog
import ReportPage
import StreakCommands
import StreakDomain

/// The page on which a person logs: files that are the same for everybody, and the data of its
/// cards.
///
/// The page reads and writes the ledger by the paths of `Route.all`, and reads today's status of
/// each habit from `/cards.json`, which nobody else asks for. It computes no streak.
enum DailyPage {
  /// The HTML document, which contains no data.
  static let shell = file(
    "/", "the page on which one logs", "text/html; charset=utf-8", PackageResources.app_html)

  /// The files that the shell loads.
  static let files = [
    file("/page.js", "its script", scriptType, script),
    file("/page.css", "its style", "text/css; charset=utf-8", style),
    file("/sw.js", "its service worker", scriptType, worker),
    file(
      "/manifest.json", "a manifest", "application/manifest+json", PackageResources.manifest_json),
    file("/icon.svg", "its icon", "image/svg+xml", PackageResources.icon_svg),
    file("/icon.png", "its icon on a phone", "image/png", PackageResources.icon_png),
    Route(pattern: "/cards.json", summary: "what its cards say", command: CommandList.cards),
  ]

  private static let scriptType = "text/javascript; charset=utf-8"

  private static let style = ReportPage.commonStyle + PackageResources.app_css

  /// The scripts of the page, joined in an order in which each follows those that it uses.
  private static let script = [
    ReportPage.commonScript, PackageResources.days_js, PackageResources.words_js,
    PackageResources.service_js, PackageResources.store_js, PackageResources.ledger_js,
    PackageResources.queue_js, PackageResources.order_js, PackageResources.measures_js,
    PackageResources.changes_js, PackageResources.celebrations_js, PackageResources.month_js,
    PackageResources.dialogs_js, PackageResources.entries_js, PackageResources.excuses_js,
    PackageResources.habits_js, PackageResources.begin_js, PackageResources.cards_js,
    ReportPage.listener, PackageResources.page_js,
  ].flatMap(\.self)

  /// The service worker, which stores the other files under a name that changes with them.
  private static var worker: [UInt8] {
    let files =
      script + PackageResources.app_html + style + PackageResources.icon_svg
      + PackageResources.icon_png + PackageResources.manifest_json
    let text = String(decoding: PackageResources.sw_js, as: UTF8.self)
    let version = SHA256(of: files).digest().prefix(16)
    return Array(text.replacingBytes(of: "{{version}}", with: "streaks-" + version).utf8)
  }

  /// The content security policy: no script but the page's own, and no other host.
  private static let policy =
    """
    default-src 'none'; style-src 'self'; script-src 'self'; worker-src 'self'; manifest-src \
    'self'; img-src 'self' data:; connect-src 'self'; base-uri 'none'; form-action 'none'
    """

  private static func file(
    _ path: String, _ summary: String, _ type: String, _ bytes: [UInt8]
  ) -> Route {
    Route(
      pattern: path, summary: summary, contentType: type,
      fixedHeaders: [("Cache-Control", "no-cache"), ("Content-Security-Policy", policy)],
      document: { (_) throws(Problem) in bytes })
  }
}
