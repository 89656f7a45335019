import CommandFixtures
import Foundation
import StreakCommands
import Testing

struct ScriptingTests {
  private static let jq = "command -v jq"
  private static let git = "command -v git"
  private static let rsync = "command -v rsync"
  private static let systemd = "command -v systemd-analyze"

  private func blocks(_ section: String, _ language: String = "sh") throws -> [String] {
    try CodeBlock.all(in: "docs/recipes.md").filter {
      $0.section == section && $0.language == language
    }
    .map(\.text)
  }

  private func ledger() throws -> TemporaryLedger {
    try TemporaryLedger(running: "init noalc meditation\ndefine coding --preset awareness")
  }

  private func run(
    _ text: String, on ledger: TemporaryLedger, input: String = "", _ more: [String: String] = [:]
  )
    throws -> ShellScript.Result
  {
    let environment = [
      "STREAKS_EVENTS": ledger.events, "STREAKS_WRITER": "main", "HOME": ledger.folder,
      "STREAKS": BuiltProgram.url.path,
    ]
    return try ShellScript(
      text: text, folder: ledger.folder, environment: environment.merging(more) { _, own in own },
      input: input
    ).run()
  }

  @Test func `the record script records a batch once and does not retry a refused batch`() throws {
    let record = try Repository.text("docs/recipes/record")
    let ledger = try ledger()
    let line = #"{"id":"run-1","type":"entry.logged","habit":"noalc","drinks":0}"#
    try Data((line + "\n").utf8).write(to: URL(fileURLWithPath: ledger.folder + "/batch"))
    let twice = try run(record + "record batch && record batch", on: ledger)
    #expect(twice.status == 0)
    #expect(twice.text.contains("recorded") && twice.text.contains("exists"))
    #expect(ledger.stored().filter { $0["id"] == "run-1" }.count == 1)
    try Data(line.replacingOccurrences(of: "drinks", with: "km").utf8)
      .write(to: URL(fileURLWithPath: ledger.folder + "/batch"))
    let counting = "sleep() { echo slept; }\n"
    let refused = try run(counting + record + "record batch", on: ledger)
    #expect(refused.status == 4 && refused.text.isEmpty)
    let busy = try run(counting + record + "streaks() { return 5; }\nrecord batch", on: ledger)
    #expect(busy.status == 5)
    #expect(busy.text == String(repeating: "slept\n", count: 4))
  }

  @Test(.enabled("there is no jq") { ShellScript.succeeds(jq) })
  func `the script snippets copy another ledger's lines, and write only on a condition`() throws {
    let snippets = try blocks("What every script should know")
    let ledger = try ledger()
    let old = ledger.folder + "/old"
    try FileManager.default.createDirectory(atPath: old, withIntermediateDirectories: true)
    try FileManager.default.copyItem(atPath: Repository.root + "/events", toPath: old + "/events")
    // The sample's habits began long before this ledger's.
    try ledger.run(all: "define noalc --icon x --on 2024-09-20")
    let fed = try run(snippets[0], on: ledger)
    #expect(fed.status == 0, "\(fed.errors)")
    #expect(fed.text.split(separator: "\n").count > 300)
    let again = try run(snippets[0], on: ledger)
    #expect(again.status == 0 && !again.text.contains("\"recorded\""))
    let line = #"{"id":"s1","type":"entry.logged","habit":"coding"}"#
    let staying = try run("sensor() { echo '\(line)'; }\n" + snippets[1], on: ledger)
    #expect(staying.status == 0, "\(staying.errors)")
    let acknowledged = try String(
      contentsOfFile: ledger.folder + "/acknowledged.jsonl", encoding: .utf8)
    #expect(acknowledged.contains(#""id":"s1","line":1,"#))
    let conditions = try run(snippets[2], on: ledger)
    #expect(conditions.status == 0, "\(conditions.errors)")
    #expect(try run(snippets[2], on: ledger).status == 4)
  }

  @Test(.enabled("there is no git") { ShellScript.succeeds(git) })
  func `the git hook logs the first commit of a day and never makes a commit fail`() throws {
    let ledger = try ledger()
    let hook = try Repository.text("docs/recipes/post-commit")
    try Data(hook.utf8).write(to: URL(fileURLWithPath: ledger.folder + "/hook"))
    let setUp = """
      git init -q repo && cp hook repo/.git/hooks/post-commit && chmod +x repo/.git/hooks/post-commit && cd repo
      git config user.name Someone && git config user.email someone@example.org && git config commit.gpgsign false
      """
    let subject = "-x \\\"$(touch pwned)\\\" `id` ü " + String(repeating: "long ", count: 400)
    let commits = try run(
      setUp
        + """
        \ngit commit -q --allow-empty -F - && git commit -q --allow-empty -m second && git \
        rev-list HEAD
        """,
      on: ledger, input: subject)
    #expect(commits.status == 0, "\(commits.errors)")
    let first = commits.text.split(separator: "\n").last.map(String.init) ?? ""
    let entries = ledger.stored(in: "git").filter { $0["type"] == "entry.logged" }
    #expect(entries.map { $0["id"] } == ["commit-\(first)"])
    #expect(entries.first?["note"]?.hasPrefix("-x ") == true)
    #expect(!FileManager.default.fileExists(atPath: ledger.folder + "/repo/pwned"))
    for broken in [["STREAKS_EVENTS": "/nowhere"], ["PATH": "/usr/bin:/bin"]] {
      let commit = try run("cd repo && git commit -q --allow-empty -m third", on: ledger, broken)
      #expect(commit.status == 0 && commit.errors.isEmpty, "\(commit.errors)")
    }
  }

  @Test(
    .enabled("there is no git") { ShellScript.succeeds(git) },
    arguments: [
      "fix\ttabs", "\u{202E}turned", "bell\u{07}", "\u{85}", "zero\u{200B}width", "\u{1B}[31mred",
    ])
  func `the git hook logs a commit even if its subject has control characters`(subject: String)
    throws
  {
    let ledger = try ledger()
    let hook = try Repository.text("docs/recipes/post-commit")
    try Data(hook.utf8).write(to: URL(fileURLWithPath: ledger.folder + "/hook"))
    let commit = """
      git init -q repo && cp hook repo/.git/hooks/post-commit && chmod +x repo/.git/hooks/post-commit && cd repo
      git config user.name Someone && git config user.email someone@example.org
      git config commit.gpgsign false && git commit -q --allow-empty -F - && ! test -e .git/streaks-errors.log
      """
    let result = try run(commit, on: ledger, input: subject)
    #expect(result.status == 0, "\(result.errors)")
    let entries = ledger.stored(in: "git").filter { $0["type"] == "entry.logged" }
    #expect(entries.count == 1)
    if subject == "fix\ttabs" { #expect(entries.first?["note"] == "fix tabs") }
  }

  @Test(arguments: [
    ("log noalc steady", 0), ("log noalc steady --id phone-noalc-2025-11-03", 0),
    ("log meditation 5.5m", 0),
    ("show", 0), ("show noalc", 0), ("", 2), ("   ", 2), ("log", 2), ("streaks log noalc", 2),
    ("delete --last", 2), ("rm -rf events", 2), ("log noalc; touch pwned", 2),
    ("log noalc $(touch pwned)", 2),
    ("log noalc `touch pwned`", 2), ("log noalc\ntouch pwned", 2),
    ("log noalc steady --events other", 2),
    ("log noalc * ", 2), ("log noalc steady --force", 2),
    ("log noalc -- steady", 2), ("log nolac steady", 3), ("log noalc steady --on 2099-01-01", 3),
  ])
  func `the ssh key of a phone can log and show, and nothing else`(asked: String, status: Int32)
    throws
  {
    let ledger = try ledger()
    let script = try Repository.text("docs/recipes/streaks-over-ssh")
    let before = ledger.contents()
    let result = try run(script, on: ledger, ["SSH_ORIGINAL_COMMAND": asked])
    #expect(result.status == status, "\(asked)\n\(result.errors)")
    #expect(!FileManager.default.fileExists(atPath: ledger.folder + "/pwned"))
    if status != 0 {
      #expect(!result.errors.isEmpty)
      #expect(ledger.contents() == before)
    } else if asked.hasPrefix("log") {
      #expect(ledger.stored(in: "phone").last?["type"] == "entry.logged")
    }
  }

  @Test func `a note from the phone is stored as text and never executed`() throws {
    let ledger = try ledger()
    let script = try Repository.text("docs/recipes/streaks-over-ssh")
    let result = try run(
      script, on: ledger, input: "-ü \"$(touch pwned)\" \u{1B}[31m\nmore\n",
      ["SSH_ORIGINAL_COMMAND": "log noalc steady"])
    #expect(result.status == 0, "\(result.errors)")
    #expect(ledger.stored(in: "phone").last?["note"] == "-ü \"$(touch pwned)\" [31m")
  }

  @Test(.enabled("there is no rsync") { ShellScript.succeeds(rsync) })
  func `a backup is verified with the heads of the ledger`() throws {
    let snippets = try blocks("Backups")
    let ledger = try ledger()
    ledger.run("log noalc steady --writer laptop")
    let made = try run(snippets[0], on: ledger)
    #expect(made.status == 0 && made.text.isEmpty, "\(made.text)\(made.errors)")
    let proof = try #require(snippets[0].split(separator: "\n").last)
    let shortened = "head -n 2 events/main.jsonl > backup/main.jsonl\n\(proof)"
    let found = try run(shortened, on: ledger)
    #expect(found.status == 1 && found.text.contains("are left as complete lines"), "\(found.text)")
  }

  @Test(.enabled("there is no systemd-analyze") { ShellScript.succeeds(systemd) })
  func `systemd accepts the units of the recipes`() throws {
    let ledger = try ledger()
    let names = [
      "streaks-day.service", "streaks-day.timer", "streaks-remind.service", "streaks-remind.timer",
    ]
    for name in names {
      let unit = try Repository.text("docs/recipes/" + name)
      try Data(unit.utf8).write(to: URL(fileURLWithPath: ledger.folder + "/" + name))
    }
    let check = """
      mkdir -p .local/bin && ln -s "$STREAKS" .local/bin/streaks
      systemd-analyze --user verify ./streaks-*.service ./streaks-*.timer
      """
    let result = try run(check, on: ledger, ["XDG_RUNTIME_DIR": ledger.folder])
    #expect(result.status == 0 && result.errors.isEmpty, "\(result.errors)")
  }

  @Test(.enabled("there is no systemd-analyze") { ShellScript.succeeds(systemd) })
  func `systemd accepts the units of the service`() throws {
    let ledger = try ledger()
    let names = [
      "streaks@.socket", "streaks@.service", "streaks-backup.service", "streaks-backup.timer",
    ]
    for name in names {
      let unit = try Repository.text("docs/" + name)
        .replacingOccurrences(of: "/usr/local/bin/streaks ", with: BuiltProgram.url.path + " ")
        .replacingOccurrences(
          of: "/usr/local/sbin/streaks-backup", with: Repository.root + "/docs/streaks-backup")
      try Data(unit.utf8).write(to: URL(fileURLWithPath: ledger.folder + "/" + name))
    }
    let result = try run("systemd-analyze verify \(names.joined(separator: " "))", on: ledger)
    #expect(result.status == 0 && result.errors.isEmpty, "\(result.errors)")
  }

  @Test(arguments: [
    "", "Ana", "-ana", ".ana", "../run/ben", "ana/ben", "ana ben", "ana\n", "ana:x", "än",
    String(repeating: "a", count: 65),
  ])
  func `streaks-add refuses a name that is not a valid login`(name: String) throws {
    let arguments = ["ADD": Repository.root + "/docs/streaks-add", "NAME": name]
    let result = try run(#"sh "$ADD" "$NAME""#, on: try ledger(), arguments)
    #expect(result.status == 2 && result.errors.hasPrefix("usage: streaks-add"))
  }

  @Test(.enabled("there is no rsync") { ShellScript.succeeds(rsync) })
  func `streaks-backup keeps the old copy of a ledger that has lost events`() throws {
    let ledger = try ledger()
    let backup = "'\(Repository.root)/docs/streaks-backup' all backup"
    let prepared = "mkdir -p all/empty; cp -R events all/ana; cp -R events all/ana.new"
    let made = try run("\(prepared); \(backup)", on: ledger)
    #expect(made.status == 0 && made.errors.isEmpty, "\(made.text)\(made.errors)")

    let lost = try run(
      """
      head -n 2 events/main.jsonl > all/ana/main.jsonl
      streaks log noalc steady --events all/ana.new > said
      \(backup)
      echo $?
      same() { diff -r -x .lock "$1" "backup/copies/$2"; }
      same events ana && same all/ana.new ana.new && echo kept
      """, on: ledger)
    #expect(
      lost.text.hasSuffix("1\nkept\n") && lost.errors.hasSuffix("no backup of ana\n"),
      "\(lost.text)\(lost.errors)")
  }

  @Test(.enabled("there is no rsync") { ShellScript.succeeds(rsync) })
  func `streaks-backup fails if a ledger of the last backup is missing`() throws {
    let ledger = try ledger()
    let backup = "'\(Repository.root)/docs/streaks-backup' all backup"
    let result = try run(
      "mkdir all && cp -R events all/ana && \(backup) && rm -r all/ana && \(backup)", on: ledger)
    #expect(result.status == 1 && result.errors.hasSuffix("no backup of ana\n"))
  }
}
