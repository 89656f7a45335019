import CommandFixtures
import StreakCommands
import StreakDomain
import Testing

/// Habits that were renamed, replaced or removed in Loop between two imports.
struct LoopRenameTests {
  private func ledger() throws -> TemporaryLedger {
    try TemporaryLedger(running: "init", now: "2025-11-20T12:00:00+01:00")
  }

  /// Imports an export with the days of November of each habit, in the order of the file.
  private func add(
    _ habits: [(name: String, days: [Int])], to ledger: TemporaryLedger, _ options: String = "",
    folder: String = "L"
  ) throws -> Output {
    let list = habits.enumerated().map { "00\($0 + 1),\($1.name),YES_NO,1,1\n" }.joined()
    _ = try ledger.file(
      "\(folder)/Habits.csv",
      "Position,Name,Type,FrequencyNumerator,FrequencyDenominator\n" + list)
    for (index, habit) in habits.enumerated() {
      let rows = habit.days.sorted(by: >).map { "2025-11-\($0 < 10 ? "0" : "")\($0),YES_MANUAL,\n" }
      let table = "Date,Value,Notes\n" + rows.joined()
      _ = try ledger.file("\(folder)/00\(index + 1) \(habit.name)/Checkmarks.csv", table)
    }
    return ledger.run(
      ["import", "loop", "\(ledger.folder)/\(folder)"] + TemporaryLedger.words(options))
  }

  private static let ten = Array(1...10)

  @Test func `the only habit of an export is recognized after a rename`() throws {
    let ledger = try ledger()
    _ = try add([("Lesen", Self.ten)], to: ledger)
    let output = try add([("Buch", Self.ten + [11])], to: ledger, folder: "M")
    #expect(output.text.contains("\"Buch\" is lesen, imported before under another name"))
    #expect(output.text.hasPrefix("imported 1 entry"), "\(output)")
    #expect(ledger.standing("lesen", "day").count == 11)
    #expect(ledger.state("buch.current") == nil)
  }

  @Test func `one of two habits is recognized after a rename, and the removed one is reported`()
    throws
  {
    let ledger = try ledger()
    _ = try add([("Lesen", Self.ten), ("Sport", [2, 4, 6])], to: ledger)
    let output = try add([("Buch", Self.ten + [11])], to: ledger, folder: "M")
    #expect(output.text.contains("\"Buch\" is lesen, imported before"), "\(output)")
    #expect(output.text.contains("sport was imported before, and the file has no habit"))
    #expect(ledger.standing("lesen", "day").count == 11)
  }

  @Test func `the table of one habit alone does not say that other habits are gone`() throws {
    let ledger = try ledger()
    _ = try add([("Lesen", Self.ten), ("Sport", [2, 4, 6])], to: ledger)
    let table = try ledger.file("002 Sport/Checkmarks.csv", "Date,Value,Notes\n2025-11-08,2,\n")
    let output = ledger.run(["import", "loop", table])
    #expect(output.text.hasPrefix("imported 1 entry"), "\(output)")
    #expect(!output.text.contains("was imported before"), "\(output)")
  }

  @Test func `import suggests --habit for a Loop habit whose new name another habit here has`()
    throws
  {
    let ledger = try ledger()
    _ = try add([("Piano", Self.ten)], to: ledger)
    try ledger.run(all: "define klavier --any")
    let output = try add([("Klavier", Self.ten + [11])], to: ledger, "--dry-run", folder: "M")
    #expect(output.text.contains("piano was imported before"), "\(output)")
    #expect(output.text.contains("import with --habit 'Klavier=piano' instead"), "\(output)")
  }

  @Test func `two devices that import an answer under the old and the new name agree`() throws {
    let (laptop, phone) = (try ledger(), try ledger())
    _ = try add([("Piano", Self.ten)], to: laptop, "--writer laptop")
    try phone.write(laptop.bytes(of: "main"), to: "main.jsonl")
    try phone.write(laptop.bytes(of: "laptop"), to: "laptop.jsonl")
    _ = try add([("Piano", Self.ten + [11])], to: phone, "--writer phone", folder: "M")
    _ = try add([("Klavier", Self.ten + [11])], to: laptop, "--writer laptop", folder: "N")
    try laptop.write(phone.bytes(of: "phone"), to: "phone.jsonl")
    #expect(laptop.run("verify").status == .done, "\(laptop.run("verify"))")
    #expect(laptop.standing("piano", "day").count == 11)
  }

  @Test func `a name with a quote hides no answer, although Loop doesn't quote it`() throws {
    let ledger = try ledger()
    _ = try ledger.file("L/Checkmarks.csv", "Date,The \"big\" walk,\n2025-11-01,2,\n")
    let output = try add([("The big walk", Self.ten)], to: ledger)
    #expect(output.text.contains("imported 10 entries"), "\(output)")
  }

  @Test func `why dates an imported definition by the day of the import`() throws {
    let ledger = try ledger()
    _ = try add([("Piano", Self.ten)], to: ledger)
    let why = ledger.run("why piano 2025-11-01").text
    #expect(why.contains("It was defined on \(ledger.now.prefix(10)),"), "\(why)")
  }

  @Test(arguments: [false, true])
  func `a renamed habit stays one although a new habit has its old name`(isNewFirst: Bool) throws {
    let ledger = try ledger()
    _ = try add([("Lesen", Self.ten)], to: ledger)
    let both = [("Romane", Self.ten + [11]), ("Lesen", [11])]
    let output = try add(isNewFirst ? both.reversed() : both, to: ledger, folder: "M")
    #expect(output.text.contains("\"Romane\" is lesen, imported before"), "\(output)")
    #expect(ledger.standing("lesen", "day").count == 11)
    #expect(ledger.standing("lesen_2", "day") == ["2025-11-11"])

    let later = [("Romane", Self.ten + [11]), ("Lesen", [11, 12])]
    _ = try add(isNewFirst ? later.reversed() : later, to: ledger, folder: "N")
    #expect(ledger.standing("lesen", "day").count == 11)
    #expect(ledger.standing("lesen_2", "day") == ["2025-11-11", "2025-11-12"])
    #expect(ledger.run("verify").status == .done)
  }

  @Test(arguments: [(Self.ten, Array(7...10)), ([1], [2])])
  func `a habit keeps its name beside a new one with more of its former answers`(
    former: [Int], left: [Int]
  ) throws {
    let ledger = try ledger()
    _ = try add([("Lesen", former)], to: ledger)
    _ = try add([("Lesen", left)], to: ledger, folder: "M")
    let output = try add(
      [("Lesen", left + [12]), ("Sport", Array(1...12))], to: ledger, folder: "N")
    #expect(!output.text.contains("imported before under another name"), "\(output)")
    #expect(ledger.standing("sport", "day").count == 12)
    #expect(ledger.state("lesen_2.current") == nil)
  }

  @Test(arguments: [("20", "2"), ("25", "1")])
  func `a unit that was only renamed in Loop is read as the same, with an equal target`(
    target: String, count: String
  ) throws {
    let ledger = try ledger()
    func add(_ folder: String, _ unit: String, _ target: String, _ rows: String) throws -> Output {
      let header =
        "Position,Name,Type,FrequencyNumerator,FrequencyDenominator,Unit,Target Type,Target Value\n"
      _ = try ledger.file(
        "\(folder)/Habits.csv", header + "001,Read,NUMERICAL,1,1,\(unit),AT_LEAST,\(target)\n")
      _ = try ledger.file("\(folder)/001 Read/Checkmarks.csv", "Date,Value,Notes\n" + rows)
      return ledger.run(["import", "loop", "\(ledger.folder)/\(folder)"])
    }
    _ = try add("A", "pages", "20", "2025-11-01,30000,\n")
    let output = try add("B", "Seiten", target, "2025-11-02,25000,\n2025-11-01,30000,\n")
    #expect(ledger.standing("read", "amount").count == Int(count), "\(output)")
    #expect(
      output.text.contains(
        count == "2"
          ? "read: its unit \"Seiten\" is read as pages, because its target is the same"
          : "call it \"pages\" there, and export again"), "\(output)")
  }
}
