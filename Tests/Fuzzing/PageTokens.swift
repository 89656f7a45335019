/// A page tokenized like a browser does (WHATWG HTML, 13.2.5): tags, and the text of elements
/// without tags.
struct PageTokens {
  private(set) var tags: [String] = []
  private(set) var texts: [(element: String, bytes: ArraySlice<UInt8>)] = []

  init(_ bytes: [UInt8]) {
    var rest = bytes[...]
    while let start = rest.firstIndex(of: UInt8(ascii: "<")) {
      let end = PageTokens.endOfTag(bytes, from: start)
      let tag = String(decoding: bytes[start..<end], as: UTF8.self)
      tags.append(tag)
      rest = bytes[end...]
      let name = PageTokens.name(bytes, at: start + 1)
      guard ["title", "style", "script"].contains(name) else { continue }
      let close = PageTokens.endOfText(bytes, from: end, of: name)
      texts.append((name, bytes[end..<close]))
      rest = bytes[close...]
    }
  }

  /// Returns the index after the `>` that ends a tag; a quoted `>` doesn't.
  private static func endOfTag(_ bytes: [UInt8], from start: Int) -> Int {
    var quote: UInt8?
    for index in start..<bytes.count {
      let byte = bytes[index]
      if let open = quote {
        if byte == open { quote = nil }
      } else if byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "'") {
        quote = byte
      } else if byte == UInt8(ascii: ">") {
        return index + 1
      }
    }
    return bytes.count
  }

  private static func name(_ bytes: [UInt8], at start: Int) -> String {
    let name = bytes[min(start, bytes.count)...].prefix {
      (65...90).contains($0) || (97...122).contains($0)
    }
    return String(decoding: name.map { $0 | 0x20 }, as: UTF8.self)
  }

  /// Returns the index of the end tag of an element that contains only text.
  ///
  /// In a script, `<!--` followed by `<script` hides one `</script`, up to `-->`.
  private static func endOfText(_ bytes: [UInt8], from start: Int, of element: String) -> Int {
    var isEscaped = false
    var isDoublyEscaped = false
    var index = start
    while index < bytes.count {
      defer { index += 1 }
      if element == "script", bytes[index...].starts(with: "-->".utf8) {
        (isEscaped, isDoublyEscaped) = (false, false)
      }
      guard bytes[index] == UInt8(ascii: "<") else { continue }
      if element == "script", bytes[index...].starts(with: "<!--".utf8) { isEscaped = true }
      let isEnd = index + 1 < bytes.count && bytes[index + 1] == UInt8(ascii: "/")
      let nameAt = index + (isEnd ? 2 : 1)
      guard name(bytes, at: nameAt) == element else { continue }
      let behind = nameAt + element.utf8.count
      guard behind == bytes.count || "\t\n\u{C} />".utf8.contains(bytes[behind]) else { continue }
      if !isEnd {
        if isEscaped { isDoublyEscaped = true }
      } else if isDoublyEscaped {
        isDoublyEscaped = false
      } else {
        return index
      }
    }
    return bytes.count
  }
}
