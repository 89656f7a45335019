import CommandFixtures
import Foundation
import StreakServer

/// The laws of a request's head: how it arrives doesn't matter, and what is accepted is read by a
/// plain reader, too.
enum RequestLaws {
  static func check(_ input: [UInt8]) throws(Finding) {
    let whole = parsed(input, pieces: input.count)
    for pieces in [1, 3] {
      let other = parsed(input, pieces: pieces)
      try demand(
        other?.request == whole?.request, "in pieces of \(pieces) bytes it is another request")
    }
    guard let (request, length) = whole else { return }
    let head = input[..<length]
    try demand(
      head.suffix(4).elementsEqual("\r\n\r\n".utf8), "the head does not end with an empty line")
    try demand(
      head.dropLast(4).firstRange(of: Array("\r\n\r\n".utf8)) == nil, "the head has an empty line")
    let lines = head.dropLast(4).split(separator: 10, omittingEmptySubsequences: false).map {
      line in
      line.last == 13 ? line.dropLast() : line
    }
    try demand(!lines.contains { $0.contains { $0 == 13 || $0 == 0 } }, "a line has a CR or NUL")
    let names = lines.dropFirst().map { line in
      String(decoding: line.prefix { $0 != 58 }, as: UTF8.self).lowercased()
    }
    try demand(Set(names) == Set(request.fields.keys), "it has other headers: \(names)")
    for name in ["host", "content-length", "remote-user", "content-type"] {
      try demand(names.count { $0 == name } <= 1, "\(name) is accepted twice")
    }
    try demand(!names.contains("transfer-encoding"), "Transfer-Encoding is accepted")
    let words = String(decoding: lines[0], as: UTF8.self).components(separatedBy: " ")
    try demand(words.count == 3 && words[0] == request.method, "it has another method")
    let path = words[1].prefix { $0 != "?" }
    try demand(path == request.path && path.hasPrefix("/"), "it has another path")
  }

  private static func parsed(_ input: [UInt8], pieces: Int) -> (request: Request, length: Int)? {
    let client = HeldConnection(input, pieces: max(1, pieces))
    var received: [UInt8] = []
    do throws(Problem) {
      let request = try Request.readHead(&received, from: client, until: .now)
      return request.map { ($0, input.count - client.unread - received.count) }
    } catch { return nil }
  }
}
