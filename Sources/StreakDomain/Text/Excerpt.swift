/// Text in quotes, with control characters escaped and long text cut.
package func quoted(_ text: String) -> String {
  let shown = text.unicodeScalars.prefix(80)
  return "\"" + Escaping.visible(String(shown)) + (shown.endIndex < text.endIndex ? "…\"" : "\"")
}

/// A piece of a text with a mark under one place of it.
package enum Excerpt {
  /// Two lines, indented; `offset` is in bytes of the text.
  package static func marked(_ text: String, at offset: Int) -> String {
    let bytes = Array(text.utf8)
    let place = min(max(0, offset), bytes.count)
    let start = max(0, place - 60)
    let end = min(bytes.count, start + 100)
    let shown = Escaping.visible(String(decoding: bytes[start..<end], as: UTF8.self))
    let ahead = Escaping.visible(String(decoding: bytes[start..<place], as: UTF8.self))
    let cut = (start > 0 ? "…" : "", end < bytes.count ? "…" : "")
    let margin = String(repeating: " ", count: Escaping.columns(of: cut.0 + ahead))
    return "  \(cut.0)\(shown)\(cut.1)\n  \(margin)^"
  }
}
