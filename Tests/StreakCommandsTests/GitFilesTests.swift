import Foundation
import StreakCommands
import TestSupport
import Testing

/// What `init` writes for git.
struct GitFilesTests {
  private static let ignored = ".lock\n*.torn-*\n.batch\n"
  private static let attributes = "*.jsonl -text merge=streaks\n"

  private func text(_ name: String, _ ledger: TemporaryLedger) -> String? {
    FileManager.default.contents(atPath: "\(ledger.events)/\(name)").map {
      String(decoding: $0, as: UTF8.self)
    }
  }

  @Test func `init writes what git has to know, and no segment`() throws {
    let ledger = try TemporaryLedger()
    let made = ledger.run("init noalc")
    #expect(made.status == .done && made.errors.isEmpty)
    #expect(text(".gitignore", ledger) == GitFilesTests.ignored)
    #expect(text(".gitattributes", ledger) == GitFilesTests.attributes)
    #expect(ledger.run("verify").status == .done)
  }

  @Test func `lines of a person's own stay, and only what is missing is added`() throws {
    let ledger = try TemporaryLedger()
    try ledger.write([UInt8]("notes\r\n.lock\r\n*.torn-*".utf8), to: ".gitignore")
    try ledger.write([UInt8](GitFilesTests.attributes.utf8), to: ".gitattributes")
    #expect(ledger.run("init noalc").status == .done)
    #expect(text(".gitignore", ledger) == "notes\r\n.lock\r\n*.torn-*\n.batch\n")
    #expect(text(".gitattributes", ledger) == GitFilesTests.attributes)
  }

  @Test(arguments: ["init noalc --dry-run", "init noalc --guest", "init nolac"])
  func `where no ledger is made, nothing is written for git`(line: String) throws {
    let ledger = try TemporaryLedger()
    _ = ledger.run(line)
    #expect(ledger.contents() == nil)
  }

  @Test func `a ledger that a program begins has nothing for git`() throws {
    let ledger = try TemporaryLedger()
    #expect(ledger.run("append", input: #"{"type":"ledger.opened"}"#).status == .done)
    #expect(ledger.files() == [".lock", "main.jsonl"])
  }

  @Test func `the ledger is there though git's files cannot be written`() throws {
    let ledger = try TemporaryLedger()
    try FileManager.default.createDirectory(
      atPath: ledger.events + "/.gitignore", withIntermediateDirectories: true)
    let made = ledger.run("init noalc")
    #expect(made.status == .done)
    #expect(made.errors.contains("the ledger was made, but not all of its git files: cannot open"))
    #expect(ledger.stored().count == 2)
  }

  @Test func `init names the merge driver in a work tree`() throws {
    let ledger = try TemporaryLedger()
    try FileManager.default.createDirectory(
      atPath: ledger.folder + "/.git", withIntermediateDirectories: true)
    let made = ledger.run("init noalc")
    #expect(
      made.errors
        == "git: run `git config merge.streaks.driver 'streaks merge-file %O %A %B %P'` in each clone, and two machines "
        + "may write one segment (docs/sync.md)\n")
    #expect(made.text.hasPrefix("a new ledger in "))
  }
}
