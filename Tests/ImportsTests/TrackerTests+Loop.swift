import CommandFixtures
import Foundation
import StreakCommands
import StreakDomain
import Testing

extension TrackerTests {
  private static let loop = Repository.root + "/Tests/Fixtures/imports/loop"
  private static let names = "--habit 'Wake up early=early' --habit Pages=book"

  @Test func `Loop - a number that changed in a newer export replaces the one before`() throws {
    let ledger = try ledger()
    for (thousandths, minutes) in [("10000", "10"), ("25000", "25"), ("10000", "10")] {
      let path = try ledger.file("Checkmarks.csv", "Date,Meditation,\n2025-11-02,\(thousandths),\n")
      #expect(ledger.run(["import", "loop", path, "--json"])["imported"] == "1")
      #expect(standing(ledger, "meditation", "minutes") == [minutes])
    }
  }

  @Test func `Loop - folder, zip and table bring the same, once`() throws {
    let ledger = try ledger()
    let output = ledger.run(["import", "loop", Self.loop, "--verbose"] + TemporaryLedger.words(Self.names))
    #expect(output.status == .done)
    #expect(ledger.entries(of: "meditation", "minutes") == ["12.5"])
    #expect(ledger.entries(of: "meditation", "note") == ["calm"])
    #expect(ledger.entries(of: "early", "day") == ["2025-10-27"])
    #expect(ledger.entries(of: "book", "value") == ["7 pages"])
    #expect(
      ledger.run("calendar meditation --all --json")["habits.meditation.days.2025-10-28.verdict"] == "excused"
    )
    for reason in [
      "was not done\n", "has no answer", "was not done that day, only implied by how often it is due",
    ] {
      #expect(output.text.contains(reason), "\(reason)")
    }
    let before = ledger.bytes()
    let table = Self.loop + "/Checkmarks.csv"
    let again = ledger.run(["import", "loop", table, "--json"] + TemporaryLedger.words(Self.names))
    #expect(again["imported"] == "0" && again["alreadyThere"] == "4")
    let single = Self.loop + "/002 Wake up early/Checkmarks.csv"
    #expect(
      ledger.run(["import", "loop", single, "--habit", "Wake up early=early", "--json"])["alreadyThere"]
        == "1")
    #expect(ledger.bytes() == before)
  }

  @Test(.enabled(if: TestPrograms.has("unzip"), "there is no unzip"))
  func `Loop - a zip is read as it was exported`() throws {
    let ledger = try ledger()
    let names = [
      "Habits.csv", "001 Meditation/Checkmarks.csv", "002 Wake up early/Checkmarks.csv",
      "003 Pages/Checkmarks.csv", "Checkmarks.csv",
    ]
    let zip = StoredZip.make(
      try names.map { ($0, try Repository.text("Tests/Fixtures/imports/loop/\($0)")) })
    let path = try ledger.file("Loop Habits CSV 2025-11-03.zip", zip)
    #expect(
      ledger.run(["import", "loop", path, "--json"] + TemporaryLedger.words(Self.names))["imported"] == "4")
    let other = try ledger.file("other.zip", StoredZip.make([("a.txt", "x")]))
    #expect(ledger.run(["import", "loop", other]).errors.contains("no Checkmarks.csv; it contains a.txt"))
  }

  @Test func `Loop - numbers of older versions mean the same as the words of newer ones`() throws {
    let ledger = try ledger()
    let path = try ledger.file(
      "Checkmarks.csv",
      "Date,Early,Meditation,\n2025-11-02,2,10000,\n2025-11-01,1,0,\n2025-10-31,0,-1,\n2025-10-30,3,3,\n")
    let output = ledger.run(["import", "loop", path, "--json"])
    #expect(output["imported"] == "4")
    #expect(ledger.entries(of: "early", "day") == ["2025-11-02"])
    #expect(ledger.entries(of: "meditation", "minutes") == ["10"])
  }

  @Test(arguments: [
    ("Date,Early,\n2025-11-01,YES,\n", "Checkmarks.csv:2:12: \"Value\" is \"YES\"; it must be YES_MANUAL"),
    ("Date,Early,\n2025-11-01\n", "Checkmarks.csv:2:1: the row has 1 field where 3 are expected"),
    ("Date,Early,\n01.11.2025,2,\n", "Checkmarks.csv:2:1: \"Date\" is \"01.11.2025\"; it must be a day"),
    ("Day;Early\n", "Checkmarks.csv:1:1: expected the header of a Checkmarks.csv, which begins with Date"),
    (
      "Date,Meditation,\n2025-11-01,-5000,\n2025-11-02,9000,\n", "Checkmarks.csv:2:12: \"Value\" is \"-5000\""
    ),
  ])
  func `Loop - a table that makes no sense is refused with its place`(table: String, says: String) throws {
    let ledger = try ledger()
    let before = ledger.bytes()
    let path = try ledger.file("Checkmarks.csv", table)
    let output = ledger.run(["import", "loop", path])
    #expect(output.status == .badData)
    #expect(output.errors.replacing(ledger.folder + "/", with: "").hasPrefix(says), "\(output.errors)")
    #expect(ledger.bytes() == before)
  }

  @Test func `Loop - a folder without checkmarks is refused with what is in it`() throws {
    let ledger = try ledger()
    _ = try ledger.file("x/a.txt", "x")
    let output = ledger.run(["import", "loop", ledger.folder + "/x"])
    #expect(output.status == .badData)
    #expect(output.errors.contains("has no Checkmarks.csv; it contains a.txt"))
    #expect(ledger.run("import loop nosuch").status == .usage)
    let habits = try ledger.file("Habits.csv", "Position,Name\n001,Read\n")
    #expect(ledger.run(["import", "loop", habits]).errors.contains("has no Checkmarks.csv; it contains"))
  }
}
