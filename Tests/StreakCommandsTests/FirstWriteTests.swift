import CommandFixtures
import EventLog
import Foundation
import StreakCommands
import StreakDomain
import Testing

struct FirstWriteTests {
  private static let entry = #"{"type":"entry.logged","habit":"noalc","level":"easy"}"#

  private func ledger() throws -> (ledger: TemporaryLedger, name: String) {
    let ledger = try TemporaryLedger()
    ledger.machine = Machine(host: "annas-laptop", id: "3d12")
    return (ledger, Machine(host: "annas-laptop", id: "3d12").segment(in: ledger.events))
  }

  private func crowded(_ count: Int) throws -> (ledger: TemporaryLedger, name: String) {
    let (ledger, name) = try ledger()
    try ledger.run(all: "init noalc --writer s1", at: "2025-11-03T10:00:00+01:00")
    for number in 2...count { try ledger.run(all: "log noalc steady --writer s\(number)") }
    ledger.now = "2025-11-03T12:00:00+01:00"
    return (ledger, name)
  }

  @Test
  func `each machine writes its own segment, and only the first write prints the segment's name`()
    throws
  {
    let (ledger, name) = try ledger()
    #expect(name.hasPrefix("annas-laptop-"))
    #expect(ledger.run("init noalc").errors == "this machine writes \(name).jsonl\n")
    #expect(ledger.run("log noalc steady").errors.isEmpty)
    #expect(ledger.stored(in: name).count == 3)
    #expect(ledger.files() == [".gitattributes", ".gitignore", ".lock", "\(name).jsonl"])
  }

  @Test(arguments: [
    "log noalc easy --json", "append", "append --each", "define reading --preset awareness --json",
  ])
  func `the name of a new segment is printed on standard error, not in the JSON output`(
    line: String
  ) throws {
    let (ledger, name) = try ledger()
    try ledger.run(all: "init noalc --writer phone")
    let first = ledger.run(line, input: FirstWriteTests.entry)
    #expect(first.status == .done && first.text.hasPrefix("{"), "\(first.screen)")
    #expect(!first.text.contains(name))
    #expect(first.errors == "this machine writes \(name).jsonl\n")
  }

  @Test func `the segment's name is not printed if the user chose it or nothing is written`() throws
  {
    for line in [
      "log noalc easy --writer laptop", "show", "log noalc easy --guest",
      "log noalc easy --dry-run",
    ] {
      let (ledger, _) = try ledger()
      try ledger.run(all: "init noalc --writer phone")
      #expect(!ledger.run(line).errors.contains("this machine"), "\(line)")
    }
    let (ledger, _) = try ledger()
    try ledger.run(all: "init noalc --writer phone")
    #expect(!ledger.run("log nolac easy").errors.contains("this machine"))
    let named = ledger.run(["log", "noalc", "easy"], variables: ["STREAKS_WRITER": "main"])
    #expect(named.errors.isEmpty && ledger.stored(in: "main").count == 1)
  }

  @Test func `a 65th segment is refused unless the user names it with --writer`() throws {
    let (few, own) = try crowded(63)
    #expect(few.run("log noalc easy").status == .done)
    #expect(few.stored(in: own).count == 1)
    #expect(few.run("log noalc easy").status == .done)
    let (many, name) = try crowded(64)
    let before = many.contents()
    for line in ["log noalc easy", "log noalc easy --dry-run", "append", "append --each"] {
      let refused = many.run(line, input: FirstWriteTests.entry)
      #expect(refused.status == .usage, "\(line): \(refused.screen)")
      #expect(
        refused.errors.contains(
          """
          the ledger has 64 segments, and \(name).jsonl would be another under a name that nobody \
          gave; name the one to 
          """
            + "write with STREAKS_WRITER or --writer"), "\(line): \(refused.errors)")
    }
    #expect(many.contents() == before)
    #expect(many.run("log noalc easy --guest").status == .done)
    #expect(many.run("log noalc easy --writer s65").status == .done)
  }

  @Test func `the HTTP service refuses a 65th segment unless the administrator names the writer`()
    throws
  {
    let (ledger, _) = try crowded(64)
    try FileManager.default.moveItem(atPath: ledger.events, toPath: ledger.folder + "/ana")
    var post = WebRequest("POST", "/v1/events", root: ledger.folder, body: FirstWriteTests.entry)
    post.writer = ""
    let refused = post.answer()
    #expect(refused.status == 500 && refused.problem == "not-configured", "\(refused)")
    post.writer = "web"
    #expect(post.answer().status == 201)
  }

  @Test func `the HTTP service names the segments of two logins differently`() throws {
    let ledger = try TemporaryLedger()
    let body = #"{"type":"ledger.opened","zone":"Europe/Berlin"}"#
    var names: Set<String> = []
    for login in ["ana", "ben"] {
      var post = WebRequest("POST", "/v1/events", root: ledger.folder, body: body)
      post.writer = ""
      #expect(post.with(["Remote-User": login]).answer().status == 201)
      let files = try FileManager.default.contentsOfDirectory(atPath: "\(ledger.folder)/\(login)")
      names.formUnion(files.filter { $0.hasSuffix(".jsonl") })
    }
    #expect(names.count == 2 && names.allSatisfy { $0.hasPrefix("host-") }, "\(names)")
  }
}
