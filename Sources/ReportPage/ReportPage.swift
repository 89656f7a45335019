import EventLog
import StreakDomain

/// The page of `report`: one file with its style, its script and its data, which asks no network for anything unless it
/// follows a ledger.
///
/// A policy in its head lets only this script run, identified by its digest, whatever a log may contain.
package enum ReportPage {
  /// The page as UTF-8.
  ///
  /// - Parameters:
  ///   - title: shown by the browser; any text.
  ///   - data: one JSON document.
  ///   - isLive: whether it may ask its own server for changes.
  /// - Returns: the whole file.
  package static func html(title: String, data: [UInt8], isLive: Bool = false) -> [UInt8] {
    let script = isLive ? script + PackageResources.live_js : script
    var parts = Parts(PackageResources.report_html)
    var page = parts.upTo("{{policy}}") + Array(policy(script, isLive: isLive).utf8)
    page += parts.upTo("{{title}}") + Array(Escaping.xml(title).utf8)
    page += parts.upTo("{{style}}") + style
    page += parts.upTo("{{data}}") + Escaping.withinScript(data)
    page += parts.upTo("{{script}}") + script
    return page + parts.rest
  }

  private static let style = PackageResources.report_css

  /// What keeps the state, the words for it, then the parts of the page and last what holds them together.
  private static let script = [
    PackageResources.ledger_js, PackageResources.document_js, PackageResources.elements_js,
    PackageResources.words_js, PackageResources.dates_js, PackageResources.changes_js,
    PackageResources.step_js, PackageResources.cards_js, PackageResources.books_js,
    PackageResources.trend_js, PackageResources.year_js, PackageResources.month_js,
    PackageResources.day_js, PackageResources.chain_js, PackageResources.slider_js,
  ].flatMap(\.self)

  private static func policy(_ script: [UInt8], isLive: Bool) -> String {
    func digest(_ text: [UInt8]) -> String { Base64.text(of: SHA256(of: text).bytes(), isForURLs: false) }
    let connect = isLive ? "connect-src 'self'; " : ""
    return
      "default-src 'none'; style-src 'sha256-\(digest(style))'; script-src 'sha256-\(digest(script))'; "
      + connect + "base-uri 'none'; form-action 'none'"
  }

  /// A template taken apart at its marks, one after the other.
  private struct Parts {
    private(set) var rest: ArraySlice<UInt8>

    init(_ template: [UInt8]) {
      rest = template[...]
    }

    mutating func upTo(_ mark: String) -> [UInt8] {
      let mark = Array(mark.utf8)
      guard let start = rest.indices.first(where: { rest[$0...].starts(with: mark) }) else {
        preconditionFailure("the template of the report has every mark, in order")
      }
      defer { rest = rest[(start + mark.count)...] }
      return Array(rest[..<start])
    }
  }
}
