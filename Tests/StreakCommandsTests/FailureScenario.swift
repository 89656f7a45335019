import CommandFixtures
import Foundation
import StreakCommands
import StreakDomain

/// A way to cause a failure of one kind, and the command that reports it.
struct FailureScenario: Sendable {
  let kind: FailureKind
  /// The commands, of which only the last one fails.
  ///
  /// `now TIME` sets the clock, and the text after ` <<< ` is standard input.
  private let lines: [String]
  /// The files by their paths from the ledger's folder; `events/…` is in the ledger itself.
  private let files: [String: String]
  private let isBare: Bool
  private let spoil: @Sendable (Room) throws -> Void

  final class Room {
    let ledger: TemporaryLedger
    /// The replacement for the word CURSOR.
    var cursor = ""
    var held: Any?

    init() throws { ledger = try TemporaryLedger() }
  }

  init(
    _ kind: FailureKind, _ lines: String..., files: [String: String] = [:], isBare: Bool = false,
    spoil: @escaping @Sendable (Room) throws -> Void = { _ in }
  ) {
    (self.kind, self.lines, self.files, self.isBare, self.spoil) = (
      kind, lines, files, isBare, spoil
    )
  }

  init(log kind: FailureKind, _ variant: String = "") {
    self.init(kind, "replay", isBare: true) { room in
      try room.ledger.write(
        Repository.bytes("Tests/Fixtures/bad-logs/\(kind.rawValue)\(variant).jsonl"),
        to: "main.jsonl")
    }
  }

  /// Runs the scenario; paths in the message are relative to the ledger's folder.
  func run() throws -> (kind: String?, status: ExitStatus, says: String) {
    let room = try Room()
    for (path, text) in files {
      let file = URL(fileURLWithPath: "\(room.ledger.folder)/\(path)")
      try FileManager.default.createDirectory(
        at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
      try Data(text.utf8).write(to: file)
    }
    let begun =
      isBare ? [] : ["init noalc meditation morning_ritual evening_reflection daily_complete"]
    for line in begun + lines.dropLast() {
      let output = run(line, room)
      guard output.status == .done else { throw Unprepared(screen: "\(line)\n\(output.screen)") }
    }
    try spoil(room)
    let output = run(lines.last ?? "", room, more: ["--json"])
    let document = Output(text: output.errors, errors: "", status: output.status)
    let says = (document["error.says"] ?? output.errors).replacing(
      room.ledger.folder + "/", with: ""
    )
    // The name of a machine's segment depends on the folder.
    .replacing(/vm-[0-9a-f]{6}/, with: "vm-3fa2c1")
    let shown = says.components(separatedBy: "\n")
    // After a colon the message continues on the next line; other lines show the location.
    let more = shown[0].hasSuffix(":") ? " " + shown[1].trimmingCharacters(in: .whitespaces) : ""
    return (document["error.kind"], output.status, shown[0] + more)
  }

  private struct Unprepared: Error {
    let screen: String
  }

  private func run(_ line: String, _ room: Room, more: [String] = []) -> Output {
    if line.hasPrefix("now ") {
      room.ledger.now = String(line.dropFirst(4))
      return Output(text: "", errors: "", status: .done)
    }
    let parts = line.components(separatedBy: " <<< ")
    let words = TemporaryLedger.words(parts[0]).map { word in
      word == "CURSOR" ? room.cursor : files[word] == nil ? word : "\(room.ledger.folder)/\(word)"
    }
    return room.ledger.run(words + more, input: parts.count == 2 ? parts[1] : "")
  }
}
