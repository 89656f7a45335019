import CommandFixtures
import EventLog
import Imports
import StreakCommands
import StreakDomain
import Testing

struct CSVTests {
  @Test func `a table of more than 64 MiB is refused before it is read completely`() throws {
    var handed = 0
    let source = ByteSource("runs.csv") { () throws(Failure) in
      handed += 1 << 20
      return [UInt8](repeating: 0x61, count: 1 << 20)
    }
    let failure = #expect(throws: Failure.self) { _ = try source.all() }
    #expect(failure?.kind == .refused && failure?.message.contains("more than 64 MiB") ?? false)
    #expect(handed == 65 << 20)
  }

  private func ledger() throws -> TemporaryLedger {
    try TemporaryLedger(running: "init meditation noalc cardio game")
  }

  private func run(_ ledger: TemporaryLedger, _ bytes: [UInt8], _ options: String) throws -> Output
  {
    let path = try ledger.file("table.csv", bytes)
    let output = ledger.run(["import", "csv", path] + TemporaryLedger.words(options))
    return Output(
      text: output.text.replacing(ledger.folder + "/", with: ""),
      errors: output.errors.replacing(ledger.folder + "/", with: ""), status: output.status)
  }

  private func run(_ ledger: TemporaryLedger, _ text: String, _ options: String) throws -> Output {
    try run(ledger, Array(text.utf8), options)
  }

  private func fields(_ text: String, _ separator: UInt8 = UInt8(ascii: ",")) throws -> [[String]] {
    try CSVTable(Array(text.utf8), file: "t", separator: separator).rows.map {
      $0.fields.map(\.text)
    }
  }

  @Test func `importing a table with the newest row first records the oldest row first`() throws {
    let ledger = try ledger()
    let table = "day,minutes,note\n2025-11-03,5,c\n2025-11-02,5,a\n2025-11-02,6,b\n2025-11-01,5,z\n"
    #expect(try run(ledger, table, "--habit meditation").status == .done)
    let stored = ledger.stored().filter { $0["type"] == "entry.logged" }
    #expect(stored.compactMap { $0["note"] } == ["z", "b", "a", "c"])
  }

  @Test func `importing an empty file fails and reports that there is nothing to import`() throws {
    let output = try run(ledger(), "", "--habit meditation")
    #expect(
      output.status == .failed && output.text.contains("there is nothing in it to import"),
      "\(output)")
  }

  @Test func `the amounts of an imported table are in the unit of the habit`() throws {
    let ledger = try ledger()
    try ledger.run(all: "define reading --preset reading")
    let table = "Date,Pages\n2025-11-02,12.5\n2025-11-02,7.5\n2025-11-03,9\n"
    #expect(try run(ledger, table, "--habit reading").status == .done)
    let state = ledger.run("show reading --json")
    #expect(state["habits.0.totals.amount"] == "29" && state["habits.0.days.good"] == "1")
  }

  @Test
  func `a table is parsed by the rules of RFC 4180 for quotes, separators and line breaks`() throws
  {
    #expect(try fields("a,b\r\nc,d\r\n") == [["a", "b"], ["c", "d"]])
    #expect(try fields("a,b\nc,d") == [["a", "b"], ["c", "d"]])
    #expect(try fields("a,,\n") == [["a", "", ""]])
    #expect(try fields("\"a,b\",\"c \"\"d\"\"\",\"\"") == [["a,b", "c \"d\"", ""]])
    #expect(try fields("\"a\r\nb\",c\nd,e") == [["a\r\nb", "c"], ["d", "e"]])
    #expect(try fields("\u{FEFF}a;b\n\n\nc;d", UInt8(ascii: ";")) == [["a", "b"], ["c", "d"]])
    #expect(try fields("") == [])
    let rows = try CSVTable(
      Array("a,\"x\ny\"\nb,c\n".utf8), file: "t", separator: UInt8(ascii: ",")
    ).rows
    #expect(rows[1].place.line == 3 && rows[1].fields[1].place.column == 3)
    let table = try CSVTable(Array("18.11.2025;5,2;31".utf8), file: "t", isDecimalComma: true)
    #expect(table.separator == UInt8(ascii: ";"))
  }

  @Test
  func `columns are recognized by their names in the header, even with a byte order mark and CRLF`()
    throws
  {
    let ledger = try ledger()
    let output = try run(
      ledger,
      """
      \u{FEFF}Date,Mins,Comment,Mood\r\n2025-11-01,12,\"calm, \
      \"\"really\"\"\r\nlong\",5\r\n2025-11-02,1.5,,\r\n
      """,
      "--habit meditation")
    #expect(output.text.contains("imported 2 entries from table.csv: meditation 2"))
    #expect(output.text.contains("columns not used: \"Mood\""))
    #expect(ledger.entries(of: "meditation", "minutes") == ["12", "1.5"])
    #expect(ledger.entries(of: "meditation", "note") == ["calm, \"really\"  long", "-"])
    #expect(
      ledger.entries(of: "meditation", "at") == [
        "2025-11-01T12:00:00+01:00", "2025-11-02T12:00:00+01:00",
      ])
    #expect(ledger.entries(of: "meditation", "by") == ["csv", "csv"])
  }

  @Test func `--columns names the columns, and a header is detected or specified by an option`()
    throws
  {
    let ledger = try ledger()
    let options = "--habit cardio --columns at,activity,km,-,sets --separator ; --json"
    let rows = "2025-11-01 23:30:00 -0500;running;5.25;x;\n2025-11-02T07:00:00+01:00;yoga;;y;3\n"
    let output = try run(ledger, "when;what;far;;sets\n" + rows, options)
    #expect(output["imported"] == "2")
    #expect(ledger.entries(of: "cardio", "day") == ["2025-11-01", "2025-11-02"])
    #expect(ledger.entries(of: "cardio", "km") == ["5.25", "-"])
    #expect(ledger.entries(of: "cardio", "sets") == ["-", "3"])
    #expect(try run(ledger, rows, options)["alreadyThere"] == "2")
    #expect(try run(ledger, rows, options + " --header")["alreadyThere"] == "1")
    #expect(
      try run(ledger, "when;what;far;;sets\n" + rows, options + " --no-header").status == .badData)
    #expect(try run(ledger, rows, options + " --header --no-header").status == .usage)
  }

  @Test func `drinks, ids, answers and values are read from their columns`() throws {
    let ledger = try ledger()
    _ = try run(ledger, "day,drinks,id\n2025-11-01,3,a1\n2025-11-02,0,a2\n", "--habit noalc")
    #expect(ledger.standing("noalc", "key") == ["a1", "a2"])
    #expect(ledger.standing("noalc", "drinks") == ["3", "0"])
    _ = try run(ledger, "day,done,value\n2025-11-01,yes,e4\n2025-11-01,0,d4\n", "--habit game")
    #expect(ledger.entries(of: "game", "completed") == ["1", "0"])
    #expect(ledger.entries(of: "game", "value") == ["e4", "d4"])
  }

  @Test func `a table imported twice adds nothing, and a new row adds one entry`() throws {
    let ledger = try ledger()
    let table = "day,minutes\n2025-11-01,10\n2025-11-01,10\n"
    #expect(try run(ledger, table, "--habit meditation --json")["imported"] == "2")
    #expect(try run(ledger, table, "--habit meditation --json")["alreadyThere"] == "2")
    let longer = try run(
      ledger, table + "2025-11-01,10\n2025-11-02,5\n", "--habit meditation --json")
    #expect(longer["imported"] == "2" && longer["alreadyThere"] == "2")
    #expect(ledger.state("meditation.totals.minutes") == "35")
  }

  @Test func `a dry run of an import lists the rows as entries and writes nothing`() throws {
    let ledger = try ledger()
    let before = ledger.bytes()
    let output = try run(
      ledger, "day,minutes,note\n2025-11-01,10,calm\n", "--habit meditation --dry-run")
    #expect(
      output.text == """
        would import 1 entry from table.csv: meditation 1
        as entries:
          2025-11-01  meditation 10 min, “calm”

        """)
    #expect(ledger.bytes() == before)
  }

  @Test(arguments: [
    (
      "day,minutes\n2025-11-01,10\n2025-11-02\n",
      "table.csv:3:1: the row has 1 field where 2 are expected"
    ),
    ("day,minutes\n2025-11-01,10,x\n", "table.csv:2:15: the row has 3 fields where 2 are expected"),
    (
      "at,minutes\n2025-11-01 25:00:00,10\n",
      "table.csv:2:1: \"at\" is \"2025-11-01 25:00:00\"; it must be a time such as 2025-11-03 07:15"
    ),
    (
      "day,minutes\n2025-11-01,-10\n",
      "table.csv:2:12: \"minutes\" is \"-10\"; it must be a number from 0 to 1440"
    ),
    ("day,minutes\n2025-11-01,1e3\n", "table.csv:2:12: \"minutes\" is \"1e3\""),
    (
      "day,minutes\n2025-11-01,\"4,5\"\n",
      """
      table.csv:2:12: \"minutes\" is \"4,5\"; it must be a number from 0 to 1440; --decimal , reads \
      a comma
      """
    ),
    (
      "day,Length\n2025-11-01,5\n",
      """
      table.csv:2:1: an entry of \"meditation\", whose rule is \"minutes\", needs minutes; columns \
      not used: \"Length\"
      """
    ),
    ("day,minutes\n2025-11-01,1441\n", "table.csv:2:12: \"minutes\" is \"1441\""),
    ("day,minutes\n2025-11-31,10\n", "table.csv:2:1: \"day\" is \"2025-11-31\"; it must be a day"),
    ("day,minutes\n,10\n", "table.csv:2:1: \"day\" is missing or empty"),
    (
      "day,minutes\n2025-11-01,10\nTotal,10\n",
      """
      table.csv:3:1: \"day\" is \"Total\"; it must be a day; remove a row that is not an entry, \
      such as a total
      """
    ),
    ("day,minutes\n2025-11-01,\"10\n", "table.csv:2:12: misplaced quote"),
    ("day,minutes\n2025-11-01,\"1\"0\n", "table.csv:2:15: misplaced quote"),
    ("day,minutes\n2025-11-01,1\"0\n", "table.csv:2:13: misplaced quote"),
    (
      "day,minutes,minutes\n2025-11-01,1,2\n",
      """
      table.csv:1:13: the columns \"minutes\" and \"minutes\" both contain minutes; name the \
      columns with --columns, where - is one that is not used
      """
    ),
    (
      "day,Miles,km\n2025-11-01,1,2\n",
      "table.csv:1:11: the columns \"Miles\" and \"km\" both contain km; name the columns"
    ),
    (
      "day,Miles\n2025-11-01,700\n",
      """
      table.csv:2:12: \"km\" is \"700\"; it must be a number from 0 to 1000; 700 mi is \
      1126.5408 km
      """
    ),
  ])
  func `an invalid row is refused with its file, line and column, and nothing is written`(
    table: String, says: String
  )
    throws
  {
    let ledger = try ledger()
    let before = ledger.bytes()
    let output = try run(ledger, table, "--habit meditation")
    #expect(output.status == .badData)
    #expect(output.errors.hasPrefix(says), "\(output.errors)")
    #expect(output.text == "" && ledger.bytes() == before)
  }

  @Test func `a table in Windows-1252 or UTF-16 is refused with the command that converts it`()
    throws
  {
    let ledger = try ledger()
    var latin = Array("day,minutes,note\n2025-11-01,10,ok\n2025-11-02,10,caf".utf8)
    latin += [0xE9, 0x0A]
    let output = try run(ledger, latin, "--habit meditation")
    #expect(output.status == .badData)
    #expect(
      output.errors.hasPrefix(
        "table.csv:3:15: not valid UTF-8, most often Windows-1252; convert the original, such as "
          + "with `iconv -f cp1252 -t utf-8`"), "\(output)")
    #expect(
      try run(ledger, [0xFF, 0xFE, 0x64, 0x00], "--habit meditation").errors.contains("UTF-16"))
  }

  @Test(arguments: ["a\u{80}", "\"a\u{9F}\""])
  func `a table in Windows-1252 that was converted as Latin-1 is refused`(note: String) throws {
    let ledger = try ledger()
    let table = "day,minutes,note\n2025-11-01,10,\u{A0}é “€” …\n2025-11-02,10,"
    let output = try run(ledger, table + note + "\n", "--habit meditation")
    #expect(output.status == .badData)
    #expect(output.errors.hasPrefix("table.csv:3:15: an invisible control character"), "\(output)")
    #expect(output.errors.contains("`iconv -f cp1252 -t utf-8`"), "\(output)")
    #expect(try run(ledger, table + "a\n", "--habit meditation").status == .done)
  }

  @Test func `a table with unknown or missing columns is refused with advice`() throws {
    let ledger = try ledger()
    let table = "2025-11-01,10\n"
    func says(_ options: String) throws -> String { try run(ledger, table, options).screen }
    #expect(
      try says("--habit meditation").contains(
        "no column says the day; name the columns with --columns"))
    #expect(
      try says("--habit meditation --columns day,minuts").contains("(did you mean \"minutes\"?)"))
    #expect(
      try says("--habit meditation --columns day").contains(
        "the row has 2 fields where 1 is expected"))
    #expect(try says("--habit meditation --columns minutes,km").contains("no column says the day"))
    #expect(
      try says("--columns day,minutes").contains("import csv needs either --habit HABIT, once"))
    #expect(
      try says("--habit meditaton --columns day,minutes").contains("(did you mean \"meditation\"?)")
    )
    #expect(
      try says("--habit meditation --separator xx").contains(
        "--separator is \"xx\"; it must be one sign"))
    #expect(
      try says("--habit meditation --source x").contains(
        "--source goes with apple-health, not with csv"))
  }

  @Test(arguments: [
    ("day;minutes\n2025-11-01;12\n", "separated by \";\""),
    ("sep=;\nday;minutes\n2025-11-01;12\n", "\";\""),
    ("day;minutes;note\n2025-11-01;12;\"a;b\"\n", "\";\""),
    ("day\tminutes\n2025-11-01\t12\n", "tabs"),
    ("day,minutes\n2025-11-01,12,\n,\n\n", "imported 1 entry"),
    ("day,minutes,\n2025-11-01,12,\n", "1 entry"),
  ])
  func `the separator is detected, and empty rows and empty last fields are skipped`(
    table: String, says: String
  )
    throws
  {
    let ledger = try ledger()
    let output = try run(ledger, table, "--habit meditation")
    #expect(output.status == .done && output.text.contains(says), "\(output)")
    #expect(ledger.entries(of: "meditation", "minutes") == ["12"])
  }

  @Test(arguments: [
    ("dd.mm.yyyy", "3.11.2025"), ("mm/dd/yy", "11/03/25"), ("yyyy/mm/dd", "2025/11/3"),
    ("YYYY-MM-DD", "2025-11-03"), ("yyyymmdd", "20251103"),
  ])
  func `days and decimals are read in the form that --date and --decimal specify`(
    order: String, day: String
  ) throws {
    let ledger = try ledger()
    let options = "--habit meditation --decimal , --date \(order)"
    let output = try run(ledger, "Datum;min\n\(day);12,5\n", options)
    #expect(output.status == .done, "\(output)")
    #expect(ledger.entries(of: "meditation", "day") == ["2025-11-03"])
    #expect(ledger.entries(of: "meditation", "minutes") == ["12.5"])
    let other = try run(ledger, "Datum;min\n3. Nov;12\n", "--habit meditation --date \(order)")
    #expect(
      other.errors.hasPrefix("table.csv:2:1: \"day\" is \"3. Nov\"; it must be \(order)"),
      "\(other)")
    #expect(try run(ledger, "", "--habit meditation --date dd.mm").status == .usage)
    #expect(try run(ledger, "", "--habit meditation --decimal x").status == .usage)
  }

  @Test(arguments: ["1,0", "yes,no", "True,FALSE", "x,✗", "✓,0", "Done,failed"])
  func `done becomes an entry, and not done becomes a failure or no entry, depending on the rule`(
    words: String
  ) throws {
    let ledger = try ledger()
    try ledger.run(all: "define floss --any")
    let words = words.split(separator: ",", omittingEmptySubsequences: false)
    let table = "date,done\n2025-11-01,\(words[1])\n2025-11-02,\(words[0])\n"
    #expect(try run(ledger, table, "--habit floss").text.contains("1  was not done"))
    #expect(ledger.entries(of: "floss", "day") == ["2025-11-02"])
    #expect(ledger.entries(of: "floss", "completed") == ["-"])
    #expect(try run(ledger, table, "--habit game").status == .done)
    #expect(ledger.entries(of: "game", "completed") == ["0", "1"])
    let other = try run(ledger, "date,done\n2025-11-01,perhaps\n", "--habit floss")
    #expect(
      other.errors.hasPrefix("table.csv:2:12: \"done\" is \"perhaps\"; it must be one of 1, yes"))
  }

  @Test(arguments: [
    "date,pages\n2025-11-03,25.0\n", "date,pages\n2025-11-03, 25\n", "pages,date\n025,2025-11-03\n",
    "date,pages,note\n2025-11-03,25,\n", "date,pages,place\n2025-11-03,25,home\n",
  ])
  func `a row that is written differently is recognized as the same entry`(table: String) throws {
    let ledger = try ledger()
    try ledger.run(all: "define reading --preset reading")
    #expect(
      try run(ledger, "2025-11-03,25\n", "--habit reading --columns day,pages").status == .done)
    #expect(try run(ledger, table, "--habit reading --json")["alreadyThere"] == "1")
    #expect(ledger.state("reading.totals.amount") == "25")
  }

  @Test func `a field that was made blank is reported, and --replace deletes its entry`() throws {
    let ledger = try ledger()
    func add(_ rows: String, _ options: String = "") throws -> Output {
      try run(ledger, "day,meditation\n" + rows, options)
    }
    _ = try add("2025-11-01,5\n2025-11-02,15\n")
    let named = try add("2025-11-01,5\n2025-11-02,\n")
    #expect(named.text.contains("which still count, on 2025-11-02; --replace"), "\(named)")
    #expect(ledger.standing("meditation", "minutes") == ["5", "15"])
    #expect(try add("2025-11-01,5\n2025-11-02,\n", "--replace --json")["takenBack"] == "1")
    #expect(ledger.standing("meditation", "minutes") == ["5"])
  }

  @Test
  func `a corrected row replaces its entry, and --replace deletes the entries of missing rows`()
    throws
  {
    let ledger = try ledger()
    func add(_ rows: String, _ options: String = "") throws -> Output {
      try run(ledger, "day,minutes\n" + rows, "--habit meditation " + options)
    }
    _ = try add("2025-11-02,5\n2025-11-03,15\n2025-11-03,3\n")
    let changed = try add("2025-11-02,5\n2025-11-03,16\n2025-11-03,3\n")
    #expect(changed.text.contains("changed since the last import: 1"), "\(changed)")
    #expect(ledger.standing("meditation", "minutes") == ["5", "16", "3"])

    let shorter = try add("2025-11-02,5\n2025-11-03,16\n")
    #expect(shorter.text.contains("earlier imports have records that the file lacks"), "\(shorter)")
    #expect(ledger.standing("meditation", "minutes") == ["5", "16", "3"])
    let replaced = try add("2025-11-02,5\n2025-11-03,16\n", "--replace --json")
    #expect(replaced["alreadyThere"] == "2" && replaced["takenBack"] == "1")
    #expect(ledger.standing("meditation", "minutes") == ["5", "16"])

    let before = ledger.bytes()
    #expect(try add("2025-11-02,5\n2025-11-03,16\n", "--replace --json")["takenBack"] == "0")
    #expect(ledger.bytes() == before)
    #expect(try add("2025-11-02,5\n2025-11-03,16\n2025-11-03,3\n", "--json")["imported"] == "1")
    #expect(ledger.standing("meditation", "minutes") == ["5", "16", "3"])
    #expect(ledger.run("verify").status == .done)
  }

  @Test func `a column with habits assigns each row to its habit`() throws {
    let ledger = try ledger()
    try ledger.run(all: "define floss --any --name 'Dental floss'\ndefine coffee --any")
    let table = """
      HabitName,HabitDescription,CalendarDate,Value,CommentText
      ☕,,2025-11-01,0,
      ☕,,2025-11-02,1,
      dental FLOSS,,2025-11-01,1,"slow, careful"
      Tea,,2025-11-02,1,

      """
    let output = try run(ledger, table, "--habit ☕=coffee --habit Cofee=coffee")
    #expect(ledger.entries(of: "coffee", "day") == ["2025-11-02"], "\(output)")
    #expect(ledger.entries(of: "floss", "note") == ["slow, careful"])
    #expect(
      output.text.contains("1  no habit here is \"Tea\"")
        && output.text.contains("no habit \"Cofee\""))
    let both = try run(ledger, table, "--habit coffee")
    #expect(
      both.status == .usage
        && both.errors.contains("needs either --habit HABIT, once, or a column habit"))
  }

  @Test func `exported entries can be imported unchanged into the same or another ledger`() throws {
    let ledger = try ledger()
    try ledger.run(
      all: """
        log meditation 12m --note '=1+1, "so"' --on 2025-11-01
        log meditation 12m --note "'=1" --on 2025-11-02
        log noalc 2drinks --note ' @a'
        log cardio running 5.2km 31m --at 07:15
        log game completed
        """)
    let text = ledger.run("export csv entries").text
    let before = ledger.bytes()
    #expect(try run(ledger, text, "--json")["alreadyThere"] == "5")
    #expect(ledger.bytes() == before)
    let other = try self.ledger()
    let output = try run(other, text, "--json")
    #expect(output["imported"] == "5", "\(output)")
    for field in ["habit", "day", "at", "minutes", "km", "drinks", "activity", "completed", "note"]
    {
      for habit in ["meditation", "noalc", "cardio", "game"] {
        #expect(other.standing(habit, field) == ledger.standing(habit, field), "\(habit) \(field)")
      }
    }
    // Each is known in both ledgers, and the table lacks none of them.
    for place in [ledger, other] {
      let again = try run(place, text, "--replace --json")
      #expect(again["alreadyThere"] == "5" && again["takenBack"] == "0", "\(again)")
    }
    let back = try run(ledger, other.run("export csv entries").text, "--replace --json")
    #expect(back["takenBack"] == "0", "\(back)")
    #expect(ledger.standing("meditation", "minutes").count == 2)
    // The entries have the ids in the other ledger as keys.
    #expect(other.standing("meditation", "key") == ledger.standing("meditation", "id"))
  }

  @Test func `rows of future days and of days before --since are left out`() throws {
    let ledger = try ledger()
    let output = try run(
      ledger, "day,minutes\n2025-11-09,10\n2025-11-03,10\n2025-10-01,10\n",
      "--habit meditation --since 2025-11-01")
    #expect(
      output.text.contains("1  belongs to a day that has not begun yet")
        && output.text.contains("1  before 2025-11-01"))
    #expect(ledger.entries(of: "meditation", "day") == ["2025-11-03"])
  }

  @Test func `a row with an id replaces the entry with that id, even if the day differs`() throws {
    let ledger = try TemporaryLedger(running: "init meditation noalc")
    func add(_ rows: String, to habit: String = "meditation") throws -> Output {
      let path = try ledger.file("rows.csv", "day,minutes,id\n" + rows)
      return ledger.run(["import", "csv", path, "--habit", habit, "--json"])
    }
    #expect(try add("2025-11-01,5,A\n2025-11-01,5,A\n2025-11-02,6,A\n")["imported"] == "1")
    #expect(try add("2025-11-01,5,A\n2025-11-02,3,B\n")["alreadyThere"] == "1")
    for minutes in ["6", "5", "6"] {
      #expect(try add("2025-11-01,\(minutes),A\n2025-11-02,3,B\n")["takenBack"] == "1")
      #expect(try add("2025-11-01,\(minutes),A\n2025-11-02,3,B\n")["alreadyThere"] == "2")
      #expect(ledger.standing("meditation", "minutes") == [minutes, "3"])
    }
    #expect(try add("2025-11-03,6,A\n")["takenBack"] == "1")
    #expect(ledger.standing("meditation", "day") == ["2025-11-02", "2025-11-03"])
    // The same id in a table that ends earlier says something older.
    #expect(try add("2025-11-01,9,A\n")["older"] == "1")
    #expect(ledger.standing("meditation", "minutes") == ["3", "6"])
    #expect(ledger.run("verify").status == .done)
  }

  @Test func `an import never brings back a redacted text`() throws {
    let ledger = try ledger()
    func add(_ row: String) throws -> Output {
      try run(ledger, "id,day,minutes,note\nC1,2025-11-01,\(row)\n", "--habit meditation --json")
    }
    _ = try add("5,with Lena")
    let id = try #require(ledger.standing("meditation", "id").first)
    #expect(ledger.run(["redact", id]).status == .done)
    #expect(try add("5,with Lena")["alreadyThere"] == "1")
    for row in ["6,with Lena", "7,", "8,with Lena"] { #expect(try add(row)["takenBack"] == "1") }
    #expect(ledger.state("meditation.totals.minutes") == "8")
    #expect(!String(decoding: ledger.bytes(), as: UTF8.self).contains("Lena"))
  }

  @Test(arguments: ["", ",A"])
  func `an import after an undo writes again what the undo reverted`(id: String) throws {
    let ledger = try ledger()
    func add(_ km: String) throws -> Output {
      let table = "day,km\(id.isEmpty ? "" : ",id")\n2025-11-01,\(km)\(id)\n"
      return try run(ledger, table, "--habit cardio --json")
    }
    _ = try add("3.5")
    for _ in 1...2 {
      #expect(try add("8.5")["takenBack"] == "1" && ledger.state("cardio.totals.km") == "8.5")
      try ledger.run(all: "undo")
      #expect(ledger.state("cardio.totals.km") == "3.5")
      #expect(try add("3.5")["imported"] == "1" && ledger.state("cardio.totals.km") == "3.5")
    }
    #expect(try add("9")["imported"] == "1" && ledger.state("cardio.totals.km") == "9")
    try ledger.run(all: "delete --last")
    #expect(try add("9")["deleted"] == "1" && ledger.state("cardio.totals.km") == "0")
  }

  @Test func `after an undo, the same import again deletes the entry of a row that says no`() throws
  {
    let ledger = try ledger()
    try ledger.run(all: "define floss --any")
    let (first, second) = (
      "day,floss\n2025-11-01,x\n2025-11-02,x\n", "day,floss\n2025-11-01,no\n2025-11-02,x\n"
    )
    _ = try run(ledger, first, "--habit floss")
    _ = try run(ledger, second, "--habit floss")
    try ledger.run(all: "undo")
    #expect(ledger.standing("floss", "day") == ["2025-11-01", "2025-11-02"])
    #expect(try run(ledger, second, "--habit floss --json")["takenBack"] == "1")
    #expect(ledger.standing("floss", "day") == ["2025-11-02"])
  }

  @Test func `undo before noon restores an entry of today that was imported with the time noon`()
    throws
  {
    let ledger = try ledger()
    ledger.now = "2025-11-03T08:00:00+01:00"
    _ = try run(ledger, "day,km\n2025-11-03,5\n", "--habit cardio")
    let id = try #require(ledger.standing("cardio", "id").first)
    for command in ["log cardio running 4km --replaces \(id)", "delete --last"] {
      try ledger.run(all: command)
      try ledger.run(all: "undo")
      #expect(ledger.standing("cardio", "km") == ["5"], "\(command)")
      #expect(ledger.standing("cardio", "at") == ["2025-11-03T12:00:00+01:00"])
    }
  }

  @Test func `an entry that a person changed after the file was made is kept`() throws {
    let ledger = try ledger()
    func add(_ km: String, _ day: String = "2025-11-01") throws -> Output {
      try run(ledger, "day,km\n\(day),\(km)\n", "--habit cardio")
    }
    _ = try add("3.5")
    let id = try #require(ledger.standing("cardio", "id").first)
    #expect(ledger.run(["log", "cardio", "running", "4km", "--replaces", id]).status == .done)
    let changed = try add("8.5")
    #expect(
      changed.text.contains("changed here after the file, and kept: 1"), "\(changed)")
    #expect(ledger.state("cardio.totals.km") == "4")
    #expect(changed.status == .done && !changed.text.contains("nothing in it"))
    // A newer file brings the change.
    ledger.now = "2025-11-03T13:00:00+01:00"
    let newer = try run(ledger, "day,km\n2025-11-01,8.5\n2025-11-03,1\n", "--habit cardio")
    #expect(newer.status == .done && ledger.standing("cardio", "km") == ["8.5", "1"], "\(newer)")
    #expect(ledger.run("verify").status == .done)
  }

  @Test func `an import restores what undo removed, but no deleted entry and no redacted text`()
    throws
  {
    let ledger = try ledger()
    func add() throws -> Output {
      try run(ledger, "day,km,note\n2025-11-01,5,with Lena\n", "--habit cardio --json")
    }
    _ = try add()
    try ledger.run(all: "undo")
    #expect(try add()["imported"] == "1")
    try ledger.run(all: "delete --last\nundo")
    #expect(ledger.run(["undo", ledger.stored().last?["id"] ?? ""]).status == .done)
    #expect(try add()["deleted"] == "1")
    let other = try self.ledger()
    _ = try run(other, "day,km,note\n2025-11-01,5,with Lena\n", "--habit cardio")
    let id = try #require(other.stored().last?["id"])
    #expect(other.run(["redact", id]).status == .done)
    #expect(other.run(["undo", id]).status == .done)
    let again = try run(other, "day,km,note\n2025-11-01,5,with Lena\n", "--habit cardio --json")
    #expect(again["imported"] == "1" && other.standing("cardio", "note") == [""])
    #expect(!String(decoding: other.bytes(), as: UTF8.self).contains("Lena"))
  }

  @Test func `a row that is no longer done deletes its entry`() throws {
    let ledger = try ledger()
    try ledger.run(all: "define floss --any\ndefine mop --any\nlog mop failed --on 2025-10-01")
    let before = ledger.bytes()
    #expect(
      try run(ledger, ledger.run("export csv entries").text, "").text.contains("was not done"))
    #expect(ledger.bytes() == before)
    for answer in ["yes", "no", "yes", "no"] {
      let output = try run(ledger, "id,day,done\nG1,2025-11-01,\(answer)\n", "--habit floss --json")
      #expect(output["imported"] == (answer == "yes" ? "1" : "0"))
      #expect(output["takenBack"] == (answer == "yes" ? "0" : "1"))
      #expect(ledger.state("floss.totals.entries") == (answer == "yes" ? "1" : "0"))
    }
    _ = try run(ledger, "day,done\n2025-11-02,yes\n", "--habit floss")
    let output = try run(ledger, "day,done\n2025-11-02,no\n", "--habit floss")
    #expect(output.text.contains("taken back: 1"), "\(output)")
    #expect(ledger.standing("floss", "day") == [])
  }

  @Test
  func `a time column is in the ledger's zone; a time in UTC counts for the day there`() throws {
    let ledger = try ledger()
    _ = try run(ledger, "Day,Time,minutes\n2025-11-01,21:30,5\n", "--habit meditation")
    _ = try run(ledger, "at,minutes\n2025-11-01T23:30:00Z,6\n", "--habit meditation")
    #expect(
      ledger.entries(of: "meditation", "at") == [
        "2025-11-01T21:30:00+01:00", "2025-11-01T23:30:00Z",
      ])
    #expect(ledger.entries(of: "meditation", "day") == ["2025-11-01", "2025-11-02"])
  }

  @Test func `an imported time without an offset is in the zone of the ledger`() throws {
    let ledger = try ledger()
    let table =
      "at,minutes\n2025-11-01 08:05,5\n2025-11-02T23:59:30,6\n2025-07-01 08:00:00 -0400,7\n"
    #expect(try run(ledger, table, "--habit meditation").status == .done)
    let stored = ledger.stored().filter { $0["type"] == "entry.logged" }
    #expect(
      stored.compactMap { $0["at"] } == [
        "2025-07-01T08:00:00-04:00", "2025-11-01T08:05:00+01:00", "2025-11-02T23:59:30+01:00",
      ])
    let dated = "at,minutes\n03.11.2025 08:05,5\n"
    #expect(
      try run(ledger, dated, "--habit meditation --date dd.mm.yyyy").text.contains(
        "imported 1 entry"))
    for wrong in ["2025-11-01 8h", "2025-11-01 24:00", "2025-11-01 08:00:60", "2025-11-01"] {
      let output = try run(ledger, "at,minutes\n\(wrong),5\n", "--habit meditation")
      #expect(
        output.status == .badData && output.errors.contains("2025-11-03 07:15 or"),
        "\(output.screen)")
    }
  }
}
