import CommandFixtures
import DomainFixtures
import EventLog
import Foundation
import StreakCommands
import StreakDomain
import Testing
import Workloads

/// What commands answer does not depend on a copy that an earlier run left, and which of them ask for one.
struct CheckpointCommandTests {
  /// A ledger of more events than are read without leaving a copy.
  private func ledger() throws -> TemporaryLedger {
    let ledger = try TemporaryLedger(now: "2026-06-03T12:00:00+01:00")
    try ledger.write(Shape.plain.events(4400).flatMap { EventEncoder.line($0) }, to: "main.jsonl")
    return ledger
  }

  private func variables(_ ledger: TemporaryLedger) -> [String: String] {
    ["STREAKS_CACHE": ledger.folder + "/cache"]
  }

  private func copies(_ ledger: TemporaryLedger, in folder: String = "cache") -> [String] {
    (try? FileManager.default.contentsOfDirectory(atPath: ledger.folder + "/" + folder)) ?? []
  }

  private static let reading = [
    "show", "show --json", "calendar --json", "calendar h1 --heat", "entries --json --from -9", "remind",
    "celebrate --json", "day", "calendar h2 --known monthly --all",
  ]
  private static let writing = [
    "log h1 12m", "log h2 5m --on -3 --note hm", "delete --last", "excuse -2 yesterday",
    "day --to 2026-06-04",
    "define h1 --at-least 3m", "celebrate --seen", "remind --set h2 20:00", "undo",
    "log h3 4m --writer phone",
    "log h3 5m --replaces --last --writer phone", "append",
  ]

  @Test func `with a copy and without one, commands answer and write the same`() throws {
    let (plain, copying) = (try ledger(), try ledger())
    let line = #"{"type":"entry.logged","habit":"h4","minutes":3}"#
    for command in CheckpointCommandTests.reading + CheckpointCommandTests.writing {
      for words in [command] + (CheckpointCommandTests.reading.contains(command) ? [] : ["show --json"]) {
        let words = TemporaryLedger.words(words)
        let wanted = plain.run(words, input: line)
        let found = copying.run(words, input: line, variables: variables(copying))
        try #require(found.screen == wanted.screen, "\(words)")
        try #require(found.status == wanted.status, "\(words)")
      }
      try #require(copying.contents() == plain.contents(), "\(command)")
    }
    #expect(copies(copying).count == 1)
  }

  /// A ledger of which the copy says something else, as one of its lines was changed where it is, and others appended.
  private func contradicted() throws -> TemporaryLedger {
    let ledger = try ledger()
    ledger.run(["show"], variables: variables(ledger))
    let text = String(decoding: ledger.bytes(), as: UTF8.self)
    let changed = text.replacing("entry.logged", with: "entry.lugged", maxReplacements: 1)
    try #require(changed != text)
    let file = try #require(FileHandle(forWritingAtPath: "\(ledger.events)/main.jsonl"))
    try file.write(contentsOf: Data(changed.utf8))
    try file.seekToEnd()
    let last = try #require(text.split(separator: "\n").last)
    let time = try #require(last.firstRange(of: "\"recorded\":\""))
    let year = last[time.upperBound...].prefix(4)
    let next = last.replacing("\"recorded\":\"\(year)", with: "\"recorded\":\"2150")
      .replacing("{\"id\":\"", with: "{\"id\":\"x")
    try file.write(contentsOf: Data((next + "\n").utf8))
    return ledger
  }

  @Test func `a change behind a copy is found by whoever asks for the truth`() throws {
    let ledger = try contradicted()
    func status(_ line: String) -> StreakDomain.ExitStatus {
      ledger.run(TemporaryLedger.words(line), variables: variables(ledger)).status
    }
    #expect(status("show") == .done)
    let never = [
      "show --no-cache", "show --subject ana", "replay", "timeline", "audit", "verify",
      "why h1", "when 'h1.current > 3'", "diff 3 end", "pin", "habits", "replay --at 100",
    ]
    for line in never {
      #expect(status(line) == .badData || line == "verify" && status(line) == .failed, "\(line)")
    }
    let salvaged = ledger.run(["show", "--salvage"], variables: variables(ledger))
    #expect(salvaged.errors.contains("left out 1 line"))
  }

  @Test func `redacting removes the copy`() throws {
    let ledger = try ledger()
    ledger.run(TemporaryLedger.words("log h1 12m --note 'with Ana' --id noted"), variables: variables(ledger))
    ledger.run(["show"], variables: variables(ledger))
    #expect(copies(ledger).count == 1)
    let output = ledger.run(["redact", "noted"], variables: variables(ledger))
    #expect(output.status == .done, "\(output.screen)")
    #expect(copies(ledger).isEmpty)
  }

  @Test func `where a copy is left`() throws {
    let ledger = try ledger()
    let home = ledger.folder
    for (variables, folder) in [
      ([:], nil), (["HOME": home, "STREAKS_CACHE": "off"], nil), (["HOME": "home"], nil),
      (["HOME": home, "STREAKS_CACHE": ""], ".cache/streaks"),
      (["HOME": home, "XDG_CACHE_HOME": home + "/xdg"], "xdg/streaks"),
      (["HOME": home, "STREAKS_CACHE": home + "/own"], "own"),
    ] as [([String: String], String?)] {
      let before = Set(FileManager.default.subpaths(atPath: home) ?? [])
      #expect(ledger.run(["show"], variables: variables).status == .done)
      #expect(ledger.run(["show", "--no-cache"], variables: variables).status == .done)
      let made = Set(FileManager.default.subpaths(atPath: home) ?? []).subtracting(before)
      #expect(made.filter { $0.hasSuffix(".fold") }.count == (folder == nil ? 0 : 1), "\(variables)")
      if let folder { #expect(copies(ledger, in: folder).count == 1) }
      #expect(ledger.files() == ["main.jsonl"])
    }
  }
}
