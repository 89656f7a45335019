import EventLog
import StreakDomain

/// An HTTP request.
package struct Request: Sendable, Equatable {
  package let method: String
  /// The path as it was sent, without the query.
  package let path: String
  let query: String
  /// The values of the headers, keyed by the headers' lowercase names.
  package let fields: [String: String]
  /// The length of the body, or `nil` if the request has none.
  let length: Int?
  /// The body, as soon as it has been read.
  private(set) var body: [UInt8] = []

  /// The maximum number of bytes of a body.
  static let longestBody = 1 << 20

  /// The maximum number of bytes of a head.
  private static let longestHead = 32_768

  /// Creates a request from its head, without the empty line.
  private init(head: ArraySlice<UInt8>) throws(Problem) {
    let lines = head.split(separator: 0x0A).map { $0.dropLast() }
    let words = lines[0].split(separator: 0x20, omittingEmptySubsequences: false)
    guard words.count == 3, Request.isToken(words[0]), words[2].elementsEqual("HTTP/1.1".utf8)
    else {
      throw Problem(status: .badRequest, "the request line is not METHOD PATH HTTP/1.1")
    }
    guard words[1].first == 0x2F, words[1].allSatisfy({ (0x21...0x7E).contains($0) }) else {
      throw Problem(
        status: .badRequest,
        "the request's path does not begin with /, or is not percent-encoded")
    }
    let parts = Request.text(words[1]).parts(at: "?", most: 2)
    method = Request.text(words[0])
    path = String(parts[0])
    query = String(parts.dropFirst().first ?? "")

    do throws(Problem) {
      fields = try Request.fields(lines.dropFirst())
      length = try Request.length(fields)
    } catch {
      throw error.at(path)
    }
  }

  /// Returns the length of the body according to the headers, or `nil` if there is no body.
  private static func length(_ fields: [String: String]) throws(Problem) -> Int? {
    if fields["transfer-encoding"] != nil {
      throw Problem(
        .lengthRequired, "Transfer-Encoding is refused; send the body with a Content-Length")
    }
    guard fields["host"] != nil else {
      throw Problem(.badHeader, "the request needs the header Host")
    }
    guard let text = fields["content-length"] else { return nil }
    guard text.utf8.allSatisfy(\.isDigit), let length = Int(text) else {
      throw Problem(.badHeader, "Content-Length is \(quoted(text)); it must be a number of bytes")
    }
    return length
  }

  private static func fields(
    _ lines: ArraySlice<ArraySlice<UInt8>>
  ) throws(Problem) -> [String: String] {
    var fields: [String: String] = [:]
    for line in lines {
      let (name, value) = try field(line)
      if fields[name] != nil, single.contains(name) {
        throw Problem(.badHeader, "the header \(name) must be sent once, and was sent twice")
      }
      fields[name] = fields[name].map { $0 + ", " + value } ?? value
    }
    return fields
  }

  /// The headers that must not be repeated, because two programs could use different values.
  private static let single = [
    "host", "content-length", "content-type", "transfer-encoding", "remote-user", "origin",
  ]

  private static func field(_ line: ArraySlice<UInt8>) throws(Problem) -> (
    name: String, value: String
  ) {
    let name = line.prefix { $0 != UInt8(ascii: ":") }
    guard isToken(name), name.endIndex < line.endIndex else {
      throw Problem(
        status: .badRequest, "a header has no name, or white space around its name")
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

  private static func text(_ bytes: ArraySlice<UInt8>) -> String {
    String(decoding: bytes, as: UTF8.self)
  }

  subscript(name: String) -> String? { fields[name].flatMap { $0.isEmpty ? nil : $0 } }

  /// Returns the header `Idempotency-Key` without quotes, or `nil` if there is none.
  ///
  /// Events without an id get ids such as `KEY:1` from it.
  func idempotencyKey() throws(Problem) -> String? {
    guard let text = fields["idempotency-key"] else { return nil }
    let isQuoted = text.utf8.count > 1 && text.begins(with: "\"") && text.ends(with: "\"")
    let key = isQuoted ? String(Substring(text.utf8.dropFirst().dropLast())) : text
    // An id may have 64 characters; the rest is for a colon and the event's number.
    guard Syntax.isID(key), key.utf8.count <= 56 else {
      throw Problem(
        .badHeader, "Idempotency-Key is \(quoted(text)); it must be 1 to 56 of A-Z a-z 0-9 . _ : -")
    }
    return key
  }

  /// Whether the body has one event per line; throws if `Content-Type` is neither JSON nor JSON
  /// Lines.
  func isLines() throws(Problem) -> Bool {
    let type = fields["content-type"]
    switch type?.asciiLowercased.rewriting({ " \t\"".unicodeScalars.contains($0) ? "" : nil }) {
    case "application/json", "application/json;charset=utf-8": return false
    case "application/x-ndjson", "application/x-ndjson;charset=utf-8": return true
    default:
      throw Problem(
        .badContentType,
        "Content-Type is \(type.map(quoted) ?? "missing"); it must be application/json, or "
          + "application/x-ndjson with one event a line, in UTF-8",
        headers: [("Accept-Post", "application/json, application/x-ndjson")])
    }
  }

  /// Decodes percent-encoding; a plus stays a plus, because times contain it and no value contains
  /// a space.
  static func decoded(_ text: Substring) throws(Problem) -> String {
    guard let bytes = text.percentDecoded else {
      throw Problem(
        .badParameter,
        "\(quoted(String(text))) is not percent-encoded: two hexadecimal digits follow a %")
    }
    guard let text = String(validating: bytes, as: UTF8.self), !text.hasReplacedBytes else {
      throw Problem(.badParameter, "the address is not valid UTF-8")
    }
    return text
  }

  /// Whether the request was read to its end.
  var isComplete: Bool { body.count == length ?? 0 }

  /// Whether the client wants what it changed in the answer to a write (RFC 7240, section 4.2).
  var prefersRepresentation: Bool { lists("return=representation", in: "prefer") }

  /// Whether the connection is to be closed after the answer.
  var isLast: Bool { !isComplete || lists("close", in: "connection") }

  /// Whether `item` is in the comma-separated list of the header `name`.
  private func lists(_ item: String, in name: String) -> Bool {
    let items = (fields[name] ?? "").asciiLowercased.parts(at: ",")
    return items.contains { String($0).trimmed == item }
  }

  /// Whether the browser says that a person followed a link or typed the address.
  var isVisit: Bool {
    method == "GET" && self["sec-fetch-mode"] == "navigate" && self["sec-fetch-dest"] == "document"
  }

  /// Returns a response with a document and its entity tag.
  ///
  /// If the client has the document already, the response has only the tag.
  func answer(
    _ body: [UInt8], _ tag: String, _ headers: [(String, String)]
  ) throws(Problem) -> Response {
    let clientTags = try self["if-none-match"].map { (text) throws(Problem) in
      text == "*" ? [text] : try EntityTag.list(text, in: "If-None-Match")
    }
    // A proxy that compresses the answer marks its tag as weak.
    if let clientTags, clientTags.contains(where: { [tag, "W/" + tag, "*"].contains($0) }) {
      return Response(status: .notModified, headers: headers + [("ETag", tag)])
    }
    return Response(status: .ok, headers: headers + [("ETag", tag)], body: body)
  }

  /// Reads the next request without its body, or returns `nil` if the client sends no complete
  /// head.
  ///
  /// `received` are the bytes that have already arrived; more are read from `connection`. The bytes
  /// after the head stay in `received`. Each element of a head (RFC 9112) is accepted in one form
  /// only, so that a web server in front of this one can't read a head differently.
  package static func readHead(
    _ received: inout [UInt8], from connection: any Connection, until end: ContinuousClock.Instant
  ) throws(Problem) -> Request? {
    let tooLong = Problem(
      status: .requestHeaderFieldsTooLarge,
      "the head has more than \(longestHead) bytes; send fewer or shorter headers")

    var searched = 0
    while true {
      for index in searched..<received.count where received[index] == 0x0A {
        guard index < longestHead else { throw tooLong }
        guard index > 0, received[index - 1] == 0x0D else {
          throw Problem(status: .badRequest, "a line of the head does not end with CR LF")
        }
        guard index > 2, received[index - 2] == 0x0A else { continue }
        let request = try Request(head: received[..<(index - 1)])
        received.removeFirst(index + 1)
        return request
      }
      guard received.count <= longestHead else { throw tooLong }

      searched = received.count
      let piece = connection.read(until: end, mayEnd: searched == 0)
      if piece.isEmpty { return nil }
      received += piece
    }
  }

  /// Reads the body.
  ///
  /// `received` are the bytes that have already arrived; more are read from `connection`. The bytes
  /// after the body stay in `received`.
  mutating func readBody(
    _ received: inout [UInt8], from connection: any Connection, until end: ContinuousClock.Instant
  ) throws(Problem) {
    guard let length else { throw Problem(.lengthRequired, "the request needs a Content-Length") }
    guard length <= Request.longestBody else {
      throw Problem(
        .bodyTooLarge,
        """
        the body has \(length) bytes, and at most \(Request.longestBody) are allowed; send the \
        events in several requests
        """)
    }
    if self["expect"]?.asciiLowercased == "100-continue", received.isEmpty {
      _ = connection.write(Array("HTTP/1.1 100 Continue\r\n\r\n".utf8))
    }

    while received.count < length {
      let piece = connection.read(until: end, mayEnd: false)
      guard !piece.isEmpty else {
        throw Problem(.badBody, "the body ends after \(received.count) of \(length) bytes")
      }
      received += piece
    }
    body = Array(received.prefix(length))
    received.removeFirst(length)
  }
}

/// An entity tag (RFC 9110, section 8.8.3), such as `"5147-1f3a…"`.
///
/// It contains the ledger's position and a digest of the body, because the document at a position
/// can differ on another day or after an update. The tag of the ledger itself is only the position,
/// `"5147"`.
enum EntityTag {
  static func text(position: Int) -> String { "\"\(position)\"" }

  /// Returns the tag of a document that doesn't depend on the ledger.
  static func text(of body: [UInt8]) -> String { "\"\(SHA256(of: body).digest().prefix(16))\"" }

  static func text(position: Int, body: [UInt8]) -> String {
    "\"\(position)-\(SHA256(of: body).digest().prefix(16))\""
  }

  /// Returns the position with which a tag begins, or `nil` if the tag is weak or has no position.
  static func position(of tag: String) -> Int? {
    tag.begins(with: "\"") ? Int(Substring(tag.utf8.dropFirst().prefix { $0.isDigit })) : nil
  }

  /// Returns the tags in a header, split at commas; no tag of this service contains a comma.
  static func list(_ text: String, in header: String) throws(Problem) -> [String] {
    try text.parts(at: ",").map { (part) throws(Problem) in
      let tag = String(part).trimmed
      let opaque = tag.utf8.dropFirst(tag.begins(with: "W/") ? 2 : 0)
      guard opaque.count > 1, opaque.first == UInt8(ascii: "\""), opaque.last == UInt8(ascii: "\""),
        !opaque.dropFirst().dropLast().contains(UInt8(ascii: "\""))
      else {
        throw Problem(
          .badHeader, "\(header) is \(quoted(text)); it must be tags in quotes such as \"5147\"")
      }
      return tag
    }
  }
}
