import CommandFixtures
import Foundation
import StreakCommands
import StreakDomain
import Testing

struct GitFilesTests {
  private static let ignored = ".lock\n*.torn-*\n.batch\n"
  private static let attributes = "*.jsonl -text\n"

  private func text(_ name: String, _ ledger: TemporaryLedger) -> String? {
    FileManager.default.contents(atPath: "\(ledger.events)/\(name)").map {
      String(decoding: $0, as: UTF8.self)
    }
  }

  @Test func `init writes a gitignore and a gitattributes file into the ledger's folder`() throws {
    let ledger = try TemporaryLedger()
    let made = ledger.run("init noalc")
    #expect(made.status == .done && made.errors.isEmpty)
    #expect(text(".gitignore", ledger) == GitFilesTests.ignored)
    #expect(text(".gitattributes", ledger) == GitFilesTests.attributes)
    #expect(ledger.run("verify").status == .done)
  }

  @Test func `init does not change an existing gitignore file`() throws {
    let ledger = try TemporaryLedger()
    try ledger.write([UInt8]("notes\r\n".utf8), to: ".gitignore")
    #expect(ledger.run("init noalc").status == .done)
    #expect(text(".gitignore", ledger) == "notes\r\n")
    #expect(text(".gitattributes", ledger) == GitFilesTests.attributes)
  }

  @Test(arguments: ["log noalc steady", "append", "append --each"])
  func `the first write to a new segment restores a missing gitignore file, later writes do not`(
    line: String
  ) throws {
    let ledger = try TemporaryLedger(running: "init noalc")
    let entry = #"{"type":"entry.logged","habit":"noalc","level":"easy"}"#
    for (writer, wanted) in [("main", nil), ("phone", GitFilesTests.ignored)] {
      try? FileManager.default.removeItem(atPath: ledger.events + "/.gitignore")
      #expect(ledger.run("\(line) --writer \(writer)", input: entry).status == .done)
      #expect(text(".gitignore", ledger) == wanted, "\(writer)")
    }
  }

  @Test(arguments: ["init noalc --dry-run", "init noalc --guest", "init nolac"])
  func `init writes no files if it fails or has --dry-run or --guest`(line: String) throws {
    let ledger = try TemporaryLedger()
    _ = ledger.run(line)
    #expect(ledger.contents() == nil)
  }

  @Test func `init makes the ledger even if the gitignore file cannot be written`() throws {
    let ledger = try TemporaryLedger()
    try FileManager.default.createDirectory(
      atPath: ledger.events + "/.gitignore", withIntermediateDirectories: true)
    let made = ledger.run("init noalc")
    #expect(made.status == .done && made.errors.isEmpty)
    #expect(ledger.stored().count == 2)
  }
}
