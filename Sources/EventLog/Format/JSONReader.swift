import StreakDomain

/// A strict reader of one JSON text (RFC 8259) that reports errors with their column.
struct JSONReader {
  let bytes: [UInt8]
  var position = 0

  /// The next byte, or 0 at the end; valid JSON contains no zero byte.
  var current: UInt8 { position < bytes.count ? bytes[position] : 0 }

  func fail(
    _ kind: FailureKind, _ says: Sentence, remedy: Remedy? = nil, at offset: Int? = nil
  ) -> Failure {
    Failure(kind, column: (offset ?? position) + 1, says, remedy: remedy)
  }

  func expected(_ what: String, at offset: Int? = nil) -> Failure {
    if let mark = ByteOrderMark(at: offset ?? position, in: bytes) {
      return fail(.notJSON, mark.problem, remedy: mark.remedy, at: offset)
    }
    return fail(.notJSON, "not valid JSON: expected \(what)", at: offset)
  }

  mutating func skipSpace() {
    while position < bytes.count,
      current == 0x20 || current == 0x09 || current == 0x0D || current == 0x0A
    {
      position += 1
    }
  }

  mutating func expect(_ byte: UInt8, _ what: String) throws(Failure) {
    skipSpace()
    guard current == byte, position < bytes.count else { throw expected(what) }
    position += 1
  }

  /// Whether a conflict marker of git, such as `<<<<<<<`, begins at the current position.
  var isAtConflictMarker: Bool {
    "<=>|".utf8.contains(current) && position + 7 <= bytes.count
      && bytes[position..<position + 7].allSatisfy { $0 == current }
  }

  mutating func string() throws(Failure) -> (range: Range<Int>, isEscaped: Bool) {
    try expect(UInt8(ascii: "\""), "a string")
    let start = position
    var isEscaped = false
    var isASCII = true

    while true {
      guard position < bytes.count, current >= 0x20 else {
        throw expected("the end of the string, without control characters in it")
      }
      if current == UInt8(ascii: "\"") { break }
      if current == UInt8(ascii: "\\") {
        isEscaped = true
        try skipEscape()
      } else {
        isASCII = isASCII && current < 0x80
        position += 1
      }
    }

    let range = start..<position
    if !isASCII, String(validating: bytes[range], as: UTF8.self) == nil {
      throw fail(
        .notJSON, "the line is not valid UTF-8",
        remedy: .program(
          """
          restore a file that was valid before from a backup; convert one in Windows-1252, such \
          as with `iconv -f cp1252 -t utf-8`
          """), at: start)
    }
    position += 1
    return (range, isEscaped)
  }

  private mutating func skipEscape() throws(Failure) {
    let start = position
    position += 1
    guard current == UInt8(ascii: "u") else {
      guard "\"\\/bfnrt".utf8.contains(current) else { throw expected("an escape") }
      position += 1
      return
    }
    guard let unit = escapedUnit(at: start), !(0xDC00...0xDFFF).contains(unit) else {
      throw expected("\\u and four hexadecimal digits of a character", at: start)
    }
    position = start + 6
    guard (0xD800...0xDBFF).contains(unit) else { return }
    guard let low = escapedUnit(at: position), (0xDC00...0xDFFF).contains(low) else {
      throw expected("the second half of a surrogate pair")
    }
    position += 6
  }

  private func escapedUnit(at offset: Int) -> UInt32? {
    offset + 6 <= bytes.count ? StringScan.unit(bytes.span, offset) : nil
  }

  private func text(_ range: Range<Int>, isEscaped: Bool) -> String {
    isEscaped
      ? String(decoding: StringScan.bytes(bytes.span, range), as: UTF8.self)
      : String(decoding: bytes[range], as: UTF8.self)
  }

  mutating func number() throws(Failure) -> Range<Int> {
    let start = position
    if current == UInt8(ascii: "-") { position += 1 }
    let first = position
    try digits()
    if bytes[first] == UInt8(ascii: "0"), position > first + 1 {
      throw expected("a number without leading zeros", at: first)
    }
    if current == UInt8(ascii: ".") {
      position += 1
      try digits()
    }
    if current == UInt8(ascii: "e") || current == UInt8(ascii: "E") {
      position += 1
      if current == UInt8(ascii: "+") || current == UInt8(ascii: "-") { position += 1 }
      try digits()
    }

    guard position - start <= LineLimits.number else {
      throw fail(
        .badForm,
        """
        a number of \(position - start) characters is too long; at most \(LineLimits.number) are \
        kept
        """,
        at: start)
    }
    return start..<position
  }

  private mutating func digits() throws(Failure) {
    guard current.isDigit else { throw expected("a digit") }
    while current.isDigit { position += 1 }
  }
}

extension JSONReader {
  /// Reads any value; `depth` is the number of objects and arrays around the value.
  mutating func value(depth: Int) throws(Failure) -> JSONValue {
    skipSpace()
    let column = position + 1
    switch current {
    case UInt8(ascii: "\""):
      let (range, isEscaped) = try string()
      return JSONValue(.text(text(range, isEscaped: isEscaped)), column: column)
    case UInt8(ascii: "{"):
      return JSONValue(.object(try object(depth: depth + 1)), column: column)
    case UInt8(ascii: "["):
      return JSONValue(.list(try list(depth: depth + 1)), column: column)
    case UInt8(ascii: "t"): return try word("true", .bool(true))
    case UInt8(ascii: "f"): return try word("false", .bool(false))
    case UInt8(ascii: "n"): return try word("null", .null)
    case UInt8(ascii: "-"), 48...57:
      return JSONValue(.number(text(try number(), isEscaped: false)), column: column)
    default: throw expected("a value")
    }
  }

  private mutating func word(_ word: String, _ kind: JSONValue.Kind) throws(Failure) -> JSONValue {
    let column = position + 1
    guard bytes[position...].starts(with: word.utf8) else { throw expected("a value") }
    position += word.utf8.count
    return JSONValue(kind, column: column)
  }

  private mutating func list(depth: Int) throws(Failure) -> [JSONValue] {
    var items: [JSONValue] = []
    try elements(upTo: UInt8(ascii: "]"), "a comma or ]", depth: depth) {
      (reader) throws(Failure) in
      items.append(try reader.value(depth: depth))
    }
    return items
  }

  private mutating func object(depth: Int) throws(Failure) -> [JSONValue.Member] {
    var members: [JSONValue.Member] = []
    var keys: Set<Text> = []
    try elements(upTo: UInt8(ascii: "}"), "a comma or }", depth: depth) {
      (reader) throws(Failure) in
      let start = reader.position
      let (range, isEscaped) = try reader.string()
      let key = Text(reader.text(range, isEscaped: isEscaped))
      guard keys.insert(key).inserted else {
        throw reader.fail(
          .notJSON, "duplicate key \(quoted(key))", remedy: "remove one of the two", at: start)
      }
      try reader.expect(UInt8(ascii: ":"), "a colon")
      members.append((key, try reader.value(depth: depth)))
    }
    return members
  }

  /// Reads a list or an object up to its bracket `end`, and each of its elements with `read`.
  private mutating func elements(
    upTo end: UInt8, _ separator: String, depth: Int,
    _ read: (inout JSONReader) throws(Failure) -> Void
  ) throws(Failure) {
    guard depth <= LineLimits.depth else {
      throw fail(.notJSON, "nested deeper than \(LineLimits.depth) levels")
    }
    position += 1
    skipSpace()
    if current == end {
      position += 1
      return
    }

    while true {
      skipSpace()
      try read(&self)
      skipSpace()
      if current == end { break }
      try expect(UInt8(ascii: ","), separator)
    }
    position += 1
  }
}
