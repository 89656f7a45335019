import CommandFixtures
import Foundation
import StreakCommands
import Testing

struct ExampleTests {
  @Test func `an option takes a value in every command or in none`() {
    // Options may precede the command, where only their names show whether a value follows.
    let options = Dictionary(
      grouping: TemporaryLedger.commands.flatMap { $0.allOptions }, by: \.name)
    for (name, all) in options where name != "--ahead" {
      #expect(Set(all.map { $0.value == nil }).count == 1, "\(name)")
    }
  }

  @Test func `every command in the sources is in the command list`() throws {
    var found: Set<String> = []
    let folders = ["Changes", "Questions", "Report", "Shell"].map { "Sources/StreakCommands/" + $0 }
    for folder in folders + ["Sources/StreaksProcess"] {
      for file in try Repository.names(in: folder) where file.hasSuffix(".swift") {
        let text = try Repository.text(folder + "/" + file)
        let names = text.matches(of: /: Command \{\n.* static (?:let|var) name[^"]+"([^"]+)"/)
        found.formUnion(names.map { String($0.1) })
      }
    }
    let known = Set(TemporaryLedger.commands.map { $0.name })
    #expect(
      found.symmetricDifference(known) == [], "`CommandList` lacks a command, or has one too many")
  }

  @Test(arguments: TemporaryLedger.commands.map { $0.name })
  func `the example in the help of a command shows what the command prints`(name: String) throws {
    let example = try #require(TemporaryLedger.commands.first { $0.name == name }?.help.example)
    let command = try #require(example.first?.dropFirst(2)).description
    let answer = example.dropFirst()
    let folder = try TemporaryLedger()
    try prepare(folder, for: name)
    let lines = try output(of: command, in: folder.folder)
    for (index, wanted) in answer.enumerated() {
      let line = index < lines.count ? lines[index] : ""
      let isBegun = wanted.hasSuffix("…") && line.hasPrefix(wanted.dropLast())
      #expect(isBegun || line == wanted, "\(command): \(lines.prefix(12))")
    }
    if answer.last?.hasSuffix("…") == false { #expect(lines.count == answer.count) }
  }

  private func output(of line: String, in folder: String) throws -> [String] {
    let run = try ShellScript(
      text: "streaks() { command streaks --now 2025-11-20T21:00:00+01:00 \"$@\"; }; " + plain(line),
      folder: folder, environment: ["TZ": "Europe/Berlin"]
    ).run()
    let text = run.text.isEmpty ? run.errors : run.text
    return text.trimmingCharacters(in: .newlines).components(separatedBy: "\n")
  }

  private func plain(_ line: String) -> String {
    guard line.contains("streaks serve") else { return line }
    return "unset -f streaks; " + line
  }

  private func prepare(_ ledger: TemporaryLedger, for command: String) throws {
    let files = FileManager.default
    let fixtures = Repository.root + "/Tests/Fixtures/imports/runs.csv"
    try files.copyItem(atPath: fixtures, toPath: ledger.folder + "/runs.csv")
    // `init` makes a ledger, and all others run on the sample.
    if command != "init" {
      try files.copyItem(atPath: Repository.root + "/events", toPath: ledger.events)
    }
  }
}
