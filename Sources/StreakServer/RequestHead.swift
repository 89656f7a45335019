import EventLog
import StreakDomain

/// The head of an HTTP/1.1 request (RFC 9112): the request line and the headers, parsed as the bytes arrive.
///
/// Each element is accepted in one form only, so that a web server in front of this one can't read a head differently.
package struct RequestHead {
  package static let limit = 32_768

  private var bytes: [UInt8] = []

  package init() {}

  package var isEmpty: Bool { bytes.isEmpty }

  /// Appends received bytes, and returns the request and the bytes after the head as soon as the head is complete.
  package mutating func take(_ more: [UInt8]) throws(Problem) -> (request: Request, rest: [UInt8])? {
    let start = bytes.count
    bytes += more
    for index in start..<bytes.count where bytes[index] == 0x0A {
      guard index < RequestHead.limit else { throw RequestHead.tooLong }
      guard index > 0, bytes[index - 1] == 0x0D else {
        throw Problem(status: .badRequest, "a line of the head does not end with CR LF")
      }
      guard index > 2, bytes[index - 2] == 0x0A else { continue }
      return (try RequestHead.request(bytes[..<(index - 1)]), Array(bytes[(index + 1)...]))
    }
    if bytes.count > RequestHead.limit { throw RequestHead.tooLong }
    return nil
  }

  private static let tooLong = Problem(
    status: .headTooLarge, "the head has more than \(limit) bytes; send fewer or shorter headers")

  private static func request(_ head: ArraySlice<UInt8>) throws(Problem) -> Request {
    let lines = head.split(separator: 0x0A).map { $0.dropLast() }
    let words = lines[0].split(separator: 0x20, omittingEmptySubsequences: false)
    guard words.count == 3, isToken(words[0]), ["HTTP/1.1", "HTTP/1.0"].contains(text(words[2])) else {
      throw Problem(status: .badRequest, "the request line is not METHOD PATH HTTP/1.1")
    }
    guard words[1].first == 0x2F, words[1].allSatisfy({ (0x21...0x7E).contains($0) }) else {
      throw Problem(
        status: .badRequest, "the request's path does not begin with /, or is not percent-encoded")
    }
    var fields: [String: String] = [:]
    for line in lines.dropFirst() {
      let (name, value) = try field(line)
      guard let known = fields[name] else {
        fields[name] = value
        continue
      }
      guard !single.contains(name) else {
        throw Problem(.badHeader, "the header \(name) must be sent once, and was sent twice")
      }
      fields[name] = known + ", " + value
    }
    if fields["transfer-encoding"] != nil {
      throw Problem(.lengthRequired, "Transfer-Encoding is not taken; send the body with a Content-Length")
    }
    guard fields["host"] != nil || text(words[2]) == "HTTP/1.0" else {
      throw Problem(.badHeader, "the request needs the header Host")
    }
    return try Request(method: text(words[0]), target: text(words[1]), fields)
  }

  /// The headers that must not be repeated, because two programs could use different values.
  private static let single = [
    "host", "content-length", "content-type", "transfer-encoding", "remote-user", "origin",
  ]

  private static func field(_ line: ArraySlice<UInt8>) throws(Problem) -> (name: String, value: String) {
    let name = line.prefix { $0 != UInt8(ascii: ":") }
    guard isToken(name), name.endIndex < line.endIndex else {
      throw Problem(status: .badRequest, "a header has no name, or white space around its name")
    }
    let value = line[(name.endIndex + 1)...]
    guard value.allSatisfy({ $0 >= 0x20 && $0 != 0x7F || $0 == 0x09 }) else {
      throw Problem(status: .badRequest, "the header \(text(name)) has a control character")
    }
    func isSpace(_ byte: UInt8) -> Bool { byte == 0x20 || byte == 0x09 }
    let end = value.lastIndex { !isSpace($0) }.map { $0 + 1 } ?? value.startIndex
    return (text(name).asciiLowercased, text(value[..<end].drop(while: isSpace)))
  }

  /// Whether the bytes are a token (RFC 9110, section 5.6.2).
  private static func isToken(_ bytes: ArraySlice<UInt8>) -> Bool {
    !bytes.isEmpty
      && bytes.allSatisfy {
        $0.isDigit || (0x61...0x7A).contains($0 | 0x20) || "!#$%&'*+-.^_`|~".utf8.contains($0)
      }
  }

  private static func text(_ bytes: ArraySlice<UInt8>) -> String { String(decoding: bytes, as: UTF8.self) }
}
