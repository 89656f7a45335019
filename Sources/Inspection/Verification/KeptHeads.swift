import EventLog
package import StreakDomain

/// The parsed output of an earlier `verify --heads`.
package struct KeptHeads: Sendable {
  struct Head: Sendable {
    let name: Text
    let bytes: Int
    let rest: String
  }

  private(set) var heads: [Head] = []

  package init(_ bytes: [UInt8], of file: String) throws(Failure) {
    var lines: [String] = []
    for line in bytes.split(separator: UInt8(ascii: "\n")) {
      lines.append(String(decoding: line, as: UTF8.self))
    }
    guard lines.contains(where: { KeptHeads.isLine($0) }) else {
      throw Failure(
        .usage,
        "\(Escaping.visible(file)) has no heads: name what `streaks verify --heads` printed"
      )
    }
    let last = lines.popLast()?.parts(at: " ").map(String.init) ?? []
    guard last.count == 2, last[0] == "segments", let count = Int(last[1]), count == lines.count else {
      let what =
        last.first == "segments" ? "has \(counted(lines.count, "head"))" : "does not end with `segments N`"
      throw Failure(
        .usage,
        "\(Escaping.visible(file)) \(what): a part of what `streaks verify --heads` printed proves nothing")
    }
    for (place, line) in lines.enumerated() {
      guard let head = KeptHeads.head(line) else {
        let form = "NAME bytes N head SEAL tail DIGEST, as `streaks verify --heads` prints it"
        throw Failure(
          .badForm, "\"head\" is \(quoted(line)); it must be \(form)",
          at: Place(file: file, line: place + 1, column: 1), text: line)
      }
      heads.append(head)
    }
  }

  private static func isLine(_ line: String) -> Bool {
    head(line) != nil || line.parts(at: " ").first == "segments"
  }

  package static func end(_ heads: [SegmentHead]) -> String { "segments \(heads.count)" }

  private static func head(_ line: String) -> Head? {
    let words = line.parts(at: " ").map(String.init)
    guard words.count >= 7 else { return nil }
    let tail = Array(words.suffix(6))
    guard tail[0] == "bytes", let bytes = Int(tail[1]), tail[2] == "head", tail[4] == "tail" else {
      return nil
    }
    return Head(
      name: Text(words.dropLast(6).joined(separator: " ")), bytes: bytes,
      rest: tail[2...].joined(separator: " "))
  }
}
