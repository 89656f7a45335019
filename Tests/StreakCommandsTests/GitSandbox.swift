import CommandFixtures
import Foundation
import StreakCommands

/// A home folder for git, with an empty repository that machines clone and push to.
struct GitSandbox {
  let ledger: TemporaryLedger
  var folder: String { ledger.folder }

  static let isThere = ShellScript.succeeds("command -v git")

  init() throws {
    ledger = try TemporaryLedger()
    let made = try run(
      """
      git config --global user.name Someone && git config --global user.email someone@example.org
      git config --global init.defaultBranch main && git config --global commit.gpgsign false
      git init -q --bare streaks.git
      """)
    guard made.status == 0 else { throw Failure(says: made.errors) }
  }

  /// Runs a script; `on CLONE` enters a clone, and `at N COMMAND…` runs `streaks` N minutes later.
  func run(_ text: String, _ more: [String: String] = [:]) throws -> ShellScript.Result {
    let functions = """
      on() { cd "$HOME/$1"; }
      at() { minutes=$1; shift; streaks "$@" --now "2025-11-$((10 + minutes / 600))T1$((minutes / 60 % 10)):$((minutes / 10 % 6))$((minutes % 10)):00Z" 2>> "$HOME/said"; }
      commit() { git add events && git commit -qm "$1"; }

      """
    let environment = [
      "HOME": folder, "GIT_CONFIG_GLOBAL": folder + "/.gitconfig", "GIT_CONFIG_NOSYSTEM": "1",
      "GIT_MERGE_AUTOEDIT": "no",
    ]
    return try ShellScript(
      text: functions + "set -e\n" + text, folder: folder,
      environment: environment.merging(more) { _, own in own }
    ).run()
  }

  func here(_ block: String) -> String {
    block.replacingOccurrences(of: "you@host:", with: folder + "/")
  }

  @discardableResult
  func must(_ text: String, _ more: [String: String] = [:]) throws -> ShellScript.Result {
    let result = try run(text, more)
    guard result.status == 0 else {
      throw Failure(says: "\(text)\n\(result.text)\(result.errors)")
    }
    return result
  }

  func clone(_ name: String) throws { try must("git clone -q streaks.git \(name)") }

  func events(_ name: String) -> String { "\(folder)/\(name)/events" }

  func command(_ words: String, on name: String) -> Output {
    TemporaryLedger.run(
      TemporaryLedger.words(words), input: "", events: events(name), now: "2025-11-30T12:00:00Z",
      seed: 1)
  }

  func segments(_ name: String) throws -> [String] {
    try FileManager.default.contentsOfDirectory(atPath: events(name)).filter {
      $0.hasSuffix(".jsonl")
    }
    .sorted()
  }

  struct Failure: Error, CustomStringConvertible {
    let says: String
    var description: String { says }
  }
}
