import CommandFixtures
import Foundation
import StreakCommands
import StreakDomain
import Testing

struct ShellTests {
  private func candidates(_ words: [String], _ ledger: TemporaryLedger) -> [String] {
    ledger.run(["complete"] + words).text.split(separator: "\n").map {
      String($0.prefix { $0 != "\t" })
    }
  }

  private func ledger() throws -> TemporaryLedger {
    let ledger = try TemporaryLedger(
      running:
        "init noalc game cardio\nlog noalc steady --id first\nlog game completed --writer phone")
    return ledger
  }

  @Test(arguments: [
    (["lo"], ["log"]),
    (["log", ""], ["noalc", "game", "cardio"]),
    (["log", "g"], ["game"]),
    (["log", "--on", "yesterday", ""], ["noalc", "game", "cardio"]),
    (["log", "noalc", "steady", "--d"], ["--dry-run"]),
    (["calendar", "noalc", "g"], ["game"]),
    (["why", "no"], ["noalc"]),
    (["init", "no"], ["noalc", "noalc-strict"]),
    (["define", "x", "--preset", "med"], ["meditation"]),
    (["report", "x.html", "--ring", "no"], ["noalc"]),
    (["help", "po"], ["points"]),
    (["completions", ""], ["bash", "zsh", "fish"]),
    (["export", ""], ["csv", "json-schema", "streak-data"]),
    (["import", "cs"], ["csv"]),
    (["log", "--color", ""], ["auto", "always", "never"]),
  ])
  func `complete suggests commands, options, habits, presets and topics`(
    words: [String], suggestions: [String]
  ) throws {
    #expect(candidates(words, try ledger()) == suggestions)
  }

  @Test(arguments: [
    ["append"], ["log", "noalc", "--note"], ["import", "csv"], ["report"], ["nosuch"],
  ])
  func `complete leaves files and free text to the shell`(words: [String]) throws {
    #expect(candidates(words + [""], try ledger()) == [])
  }

  @Test func `serve accepts and completes only its own options`() throws {
    let ledger = try ledger()
    #expect(!ledger.run("serve --help").text.contains("--guest"))
    #expect(
      candidates(["serve", "--"], ledger) == [
        "--events", "--port", "--socket", "--fd", "--login", "--idle", "--quiet", "--help",
      ])
    #expect(ledger.run("serve --now 2025-11-03T12:00:00Z").status == .usage)
  }

  @Test func `complete prints no habits and no error if the ledger is missing or broken`() throws {
    #expect(try TemporaryLedger().run(["complete", "log", ""]).screen == "")
    let broken = try ledger()
    try broken.write(Array("nonsense\n".utf8), to: "main.jsonl")
    #expect(broken.run(["complete", "log", ""]).screen == "")
    #expect(broken.run(["complete", "lo"]).text.hasPrefix("log\t"))
  }

  @Test(.enabled(if: TestPrograms.has("bash"), "there is no bash"))
  func `the bash script of completions completes habits`() throws {
    let script = """
      eval "$(streaks completions bash)"
      COMP_WORDS=(streaks log noa); COMP_CWORD=2; _streaks; echo "${COMPREPLY[*]}"
      COMP_WORDS=(streaks log ""); COMP_CWORD=2; _streaks; printf '%s,' "${COMPREPLY[@]}"
      """
    #expect(try completed("bash --norc", script) == "noalc\nnoalc,game,cardio,")
  }

  /// zsh itself shows the list, so the test replaces the function that does.
  @Test(.enabled(if: TestPrograms.has("zsh"), "there is no zsh"))
  func `the zsh script of completions completes habits`() throws {
    let script = """
      compdef() { :; }; _files() { print files; }; _describe() { print -l -- "${(@P)2}"; }
      eval "$(streaks completions zsh)"
      words=(streaks log noa) CURRENT=3; _streaks
      words=(streaks log "") CURRENT=3; _streaks
      words=(streaks report x) CURRENT=3; _streaks
      """
    let lines = try completed("zsh -f", script).split(separator: "\n").map {
      $0.prefix { $0 != ":" }
    }
    #expect(lines == ["noalc", "noalc", "game", "cardio", "files"])
    let loaded = """
      _describe() { print -l -- "${(@P)2}"; }
      streaks completions zsh > _streaks; fpath=(.); autoload -Uz _streaks
      words=(streaks log noa) CURRENT=3; _streaks
      """
    #expect(try completed("zsh -f", loaded).hasPrefix("noalc:"))
  }

  @Test(.enabled(if: TestPrograms.has("fish"), "there is no fish"))
  func `the fish script of completions completes habits`() throws {
    let script = """
      streaks completions fish | source
      complete -C "streaks log noa"
      complete -C "streaks log "
      """
    let lines = try completed("fish --no-config", script).split(separator: "\n")
    #expect(Set(lines.map { $0.prefix { $0 != "\t" } }) == ["noalc", "game", "cardio"])
  }

  private func completed(_ shell: String, _ script: String) throws -> String {
    let ledger = try ledger()
    try ledger.write(Array(script.utf8), to: "../script")
    return try ShellScript(
      text: "\(shell) \(ledger.folder)/script", folder: ledger.folder,
      environment: ["STREAKS_EVENTS": ledger.events, "HOME": ledger.folder]
    ).run().text
  }

  @Test func `every command and every topic has help`() throws {
    let ledger = try TemporaryLedger()
    let overview = ledger.run("help --all").text
    let topics = ["points", "predicates", "measures", "environment", "files", "scripts"]
    for topic in topics {
      #expect(overview.contains(topic))
      #expect(ledger.run("help \(topic)").status == .done)
    }
    let commands = ledger.run(["complete", ""]).text.split(separator: "\n").map {
      $0.prefix { $0 != "\t" }
    }
    #expect(commands.count > 25)
    for command in commands { #expect(ledger.run("help \(command)").status == .done, "\(command)") }
    #expect(ledger.run("help point").errors.contains("points"))
    #expect(ledger.run("completions fsh").errors.contains("fish"))
  }
}
