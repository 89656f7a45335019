import CommandFixtures
import StreakCommands
import StreakDomain
import Testing

struct TableAnswerTests {
  private func ledger() throws -> TemporaryLedger {
    try TemporaryLedger(
      running: """
        init game meditation noalc
        define floss --any --name 'Dental Floss'
        define run --any
        define water --at-least 2l
        define pushups --at-least 2times
        define both --rule '{"kind":"all","of":["floss","run"]}'
        """)
  }

  private func days(_ habit: String, in ledger: TemporaryLedger) -> [String] {
    ledger.entries(of: habit, "day").map { String($0.suffix(2)) }
  }

  @Test(arguments: ["floss", "Floss", "FLOSS", "Dental Floss", "dental_floss"])
  func `a column with the id or name of the habit contains the answers`(name: String) throws {
    let ledger = try ledger()
    let table = "date,\(name)\n2025-11-01,1\n2025-11-02,0\n2025-11-03,1\n"
    let output = try ledger.importTable(table, "--habit floss")
    #expect(output.text.contains("1  was not done"), "\(output)")
    #expect(!output.text.contains("columns not used"))
    #expect(days("floss", in: ledger) == ["01", "03"])
    #expect(ledger.entries(of: "floss", "value") == ["-", "-"])
  }

  @Test func `a number counts beside a blank cell of another answer`() throws {
    let ledger = try ledger()
    let rows = "2025-11-01,meditation,12,\n2025-11-02,floss,,\n2025-11-03,meditation,,\n"
    let table = "date,habit,minutes,done\n" + rows
    let output = try ledger.importTable(table, "")
    #expect(ledger.entries(of: "meditation", "minutes") == ["12"], "\(output)")
    #expect(output.text.contains("2  have no answer"), "\(output)")

    let other = "date,habit,done\n2025-11-01,meditation,\n2025-11-02,floss,yes\n"
    #expect(try ledger.importTable(other, "").text.hasPrefix("imported 1 entry"))
  }

  @Test(arguments: ["Erledigt", "Gemacht", "Ja/Nein", "fait"])
  func `a column called done in another language contains the answers`(name: String) throws {
    let ledger = try ledger()
    let table = "Datum;\(name)\n2025-11-01;ja\n2025-11-02;nein\n"
    let output = try ledger.importTable(table, "--habit floss")
    #expect(days("floss", in: ledger) == ["01"], "\(output)")
  }

  @Test func `a column with the word no that is not used is refused if there is no other answer`()
    throws
  {
    let ledger = try ledger()
    let table = "Datum,Status\n2025-11-01,ja\n2025-11-02,nein\n"
    let output = try ledger.importTable(table, "--habit floss")
    #expect(output.status == .badData, "\(output)")
    #expect(output.errors.contains("--columns day,done reads them"), "\(output)")
    #expect(try ledger.importTable(table, "--habit floss --columns day,done").status == .done)
    #expect(days("floss", in: ledger) == ["01"])
  }

  @Test func `rows after the end of a retired habit are skipped, and other columns are imported`()
    throws
  {
    let ledger = try ledger()
    try ledger.run(all: "define floss --retire --on 2025-11-01")
    let table = "date,floss,run\n2025-11-01,x,x\n2025-11-02,x,x\n2025-11-03,,x\n"
    let output = try ledger.importTable(table, "")
    #expect(output.text.contains("1  \"floss\" is retired after 2025-11-01"), "\(output)")
    #expect(days("floss", in: ledger) == ["01"])
    #expect(days("run", in: ledger) == ["01", "02", "03"])
  }

  @Test
  func `two columns for the same habit are refused with an error that names both columns`() throws {
    let ledger = try ledger()
    let output = try ledger.importTable(
      "Date,Sprint,Jog\n2025-11-01,x,\n", "--habit Sprint=run --habit Jog=run")
    #expect(
      output.errors.contains("the columns \"Sprint\" and \"Jog\" both answer for run"),
      "\(output)")
  }

  @Test
  func `--replace deletes an entry whose row is missing in a later table with a habit column`()
    throws
  {
    let ledger = try TemporaryLedger(
      running: "init reading\ndefine water --at-least 2l", now: "2025-11-05T20:00:00+01:00")
    let rows = ["water,2025-11-01,2", "water,2025-11-02,2", "reading,2025-11-02,25"]
    let header = "Habit,Date,Value\n"
    _ = try ledger.importTable(
      header + (["reading,2025-11-01,30"] + rows).joined(separator: "\n") + "\n", "")
    let shorter = header + rows.joined(separator: "\n") + "\n"
    let named = try ledger.importTable(shorter, "")
    #expect(
      named.text.contains("earlier imports have records that the file lacks"), "\(named)")
    _ = try ledger.importTable(shorter, "--replace")
    #expect(ledger.standing("reading", "amount") == ["25"])
    #expect(ledger.standing("water", "amount") == ["2", "2"])
  }

  @Test func `an excuse whose cell was made blank is reported, and --replace withdraws it`() throws
  {
    let ledger = try ledger()
    let options = "--habit floss --excused krank"
    _ = try ledger.importTable("Datum,floss\n2025-10-01,ja\n2025-10-02,krank\n", options)
    let blank = "Datum,floss\n2025-10-01,ja\n2025-10-02,\n"
    let named = try ledger.importTable(blank, options)
    #expect(named.text.contains("which still count, on 2025-10-02"), "\(named)")
    _ = try ledger.importTable(blank, options + " --replace")
    #expect(ledger.run("excuse").text == "")
    #expect(ledger.stored().last?["reason"] == "no longer in the file")
  }

  @Test func `an import counts the notes of rows that become no entry`() throws {
    let ledger = try ledger()
    let table = "Date,floss,run,note\n2025-10-01,no,,tired\n2025-10-02,no,yes,rain\n2025-10-03,,,\n"
    let output = try ledger.importTable(table, "")
    #expect(output.text.contains("\n  not imported: 1 note without an entry\n"), "\(output)")
    let later = try ledger.importTable(table, "--since 2025-10-02")
    #expect(!later.text.contains("not imported"), "\(later)")
  }

  @Test func `with --habit, the column of another habit is not used`() throws {
    let ledger = try ledger()
    let table = "Date,Floss,Run\n2025-11-01,yes,no\n2025-11-02,no,yes\n"
    let output = try ledger.importTable(table, "--habit run")
    #expect(output.text.contains("columns not used: \"Floss\""), "\(output)")
    #expect(days("run", in: ledger) == ["02"] && days("floss", in: ledger) == [])
  }

  @Test func `a table with a column for each habit imports an entry for each answer`() throws {
    let ledger = try ledger()
    let table = """
      Date,Dental Floss,Run,Game,Meditation,Water,NoAlc,Pushups,Mood
      2025-11-01,x,,yes,12,1.5,steady,x,5
      2025-11-02,no,ja,no,,500ml,3,,5

      """
    let output = try ledger.importTable(table, "")
    #expect(output.text.contains("imported 10 entries"), "\(output)")
    #expect(
      output.text.contains("3  have no answer") && output.text.contains("1  was not done")
        && output.text.contains("columns not used: \"Mood\""), "\(output)")
    #expect(days("floss", in: ledger) == ["01"] && days("run", in: ledger) == ["02"])
    #expect(ledger.entries(of: "game", "completed") == ["1", "0"])
    #expect(ledger.entries(of: "meditation", "minutes") == ["12"])
    #expect(ledger.entries(of: "water", "amount") == ["1.5", "0.5"])
    #expect(ledger.entries(of: "noalc", "level") == ["steady", "-"])
    #expect(ledger.entries(of: "noalc", "drinks") == ["-", "3"])
    #expect(days("pushups", in: ledger) == ["01"])
    #expect(try ledger.importTable(table, "--json")["alreadyThere"] == "10")
  }

  @Test func `--columns or --habit NAME=HABIT names the columns of habits`() throws {
    let ledger = try ledger()
    let rows = "2025-11-01,1,1\n2025-11-02,1,0\n"
    _ = try ledger.importTable(rows, "--columns day,floss,run")
    #expect(days("floss", in: ledger) == ["01", "02"] && days("run", in: ledger) == ["01"])
    let named = "Date,🦷\n2025-11-03,✅\n"
    let output = try ledger.importTable(named, "--habit 🦷=floss --habit 🏃=run")
    #expect(days("floss", in: ledger) == ["01", "02", "03"], "\(output)")
    #expect(output.text.contains("the file has no habit \"🏃\""))
  }

  @Test func `each answer of a row with an id is an entry of its own`() throws {
    let ledger = try ledger()
    func add(_ answers: String) throws -> Output {
      try ledger.importTable("id,day,floss,run\nR1,2025-11-01,\(answers)\n", "--json")
    }
    #expect(try add("1,1")["imported"] == "2")
    #expect(try add("1,1")["alreadyThere"] == "2")
    #expect(try add("1,0")["takenBack"] == "1")
    #expect(ledger.state("floss.totals.entries") == "1")
    #expect(ledger.state("run.totals.entries") == "0")
  }

  @Test func `a table with a single habit column needs no --habit`() throws {
    let ledger = try ledger()
    let table = "date,Meditation,note\n2025-11-01,12,calm\n"
    #expect(try ledger.importTable(table, "").status == .done)
    #expect(ledger.entries(of: "meditation", "minutes") == ["12"])
    #expect(ledger.entries(of: "meditation", "note") == ["calm"])
  }

  @Test(arguments: [
    ("date,Floss,floss\n2025-11-01,1,1\n", "", "both answer for floss"),
    ("date,Both\n2025-11-01,1\n", "", "needs either --habit HABIT, once, or a column habit, or"),
    (
      "2025-11-01,1,1,5\n", "--columns day,floss,run,km",
      "\"km\"; it must be - in a table with a column for each habit"
    ),
    ("2025-11-01,1\n", "--columns day,flos", "(did you mean \"floss\"?)"),
    ("date,floss\n2025-11-01,perhaps\n", "", "table.csv:2:12: \"floss\" is \"perhaps\""),
    ("date,water,run\n2025-11-01,much,1\n", "", "table.csv:2:12: \"water\" is \"much\""),
    ("date,noalc\n2025-11-01,stedy\n", "", "\"noalc\" is \"stedy\"; it must be a whole number"),
  ])
  func `a table with invalid habit columns is refused`(
    table: String, options: String, says: String
  ) throws {
    let ledger = try ledger()
    let before = ledger.bytes()
    let output = try ledger.importTable(table, options)
    #expect(output.errors.contains(says), "\(output.errors)")
    #expect(ledger.bytes() == before)
  }

  @Test func `a column name that two habits share needs --habit to choose the habit`() throws {
    let ledger = try ledger()
    try ledger.run(all: "define jog --any --name Sport\ndefine ski --any --name Sport")
    let table = "date,Sport\n2025-11-01,1\n"
    let output = try ledger.importTable(table, "")
    #expect(output.errors.contains("\"Sport\" is the name of jog and ski"), "\(output)")
    #expect(try ledger.importTable(table, "--habit Sport=ski").status == .done)
    #expect(days("ski", in: ledger) == ["01"])
  }

  @Test(arguments: ["done", "completed", "value", "floss"], ["", "-", "--", "n/a"])
  func `a blank cell is no answer`(column: String, blank: String) throws {
    let ledger = try ledger()
    let table = "date,\(column)\n2025-11-01,x\n2025-11-02,\(blank)\n2025-11-03,0\n"
    let output = try ledger.importTable(table, "--habit floss --verbose")
    #expect(output.text.contains("1  has no answer"), "\(output)")
    #expect(output.text.contains("1  was not done"))
    #expect(output.text.contains("table.csv:3:1: the row of 2025-11-02: has no answer"))
    #expect(days("floss", in: ledger) == ["01"])
  }

  @Test func `a blank cell is not a failure of a habit with the rule completed`() throws {
    let ledger = try ledger()
    for column in ["done", "completed", "value", "game"] {
      let table = "date,\(column)\n2025-11-01,\n2025-11-02,yes\n"
      #expect(try ledger.importTable(table, "--habit game").text.contains("1  has no answer"))
    }
    #expect(days("game", in: ledger) == ["02"])
  }

  @Test func `a blank value next to a number is ignored`() throws {
    let ledger = try ledger()
    let table = "date,minutes,value\n2025-11-01,12,\n2025-11-02,5,home\n"
    #expect(try ledger.importTable(table, "--habit meditation").status == .done)
    #expect(ledger.entries(of: "meditation", "minutes") == ["12", "5"])
    #expect(ledger.entries(of: "meditation", "value") == ["-", "home"])
  }

  @Test(arguments: ["minutes", "value", "meditation"], ["", "-", "--", "N/A", "–"])
  func `a row without the number that the habit needs is left out`(
    column: String, blank: String
  ) throws {
    let ledger = try ledger()
    let table = "date,\(column)\n2025-11-01,12\n2025-11-02,\(blank)\n2025-11-03,5\n"
    let output = try ledger.importTable(table, "--habit meditation --verbose")
    let reason = column == "meditation" ? "has no answer" : "has no number to measure it by"
    #expect(output.status == .done && output.text.contains("1  \(reason)"), "\(output)")
    #expect(output.text.contains("table.csv:3:1: the row of 2025-11-02: \(reason)"))
    #expect(ledger.entries(of: "meditation", "minutes") == ["12", "5"])
  }

  @Test func `a cardio entry may lack the number that its activity does not need`() throws {
    let ledger = try TemporaryLedger(running: "init cardio")
    let table = "day,activity,km,minutes\n2025-11-01,yoga,--,25\n2025-11-02,running,--,\n"
    let output = try ledger.importTable(table, "--habit cardio")
    #expect(ledger.entries(of: "cardio", "minutes").first == "25", "\(output)")
    #expect(ledger.entries(of: "cardio", "km").first == "-")
  }

  @Test func `an activity of the rule is recognized in any case`() throws {
    let ledger = try TemporaryLedger(running: "init cardio")
    let table = "day,activity,km\n2025-11-01,Running,5\n2025-11-02,Skating,5\n"
    _ = try ledger.importTable(table, "--habit cardio")
    #expect(ledger.entries(of: "cardio", "activity") == ["running", "Skating"])
  }

  @Test(arguments: [
    ("x", "✗"), ("✓", "✘"), ("✔️", "❌"), ("✅", "✖"), ("☑️", "0"), ("WAHR", "FALSCH"),
    ("Ja", "Nein"), ("oui", "non"), ("vrai", "faux"), ("Sí", "no"), ("si", "falso"), ("sì", "no"),
    ("Sim", "Não"), ("verdadeiro", "nao"), ("waar", "onwaar"), ("ja", "nee"), ("erledigt", "0"),
    ("fait", "0"), ("hecho", "0"), ("fatto", "0"), ("feito", "0"), ("gedaan", "0"), ("ok", "0"),
    ("si\u{301}", "na\u{303}o"),
  ])
  func `words and signs for done and not done are recognized in several languages`(
    done: String, missed: String
  ) throws {
    let ledger = try ledger()
    for column in ["done", "floss"] {
      let table = "date,\(column)\n2025-11-01,\(done)\n2025-11-02,\(missed)\n"
      let output = try ledger.importTable(table, "--habit floss")
      #expect(output.text.contains("1  was not done"), "\(output)")
    }
    #expect(days("floss", in: ledger) == ["01"])
  }

  @Test func `--done, --missed and --excused add words for answers`() throws {
    let ledger = try ledger()
    let table = """
      title,type,date
      Floss,Completed_Manually,20251030
      Floss,missed_auto,20251031
      Floss,skipped,20251101
      Floss,completed_auto,20251102

      """
    let options =
      "--columns habit,done,day --date yyyymmdd --done completed_manually,completed_auto "
      + "--missed missed_auto --excused skipped,ill"
    let output = try ledger.importTable(table, options)
    #expect(output.text.contains("imported 2 entries and 1 excuse"), "\(output)")
    #expect(days("floss", in: ledger) == ["30", "02"])
    let calendar = ledger.run("calendar floss --all --json")
    #expect(calendar["habits.floss.days.2025-10-31.verdict"] == "missed")
    #expect(calendar["habits.floss.days.2025-11-01.verdict"] == "excused")
    #expect(try ledger.importTable(table, options + " --json")["alreadyThere"] == "3")

    let unknown = try ledger.importTable("date,done\n2025-11-03,skip\n", "--habit floss")
    #expect(
      unknown.errors.contains("--done skip gives it a meaning, as do --missed and --excused"),
      "\(unknown)")
    let twice = try ledger.importTable(table, options + " --missed Ill")
    #expect(twice.status == .usage, "\(twice)")
  }

  @Test
  func `words of --done, --missed and --excused override known words, even in number columns`()
    throws
  {
    let ledger = try ledger()
    let table = "date,Meditation,floss\n2025-11-01,S,x\n2025-11-02,10,S\n2025-11-03,n,no\n"
    let output = try ledger.importTable(table, "--excused s --missed n,x --done no")
    #expect(ledger.entries(of: "meditation", "minutes") == ["10"], "\(output)")
    #expect(days("floss", in: ledger) == ["03"])
    let excuses = ledger.stored().filter { $0["type"] == "days.excused" }
    #expect(excuses.compactMap { $0["from"] } == ["2025-11-01", "2025-11-02"])
    #expect(excuses.compactMap { $0["reason"] } == ["S", "S"])
  }

  @Test func `yes for a habit to avoid counts as a slip, and the import says how to reverse that`()
    throws
  {
    let ledger = try TemporaryLedger(running: "init\ndefine zucker --never")
    let table = "date,zucker\n2025-11-01,ja\n2025-11-02,nein\n2025-11-03,ja\n"
    let output = try ledger.importTable(table, "")
    let note = "zucker: \"ja\" counts as a slip; if it means that it was kept, use --done nein"
    #expect(output.text.contains(note + " --missed ja\n"), "\(output)")
    #expect(ledger.standing("zucker", "day") == ["2025-11-01", "2025-11-03"])

    let reversed = try ledger.importTable(table, "--done nein --missed ja")
    #expect(!reversed.text.contains("counts as a slip"), "\(reversed)")
    #expect(ledger.standing("zucker", "day") == ["2025-11-02"])
    #expect(reversed.text.contains("2  were not done"), "\(reversed)")
  }

  @Test func `an imported excuse with an id becomes an entry when its row changes`() throws {
    let ledger = try ledger()
    func add(_ answer: String) throws -> Output {
      try ledger.importTable(
        "id,day,done,note\nE1,2025-11-01,\(answer),flu\n", "--habit floss --excused skip --json")
    }
    #expect(try add("skip")["imported"] == "1")
    #expect(ledger.stored().last?["reason"] == "flu")
    #expect(try add("skip")["alreadyThere"] == "1")
    #expect(try add("yes")["takenBack"] == "1")
    #expect(ledger.state("floss.totals.entries") == "1")
    let excuses = ledger.run("excuse --json")
    #expect(excuses["excuses.0.excuse"] == nil, "\(excuses)")
    #expect(try add("skip")["takenBack"] == "1")
    #expect(ledger.run("verify").status == .done)
  }

  @Test
  func `the rows of a day are read in reverse order if the days of the table descend`() throws {
    let ledger = try ledger()
    let newest = "date,completed\n2025-11-02,yes\n2025-11-01,yes\n2025-11-01,no\n"
    let output = try ledger.importTable(newest, "--habit game")
    #expect(ledger.entries(of: "game", "completed") == ["0", "1", "1"], "\(output)")
    let calendar = ledger.run("calendar game --all --json")
    #expect(calendar["habits.game.days.2025-11-01.verdict"] == "restarted")
    #expect(ledger.state("game.current") == "2")
    let oldest = "date,completed\n2025-11-01,no\n2025-11-01,yes\n2025-11-02,yes\n"
    #expect(try ledger.importTable(oldest, "--habit game --json")["alreadyThere"] == "3")
  }

  @Test func `equal rows are recognized if the table is imported again in reverse order`() throws {
    let ledger = try ledger()
    let rows = ["2025-11-01,5", "2025-11-01,5", "2025-11-01,6", "2025-11-02,5"]
    func add(_ rows: [String]) throws -> Output {
      let table = "day,minutes\n" + rows.joined(separator: "\n") + "\n"
      return try ledger.importTable(table, "--habit meditation --json")
    }
    #expect(try add(rows)["imported"] == "4")
    #expect(try add(rows.reversed())["alreadyThere"] == "4")
  }

  @Test func `the order of days is detected for each habit of a table`() throws {
    let ledger = try ledger()
    let table = """
      habit,date,completed,note
      game,2025-11-02,yes,c
      game,2025-11-01,yes,b
      game,2025-11-01,no,a
      run,2025-11-01,,a
      run,2025-11-01,,b
      run,2025-11-02,,c

      """
    let output = try ledger.importTable(table, "")
    #expect(ledger.entries(of: "game", "note") == ["a", "b", "c"], "\(output)")
  }

  @Test(arguments: ["--dry-run", ""])
  func `an import says which runs end on the days that it ends`(option: String) throws {
    let ledger = try ledger()
    for day in 1...3 { ledger.run("log meditation 20m --on 2025-11-0\(day)") }
    ledger.now = "2026-04-07T12:00:00+02:00"
    let output = try ledger.importTable("day,done\n2026-04-06,yes\n", "--habit run \(option)")
    #expect(output.text.contains("2025-11-03 to 2026-04-06 are over:"), "\(output)")
    #expect(output.text.contains("run 3 → 0"), "\(output)")
    #expect(output.errors.contains("streaks undo") == option.isEmpty, "\(output)")
  }
}
