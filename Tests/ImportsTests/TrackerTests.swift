import CommandFixtures
import Foundation
import StreakCommands
import StreakDomain
import Testing

/// Loop Habit Tracker's export and harsh's log.
struct TrackerTests {
  func ledger() throws -> TemporaryLedger {
    let ledger = try TemporaryLedger()
    try ledger.run(
      all: """
        init meditation game noalc
        define early --rule '{"kind":"any"}'
        define book --rule '{"kind":"any"}'
        define gym --rule '{"kind":"any"}'
        """)
    return ledger
  }

  private func harsh(_ ledger: TemporaryLedger, _ log: String, _ options: String = "") throws -> Output {
    let path = try ledger.file("log", log)
    let output = ledger.run(["import", "harsh", path] + TemporaryLedger.words(options))
    return Output(
      text: output.text, errors: output.errors.replacing(ledger.folder + "/", with: ""), status: output.status
    )
  }

  @Test func `harsh - y is an entry, n is none, s excuses the day for that habit`() throws {
    let ledger = try ledger()
    let output = try harsh(
      ledger,
      """
      # a comment
      2025-10-28 : Gym : y : first day : 
      2025-10-29 : Gym : n :  : 

      2025-10-30 : Gym : s : away : 0
      2025-10-31 : Gym : y
      2025-11-01 : Game : y : e4 : and e5 : \r
      2025-11-02 : Game : n
      """)
    #expect(output.status == .done)
    #expect(ledger.entries(of: "gym", "day") == ["2025-10-28", "2025-10-31"])
    #expect(ledger.entries(of: "gym", "note") == ["first day", "-"])
    #expect(ledger.entries(of: "game", "completed") == ["1", "0"])
    #expect(ledger.entries(of: "game", "note") == ["e4 : and e5", "-"])
    #expect(output.text.contains("1  was not done"))
    let calendar = ledger.run("calendar gym --all --json")
    #expect(calendar["habits.gym.days.2025-10-30.verdict"] == "excused")
    #expect(calendar["habits.gym.days.2025-10-29.verdict"] == "missed")
  }

  @Test func `harsh - amounts become what the habit is measured by`() throws {
    let ledger = try ledger()
    _ = try harsh(
      ledger,
      """
      2025-11-01 : Meditation : y : calm : 12.5
      2025-11-02 : Meditation : y
      2025-11-01 : NoAlc : y : : 2
      2025-11-01 : Book : y :  : 30
      """)
    #expect(ledger.entries(of: "meditation", "minutes") == ["12.5"])
    #expect(ledger.entries(of: "noalc", "drinks") == ["2"])
    #expect(ledger.entries(of: "book", "value") == ["30"])
  }

  @Test func `harsh - of several answers for a day the last counts, as there`() throws {
    let ledger = try ledger()
    let output = try harsh(
      ledger, "2025-11-01 : Gym : y\n2025-11-02 : Gym : n\n2025-11-02 : Gym : y\n2025-11-01 : Gym : n\n",
      "--verbose")
    #expect(ledger.entries(of: "gym", "day") == ["2025-11-02"])
    #expect(output.text.contains("log:1:1: Gym of 2025-11-01: is followed by another answer for that day"))
  }

  @Test func `harsh - an answer that changed replaces the one imported before`() throws {
    let ledger = try ledger()
    let noon = "2025-11-02 : Meditation : y : : 5\n2025-11-02 : Game : n\n"
    let evening = "2025-11-02 : Meditation : y : : 12\n2025-11-02 : Game : y\n"
    _ = try harsh(ledger, noon)
    #expect(ledger.state("game.current") == "0")
    let dry = try harsh(ledger, evening, "--dry-run")
    #expect(dry.text.contains("would import 2 events") && dry.text.contains(": meditation 1, game 1\n"))
    #expect(dry.text.contains("  answers that changed, their entries deleted: 2"))
    let changed = try harsh(ledger, evening, "--json")
    #expect(changed["imported"] == "2" && changed["takenBack"] == "2")
    #expect(standing(ledger, "meditation", "minutes") == ["12"])
    #expect(standing(ledger, "game", "completed") == ["1"])
    #expect(ledger.state("game.current") == "1")
    let before = ledger.bytes()
    let third = try harsh(ledger, evening, "--json")
    #expect(third["imported"] == "0" && third["alreadyThere"] == "2" && third["takenBack"] == "0")
    #expect(ledger.bytes() == before)
    // Back to the first answers, and once more.
    #expect(try harsh(ledger, noon, "--json")["imported"] == "2")
    #expect(standing(ledger, "meditation", "minutes") == ["5"])
    #expect(ledger.state("game.current") == "0")
    #expect(try harsh(ledger, noon, "--json")["imported"] == "0")
    #expect(try harsh(ledger, evening, "--json")["imported"] == "2")
    #expect(standing(ledger, "meditation", "minutes") == ["12"])
    #expect(ledger.run("verify").status == .done)
  }

  @Test func `harsh - the new entry names the one that it replaces, and undo brings that back`() throws {
    let ledger = try ledger()
    _ = try harsh(ledger, "2025-11-02 : Meditation : y : : 5\n")
    _ = try harsh(ledger, "2025-11-02 : Meditation : y : : 12\n")
    let entries = ledger.stored().filter { $0["habit"] == "meditation" && $0["type"] == "entry.logged" }
    let deletion = try #require(ledger.stored().first { $0["type"] == "entry.deleted" })
    #expect(entries.count == 2 && entries[1]["cause"] == entries[0]["id"])
    #expect(deletion["entry"] == entries[0]["id"] && deletion["reason"] == "another answer was imported")
    #expect(ledger.run("undo").status == .done)
    #expect(standing(ledger, "meditation", "minutes") == ["5"])
    #expect(try harsh(ledger, "2025-11-02 : Meditation : y : : 12\n", "--json")["deleted"] == "1")
    #expect(standing(ledger, "meditation", "minutes") == ["5"])
  }

  @Test func `harsh - an answer that was taken back deletes the entry, and may return`() throws {
    let ledger = try ledger()
    _ = try harsh(ledger, "2025-11-02 : Gym : y\n")
    let output = try harsh(ledger, "2025-11-02 : Gym : n\n", "--json")
    #expect(output["imported"] == "0" && output["takenBack"] == "1")
    #expect(standing(ledger, "gym", "day") == [])
    #expect(try harsh(ledger, "2025-11-02 : Gym : n\n", "--json")["takenBack"] == "0")
    _ = try harsh(ledger, "2025-11-02 : Gym : y\n")
    #expect(standing(ledger, "gym", "day") == ["2025-11-02"])
    // What --since leaves out is left as it is.
    #expect(try harsh(ledger, "2025-11-02 : Gym : n\n", "--since 2025-11-03 --json")["takenBack"] == "0")
    #expect(standing(ledger, "gym", "day") == ["2025-11-02"])
  }

  @Test func `harsh - what was deleted here stays deleted, whatever the answer is later`() throws {
    let ledger = try ledger()
    _ = try harsh(ledger, "2025-11-02 : Meditation : y : : 5\n")
    let id = try #require(ledger.entries(of: "meditation", "id").first)
    #expect(ledger.run(["delete", id]).status == .done)
    for amount in ["5", "12"] {
      let output = try harsh(ledger, "2025-11-02 : Meditation : y : : \(amount)\n", "--json")
      #expect(output["imported"] == "0" && output["deleted"] == "1")
    }
    #expect(standing(ledger, "meditation", "minutes") == [])
  }

  @Test func `harsh - a skip that becomes an answer is withdrawn, an answer that becomes a skip is replaced`()
    throws
  {
    let ledger = try ledger()
    _ = try harsh(ledger, "2025-10-31 : Gym : y\n2025-11-01 : Gym : s : away : \n2025-11-02 : Gym : y\n")
    #expect(try harsh(ledger, "2025-11-01 : Gym : y\n2025-11-02 : Gym : s\n", "--json")["takenBack"] == "2")
    #expect(standing(ledger, "gym", "day") == ["2025-10-31", "2025-11-01"])
    func verdict(_ day: String) -> String? {
      ledger.run("calendar gym --all --json")["habits.gym.days.\(day).verdict"]
    }
    #expect(verdict("2025-11-01") == "good" && verdict("2025-11-02") == "excused")
    let before = ledger.bytes()
    let again = try harsh(ledger, "2025-11-01 : Gym : y\n2025-11-02 : Gym : s : home : \n", "--json")
    #expect(again["alreadyThere"] == "2" && ledger.bytes() == before)
    _ = try harsh(ledger, "2025-11-01 : Gym : s\n2025-11-02 : Gym : n\n")
    #expect(verdict("2025-11-01") == "excused" && verdict("2025-11-02") == "missed")
    #expect(ledger.run("verify").status == .done)
  }

  /// The entries of a habit that are not deleted.
  func standing(_ ledger: TemporaryLedger, _ habit: String, _ field: String) -> [String] {
    let stored = ledger.stored()
    let deleted = Set(stored.compactMap { $0["type"] == "entry.deleted" ? $0["entry"] : nil })
    return stored.filter {
      $0["habit"] == habit && $0["type"] == "entry.logged" && !deleted.contains($0["id"] ?? "")
    }.map { $0[field] ?? "-" }
  }

  @Test func `harsh - names lead to habits by themselves or as --habit says`() throws {
    let ledger = try ledger()
    let log = "2025-11-01 : Went to gym : y\n2025-11-01 : Gim : y\n2025-11-01 : EARLY : y\n"
    let output = try harsh(ledger, log, "--habit 'Went to gym=gym' --habit 'Wnt=book'")
    #expect(ledger.entries(of: "gym", "day").count == 1 && ledger.entries(of: "early", "day").count == 1)
    #expect(
      output.text.contains(
        "1  no habit here is \"Gim\" (did you mean \"gym\"?); --habit 'Gim=HABIT' names one"))
    #expect(output.text.contains("the file has no habit \"Wnt\""))
    #expect(try harsh(ledger, log, "--habit gym").status == .usage)
    #expect(try harsh(ledger, log, "--habit 'Gim=gum'").errors.contains("no habit \"gum\" is defined"))
    #expect(try harsh(ledger, log, "--habit 'Went to gym=gym' --json")["alreadyThere"] == "2")
  }

  @Test(arguments: [
    ("2025-11-01 : Gym : x", "log:1:20: \"answer\" is \"x\"; it must be y, n or s"),
    ("2025-11-01 : Gym", "log:1:1: expected DAY : HABIT : y, n or s"),
    ("2025-11-31 : Gym : y", "log:1:1: \"day\" is \"2025-11-31\"; it must be a day"),
    ("2025-11-01 :  : y", "log:1:15: \"habit\" is \"\"; it must be the name of a habit"),
    ("2025-11-01 : Gym : y : c : -3", "log:1:28: \"amount\" is \"-3\"; it must be a number, 0 or more"),
  ])
  func `harsh - a line that makes no sense is refused with its place`(line: String, says: String) throws {
    let ledger = try ledger()
    let before = ledger.bytes()
    let output = try harsh(ledger, line + "\n2025-11-02 : Gym : y\n")
    #expect(output.status == .badData)
    #expect(output.errors.hasPrefix(says), "\(output.errors)")
    #expect(ledger.bytes() == before)
    let latin = try ledger.file("log", Array("2025-11-01 : Caf".utf8) + [0xE9] + Array(" : y\n".utf8))
    #expect(ledger.run(["import", "harsh", latin]).errors.contains("log:1:17: not valid UTF-8"))
  }
}
