import EventLog
import StreakDomain

/// An HTTP request without its body.
package struct Request: Sendable, Equatable {
  package let method: String
  /// The path as it was sent, without the query.
  package let path: String
  let query: String
  /// The values of the headers, keyed by the headers' lowercase names.
  package let fields: [String: String]
  /// The length of the body, or `nil` if the request has none.
  let length: Int?

  /// The maximum number of bytes of a body.
  static let longestBody = 1 << 20

  init(method: String, target: String, _ fields: [String: String]) throws(Problem) {
    let parts = target.parts(at: "?", most: 2)
    (self.method, path) = (method, String(parts[0]))
    query = parts.count == 2 ? String(parts[1]) : ""
    self.fields = fields
    length = try fields["content-length"].map { (text) throws(Problem) in
      guard !text.isEmpty, text.utf8.allSatisfy(\.isDigit), let length = Int(text) else {
        throw Problem(.badHeader, "Content-Length is \(quoted(text)); it must be a number of bytes")
      }
      return length
    }
  }

  subscript(name: String) -> String? { fields[name].flatMap { $0.isEmpty ? nil : $0 } }

  /// Returns the header `Idempotency-Key` without quotes, or `nil`; ids such as `KEY:1` are made of the key.
  func idempotencyKey() throws(Problem) -> String? {
    guard let text = fields["idempotency-key"] else { return nil }
    let isQuoted = text.utf8.count > 1 && text.begins(with: "\"") && text.ends(with: "\"")
    let key = isQuoted ? String(Substring(text.utf8.dropFirst().dropLast())) : text
    // An id may have 64 characters; the rest is for a colon and the event's number.
    guard Forms.isID(key), key.utf8.count <= 56 else {
      throw Problem(
        .badHeader, "Idempotency-Key is \(quoted(text)); it must be 1 to 56 of A-Z a-z 0-9 . _ : -")
    }
    return key
  }

  func parameters() throws(Problem) -> [(name: String, value: String)] {
    var parameters: [(name: String, value: String)] = []
    for part in query.parts(at: "&") where !part.isEmpty {
      let sides = part.parts(at: "=", most: 2)
      let name = try Request.decoded(sides[0])
      guard !parameters.contains(where: { $0.name == name }) else {
        throw Problem(.badParameter, "the parameter \(quoted(name)) is given twice")
      }
      parameters.append((name, sides.count == 2 ? try Request.decoded(sides[1]) : ""))
    }
    return parameters
  }

  /// Decodes percent-encoding, but no plus into a space, because times contain a plus and no value has a space.
  static func decoded(_ text: Substring) throws(Problem) -> String {
    var bytes: [UInt8] = []
    var rest = Array(text.utf8)[...]
    while let byte = rest.popFirst() {
      guard byte == UInt8(ascii: "%") else {
        bytes.append(byte)
        continue
      }
      guard let high = rest.popFirst()?.hexDigit, let low = rest.popFirst()?.hexDigit else {
        throw Problem(
          .badParameter,
          "\(quoted(String(text))) is not percent-encoded: two hexadecimal digits follow a %")
      }
      bytes.append(high << 4 | low)
    }
    guard let text = String(validating: bytes, as: UTF8.self), !text.hasReplacedBytes else {
      throw Problem(.badParameter, "the address is not valid UTF-8")
    }
    return text
  }

  /// Returns the body, which begins with the received bytes `rest` and is read from `input` until that ends.
  func body(_ rest: [UInt8], _ input: () -> [UInt8]) throws(Problem) -> [UInt8] {
    guard let length else { throw Problem(.lengthRequired, "the request needs a Content-Length") }
    guard length <= Request.longestBody else {
      throw Problem(
        .bodyTooLarge,
        "the body has \(length) bytes, and at most \(Request.longestBody) are taken; send the events in several requests"
      )
    }
    var bytes = rest
    while bytes.count < length {
      let piece = input()
      guard !piece.isEmpty else {
        throw Problem(.badBody, "the body ends after \(bytes.count) of \(length) bytes")
      }
      bytes += piece
    }
    return Array(bytes.prefix(length))
  }
}
