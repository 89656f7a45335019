import EventLog
import PageFiles
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
    bytes: document)

  /// The files that the shell loads.
  package static let files = [
    File(path: "/page.js", summary: "its script", contentType: scriptType, bytes: script),
    File(
      path: "/page.css", summary: "its style", contentType: "text/css; charset=utf-8",
      bytes: style),
    File(path: "/sw.js", summary: "its service worker", contentType: scriptType, bytes: worker),
    File(
      path: "/manifest.json", summary: "a manifest", contentType: "application/manifest+json",
      bytes: [UInt8](daily_manifest_json())),
    File(
      path: "/icon.svg", summary: "its icon", contentType: "image/svg+xml",
      bytes: [UInt8](daily_icon_svg())),
    File(
      path: "/icon.png", summary: "its icon on a phone", contentType: "image/png",
      bytes: [UInt8](daily_icon_png())),
  ]

  private static let scriptType = "text/javascript; charset=utf-8"

  private static let document = [UInt8](daily_html())

  private static let style = [UInt8](daily_css())

  private static let script = [UInt8](daily_js())

  /// The service worker, which stores the other files under a name that changes with them.
  private static var worker: [UInt8] {
    let others = [daily_icon_svg(), daily_icon_png(), daily_manifest_json()].flatMap { [UInt8]($0) }
    let files = script + document + style + others
    let text = String(decoding: [UInt8](daily_worker_js()), as: UTF8.self)
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
