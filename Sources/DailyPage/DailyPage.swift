import EventLog
import ReportPage
import StreakDomain

/// The page on which a person logs: files that are the same for everybody.
///
/// The page reads and writes the ledger by the paths of the service, and reads today's status of
/// each habit from `/cards.json`, which nobody else asks for. It computes no streak.
package enum DailyPage {
  /// A file of the page, served under a path.
  package struct File: Sendable {
    package let path: String
    package let summary: String
    package let contentType: String
    package let bytes: [UInt8]
  }

  /// The HTML document, which contains no data.
  package static let shell = File(
    path: "/", summary: "the page on which one logs", contentType: "text/html; charset=utf-8",
    bytes: PackageResources.app_html)

  /// The files that the shell loads.
  package static let files = [
    File(path: "/page.js", summary: "its script", contentType: scriptType, bytes: script),
    File(
      path: "/page.css", summary: "its style", contentType: "text/css; charset=utf-8",
      bytes: style),
    File(path: "/sw.js", summary: "its service worker", contentType: scriptType, bytes: worker),
    File(
      path: "/manifest.json", summary: "a manifest", contentType: "application/manifest+json",
      bytes: PackageResources.manifest_json),
    File(
      path: "/icon.svg", summary: "its icon", contentType: "image/svg+xml",
      bytes: PackageResources.icon_svg),
    File(
      path: "/icon.png", summary: "its icon on a phone", contentType: "image/png",
      bytes: PackageResources.icon_png),
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
    PackageResources.levels_js, PackageResources.habits_js, PackageResources.begin_js,
    PackageResources.cards_js, ReportPage.listener, PackageResources.page_js,
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
  package static let policy =
    """
    default-src 'none'; style-src 'self'; script-src 'self'; worker-src 'self'; manifest-src \
    'self'; img-src 'self' data:; connect-src 'self'; base-uri 'none'; form-action 'none'
    """
}
