import EventLog
import StreakDomain

/// The head of an SCGI request, parsed as it arrives: a netstring of zero-terminated names and values.
struct SCGIHead {
  static let most = 1 << 16

  private var bytes: [UInt8] = []
  private var span: Range<Int>?

  var isEmpty: Bool { bytes.isEmpty }

  var count: Int { bytes.count }

  var rest: ArraySlice<UInt8> { span.map { bytes[($0.upperBound + 1)...] } ?? [] }

  /// Appends the next bytes, and returns whether the head is complete.
  mutating func take(_ more: [UInt8]) throws(Problem) -> Bool {
    bytes += more
    if span == nil { span = try length() }
    guard let span, bytes.count > span.upperBound else { return false }
    guard bytes[span.upperBound] == UInt8(ascii: ",") else { throw SCGIHead.malformed }
    return true
  }

  private func length() throws(Problem) -> Range<Int>? {
    let digits = bytes.prefix(6).prefix { $0.isDigit }
    guard let length = Int(String(decoding: digits, as: UTF8.self)),
      digits.count < 6 || length <= SCGIHead.most
    else {
      if digits.count == 6 { throw SCGIHead.tooLong }
      if bytes.isEmpty { return nil }
      throw SCGIHead.malformed
    }
    guard digits.count < bytes.count else { return nil }
    guard bytes[digits.count] == UInt8(ascii: ":") else { throw SCGIHead.malformed }
    guard length <= SCGIHead.most else { throw SCGIHead.tooLong }
    return digits.count + 1..<digits.count + 1 + length
  }

  /// Returns the request's variables without `STREAKS_` variables, because a client could set those.
  func variables() throws(Problem) -> [String: String] {
    guard let span else { throw SCGIHead.malformed }
    let texts = bytes[span].split(separator: 0, omittingEmptySubsequences: false)
    // A zero byte also ends the last value, so the last part is empty.
    guard texts.count % 2 == 1, texts.last?.isEmpty == true else { throw SCGIHead.malformed }
    var variables: [String: String] = [:]
    for index in stride(from: 0, to: texts.count - 1, by: 2) {
      let name = String(decoding: texts[index], as: UTF8.self)
      if name.begins(with: "STREAKS_") { continue }
      guard variables[name] == nil || !SCGIHead.single.contains(name) else {
        throw Problem(.badHeader, "the web server must send \(name) once; it came twice")
      }
      variables[name] = String(decoding: texts[index + 1], as: UTF8.self)
    }
    guard variables["SCGI"] == "1" else {
      throw Problem(.badHeader, "the web server must speak SCGI 1; it sent no SCGI with the value 1")
    }
    return variables
  }

  /// Variables that must not be repeated, because two programs could use different values.
  private static let single = ["REMOTE_USER", "CONTENT_LENGTH", "SCGI"]

  private static let malformed = Problem(
    .badHeader, "the web server must speak SCGI, and sent something else")
  private static let tooLong = Problem(
    .badHeader, "the head of the request has more than \(most) bytes; send fewer or shorter headers")
}
