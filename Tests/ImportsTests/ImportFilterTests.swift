import CommandFixtures
import StreakCommands
import StreakDomain
import Testing

struct ImportFilterTests {
  private func ledger() throws -> TemporaryLedger {
    try TemporaryLedger(running: "init noalc meditation cardio")
  }

  private let session = HealthXML.mindful("2025-11-02 07:00", "2025-11-02 07:20")

  @Test(arguments: [
    ("", "3"), ("--type alcohol", "1"), ("--source Sitting", "1"), ("--since 2025-11-02", "2"),
    ("--until 2025-11-01", "1"),
  ])
  func `entries that are already there are counted only if they match the filters`(
    filter: String, count: String
  )
    throws
  {
    let ledger = try ledger()
    let elements = [
      HealthXML.drinks("2025-11-01 19:00", "1"), session,
      HealthXML.workout(
        "Running", "2025-11-02 08:00", "2025-11-02 09:00", "duration=\"30\" durationUnit=\"min\""),
    ]
    #expect(try ledger.importHealth(elements, "--json")["imported"] == "3")
    #expect(try ledger.importHealth(elements, filter + " --json")["alreadyThere"] == count)
  }

  @Test
  func `table rows and Loop answers that exist already are counted only if --since includes them`()
    throws
  {
    let ledger = try ledger()
    let table = try ledger.file("runs.csv", "day,minutes\n2025-11-01,20\n2025-11-02,30\n")
    let marks = try ledger.file(
      "Checkmarks.csv", "Date,Meditation,\n2025-11-01,20000,\n2025-11-02,NO,\n")
    for words in [["csv", table, "--habit", "meditation"], ["loop", marks]] {
      #expect(ledger.run(["import"] + words).status == .done)
      let again = ledger.run(["import"] + words + ["--since", "2025-11-02", "--json"])
      #expect(again["imported"] == "0" && again["alreadyThere"] == (words[0] == "csv" ? "1" : "0"))
    }
  }

  @Test func `an entry imported before countsFrom is recognized by a later import`() throws {
    let ledger = try ledger()
    let early = HealthXML.mindful("2024-05-01 07:00", "2024-05-01 07:20")
    try ledger.run(
      all:
        "define meditation --rule '{\"kind\":\"minutes\",\"atLeast\":1}' --counts-from 2025-01-01")
    #expect(try ledger.importHealth([early], "--since 2024-01-01 --json")["imported"] == "1")
    #expect(try ledger.importHealth([early], "--json")["alreadyThere"] == "1")
  }

  @Test func `an import after an undo imports all entries again`() throws {
    let ledger = try ledger()
    let elements = (1...3).map { HealthXML.mindful("2025-11-0\($0) 07:00", "2025-11-0\($0) 07:20") }
    _ = try ledger.importHealth(elements)
    let state = ledger.run("show --json")["habits.meditation.current"]
    try ledger.run(all: "undo")
    #expect(try ledger.importHealth(elements, "--json")["imported"] == "3")
    #expect(ledger.run("show --json")["habits.meditation.current"] == state && state == "3")
    #expect(try ledger.importHealth(elements, "--json")["alreadyThere"] == "3")
  }

  @Test func `an import that writes nothing cannot be undone`() throws {
    let ledger = try ledger()
    let elements = (1...3).map { HealthXML.mindful("2025-11-0\($0) 07:00", "2025-11-0\($0) 07:20") }
    #expect(try ledger.importHealth(elements, "--json").text.contains("\"undoable\":true"))
    try ledger.run(all: "delete --last\ndelete --last\ndelete --last")
    #expect(try ledger.importHealth(elements).text.contains("still deleted: 3"))
    #expect(try ledger.importHealth(elements, "--json").text.contains("\"undoable\":false"))
  }

  @Test func `an XML end tag that does not match its start tag is an error`() throws {
    let ledger = try ledger()
    let path = try ledger.file("export.xml", "<HealthData>\n \(session)\n</Health>\n")
    let output = ledger.run(["import", "apple-health", path])
    #expect(output.status == .badData)
    #expect(
      output.errors.contains("export.xml:3:")
        && output.errors.contains("does not fit its start tag"))
  }

  @Test
  func `a table in UTF-16 is refused with that name, with or without a byte order mark`() throws {
    let ledger = try ledger()
    let text = "2025-11-01 : Read : y\n".utf16.flatMap { [UInt8($0 & 0xFF), UInt8($0 >> 8)] }
    for bytes in [text, [0xFF, 0xFE] + text] {
      let path = try ledger.file("file", bytes)
      for words in [["csv", path, "--habit", "meditation"], ["loop", path]] {
        let output = ledger.run(["import"] + words)
        #expect(
          output.status == .badData && output.errors.contains("1:1: the file is in \"UTF-16\""))
      }
    }
  }
}
