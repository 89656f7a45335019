import CommandFixtures
import Foundation
import StreakCommands
import StreakDomain
import Testing

/// `streaks fold` of several people, some with a bad line, without a subject, or with an undefined
/// habit.
struct FoldTests {
  private let ledger: TemporaryLedger

  init() throws {
    ledger = try TemporaryLedger()
  }

  /// Returns a person's lines: a definition of `walk`, and an entry of `habit`.
  private func lines(of person: String?, logging habit: String = "walk") -> String {
    let subject = person.map { #""subject":"\#($0)","# } ?? ""
    let stamp = #""at":"2025-11-03T12:00:00Z","day":"2025-11-03","zone":"UTC""#
    let time = #""recorded":"2025-11-03T12:00:00.00000"#
    let id = person ?? "nobody"
    return """
      {\(subject)"id":"\(id)-1","type":"ledger.opened",\(stamp),\(time)1Z"}
      {\(subject)"id":"\(id)-2","type":"habit.defined",\(stamp),\(time)2Z","habit":"walk","rule":{"kind":"any"}}
      {\(subject)"id":"\(id)-3","type":"entry.logged",\(stamp),\(time)3Z","habit":"\(habit)"}

      """
  }

  private let badLine =
    #"{"subject":"bea","id":"bea-4","type":"entry.sung","recorded":"2025-11-03T12:00:00.000004Z"}"#

  private func subjects(_ text: String) throws -> [String?] {
    try text.split(separator: "\n").map { line in
      let json = try JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any]
      return json?["subject"] as? String
    }
  }

  @Test(arguments: ["fold", "fold --grouped"])
  func `fold --bad excludes a person with a bad line and lists the line`(command: String) throws {
    let stream = lines(of: "ana") + lines(of: "bea") + badLine + "\n" + lines(of: "cem")
    let file = ledger.folder + "/bad.jsonl"
    let output = ledger.run("\(command) --bad \(file)", input: stream)
    #expect(output.status == .done)
    #expect(try subjects(output.text) == ["ana", "cem"])
    #expect(output.errors.contains("1 bad line, 1 person left out"))

    let list = try String(contentsOfFile: file, encoding: .utf8).split(separator: "\n")
    #expect(list.count == 2)
    #expect(list[0].contains(#""line":7,"says":"unknown event type \"entry.sung\""#))
    #expect(list[0].contains(#""subject":"bea""#))
    #expect(
      list[1]
        == #"{"counts":{"bad":1,"leftOut":1,"undefinedHabits":0,"withoutSubject":0},"format":1}"#)
  }

  @Test func `fold and report name a file that they cannot write, not a temporary one`() throws {
    let file = ledger.folder + "/none/list"
    try ledger.run(all: "init")
    for line in ["fold --bad \(file)", "report \(file)"] {
      let output = ledger.run(line)
      #expect(output.status == .notWritten)
      #expect(output.errors.contains("\(file): No such file"), "\(output.errors)")
    }
  }

  @Test func `fold without --bad fails at a bad line`() {
    let output = ledger.run("fold", input: lines(of: "bea") + badLine + "\n")
    #expect(output.status == .badData)
    #expect(output.errors.contains("-:4:"))
  }

  @Test func `fold --bad also excludes the lines of a person after the bad line`() throws {
    let stream = badLine + "\n" + lines(of: "bea") + lines(of: "cem")
    let output = ledger.run("fold --grouped --bad -", input: stream)
    #expect(try subjects(output.text) == ["cem", nil, nil])
  }

  @Test
  func `fold --bad reports an unreadable line that has no subject but excludes no person`() throws {
    let output = ledger.run("fold --bad -", input: lines(of: "ana") + "{nonsense\n")
    #expect(output.status == .done)
    #expect(output.text.contains(#""subject":"ana""#))
    #expect(output.text.contains(#""leftOut":0"#))
    #expect(output.text.contains(#""subject":null,"text":"{nonsense""#))
  }

  @Test func `fold --bad treats a line whose id is already used as a bad line`() throws {
    let reused = lines(of: "bea").replacing("bea-3", with: "bea-2")
    let output = ledger.run("fold --bad -", input: reused + lines(of: "cem"))
    #expect(try subjects(output.text) == ["cem", nil, nil])
    #expect(output.text.contains(#"the id \"bea-2\" is already used"#))
  }

  @Test func `fold warns about events without a subject if other events have a subject`() throws {
    let output = ledger.run("fold", input: lines(of: "ana") + lines(of: nil))
    #expect(output.status == .done)
    #expect(output.errors.contains(#"3 events without "subject", folded as one more person"#))
    #expect(ledger.run("fold", input: lines(of: nil)).errors == "")
  }

  @Test(arguments: ["fold", "fold --grouped"])
  func `fold warns about entries of habits that were never defined`(command: String) throws {
    let output = ledger.run(command, input: lines(of: "ana") + lines(of: "bea", logging: "tea"))
    #expect(output.status == .done)
    #expect(
      output.errors.contains(
        #"1 entry of habits that were never defined, such as "tea" of "bea""#))
    #expect(try subjects(output.text) == ["ana", "bea"])
  }

  @Test func `fold refuses --bad together with --skip`() {
    #expect(ledger.run("fold --bad bad.jsonl --skip").status == .usage)
  }
}
