import CommandFixtures
import Foundation
import StreakCommands
import StreakDomain
import Testing

struct NoLedgerTests {
  static let reading =
    ReadingCommands.lines("noalc") + [
      "verify", "verify --heads", "timeline", "export csv days", "celebrate", "remind",
    ]
  static let writing = [
    "log noalc steady", "define noalc", "delete --last", "undo", "day", "excuse 2025-11-01",
    "celebrate --seen",
    "remind --set noalc", "verify --accept phone", "import loop Checkmarks.csv",
  ]

  enum Folder: CaseIterable {
    case absent, empty, torn, emptied, evicted

    func make(_ ledger: TemporaryLedger) throws {
      switch self {
      case .absent: return
      case .empty:
        try FileManager.default.createDirectory(
          atPath: ledger.events, withIntermediateDirectories: true)
      case .torn: try ledger.write([UInt8](#"{"id":"a","type":"led"#.utf8), to: "phone.jsonl")
      case .emptied: try ledger.write([], to: "phone.jsonl")
      case .evicted: try ledger.write([1, 2], to: ".phone.jsonl.icloud")
      }
    }

    var says: String? {
      switch self {
      case .absent, .empty: nil
      case .torn: "phone.jsonl contains only a torn end, so restore a backup if you have one"
      case .emptied, .evicted: "phone.jsonl may have been evicted by a sync program"
      }
    }
  }

  @Test(arguments: Folder.allCases, reading + writing)
  func `commands other than init and append fail in a folder without events and change nothing`(
    folder: Folder, command: String
  )
    throws
  {
    let ledger = try TemporaryLedger()
    try folder.make(ledger)
    try Data("2021-01-05 : Gym : y\n".utf8).write(
      to: URL(fileURLWithPath: ledger.folder + "/habits.log"))
    let before = ledger.contents()
    for more in NoLedgerTests.writing.contains(command) ? ["", " --dry-run"] : [""] {
      let words =
        command.replacingOccurrences(of: "habits.log", with: ledger.folder + "/habits.log") + more
      let output = ledger.run(words)
      #expect(output.status == .failed, "\(words): \(output.screen)")
      #expect(output.text.isEmpty)
      #expect(output.errors.contains("there is no ledger at"), "\(words): \(output.errors)")
      #expect(output.errors.contains("streaks init"))
      if let says = folder.says {
        #expect(output.errors.contains(says), "\(words): \(output.errors)")
      }
      #expect(ledger.contents() == before, "\(words)")
    }
  }

  @Test(arguments: Folder.allCases)
  func `init creates a ledger in an empty folder, but not where segments seem to be missing`(
    folder: Folder
  ) throws {
    let ledger = try TemporaryLedger()
    try folder.make(ledger)
    let output = ledger.run("init noalc")
    switch folder {
    case .absent, .empty, .torn: #expect(output.status == .done, "\(output.errors)")
    case .emptied, .evicted:
      #expect(output.status == .notWritten)
      #expect(
        output.errors.contains("phone.jsonl") && output.errors.contains("--force"),
        "\(output.errors)")
      #expect(ledger.bytes().isEmpty)
      #expect(ledger.run("init noalc --force").status == .done)
    }
    #expect(ledger.run("log noalc steady").status == .done)
  }

  @Test func `append and an HTTP request create a ledger, and a dry run does not`() throws {
    let ledger = try TemporaryLedger()
    let opened = #"{"type":"ledger.opened","zone":"Europe/Berlin"}"#
    #expect(ledger.run("append --dry-run", input: opened).status == .done)
    #expect(ledger.contents() == nil)
    #expect(ledger.run("init noalc --dry-run").status == .done)
    #expect(ledger.contents() == nil)
    #expect(ledger.run("append", input: opened).status == .done)
    try FileManager.default.createDirectory(
      atPath: ledger.folder + "/root", withIntermediateDirectories: true)
    let answer = WebRequest("POST", "/v1/events", root: ledger.folder + "/root", body: opened)
      .answer()
    #expect(answer.status == 201, "\(answer.body)")
  }

  @Test func `show and verify report an evicted segment that no writer has seen`() throws {
    let ledger = try TemporaryLedger(running: "init noalc")
    try ledger.write([1, 2], to: ".phone.jsonl.icloud")
    #expect(
      ledger.run("show").errors
        == "\(ledger.events)/phone.jsonl was evicted by a sync program; bring it back\n")
    #expect(
      ledger.run("verify").text
        == "\(ledger.events)/phone.jsonl: seen: was evicted by a sync program; bring it back\n")
  }
}
