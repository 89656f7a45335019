import CommandFixtures
import Foundation
import StreakCommands
import StreakDomain
import Testing

/// Mistakes that are named before they count, and how a habit that was made by mistake goes away.
struct MistakeTests {
  private func ledger(_ commands: String = "init noalc") throws -> TemporaryLedger {
    let ledger = try TemporaryLedger(now: "2025-11-20T12:00:00+01:00")
    try ledger.run(all: commands)
    return ledger
  }

  @Test func `a first definition without entries can be undone, and the habit is no longer listed`() throws {
    let ledger = try ledger("init noalc\ndefine readng --any --id typo")
    #expect(ledger.run("undo").text == "undid: defined readng, 2025-11-20 (typo)\n")
    for command in ["show --all", "habits", "calendar"] {
      #expect(!ledger.run(command).text.contains("readng"), "\(command)")
    }
    #expect(ledger.run("define readng --any").text.contains("resumes"))
    #expect(ledger.run("show --all").text.contains("readng"))
  }

  @Test func `a first definition with an entry is kept`() throws {
    let ledger = try ledger("init noalc\ndefine reading --any --id d\nlog reading")
    let output = ledger.run("undo d")
    #expect(
      output.status == .failed && output.errors.contains("`streaks define reading --retire`"),
      "\(output.screen)")
  }

  @Test func `an entry long before the habit's first day needs --force`() throws {
    let ledger = try ledger("init\ndefine reading --any")
    let before = ledger.contents()
    let output = ledger.run("log reading --on 2015-11-19")
    #expect(
      output.status == .usage && output.errors.contains("3654 days before reading's first day, 2025-11-20"))
    #expect(ledger.contents() == before)
    #expect(ledger.run("log reading --on 2025-09-19").status == .done)
    #expect(ledger.run("log reading --on 2025-07-18").status == .usage)
    #expect(ledger.run("log reading --on 2025-07-18 --force").status == .done)
    #expect(ledger.run("log reading --on 2025-07-17").status == .done)
  }

  @Test func `an appended entry that has a habit begin much earlier is named`() throws {
    let ledger = try ledger("init\ndefine reading --any\nlog reading")
    let entry = #"{"type":"entry.logged","habit":"reading","day":"2015-11-19"}"#
    let output = ledger.run("append", input: entry)
    #expect(output.status == .done)
    #expect(
      output.errors.contains("reading begins on 2015-11-19 now, 3654 days earlier; "), "\(output.screen)")
    #expect(ledger.run("append", input: entry).errors.isEmpty)
  }

  @Test
  func `an event on several lines is told from a broken one, and empty lines at the end are passed over`()
    throws
  {
    let ledger = try ledger("init\ndefine reading --any")
    let output = ledger.run("append", input: "{\n  \"type\": \"entry.logged\"\n}\n")
    #expect(output.status == .badData && output.errors.contains("; each event is one line; `jq -c .`"))
    let entry = #"{"type":"entry.logged","habit":"reading"}"#
    #expect(ledger.run("append", input: entry + "\n\n \r\n").status == .done)
    #expect(ledger.run("append", input: entry + "\n\n" + entry).status == .badData)
  }

  @Test(arguments: ["tomorrow", "+3", "2025-11-21"])
  func `a day to come is refused in the same way in every form`(day: String) throws {
    let output = try ledger().run("log noalc steady --on \(day)")
    #expect(output.status == .badData && output.errors.contains("which is after today, 2025-11-20"))
  }

  @Test func `a ledger in which nothing was recorded for long says since when`() throws {
    let ledger = try ledger("init noalc\nlog noalc steady")
    ledger.now = "2025-12-04T12:00:00+01:00"
    #expect(!ledger.run("show").text.contains("nothing recorded"))
    ledger.now = "2025-12-05T12:00:00+01:00"
    #expect(
      ledger.run("show").text.hasPrefix(
        "Friday, 2025-12-05 · Europe/Berlin · nothing recorded since 2025-11-20\n"))
    #expect(!ledger.run("show --on 2025-12-05").text.contains("nothing recorded"))
  }

  @Test(arguments: ["no", "false", "0", "failed"])
  func `a denial counts where any entry does, and the answer says so`(word: String) throws {
    let ledger = try ledger("init\ndefine sober --any")
    #expect(
      ledger.run("log sober \(word)").text.contains("any entry makes a good day of sober, also this one"))
    #expect(!ledger.run("log sober yes").text.contains("any entry makes"))
  }

  @Test func `a ledger that begins over a torn end says what is set aside`() throws {
    let ledger = try TemporaryLedger(now: "2025-11-20T12:00:00+01:00")
    try FileManager.default.createDirectory(atPath: ledger.events, withIntermediateDirectories: true)
    try ledger.write(Array("{\"type\":".utf8), to: "main.jsonl")
    let output = ledger.run("init noalc")
    #expect(
      output.status == .done && output.errors.contains("the last 8 bytes, from byte 0, were never finished"))
    #expect(ledger.files().contains("main.torn-0"))
  }

  @Test func `a line written by hand has all its faults reported at once`() throws {
    let ledger = try ledger()
    try ledger.write(
      Array(#"{"type":"entry.logged","habit":"noalc","level":"steady","day":"2025-11-1"}"#.utf8) + [0x0A],
      to: "hand.jsonl")
    let output = ledger.run("show")
    #expect(output.status == .badData)
    for part in [
      #"needs the fields "id", "at", "recorded", "zone"; "#, #""day" is "2025-11-1""#,
      "`streaks append FILE`",
    ] {
      #expect(output.errors.contains(part), "\(output.errors)")
    }
  }

  @Test func `a torn end in a file that no device writes is for a person to remove`() throws {
    let ledger = try TemporaryLedger(running: "init noalc")
    try ledger.write(Array(#"{"id":"e9","no"#.utf8), to: "phone (1).jsonl")
    try ledger.write(Array(#"{"id":"e9","no"#.utf8), to: "phone.jsonl")
    for errors in [ledger.run("show").errors, ledger.run("verify").text] {
      let lines = errors.split(separator: "\n")
      #expect(lines.count == 2, "\(errors)")
      for line in lines {
        #expect(line.contains("never finished"), "\(errors)")
        #expect(
          line.contains("remove it if the segment of which") == line.contains("phone (1).jsonl"), "\(errors)")
      }
    }
  }

  @Test func `an event of another device is redacted there, and the message names the device`() throws {
    let ledger = try TemporaryLedger()
    try ledger.run(all: "init noalc\nlog noalc steady --id p1 --note secret --writer phone")
    let before = ledger.contents()
    let refused = ledger.run("redact p1")
    #expect(refused.status == .failed && refused.errors.contains("phone.jsonl, not in main.jsonl"))
    #expect(refused.errors.contains("`--writer phone` if nobody does"), "\(refused.errors)")
    #expect(ledger.contents() == before)
    #expect(ledger.run("redact p1 --writer phone").status == .done)
  }

  @Test func `an entry for a past day names the other days that it changes`() throws {
    let ledger = try TemporaryLedger(running: "init")
    try ledger.run(all: "define a --any --grace 1\nlog a --on 2025-10-28\nlog a --on 2025-10-31")
    #expect(ledger.run("calendar a --json").text.contains("missed"))
    let text = ledger.run("log a --on 2025-10-29").text
    #expect(text.contains("this changes other days: 2025-10-30 missed → graced"), "\(text)")
    #expect(!ledger.run("log a --on 2025-10-31").text.contains("other days"))
  }

  @Test func `an entry on the last day of a habit says that it is the last`() throws {
    let ledger = try TemporaryLedger(running: "init noalc\ndefine gym --preset workout\nundo")
    let text = ledger.run("log gym 30m").text
    #expect(text.contains("gym is retired from tomorrow on; `streaks define gym` resumes it"), "\(text)")
    try ledger.run(all: "define gym")
    #expect(!ledger.run("log gym 30m").text.contains("retired"))
  }

  @Test(arguments: ["--at 2025-11-02T20:15+01:00", "--at 2025-11-02T19:15Z"])
  func `a time with an offset needs no seconds on the command line`(at: String) throws {
    let ledger = try TemporaryLedger(running: "init noalc\nlog noalc steady \(at) --on 2025-11-02")
    #expect(ledger.stored().last?["at"]?.hasPrefix("2025-11-02T") == true)
    #expect(ledger.run("replay \(at.replacing("-02T", with: "-04T"))").status == .done)
    #expect(ledger.run("replay --at 2025-11-04T20:15+1").status == .usage)
  }

  @Test func `a habit is not defined anew while the file that defines it is missing`() throws {
    let ledger = try TemporaryLedger(running: "init noalc --writer phone")
    try ledger.run(all: "log noalc steady", at: "2025-11-04T12:00:00+01:00")
    let phone = ledger.bytes(of: "phone")
    try FileManager.default.removeItem(atPath: ledger.events + "/phone.jsonl")
    let logged = ledger.run("log noalc steady")
    #expect(logged.status == .badData && logged.errors.contains("bring the missing lines back first"))
    #expect(!logged.errors.contains("streaks define"), "\(logged.errors)")
    let refused = ledger.run("define noalc --any")
    #expect(refused.status == .badData && refused.errors.contains("may define it"), "\(refused.errors)")
    #expect(ledger.run("define other --any --force").status == .done)
    try ledger.write(phone, to: "phone.jsonl")
    #expect(ledger.run("define noalc --strict").status == .done)
  }

  @Test func `leaving out an event that makes no difference is said`() throws {
    let ledger = try TemporaryLedger(running: "init noalc\nlog noalc steady --id a\nlog noalc steady --id b")
    for command in ["show noalc", "replay --habit noalc"] {
      #expect(
        ledger.run(command + " --without a").errors.contains("leaving out a changes no run and no joker here")
      )
      #expect(ledger.run(command + " --without a --without b").errors.isEmpty)
    }
  }

  @Test func `a command without words points to its option for a habit`() throws {
    let ledger = try TemporaryLedger(running: "init noalc")
    #expect(ledger.run("replay noalc").errors.contains("only options, such as --habit HABIT"))
  }
}
