import CommandFixtures
import Foundation
import StreakCommands
import StreakDomain
import Testing

struct OddTextTests {
  private static let composed = "caf\u{E9}"
  private static let decomposed = "cafe\u{301}"

  @Test(arguments: ["\u{301}", "\u{338}", "\u{20E3}"])
  func `a note with combining marks stays in its CSV cell and is not a formula`(joiner: String)
    throws
  {
    let ledger = try TemporaryLedger(running: "init noalc")
    #expect(
      ledger.run(["log", "noalc", "steady", "--note", "a\"\(joiner),\(joiner)=1", "--id", "e1"])
        .status
        == .done)
    #expect(
      ledger.run(["log", "noalc", "wild", "--note", "=\(joiner)1", "--id", "e2"]).status == .done)
    let rows = ledger.run("export csv entries").text.utf8.split(separator: UInt8(ascii: "\n"))
    #expect(rows.count == 3)
    #expect(Array(rows[1]).ends(with: ",\"a\"\"\(joiner),\(joiner)=1\""))
    #expect(Array(rows[2]).ends(with: ",'=\(joiner)1"))
  }

  private func levels(_ names: [String], good: [String]) -> String {
    let bands = names.enumerated().map { index, name in
      "\"\(name)\":[\(index),\(index + 1 < names.count ? "\(index)" : "null")]"
    }
    let list = good.map { "\"\($0)\"" }.joined(separator: ",")
    return "{\"kind\":\"level\",\"levels\":{\(bands.joined(separator: ","))},\"good\":[\(list)]}"
  }

  @Test
  func `a level in another Unicode form than in the definition is refused with advice`() throws {
    let ledger = try TemporaryLedger(running: "init noalc")
    let (one, other) = (OddTextTests.composed, OddTextTests.decomposed)
    let rule = levels([one, "wild"], good: [one])
    #expect(ledger.run(["define", "x", "--rule", rule]).status == .done)
    let before = ledger.bytes()
    let logged = ledger.run(["log", "x", other])
    #expect(logged.status == .usage && logged.errors.contains("written with other bytes"))
    let line = #"{"type":"entry.logged","habit":"x","level":"\#(other)"}"#
    let appended = ledger.run("append", input: line + "\n")
    #expect(appended.status == .badData && appended.errors.contains("written with other bytes"))
    let good = ledger.run(["define", "y", "--rule", levels([one, "wild"], good: [other])])
    #expect(good.status == .badData && good.errors.contains("which is not a level"))
    #expect(ledger.bytes() == before)
    #expect(ledger.run(["log", "x", one]).status == .done)
  }

  @Test
  func `two levels that look the same but have different bytes are different levels`() throws {
    let (one, other) = (OddTextTests.composed, OddTextTests.decomposed)
    for (level, verdict) in [(one, "good"), (other, "healed")] {
      let ledger = try TemporaryLedger(running: "init noalc")
      let rule = levels([one, other], good: [one])
      let joker = #"{"kind":"joker","every":2,"cap":3,"heals":["\#(other)"]}"#
      #expect(
        ledger.run(["define", "x", "--rule", rule, "--forgiveness", joker, "--on", "2025-11-01"])
          .status
          == .done)
      for day in ["2025-11-01", "2025-11-02"] { ledger.run(["log", "x", one, "--on", day]) }
      #expect(ledger.run(["log", "x", level]).status == .done)
      #expect(
        ledger.run("why x 2025-11-03").text.contains(verdict),
        "\(ledger.run("why x 2025-11-03").text)")
    }
  }

  @Test func `logging an id again with a note of different bytes is a conflict`() throws {
    let ledger = try TemporaryLedger(running: "init noalc")
    func log(_ note: String) -> StreakCommands.ExitStatus {
      ledger.run(["log", "noalc", "steady", "--note", note, "--id", "e1"]).status
    }
    #expect(log(OddTextTests.composed) == .done)
    let before = ledger.bytes()
    #expect(log(OddTextTests.decomposed) == .conflict)
    #expect(log(OddTextTests.composed) == .done)
    #expect(ledger.bytes() == before)
    let (one, other) = (OddTextTests.composed, OddTextTests.decomposed)
    func append(_ key: String, _ value: String) -> StreakCommands.ExitStatus {
      let line =
        #"{"id":"e2","type":"entry.logged","habit":"noalc","level":"wild","\#(key)":"\#(value)"}"#
      return ledger.run("append", input: line + "\n").status
    }
    #expect(append("x_\(one)", one) == .done && append("x_\(one)", one) == .done)
    #expect(append("x_\(one)", other) == .conflict && append("x_\(other)", one) == .conflict)
  }

  @Test func `a copied event whose note has different bytes is reported as another event`() throws {
    for isCopy in [true, false] {
      let ledger = try TemporaryLedger(running: "init noalc")
      ledger.run(["log", "noalc", "steady", "--note", OddTextTests.composed, "--id", "e1"])
      let line = String(decoding: ledger.bytes(), as: UTF8.self).split(separator: "\n").last ?? ""
      let copy = line.replacingOccurrences(
        of: OddTextTests.composed, with: isCopy ? OddTextTests.composed : OddTextTests.decomposed,
        options: .literal)
      try ledger.write(Array((copy + "\n").utf8), to: "phone.jsonl")
      #expect(ledger.run("show").errors.contains("belongs to another event") == !isCopy)
    }
  }

  @Test func `two segments whose names look the same are both read and block no writing`() throws {
    let ledger = try TemporaryLedger(running: "init noalc")
    for (name, id) in [("caf\u{E9}", "e1"), ("cafe\u{301}", "e2")] {
      ledger.run("log noalc steady --writer \(id) --id \(id)")
      try FileManager.default.moveItem(
        atPath: "\(ledger.events)/\(id).jsonl", toPath: "\(ledger.events)/\(name).jsonl")
    }
    #expect(ledger.run("log noalc easy").status == .done)
    #expect(ledger.run("replay --json")["position"] == "5" && ledger.run("verify").status == .done)
  }

  @Test func `a predicate compares names by their bytes`() throws {
    let ledger = try TemporaryLedger(running: "init noalc")
    ledger.run(["define", "x", "--name", OddTextTests.composed, "--rule", #"{"kind":"any"}"#])
    #expect(ledger.run(["when", "x.name == \"\(OddTextTests.composed)\""]).status == .done)
    #expect(ledger.run(["when", "x.name == \"\(OddTextTests.decomposed)\""]).status != .done)
    ledger.run(["define", "x", "--name", OddTextTests.decomposed, "--rule", #"{"kind":"any"}"#])
    #expect(
      ledger.run("timeline --json").text.utf8.holds("\"after\":\"\(OddTextTests.decomposed)\""))
  }

  @Test
  func `an imported row with the same id and a note of different bytes is a correction`() throws {
    let ledger = try TemporaryLedger(running: "init noalc\ndefine x --rule '{\"kind\":\"any\"}'")
    func rows(_ note: String) throws -> Output {
      let table = "day,id,note\n2025-11-03,r1,\(note)\n"
      try ledger.write(Array(table.utf8), to: "../x.csv")
      return ledger.run("import csv \(ledger.folder)/x.csv --habit x")
    }
    #expect(try rows(OddTextTests.composed).status == .done)
    #expect(
      try rows(OddTextTests.decomposed).screen.contains(
        "changed since the last import: 1"))
  }
}

extension OddTextTests {
  @Test(.enabled(if: TestPrograms.has("bash"), "there is no bash"))
  func `the text lint accepts the sources and reports each forbidden form`() throws {
    let ledger = try TemporaryLedger()
    let forms = [
      #"let a = text.replacing("<", with: "&lt;")"#, #"let a = text.hasPrefix("-")"#,
      #"let a = text.split(separator: ":")"#, #"let a = text.contains("\u{FFFD}")"#,
      "let a: Character",
      "let a = text.contains(where: { $0 == \",\" || $0.isNewline })", "let a = text.lowercased()",
      #"let a = text.first == "\"""#, #"let a = text.drop { $0 == " " }"#,
    ]
    try FileManager.default.createDirectory(
      atPath: "\(ledger.folder)/Sources", withIntermediateDirectories: true)
    func lint(_ folder: String) throws -> Int32 {
      try ShellScript(
        text: "\(Repository.root)/.ci/text \(folder)", folder: ledger.folder, environment: [:]
      )
      .run().status
    }
    #expect(try lint(Repository.root) == 0)
    #expect(try lint(ledger.folder) == 0)
    for form in forms {
      try ledger.write(Array((form + "\n").utf8), to: "../Sources/x.swift")
      #expect(try lint(ledger.folder) == 1, "\(form)")
    }
  }
}

extension Collection where Element == UInt8 {
  fileprivate func holds(_ text: String) -> Bool {
    let (all, part) = (Array(self), Array(text.utf8))
    return all.indices.contains { all[$0...].starts(with: part) }
  }
}

extension Array where Element == UInt8 {
  fileprivate func ends(with text: String) -> Bool {
    suffix(text.utf8.count).elementsEqual(text.utf8)
  }
}
