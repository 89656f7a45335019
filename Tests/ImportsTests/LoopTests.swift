import CommandFixtures
import Foundation
import StreakCommands
import StreakDomain
import Testing

struct LoopTests {
  private static let loop = Repository.root + "/Tests/Fixtures/imports/loop"
  private static let names = "--habit 'Wake up early=early' --habit Pages=book"

  private func ledger() throws -> TemporaryLedger {
    let ledger = try TemporaryLedger(
      running: """
        init meditation game noalc
        define early --rule '{"kind":"any"}'
        define book --rule '{"kind":"any"}'
        define gym --rule '{"kind":"any"}'
        """)
    return ledger
  }

  /// Imports the `Checkmarks.csv` of one habit, with rows such as `2025-11-02,YES_MANUAL,calm`.
  private func loop(
    _ ledger: TemporaryLedger, _ habit: String, _ rows: String, _ options: String = ""
  ) throws -> Output {
    let path = try ledger.file("001 \(habit)/Checkmarks.csv", "Date,Value,Notes\n" + rows)
    return ledger.run(["import", "loop", path] + TemporaryLedger.words(options))
  }

  private func standing(_ ledger: TemporaryLedger, _ habit: String, _ field: String) -> [String] {
    ledger.standing(habit, field)
  }

  @Test func `a Loop export can be imported again after each undo of the import`() throws {
    let ledger = try TemporaryLedger(running: "init")
    for _ in 1...2 {
      #expect(ledger.run(["import", "loop", LoopTests.loop]).status == .done)
      #expect(ledger.state("wake_up_early.totals.entries") != "0")
      try ledger.run(all: "undo")
    }
    let output = ledger.run(["import", "loop", LoopTests.loop, "--json"])
    #expect(output["deleted"] == "0" && output["defined.0"] != nil)
    #expect(ledger.state("wake_up_early.status") != "retired")
  }

  /// Writes the folder of an export with one habit, `X`, and returns its path.
  private func export(
    _ ledger: TemporaryLedger, _ name: String, _ habit: String, _ rows: [String],
    common: [String]? = nil
  ) throws -> String {
    let header =
      "Position,Name,Type,Question,Description,FrequencyNumerator,FrequencyDenominator,Color,"
      + "Unit,Target Type,Target Value,Archived?\n"
    let list = try ledger.file("\(name)/Habits.csv", header + "001,X,\(habit),false\n")
    let table = (["Date,Value,Notes"] + rows.map { $0 + "," }).joined(separator: "\n") + "\n"
    _ = try ledger.file("\(name)/001 X/Checkmarks.csv", table)
    let all = (["Date,X,"] + (common ?? rows).map { $0 + "," }).joined(separator: "\n") + "\n"
    _ = try ledger.file("\(name)/Checkmarks.csv", all)
    return list.replacing("/Habits.csv", with: "")
  }

  private static let daily = "YES_NO,,,1,1,#F,,,"

  @Test func `of two Loop habits that are one here, a day has the answer that says something`()
    throws
  {
    let ledger = try TemporaryLedger(
      running: "init\ndefine sit --at-least 10min", now: "2025-11-10T12:00:00+01:00")
    let table = "Date,Sit,Breathe,\n2025-11-03,2,30000,\n2025-11-02,0,20000,\n2025-11-01,0,0,\n"
    let path = try ledger.file("Checkmarks.csv", table)
    let output = ledger.run(
      ["import", "loop", path, "--habit", "Sit=sit", "--habit", "Breathe=sit"])
    #expect(ledger.entries(of: "sit", "minutes") == ["20", "30"], "\(output)")
    #expect(!output.text.contains("duplicate"), "\(output)")
    #expect(
      output.text.contains(#"sit: "Sit" and "Breathe" are one habit here"#), "\(output)")

    let again = ledger.run(["import", "loop", path])
    #expect(again.text.hasPrefix("imported 0 entries"), "\(again)")
    #expect(standing(ledger, "sit", "minutes") == ["20", "30"])
  }

  @Test func `drinks of Loop that are rounded to whole ones are named`() throws {
    let ledger = try TemporaryLedger(running: "init noalc", now: "2025-11-02T12:00:00+01:00")
    let beer = "NUMERICAL,,,1,1,#F,,AT_MOST,1"
    let folder = try export(ledger, "L", beer, ["2025-11-02,1500", "2025-11-01,400"])
    let output = ledger.run(["import", "loop", folder, "--habit", "X=noalc"])
    #expect(
      output.text.contains("rounded to whole drinks: 0.4 to 0 on 2025-11-01 and 1 more day"),
      "\(output)")
  }

  @Test func `a yes of Loop for a habit that counts slips is named`() throws {
    let ledger = try TemporaryLedger(
      running: "init\ndefine smoke --never", now: "2025-11-02T12:00:00+01:00")
    let output = try loop(ledger, "Smoke", "2025-11-02,YES_MANUAL,\n", "--habit Smoke=smoke")
    #expect(output.text.contains(#"smoke: a yes of "Smoke" counts as a slip"#), "\(output)")
  }

  @Test func `the run of a habit that an import defines is in its answer`() throws {
    let ledger = try TemporaryLedger(running: "init", now: "2025-11-02T12:00:00+01:00")
    let rows = ["2025-11-02,YES_MANUAL", "2025-11-01,YES_MANUAL"]
    let output = ledger.run(
      ["import", "loop", try export(ledger, "L", LoopTests.daily, rows)])
    #expect(output.text.contains("X: run 2, longest 2"), "\(output)")
  }

  @Test func `two devices may define a habit of Loop in two ways`() throws {
    let ledger = try TemporaryLedger(running: "init", now: "2025-11-02T12:00:00+01:00")
    let other = try TemporaryLedger(now: ledger.now, seed: 1)
    try other.write(ledger.bytes(), to: "main.jsonl")
    for (each, target, writer) in [(ledger, "20", "laptop"), (other, "25", "desk")] {
      let habit = "NUMERICAL,,,1,1,#F,min,AT_LEAST,\(target)"
      let folder = try export(each, "L", habit, ["2025-11-01,30000"])
      #expect(each.run(["import", "loop", folder, "--writer", writer]).status == .done)
    }
    try ledger.write(other.bytes(of: "desk"), to: "desk.jsonl")
    let found = ledger.run("verify")
    #expect(!found.screen.contains("reused-id"), "\(found)")
    #expect(standing(ledger, "x", "minutes") == ["30"])
  }

  @Test(arguments: ["/Checkmarks.csv", "/001 X/Checkmarks.csv"])
  func `the numbers of a single table have the unit of the Habits.csv beside it`(
    table: String
  ) throws {
    let ledger = try TemporaryLedger(running: "init", now: "2025-11-10T12:00:00+01:00")
    let hours = "NUMERICAL,,,1,1,#F,Std,AT_LEAST,1.5"
    let folder = try export(ledger, "L", hours, ["2025-11-01,1500"])
    #expect(ledger.run(["import", "loop", folder]).status == .done)
    #expect(ledger.entries(of: "x", "minutes") == ["90"])
    let again = ledger.run(["import", "loop", folder + table])
    #expect(again.text.hasPrefix("imported 0 entries"), "\(again)")

    let alone = try loop(ledger, "X", "2025-11-02,2000,\n")
    #expect(
      alone.text.contains("x: its numbers are read as min, because no Habits.csv"), "\(alone)")
  }

  @Test func `an answer on the newest day is taken back if the next export lacks it`() throws {
    let ledger = try TemporaryLedger(running: "init", now: "2025-11-10T12:00:00+01:00")
    let yes = ["2025-11-03,YES_MANUAL", "2025-11-02,YES_MANUAL", "2025-11-01,YES_MANUAL"]
    let first = try export(ledger, "A", Self.daily, yes)
    try ledger.run(all: "import loop \(first)")
    let common = ["2025-11-03,UNKNOWN"] + yes.dropFirst()
    let second = try export(ledger, "B", Self.daily, Array(yes.dropFirst()), common: common)
    try ledger.run(all: "import loop \(second)")
    #expect(ledger.standing("x", "day") == ["2025-11-01", "2025-11-02"])
  }

  @Test func `an older export withdraws an excuse that the undo of a newer one gave back`() throws {
    let ledger = try TemporaryLedger(running: "init", now: "2025-11-10T12:00:00+01:00")
    func add(_ name: String, _ days: Int, _ second: String) throws -> Output {
      let rows = (1...days).reversed().map { "2025-11-0\($0),\($0 == 2 ? second : "YES_MANUAL")" }
      return ledger.run(["import", "loop", try export(ledger, name, Self.daily, rows)])
    }
    _ = try add("A", 3, "SKIP")
    _ = try add("B", 5, "NO")
    #expect(ledger.run("excuse").text == "")
    try ledger.run(all: "undo")
    #expect(ledger.run("excuse").text.contains("2025-11-02"))
    let older = try add("C", 3, "NO")
    #expect(ledger.run("excuse").text == "", "\(older)")
    #expect(ledger.run("verify").status == .done)
  }

  @Test(arguments: [
    ("meditation", "min", "10", "meditation keeps its own target: at least 10 min"),
    ("water", "ml", "3000", "water keeps its own target: at least 3000 ml"),
    ("water", "ml", "2000", nil), ("water", "Liter", "2", nil),
  ])
  func `another target in Loop is reported, also for minutes, and an equal one isn't`(
    habit: String, unit: String, target: String, note: String?
  ) throws {
    let ledger = try TemporaryLedger(
      running: "init meditation\ndefine water --at-least 2l", now: "2025-11-10T12:00:00+01:00")
    let folder = try export(
      ledger, "L", "NUMERICAL,,,1,1,#F,\(unit),AT_LEAST,\(target)", ["2025-11-01,5000"])
    let output = ledger.run(["import", "loop", folder, "--habit", "X=\(habit)"])
    #expect(output.status == .done && output.text.contains("keeps its own target") == (note != nil))
    #expect(note.map { output.text.contains($0) } ?? true, "\(output)")
  }

  @Test
  func `done becomes an entry, not done becomes none, and skipped excuses the habit that day`()
    throws
  {
    let ledger = try ledger()
    let output = try loop(
      ledger, "Gym",
      """
      2025-10-28,YES_MANUAL,first \
      day\n2025-10-29,NO,\n2025-10-30,SKIP,away\n2025-10-31,YES_MANUAL,\n
      """
    )
    #expect(output.status == .done)
    #expect(ledger.entries(of: "gym", "day") == ["2025-10-28", "2025-10-31"])
    #expect(ledger.entries(of: "gym", "note") == ["first day", "-"])
    #expect(output.text.contains("1  was not done"))
    let calendar = ledger.run("calendar gym --all --json")
    #expect(calendar["habits.gym.days.2025-10-30.verdict"] == "excused")
    #expect(calendar["habits.gym.days.2025-10-29.verdict"] == "missed")
    _ = try loop(ledger, "Game", "2025-11-01,YES_MANUAL,e4\n2025-11-02,NO,\n")
    #expect(ledger.entries(of: "game", "completed") == ["1", "0"])
  }

  @Test func `a changed answer replaces the imported entry, even if the answer changes back`()
    throws
  {
    let ledger = try ledger()
    let (noon, evening) = ("2025-11-02,NO,\n", "2025-11-02,YES_MANUAL,\n")
    _ = try loop(ledger, "Game", noon)
    #expect(ledger.state("game.current") == "0")
    let dry = try loop(ledger, "Game", evening, "--dry-run")
    #expect(dry.text.contains("would import 1 entry") && dry.text.contains(": game 1\n"))
    #expect(dry.text.contains("  changed since the last import: 1"))
    let changed = try loop(ledger, "Game", evening, "--json")
    #expect(changed["imported"] == "1" && changed["takenBack"] == "1")
    #expect(standing(ledger, "game", "completed") == ["1"])
    #expect(ledger.state("game.current") == "1")
    let before = ledger.bytes()
    let third = try loop(ledger, "Game", evening, "--json")
    #expect(third["imported"] == "0" && third["alreadyThere"] == "1" && third["takenBack"] == "0")
    #expect(ledger.bytes() == before)
    #expect(try loop(ledger, "Game", noon, "--json")["imported"] == "1")
    #expect(ledger.state("game.current") == "0")
    #expect(try loop(ledger, "Game", noon, "--json")["imported"] == "0")
    #expect(try loop(ledger, "Game", evening, "--json")["imported"] == "1")
    #expect(standing(ledger, "game", "completed") == ["1"])
    #expect(ledger.run("verify").status == .done)
  }

  @Test
  func `a changed number replaces the imported entry, and undo restores the old number`() throws {
    let ledger = try ledger()
    _ = try loop(ledger, "Meditation", "2025-11-02,5000,\n")
    _ = try loop(ledger, "Meditation", "2025-11-02,12000,\n")
    let entries = ledger.stored().filter {
      $0["habit"] == "meditation" && $0["type"] == "entry.logged"
    }
    #expect(entries.count == 2 && entries[1]["key"] == entries[0]["key"])
    #expect(standing(ledger, "meditation", "minutes") == ["12"])
    #expect(ledger.run("undo").status == .done)
    #expect(standing(ledger, "meditation", "minutes") == ["5"])
    // What an undo took back counts as never imported.
    #expect(try loop(ledger, "Meditation", "2025-11-02,5000,\n", "--json")["imported"] == "1")
    #expect(try loop(ledger, "Meditation", "2025-11-02,5000,\n", "--json")["alreadyThere"] == "1")
    #expect(try loop(ledger, "Meditation", "2025-11-02,30000,\n", "--json")["takenBack"] == "1")
    #expect(standing(ledger, "meditation", "minutes") == ["30"])
  }

  @Test func `an answer that changes to not done deletes the entry, and done restores it`() throws {
    let ledger = try ledger()
    let (done, notDone) = ("2025-11-02,YES_MANUAL,\n", "2025-11-02,NO,\n")
    _ = try loop(ledger, "Gym", done)
    let output = try loop(ledger, "Gym", notDone, "--json")
    #expect(output["imported"] == "0" && output["takenBack"] == "1")
    #expect(standing(ledger, "gym", "day") == [])
    #expect(try loop(ledger, "Gym", notDone, "--json")["takenBack"] == "0")
    _ = try loop(ledger, "Gym", done)
    #expect(standing(ledger, "gym", "day") == ["2025-11-02"])
    #expect(try loop(ledger, "Gym", notDone, "--since 2025-11-03 --json")["takenBack"] == "0")
    #expect(standing(ledger, "gym", "day") == ["2025-11-02"])
  }

  @Test func `an answer that is unknown in the common table deletes no entry`() throws {
    let ledger = try ledger()
    _ = try loop(ledger, "Gym", "2025-11-02,YES_MANUAL,\n2025-11-01,YES_MANUAL,\n")
    let common = try ledger.file(
      "Checkmarks.csv", "Date,Gym,\n2025-11-02,UNKNOWN,\n2025-11-01,NO,\n")
    #expect(ledger.run(["import", "loop", common, "--json"])["takenBack"] == "1")
    #expect(standing(ledger, "gym", "day") == ["2025-11-02"])
    #expect(try loop(ledger, "Gym", "2025-11-02,UNKNOWN,\n", "--json")["takenBack"] == "1")
  }

  @Test func `a deleted entry stays deleted until the answer in Loop changes`() throws {
    let ledger = try ledger()
    _ = try loop(ledger, "Meditation", "2025-11-02,5000,\n")
    try ledger.run(all: "delete --last")
    let again = try loop(ledger, "Meditation", "2025-11-02,5000,\n", "--json")
    #expect(again["imported"] == "0" && again["deleted"] == "1")
    #expect(standing(ledger, "meditation", "minutes") == [])
    let changed = try loop(ledger, "Meditation", "2025-11-02,12000,\n", "--json")
    #expect(changed["imported"] == "1" && standing(ledger, "meditation", "minutes") == ["12"])
  }

  @Test
  func `a skip that becomes an answer withdraws the excuse, and the reverse deletes the entry`()
    throws
  {
    let ledger = try ledger()
    _ = try loop(
      ledger, "Gym", "2025-10-31,YES_MANUAL,\n2025-11-01,SKIP,away\n2025-11-02,YES_MANUAL,\n")
    let swapped = "2025-11-01,YES_MANUAL,\n2025-11-02,SKIP,"
    #expect(try loop(ledger, "Gym", swapped + "\n", "--json")["takenBack"] == "2")
    #expect(standing(ledger, "gym", "day") == ["2025-10-31", "2025-11-01"])
    func verdict(_ day: String) -> String? {
      ledger.run("calendar gym --all --json")["habits.gym.days.\(day).verdict"]
    }
    #expect(verdict("2025-11-01") == "good" && verdict("2025-11-02") == "excused")
    let before = ledger.bytes()
    let again = try loop(ledger, "Gym", swapped + "home\n", "--json")
    #expect(again["alreadyThere"] == "1" && again["takenBack"] == "1" && ledger.bytes() != before)
    let third = try loop(ledger, "Gym", swapped + "home\n", "--json")
    #expect(third["alreadyThere"] == "2" && third["imported"] == "0")
    _ = try loop(ledger, "Gym", "2025-11-01,SKIP,\n2025-11-02,NO,\n")
    #expect(verdict("2025-11-01") == "excused" && verdict("2025-11-02") == "missed")
    #expect(ledger.run("verify").status == .done)
  }

  @Test func `comments of days without an answer are counted`() throws {
    let ledger = try ledger()
    let days = "2025-10-31,NO,ill\n2025-11-01,YES_MANUAL,fine\n2025-11-02,UNKNOWN,busy\n"
    let output = try loop(ledger, "Gym", days)
    #expect(output.text.contains("\n  not imported: 2 notes without an entry\n"), "\(output)")
  }

  @Test func `importing the same export again after an undo gives the same state`() throws {
    let ledger = try ledger()
    let (old, new) = (
      "2025-10-31,YES_MANUAL,\n2025-11-01,SKIP,\n2025-11-02,YES_MANUAL,\n",
      "2025-10-31,YES_MANUAL,\n2025-11-01,YES_MANUAL,\n2025-11-02,SKIP,\n"
    )
    _ = try loop(ledger, "Gym", old)
    _ = try loop(ledger, "Gym", new)
    func state() -> String { ledger.run("calendar gym --all").text }
    let wanted = state()
    try ledger.run(all: "undo")
    #expect(state() != wanted)
    _ = try loop(ledger, "Gym", new)
    #expect(state() == wanted && ledger.run("excuse").text.split(separator: "\n").count == 1)
  }

  @Test func `a habit once mapped with --habit is recognized later, even after a rename in Loop`()
    throws
  {
    let ledger = try TemporaryLedger(running: "init\ndefine early --any\ndefine gym --any")
    func add(_ name: String, _ options: String = "") throws -> Output {
      let habits =
        "Name,Type,FrequencyNumerator,FrequencyDenominator\nGym,YES_NO,1,1\n\(name),YES_NO,1,1\n"
      _ = try ledger.file("loop/Habits.csv", habits)
      let answers = "Date,Value,Notes\n2025-11-01,YES_MANUAL,\n2025-11-02,YES_MANUAL,\n"
      for folder in ["001 Gym", "002 Other"] {
        _ = try ledger.file("loop/\(folder)/Checkmarks.csv", answers)
      }
      return ledger.run(
        ["import", "loop", "\(ledger.folder)/loop", "--json"] + TemporaryLedger.words(options))
    }
    #expect(try add("Wake up", "--habit 'Wake up=early'")["imported"] == "4")
    #expect(try add("Wake up")["alreadyThere"] == "4")
    let renamed = try add("Rise")
    #expect(renamed["alreadyThere"] == "4" && renamed["imported"] == "0", "\(renamed)")
  }

  @Test func `names in a Loop export match habits directly or as --habit specifies`() throws {
    let ledger = try ledger()
    let path = try ledger.file("Checkmarks.csv", "Date,Went to gym,Gim,EARLY,\n2025-11-01,2,2,2,\n")
    func importing(_ options: String) -> Output {
      ledger.run(["import", "loop", path] + TemporaryLedger.words(options))
    }
    let output = importing("--habit 'Went to gym=gym' --habit 'Wnt=book'")
    #expect(
      ledger.entries(of: "gym", "day").count == 1 && ledger.entries(of: "early", "day").count == 1)
    #expect(
      output.text.contains(
        "1  no habit here is \"Gim\" (did you mean \"gym\"?); --habit 'Gim=HABIT' names one"))
    #expect(output.text.contains("the file has no habit \"Wnt\""))
    #expect(importing("--habit gym").status == .usage)
    #expect(importing("--habit gym --habit Gim=book").errors.contains("it must be NAME=HABIT"))
    #expect(importing("--habit 'Gim=gum'").errors.contains("no habit \"gum\" is defined"))
    #expect(importing("--habit 'Went to gym=gym' --json")["alreadyThere"] == "2")
  }

  @Test(arguments: ["minutes", "km", "sets", "drinks", "amount"])
  func `a habit with a sum takes the number of an answer, and a plain yes is left out`(
    measure: String
  )
    throws
  {
    let ledger = try TemporaryLedger(running: "init")
    let rule = #"{"kind":"sum","of":"\#(measure)","atLeast":1}"#
    #expect(ledger.run(["define", "total", "--name", "Total", "--rule", rule]).status == .done)
    let output = try loop(ledger, "Total", "2025-11-01,7000,\n2025-11-02,YES_MANUAL,\n")
    #expect(ledger.run("entries --json")["entries.0.\(measure)"] == "7")
    #expect(
      output.text.contains(#""total" has the rule "sum", and there is nothing to measure it by"#))
  }

  @Test
  func `the folder, the common table and a single table of Loop import the same entries once`()
    throws
  {
    let ledger = try ledger()
    let output = ledger.run(
      ["import", "loop", Self.loop, "--verbose"] + TemporaryLedger.words(Self.names))
    #expect(output.status == .done)
    #expect(ledger.entries(of: "meditation", "minutes") == ["12.5"])
    #expect(ledger.entries(of: "meditation", "note") == ["calm"])
    #expect(ledger.entries(of: "early", "day") == ["2025-10-27"])
    #expect(ledger.entries(of: "book", "value") == ["7 pages"])
    #expect(
      ledger.run("calendar meditation --all --json")["habits.meditation.days.2025-10-28.verdict"]
        == "excused"
    )
    for reason in [
      "was not done\n", "has no answer",
      "was not done that day, only implied by how often it is due",
    ] {
      #expect(output.text.contains(reason), "\(reason)")
    }
    let before = ledger.bytes()
    let table = Self.loop + "/Checkmarks.csv"
    let again = ledger.run(["import", "loop", table, "--json"] + TemporaryLedger.words(Self.names))
    #expect(again["imported"] == "0" && again["alreadyThere"] == "4")
    let single = Self.loop + "/002 Wake up early/Checkmarks.csv"
    #expect(
      ledger.run(["import", "loop", single, "--habit", "Wake up early=early", "--json"])[
        "alreadyThere"]
        == "1")
    #expect(ledger.bytes() == before)
  }

  @Test(.enabled(if: TestPrograms.has("unzip"), "there is no unzip"))
  func `a zip of a Loop export is imported like the folder`() throws {
    let ledger = try ledger()
    let names = [
      "Habits.csv", "001 Meditation/Checkmarks.csv", "002 Wake up early/Checkmarks.csv",
      "003 Pages/Checkmarks.csv", "Checkmarks.csv",
    ]
    let zip = StoredZip.make(
      try names.map { ($0, try Repository.text("Tests/Fixtures/imports/loop/\($0)")) })
    let path = try ledger.file("Loop Habits CSV 2025-11-03.zip", zip)
    #expect(
      ledger.run(["import", "loop", path, "--json"] + TemporaryLedger.words(Self.names))["imported"]
        == "4")
    let other = try ledger.file("other.zip", StoredZip.make([("a.txt", "x"), ("b.txt", "x")]))
    #expect(
      ledger.run(["import", "loop", other]).errors.contains(
        "no Checkmarks.csv; it contains a.txt, b.txt"))
  }

  @Test
  func `numeric answers of older Loop versions mean the same as the words of newer versions`()
    throws
  {
    let ledger = try ledger()
    let path = try ledger.file(
      "Checkmarks.csv",
      "Date,Early,Meditation,\n2025-11-02,2,10000,\n2025-11-01,1,0,\n2025-10-31,0,-1,\n2025-10-30,3,3,\n"
    )
    #expect(ledger.run(["import", "loop", path, "--json"])["imported"] == "4")
    #expect(ledger.entries(of: "early", "day") == ["2025-11-02"])
    #expect(ledger.entries(of: "meditation", "minutes") == ["10"])
  }

  @Test(arguments: [
    (
      "Date,Early,\n2025-11-01,YES,\n",
      "Checkmarks.csv:2:12: \"Value\" is \"YES\"; it must be YES_MANUAL"
    ),
    ("Date,Early,\n2025-11-01\n", "Checkmarks.csv:2:1: the row has 1 field where 3 are expected"),
    (
      "Date,Early,\n01.11.2025,2,\n",
      "Checkmarks.csv:2:1: \"Date\" is \"01.11.2025\"; it must be a day"
    ),
    (
      "Day;Early\n",
      "Checkmarks.csv:1:1: expected the header of a Checkmarks.csv, which begins with Date"
    ),
    (
      "Date,Meditation,\n2025-11-01,-5000,\n2025-11-02,9000,\n",
      "Checkmarks.csv:2:12: \"Value\" is \"-5000\""
    ),
  ])
  func `an invalid Loop table is refused with its location`(table: String, says: String) throws {
    let ledger = try ledger()
    let before = ledger.bytes()
    let path = try ledger.file("Checkmarks.csv", table)
    let output = ledger.run(["import", "loop", path])
    #expect(output.status == .badData)
    #expect(
      output.errors.replacing(ledger.folder + "/", with: "").hasPrefix(says), "\(output.errors)")
    #expect(ledger.bytes() == before)
  }

  @Test func `a folder without a Checkmarks file is refused with a list of its files`() throws {
    let ledger = try ledger()
    for name in ["a.txt", "b.txt"] { _ = try ledger.file("x/\(name)", "x") }
    let output = ledger.run(["import", "loop", ledger.folder + "/x"])
    #expect(output.status == .badData)
    #expect(output.errors.contains("has no Checkmarks.csv; it contains a.txt, b.txt"))
    #expect(ledger.run("import loop nosuch").status == .usage)
    let habits = try ledger.file("Habits.csv", "Position,Name\n001,Read\n")
    #expect(
      ledger.run(["import", "loop", habits]).errors.contains("has no Checkmarks.csv; it contains"))
  }

  @Test func `an old Loop export without headers and with Entry cells is imported`() throws {
    let ledger = try TemporaryLedger(running: "init")
    let rows =
      "2025-11-02,Entry(timestamp=2025-11-02, value=2),Entry(timestamp=2025-11-02, value=8000),\n"
    _ = try ledger.file(
      "x/Habits.csv", "Position,Name,NumRepetitions,Interval\n001,Stretch,1,1\n002,Pages,1,1\n")
    _ = try ledger.file("x/Checkmarks.csv", "Date,Stretch,Pages,\n" + rows)
    let unknown = ledger.run(["import", "loop", ledger.folder + "/x/Checkmarks.csv"])
    #expect(
      unknown.text.contains("  a habit is not described: define it first, with a measure"))
    let first = ledger.run(["import", "loop", ledger.folder + "/x"])
    #expect(
      first.text.contains("imported 2 entries")
        && first.text.contains("pages: its numbers become texts"))
    _ = try ledger.file("x/001 Stretch/Checkmarks.csv", "2025-11-02,2\n2025-11-01,0\n")
    _ = try ledger.file("x/002 Pages/Checkmarks.csv", "2025-11-02,8000\n2025-11-01,12000\n")
    let output = ledger.run(["import", "loop", ledger.folder + "/x", "--json"])
    #expect(output["imported"] == "1" && output["alreadyThere"] == "2", "\(output)")
    #expect(ledger.entries(of: "pages", "value") == ["8", "12"])
  }

  /// Creates a folder with habits that are asked for every day, and a common table.
  private func export(_ ledger: TemporaryLedger, _ names: [String], _ rows: String) throws
    -> [String]
  {
    let habits = names.enumerated().map { "00\($0.offset + 1),\($0.element),YES_NO,1,1\n" }.joined()
    _ = try ledger.file(
      "y/Habits.csv", "Position,Name,Type,FrequencyNumerator,FrequencyDenominator\n" + habits)
    _ = try ledger.file("y/Checkmarks.csv", "Date,\(names.joined(separator: ",")),\n" + rows)
    return ["import", "loop", ledger.folder + "/y"]
  }

  @Test
  func `a Loop habit with a name outside ASCII gets a Latin id or the habit's number`() throws {
    let ledger = try TemporaryLedger(running: "init")
    let names = ["Activité: Vélo", "Œuvre", "Straße kehren", "Å gå", "Зарядка", "🐱", "2x gym"]
    let words = try export(ledger, names, "2025-11-02,2,2,2,2,2,2,2,\n")
    let output = ledger.run(words + ["--json"])
    #expect(output["imported"] == "7", "\(output)")
    for (index, id) in [
      "activite_velo", "oeuvre", "strasse_kehren", "a_ga", "habit-5", "habit-6", "habit-7",
    ]
    .enumerated() {
      #expect(output["defined.\(index)"] == id)
    }
    let before = ledger.bytes()
    #expect(ledger.run(words + ["--json"])["alreadyThere"] == "7" && ledger.bytes() == before)
  }

  @Test
  func `two Loop habits with the same name get two ids, and a second import writes nothing`() throws
  {
    let ledger = try TemporaryLedger(running: "init")
    let words = try export(
      ledger, ["Run", "Run", "run!"], "2025-11-02,2,2,2,\n2025-11-01,0,2,0,\n")
    let output = ledger.run(words)
    #expect(output.text.contains("run_2 2, run 1, run_3 1"), "\(output)")
    #expect(output.text.contains("the habit \"Run\", number 2 in Loop, is run_2 here"))
    let before = ledger.bytes()
    for _ in 1...2 { #expect(ledger.run(words + ["--json"])["alreadyThere"] == "4") }
    #expect(ledger.bytes() == before)
  }

  @Test func `a habit renamed in Loop is recognised by its position and its answers`() throws {
    let ledger = try TemporaryLedger(running: "init")
    let rows = "2025-11-02,2,2,0,\n"
    #expect(ledger.run(try export(ledger, ["Read", "Walk", "Sing"], rows)).status == .done)
    let output = ledger.run(try export(ledger, ["Read more", "Walk", "Sing"], rows))
    #expect(
      output.text.contains("\"Read more\" is read, imported before under another name"), "\(output)"
    )
    #expect(output.text.contains("imported 0 entries") && output.text.contains("already there: 2"))
    let newer = "2025-11-03,2,2,0,\n2025-11-02,0,2,0,\n"
    let other = ledger.run(try export(ledger, ["Piano", "Walk", "Sing"], newer))
    #expect(!other.text.contains("\"Piano\" is read"), "\(other)")
    #expect(
      other.text.contains("read was imported before, and the file has no habit of that name now"))
    let gone = ledger.run(try export(ledger, ["Walk", "Sing", "Dance"], rows))
    #expect(
      gone.text.contains("read was imported before, and the file has no habit of that name now"))
    #expect(ledger.run("verify").status == .done)
  }

  @Test func `a renamed Loop habit is recognized by its answers, not by its position`() throws {
    let ledger = try TemporaryLedger(running: "init")
    let answers = ["Aaa": [1, 2, 3], "Bbb": [1, 4, 6, 7], "Ccc": [2, 3, 4, 6, 9, 10]]
    func rows(_ habits: [[Int]]) -> String {
      (1...10).reversed().map { day in
        let cells = habits.map { $0.contains(day) ? "2," : "0," }.joined()
        return "2025-10-\(day < 10 ? "0" : "")\(day),\(cells)\n"
      }.joined()
    }
    let names = ["Aaa", "Bbb", "Ccc"]
    let first = try export(ledger, names, rows(names.map { answers[$0] ?? [] }))
    #expect(ledger.run(first).status == .done)

    let renamed = try export(ledger, ["Aaa", "Ddd"], rows([[1, 2, 3], [2, 3, 4, 6, 9, 10]]))
    let output = ledger.run(renamed)
    #expect(output.text.contains("\"Ddd\" is ccc, imported before"), "\(output)")
    #expect(output.text.contains("imported 0 entries"), "\(output)")

    let answersNow = [[1], [1, 4, 6, 7], [6, 7, 8, 9]]
    let other = try export(ledger, ["Aaa", "Bbb", "Eee"], rows(answersNow))
    let new = ledger.run(other + ["--dry-run"])
    #expect(new.text.contains("would define eee"), "\(new)")
    #expect(new.text.contains("import with --habit NAME=ccc instead"), "\(new)")
  }

  @Test func `a renamed habit is recognised although Loop implies most of its days`() throws {
    let ledger = try TemporaryLedger(running: "init")
    let rows = "2025-11-04,1,0,\n2025-11-03,1,2,\n2025-11-02,1,0,\n2025-11-01,2,2,\n"
    #expect(ledger.run(try export(ledger, ["Gym", "Walk"], rows)).status == .done)
    let output = ledger.run(try export(ledger, ["Strength", "Walk"], rows))
    #expect(output.text.contains("\"Strength\" is gym, imported before"), "\(output)")
  }

  @Test
  func `a Loop table of a single habit needs only --habit, with an id or a display name`() throws {
    let ledger = try ledger()
    let path = try ledger.file("Checkmarks.csv", "Date,Value,Notes\n2025-11-02,YES_MANUAL,\n")
    #expect(
      ledger.run(["import", "loop", path, "--habit", "gym"]).text.contains("imported 1 entry"))
    try ledger.run(all: "define book --any --name 'Read a book'")
    #expect(try loop(ledger, "read A BOOK", "2025-11-02,YES_MANUAL,\n").text.contains(": book 1\n"))
    let several = ledger.run(["import", "loop", Self.loop, "--habit", "gym"])
    #expect(
      several.status == .usage
        && several.errors.contains("the export has 3 habits; name the habit of each"))
  }

  @Test func `a full backup of Loop is refused with advice on what to export`() throws {
    let ledger = try ledger()
    let path = try ledger.file("Loop.db", "SQLite format 3\0xyz")
    let output = ledger.run(["import", "loop", path])
    #expect(
      output.status == .badData && output.errors.contains("choose Settings, then Export as CSV"),
      "\(output)")
  }

  @Test(arguments: [("cm", "amount"), ("yards", "amount"), ("m", "km"), ("miles", "km")])
  func `centimetres and yards become amounts, and metres and miles become kilometres`(
    unit: String, measure: String
  ) throws {
    let ledger = try TemporaryLedger(running: "init")
    _ = try ledger.file("loop/Checkmarks.csv", "Date,Waist,\n2025-11-01,90000,\n")
    let habits = "Name,Type,FrequencyNumerator,FrequencyDenominator,Unit,Target Type,Target Value\n"
    _ = try ledger.file("loop/Habits.csv", habits + "Waist,NUMERICAL,1,1,\(unit),AT_MOST,95\n")
    let output = ledger.run(["import", "loop", ledger.folder + "/loop"])
    #expect(ledger.entries(of: "waist", measure) != ["-"], "\(output)")
    #expect(ledger.entries(of: "waist", measure).count == 1)
  }
}
