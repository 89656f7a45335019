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
  ///   - source: where it may connect to follow a ledger, as a policy has it; nil for a page that stays as it is.
  /// - Returns: the whole file.
  package static func html(title: String, data: [UInt8], connectsTo source: String? = nil) -> [UInt8] {
    let script = source == nil ? script : script + PackageResources.live_js
    var parts = Parts(PackageResources.report_html)
    var page = parts.upTo("{{policy}}") + Array(policy(script, source).utf8)
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
    PackageResources.day_js, PackageResources.chain_js, PackageResources.known_js,
    PackageResources.slider_js,
  ].flatMap(\.self)

  private static func policy(_ script: [UInt8], _ source: String?) -> String {
    let connect = source.map { "connect-src \($0); " } ?? ""
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

  /// Bytes in the letters of RFC 4648, in which a policy has its digests.
  private static func base64(_ bytes: [UInt8]) -> String {
    let letters = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/".utf8)
    var text: [UInt8] = []
    for start in stride(from: 0, to: bytes.count, by: 3) {
      let part = bytes[start...].prefix(3)
      let bits = part.reduce(0) { $0 << 8 | Int($1) } << (8 * (3 - part.count))
      text += [18, 12, 6, 0].prefix(part.count + 1).map { letters[bits >> $0 & 63] }
      text += repeatElement(UInt8(ascii: "="), count: 3 - part.count)
    }
    return String(decoding: text, as: UTF8.self)
  }

  private static func digest(_ text: [UInt8]) -> String {
    let hex = Array(SHA256(of: text).digest())
    let bytes = stride(from: 0, to: hex.count, by: 2).compactMap {
      UInt8(String(hex[$0...$0 + 1]), radix: 16)
    }
    return base64(bytes)
  }
}
