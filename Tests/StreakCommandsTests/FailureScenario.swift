import CommandFixtures
import Foundation
import StreakCommands
import StreakDomain

/// What leads to a failure of one kind, and the command that meets it.
struct FailureScenario: Sendable {
  let kind: FailureKind
  /// The last line is the command that fails; those before it succeed.
  ///
  /// `now TIME` sets the clock, and what follows ` <<< ` is standard input.
  private let lines: [String]
  /// By their paths from the ledger's folder; one named `events/…` is of the ledger.
  private let files: [String: String]
  /// Whether there is no ledger before the lines.
  private let isBare: Bool
  /// Changes what the last command finds.
  private let spoil: @Sendable (Room) throws -> Void

  /// A ledger with what else the last command needs.
  final class Room {
    let ledger: TemporaryLedger
    /// What the word CURSOR stands for.
    var cursor = ""
    /// What is kept open while the command runs.
    var held: Any?

    init() throws { ledger = try TemporaryLedger() }
  }

  init(
    _ kind: FailureKind, _ lines: String..., files: [String: String] = [:], isBare: Bool = false,
    spoil: @escaping @Sendable (Room) throws -> Void = { _ in }
  ) {
    (self.kind, self.lines, self.files, self.isBare, self.spoil) = (kind, lines, files, isBare, spoil)
  }

  /// The kind that a ledger's third line is of, which a bad log shows.
  init(log kind: FailureKind, _ variant: String = "") {
    self.init(kind, "replay", isBare: true) { room in
      try room.ledger.write(
        Repository.bytes("Tests/Fixtures/bad-logs/\(kind.rawValue)\(variant).jsonl"), to: "main.jsonl")
    }
  }

  /// The kind as `--json` says it, and what a person reads in its first line; paths are from the ledger's folder.
  func run() throws -> (kind: String?, status: ExitStatus, says: String) {
    let room = try Room()
    for (path, text) in files {
      let file = URL(fileURLWithPath: "\(room.ledger.folder)/\(path)")
      try FileManager.default.createDirectory(
        at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
      try Data(text.utf8).write(to: file)
    }
    let begun = isBare ? [] : ["init noalc meditation morning_ritual evening_reflection daily_complete"]
    for line in begun + lines.dropLast() {
      let output = run(line, room)
      guard output.status == .done else { throw Unprepared(screen: "\(line)\n\(output.screen)") }
    }
    try spoil(room)
    let output = run(lines.last ?? "", room, more: ["--json"])
    let document = Output(text: output.errors, errors: "", status: output.status)
    let says = (document["error.says"] ?? output.errors).replacing(room.ledger.folder + "/", with: "")
      // The name of a machine's segment is made of the folder.
      .replacing(/vm-[0-9a-f]{6}/, with: "vm-3fa2c1")
    let shown = says.components(separatedBy: "\n")
    // What follows a colon belongs to the sentence; what else is below it shows the place.
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
