import CommandFixtures
import Foundation
import StreakCommands
import StreakDomain
import Testing

struct AcceptTests {
  private func ledger() throws -> TemporaryLedger {
    let ledger = try TemporaryLedger(now: "2025-11-01T12:00:00+01:00")
    try ledger.run(all: "init noalc --writer phone\nlog noalc steady --id p1 --writer phone")
    return ledger
  }

  private func append(_ ledger: TemporaryLedger, _ line: String, to segment: String) throws {
    try ledger.write(ledger.bytes(of: segment) + Array((line + "\n").utf8), to: "\(segment).jsonl")
  }

  @Test(arguments: [3, 2])
  func `verify --accept silences the finding about a copied segment until the segment grows`(
    lines: Int
  ) throws {
    let ledger = try ledger()
    let copied = ledger.bytes(of: "phone").split(separator: 10).prefix(lines)
    try ledger.write(Array(copied.joined(separator: [10])) + [10], to: "phone-copy.jsonl")
    let before = ledger.run("verify")
    #expect(before.status == .failed && before.text.contains("identity"), "\(before.screen)")
    #expect(
      before.errors.contains("`streaks verify --accept phone-copy` settles it"), "\(before.screen)")
    let accepted = ledger.run("verify --accept phone-copy.jsonl --writer laptop --id known")
    #expect(
      accepted.text
        == "accepted: what `verify` found of phone-copy.jsonl, and a loss of its present lines\n")
    #expect(ledger.stored(in: "laptop").first { $0["id"] == "known" }?["lines"] == "\(lines)")
    #expect(ledger.run("verify").screen.isEmpty && ledger.run("verify").status == .done)
    #expect(ledger.run("verify --json")["sound"] == "1")
    #expect(ledger.run("verify --accept phone-copy --writer laptop").status == .failed)
    #expect(
      ledger.run("undo --writer laptop").errors.contains("events of this type cannot be undone"))
    let next =
      #"{"id":"c9","type":"entry.logged","at":"2025-11-01T13:00:00+01:00","#
        + #"""
        "recorded":"2025-11-01T13:00:00.000000Z","day":"2025-11-01","zone":"Europe/Berlin",\#
        "habit":"noalc",
        """#
      + #""level":"steady"}"#
    try append(ledger, next, to: "phone-copy")
    #expect(ledger.run("verify").status == .failed)
  }

  @Test
  func `a finding that a segment accepted about itself returns when the segment grows`() throws {
    let ledger = try ledger()
    try ledger.write(ledger.bytes(of: "phone"), to: "phone-copy.jsonl")
    try ledger.run(
      all: "log noalc steady --writer phone-copy\nverify --accept phone-copy --writer phone-copy")
    #expect(ledger.run("verify").screen.isEmpty)
    try ledger.run(all: "log noalc steady --writer phone-copy")
    #expect(ledger.run("verify").text.contains("events are also in phone.jsonl"))
  }

  @Test func `verify --accept settles a duplicate line permanently but refuses a broken seal`()
    throws
  {
    let ledger = try ledger()
    let copied = try #require(ledger.bytes(of: "phone").split(separator: 10).last)
    try ledger.write(Array(copied) + [10], to: "tablet.jsonl")
    try ledger.run(all: "log noalc steady --writer tablet")
    #expect(ledger.run("verify").text.contains("tablet.jsonl:1: identity: is a duplicate"))
    ledger.now = "2025-11-02T12:00:00+01:00"
    try ledger.run(
      all: "verify --accept tablet --writer laptop\nlog noalc steady --writer tablet --note mine")
    #expect(ledger.run("verify").screen.isEmpty)
    try ledger.run(all: "day --writer tablet", at: "2025-11-03T12:00:00+01:00")
    var edited = String(decoding: ledger.bytes(of: "tablet"), as: UTF8.self)
    let place = try #require(edited.range(of: #""level":"steady","note":"mine""#))
    edited.replaceSubrange(place, with: #""level":"wild","note":"mine""#)
    try ledger.write(Array(edited.utf8), to: "tablet.jsonl")
    try ledger.run(all: "log noalc steady --writer laptop")
    #expect(ledger.run("verify").text.contains("tablet.jsonl:"))
    #expect(ledger.run("verify --accept tablet --writer laptop").status == .failed)
    #expect(ledger.run("verify").text.contains("seal"))
  }

  @Test
  func `verify --accept refuses a file name that no writer can have and suggests to rename it`()
    throws
  {
    let ledger = try ledger()
    try ledger.write(ledger.bytes(of: "phone"), to: "phone (1).jsonl")
    let refused = ledger.run(["verify", "--accept", "phone (1)"])
    #expect(refused.status == .failed)
    #expect(refused.errors.contains("rename the file, or remove it"), "\(refused.errors)")
  }

  @Test func `verify --against refuses heads that are cut short or lack a line`() throws {
    let ledger = try ledger()
    try ledger.run(all: "log noalc steady --writer laptop")
    let heads = ledger.run("verify --heads").text
    #expect(heads.hasSuffix("\nsegments 2\n"))
    let file = ledger.folder + "/heads.txt"
    let all = Array(heads.utf8)
    for count in 0..<all.count - 1 {
      try Data(all[..<count]).write(to: URL(filePath: file))
      let output = ledger.run("verify --against \(file)")
      #expect(
        output.status == .usage && output.text.isEmpty, "\(count) of \(all.count): \(output.screen)"
      )
    }
    let lines = heads.split(separator: "\n")
    for missing in lines.indices {
      let rest = lines.indices.filter { $0 != missing }.map { lines[$0] + "\n" }.joined()
      try Data(rest.utf8).write(to: URL(filePath: file))
      #expect(ledger.run("verify --against \(file)").status == .usage)
    }
    try Data(all).write(to: URL(filePath: file))
    #expect(ledger.run("verify --against \(file)").status == .done)
  }

  @Test func `heads of a segment with an incomplete last line stay valid after the next append`()
    throws
  {
    let ledger = try TemporaryLedger(running: "init meditation --writer phone")
    let lines = ledger.bytes(of: "phone")
    try ledger.write(lines + Array(#"{"id":"tt","type":"entry.log"#.utf8), to: "phone.jsonl")
    let heads = ledger.run("verify --heads")
    #expect(heads.text.hasPrefix("phone bytes \(lines.count) "))
    try ledger.write(Array(heads.text.utf8), to: "../heads")
    try ledger.run(all: "log meditation 5m --writer phone")
    #expect(ledger.run("verify --against \(ledger.folder)/heads").screen == "")
    try ledger.run(all: "log meditation 5m --writer laptop")
    let output = ledger.run("verify --against \(ledger.folder)/heads")
    #expect(
      output.status == .done && output.errors.contains("the heads have no segment laptop"),
      "\(output.screen)")
    #expect(
      ledger.run("verify --json --against \(ledger.folder)/heads")["newSegments.0"] == "laptop")
  }
}
