import CommandFixtures
import StreakCommands
import StreakDomain
import Testing

struct TableNumberTests {
  private func ledger() throws -> TemporaryLedger {
    try TemporaryLedger(
      running: """
        init meditation cardio steps
        define reading --preset reading
        define water --at-least 2l
        define plank --at-least 90s
        """)
  }

  /// Imports the cells of a column, one a day from 1 November on.
  private func add(
    _ cells: [String], _ column: String, of habit: String, _ options: String = "",
    to ledger: TemporaryLedger
  ) throws -> Output {
    let rows = cells.enumerated().map { "2025-11-0\($0 + 1);\($1)\n" }.joined()
    return try ledger.importTable("day;\(column)\n\(rows)", "--habit \(habit) \(options)")
  }

  @Test(arguments: [
    ("00:31:20", "31.333333"), ("0:31:20", "31.333333"), ("31:20", "31.333333"),
    ("00:31:20.5", "31.341667"),
    ("1h30m", "90"), ("1h 30 min", "90"), ("2 h", "120"), ("45 min", "45"), ("90s", "1.5"),
    ("12.5", "12.5"),
  ])
  func `a duration in a cell is converted to minutes`(cell: String, minutes: String) throws {
    let ledger = try ledger()
    for column in ["minutes", "value", "meditation"] {
      let output = try add([cell], column, of: "meditation", "--json", to: ledger)
      #expect(output["imported"] == (column == "minutes" ? "1" : "0"), "\(output)")
    }
    #expect(ledger.entries(of: "meditation", "minutes") == [minutes])
  }

  @Test func `a time of two parts is minutes and seconds only if another row proves that`() throws {
    let ledger = try ledger()
    let alone = try add(["1:30"], "minutes", of: "meditation", to: ledger)
    #expect(
      alone.errors.contains(
        "\"minutes\" is \"1:30\"; it must be 1h30m or 0:01:30, because it may be either of them; "
          + "(hh:mm) or (mm:ss) in the column's name decides"),
      "\(alone)")
    #expect(
      try add(["1:30", "1:02:03"], "minutes", of: "meditation", to: ledger).status == .done)
    #expect(ledger.entries(of: "meditation", "minutes") == ["1.5", "62.05"])
  }

  @Test(arguments: [
    ["07:30"], ["06:50", "07:30"], ["00:45"], ["7:30", "10:05", "06:50"],
  ])
  func `a duration written as on a clock is refused, because it may be hours and minutes`(
    cells: [String]
  ) throws {
    let ledger = try ledger()
    let refused = try add(cells, "minutes", of: "meditation", to: ledger)
    #expect(refused.errors.contains("because it may be either of them"), "\(refused)")
    let named = try add(cells, "Meditation (hh:mm)", of: "meditation", to: ledger)
    #expect(named.status == .done, "\(named)")
    let hours = cells.map { cell in
      let parts = cell.split(separator: ":").compactMap { Int($0) }
      return "\(parts[0] * 60 + parts[1])"
    }
    #expect(ledger.entries(of: "meditation", "minutes") == hours)
  }

  @Test(arguments: [
    ("Meditation (mm:ss)", "meditation", "minutes", "07:30", "7.5"),
    ("Meditation (h)", "meditation", "minutes", "7", "420"),
    ("Meditation [h]", "meditation", "minutes", "7:30", "450"),
    ("Meditation (Stunden)", "meditation", "minutes", "10:05", "605"),
    ("Water (ml)", "water", "amount", "1500", "1.5"),
    ("Reading (pages)", "reading", "amount", "12", "12"),
  ])
  func `a column with a habit's name and a unit has its numbers in that unit`(
    column: String, habit: String, measure: String, cell: String, number: String
  ) throws {
    let ledger = try ledger()
    let table = "Tag,\(column)\n2025-11-01,\(cell)\n"
    let isUnit = !column.contains("pages")
    let given = isUnit ? "" : "--habit '\(column)=\(habit)'"
    let output = try ledger.importTable(table, given)
    #expect(ledger.entries(of: habit, measure) == [number], "\(output)")
    #expect(
      try ledger.importTable(table, "--habit '\(column)=\(habit)' --json")["alreadyThere"] == "1")
  }

  @Test func `a column Tag contains the day, unless another column does`() throws {
    let ledger = try ledger()
    _ = try ledger.importTable("Date,Tag,Minutes\n2025-11-01,calm,5\n", "--habit meditation")
    #expect(ledger.entries(of: "meditation", "minutes") == ["5"])
  }

  @Test(arguments: [
    ("Laufen (m)", "5.200"), ("Laufen in Metern", "1500"), ("Laufen", "1.500 m"),
    ("Trinken (ml)", "1.500"), ("Trinken", "1.500 ml"),
  ])
  func `a point before three digits of a smaller unit may separate thousands`(
    column: String, cell: String
  ) throws {
    let ledger = try TemporaryLedger(
      running: "init\ndefine laufen --at-least 1km\ndefine trinken --at-least 2l")
    let output = try ledger.importTable("Datum;\(column)\n2025-11-01;\(cell)\n", "")
    if cell == "1500" {
      #expect(ledger.entries(of: "laufen", "km") == ["1.5"], "\(output)")
    } else {
      #expect(output.errors.contains("--decimal . reads"), "\(output)")
    }
  }

  @Test(arguments: [
    ("Schlaf (Std.)", "7,25", "435"), ("Schlaf in Stunden", "7,25", "435"),
    ("Schlaf", "7,25 Std.", "435"), ("Schlaf in min", "30", "30"),
  ])
  func `a unit in a column's name can end with a point or follow the word in`(
    column: String, cell: String, minutes: String
  ) throws {
    let ledger = try TemporaryLedger(running: "init\ndefine schlaf --at-least 7h")
    let table = "Datum;\(column)\n2025-11-01;\(cell)\n"
    let output = try ledger.importTable(table, "--decimal ,")
    #expect(ledger.entries(of: "schlaf", "minutes") == [minutes], "\(output)")
  }

  @Test(arguments: [
    ("Schlaf", "7,5", true), ("Schlaf", "420", false), ("Schlaf (h)", "7,5", false),
  ])
  func `an import warns if numbers up to 24 are read as minutes for a habit that asks for hours`(
    column: String, cell: String, isReported: Bool
  ) throws {
    let ledger = try TemporaryLedger(running: "init\ndefine schlaf --at-least 7h")
    let table = "Datum;\(column)\n2025-11-01;\(cell)\n"
    let output = try ledger.importTable(table, "--decimal ,")
    let note = "the numbers of \"Schlaf\" are read as minutes; with (h) in its name"
    #expect(output.status == .done && output.text.contains(note) == isReported, "\(output)")
  }

  @Test func `entries of two importers that add up on a day are reported`() throws {
    let ledger = try TemporaryLedger(running: "init\ndefine water --at-least 2l")
    _ = try ledger.importTable("Date,Water\n2025-11-01,2\n2025-11-02,1\n", "")
    let path = try ledger.file(
      "001 Water/Checkmarks.csv", "Date,Value,Notes\n2025-11-01,2000,\n2025-10-31,2000,\n")
    let output = ledger.run(["import", "loop", path])
    #expect(
      output.text.contains("water: on 1 day entries of another import count, too, and add up"),
      "\(output)")
  }

  @Test(arguments: ["Lesen (Seiten)", "lesen [seiten]", "Lesen (Seite)"])
  func `the brackets of a column can have the unit of the habit`(column: String) throws {
    let ledger = try TemporaryLedger(running: "init\ndefine lesen --at-least 20Seiten")
    let output = try ledger.importTable("Datum;\(column)\n2025-11-01;25\n", "")
    let isUnit = !column.hasSuffix("(Seite)")
    #expect(ledger.entries(of: "lesen", "amount") == (isUnit ? ["25"] : []), "\(output)")
    #expect(!output.text.contains("are read in"))
  }

  @Test func `a note names the unit in which a column with an unknown unit in brackets is read`()
    throws
  {
    let ledger = try TemporaryLedger(running: "init\ndefine water --at-least 2l")
    let output = try ledger.importTable(
      "Datum,Wasser (Gläser)\n2025-11-01,7\n", "--habit 'Wasser (Gläser)=water'")
    #expect(output.text.contains("the numbers of \"Wasser (Gläser)\" are read in l"), "\(output)")
  }

  @Test func `a column with a unit of another kind is refused`() throws {
    let ledger = try ledger()
    let wrong = try ledger.importTable("Tag,Reading (min)\n2025-11-01,30\n", "")
    #expect(wrong.errors.contains("in pages or a unit of the same kind"), "\(wrong)")
    #expect(wrong.errors.contains("by its name the column is in min"), "\(wrong)")
  }

  @Test func `the unit in a column's name applies even if --columns renames the column`() throws {
    let ledger = try ledger()
    let table = "Datum,Laufen (mi)\n2025-11-01,3\n"
    _ = try ledger.importTable(table, "--habit cardio --columns day,km")
    #expect(ledger.entries(of: "cardio", "km") == ["4.828032"])
    let wrong = try ledger.importTable(
      "Datum,Laufen (min)\n2025-11-02,30\n", "--habit cardio --columns day,km")
    #expect(wrong.errors.contains("in km or a unit of the same kind"), "\(wrong)")
  }

  @Test(arguments: [
    ("amount", "reading", "12 pages", "12"), ("amount", "reading", "1 page", "1"),
    ("amount", "water", "500 ml", "0.5"), ("amount", "water", "16oz", "0.473176"),
    ("km", "cardio", "3 mi", "4.828032"), ("km", "cardio", "800 m", "0.8"),
    ("km", "cardio", "400yd", "0.36576"), ("km", "cardio", "5.2 km", "5.2"),
    ("sets", "cardio", "3 sets", "3"), ("amount", "plank", "1:02:03", "3723"),
  ])
  func `a number may have the unit of the habit or a unit that can be converted`(
    column: String, habit: String, cell: String, number: String
  ) throws {
    let ledger = try ledger()
    let output = try add([cell], column, of: habit, to: ledger)
    #expect(ledger.entries(of: habit, column) == [number], "\(output)")
  }

  @Test(arguments: [
    ("Miles", "3.25", "5.23036"), ("mi", "2", "3.218688"), ("Distance (mi)", "3.25 km", "3.25"),
    ("distance_m", "1500", "1.5"), ("Distance [miles]", "1", "1.609344"), ("km", "3.25", "3.25"),
  ])
  func `a unit in a column's name applies to numbers without a unit`(
    column: String, cell: String, kilometres: String
  ) throws {
    let ledger = try ledger()
    try ledger.run(all: "define miles --at-least 5mi/week")
    let table = "Date,\(column)\n2025-11-01,\(cell)\n"
    for habit in ["cardio", "miles"] {
      let output = try ledger.importTable(table, "--habit \(habit)")
      let entry = ledger.entries(of: habit, "km")
      #expect(entry.count == 1 && entry[0].hasPrefix(kilometres), "\(output)")
    }
  }

  @Test func `a unit can be named by --columns`() throws {
    let ledger = try ledger()
    _ = try ledger.importTable("2025-11-01,2\n", "--habit cardio --columns day,mi")
    #expect(ledger.entries(of: "cardio", "km") == ["3.218688"])
  }

  @Test func `numbers in a column named Hours are converted to minutes`() throws {
    let ledger = try ledger()
    _ = try ledger.importTable("Date,Hours\n2025-11-01,1.5\n", "--habit meditation")
    #expect(ledger.entries(of: "meditation", "minutes") == ["90"])
  }

  @Test(arguments: [
    ("amount", "reading", "12 l"), ("minutes", "meditation", "5 km"), ("km", "cardio", "5 min"),
    ("sets", "cardio", "2.5"), ("amount", "water", "5 foo"), ("minutes", "meditation", "1e3"),
    ("minutes", "meditation", "-5"), ("minutes", "meditation", "25:00:00"),
    ("km", "cardio", "0:31:20"),
  ])
  func `a number that is too large or in an unsuitable unit is refused`(
    column: String, habit: String, cell: String
  ) throws {
    let ledger = try ledger()
    let output = try add([cell], column, of: habit, to: ledger)
    #expect(
      output.errors.hasPrefix("table.csv:2:12: \"\(column)\" is \"\(cell)\"; it must be"),
      "\(output)")
  }

  @Test
  func `decimals after the sixth are rounded, halves up, and the rounding is reported once`() throws
  {
    let ledger = try ledger()
    let cells = ["5.2341234", "5.2345675", "0.9999999"]
    let output = try add(cells, "km", of: "cardio", to: ledger)
    #expect(ledger.entries(of: "cardio", "km") == ["5.234123", "5.234568", "1"], "\(output)")
    #expect(
      output.text.contains("rounded to 6 decimals: \"5.2341234\" to 5.234123 and 2 more rows"),
      "\(output)")
    let exact = try add(["5.2340120"], "km", of: "cardio", to: ledger)
    #expect(!exact.text.contains("rounded"), "\(exact)")
  }

  @Test(arguments: ["11.020", "1,020", "10.000", "999,999"])
  func `a number whose comma or point is ambiguous is refused without --decimal`(cell: String)
    throws
  {
    let ledger = try ledger()
    let output = try add([cell], "amount", of: "steps", to: ledger)
    let decimal = cell.contains(".") ? "," : "."
    #expect(
      output.errors.hasPrefix(
        "table.csv:2:12: \"amount\" is \"\(cell)\"; it must be clear: --decimal . reads "),
      "\(output)")
    let digits = cell.replacing(",", with: "").replacing(".", with: "")
    _ = try add([cell], "amount", of: "steps", "--decimal \(decimal)", to: ledger)
    #expect(ledger.entries(of: "steps", "amount") == [digits])
  }

  @Test
  func `a number with a clear decimal point decides how the rest of the column is read`() throws {
    let ledger = try ledger()
    _ = try add(["11.020", "1,020", "5.5"], "amount", of: "steps", to: ledger)
    #expect(ledger.entries(of: "steps", "amount") == ["11.02", "1020", "5.5"])
    let comma = try add(["11.020", "5,5"], "amount", of: "steps", to: ledger)
    #expect(comma.errors.contains("\"11.020\"; it must be clear"), "\(comma)")
    let other = try add(["12", "5,5"], "amount", of: "steps", to: ledger)
    #expect(other.errors.contains("; --decimal , reads a comma"), "\(other)")
  }

  @Test(arguments: [
    (",", "1.020", "1020"), (",", "1.020,5", "1020.5"), (",", "5,2", "5.2"), (",", "1 020", "1020"),
    (".", "1,020", "1020"), (".", "1,020.5", "1020.5"), (".", "1.020", "1.02"),
    (".", "1'020", "1020"), (".", "12,345,678", nil), (".", "12,34", nil), (",", "5.2", nil),
  ])
  func `--decimal sets the decimal sign of numbers`(sign: String, cell: String, number: String?)
    throws
  {
    let ledger = try ledger()
    let output = try add([cell], "amount", of: "steps", "--decimal \(sign)", to: ledger)
    #expect(ledger.entries(of: "steps", "amount") == [number].compactMap { $0 }, "\(output)")
  }

  @Test(arguments: [("km", "cardio"), ("minutes", "meditation"), ("amount", "reading")])
  func `three digits after a point are decimals only if another cell of the column shows that`(
    column: String, habit: String
  ) throws {
    let ledger = try ledger()
    let alone = try add(["1.020"], column, of: habit, to: ledger)
    #expect(
      alone.errors.contains("must be clear: --decimal . reads 1.02, and --decimal , reads 1020"),
      "\(alone)")
    _ = try add(["5.234", "0.750"], column, of: habit, to: ledger)
    #expect(ledger.entries(of: habit, column) == ["5.234", "0.75"])
  }

  @Test func `a duration without a unit is in minutes for a habit of minutes`() throws {
    let ledger = try ledger()
    let output = try add(["20", "31:20"], "Dauer", of: "meditation", to: ledger)
    #expect(ledger.entries(of: "meditation", "minutes") == ["20", "31.333333"], "\(output)")
    #expect(output.text.contains("the numbers of \"Dauer\" are read in min"), "\(output)")
  }

  @Test func `an exported number is not ambiguous, because exports use a decimal point`() throws {
    let ledger = try ledger()
    _ = try add(["12.123"], "amount", of: "steps", "--decimal .", to: ledger)
    let other = try self.ledger()
    let output = try other.importTable(ledger.run("export csv entries").text, "")
    #expect(other.entries(of: "steps", "amount") == ["12.123"], "\(output)")
  }
}
