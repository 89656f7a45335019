import CommandFixtures
import EventLog
import Foundation
import StreakCommands
import StreakDomain

/// A scenario for each kind of failure of a file, in the order of the kinds.
extension FailureScenario {
  static let ledgers = [
    FailureScenario(.noLedger, "show", isBare: true),
    FailureScenario(.evicted, "init noalc", files: ["events/.phone.jsonl.icloud": "x"], isBare: true),
    FailureScenario(
      .shortSegment, "log noalc steady", "now 2025-11-04T12:00:00+01:00", "day --writer phone",
      "log noalc steady", spoil: removeLastLine),
    FailureScenario(.busy, "log noalc steady --wait 0") { room in
      let lock = try SystemDisk().open(room.ledger.events + "/.lock", .lock)
      _ = try lock.lock(upTo: 0)
      room.held = lock
    },
    FailureScenario(.clockAhead, december, "log noalc steady", november, "log noalc steady"),
    FailureScenario(.noTimeLeft, "log noalc steady") { room in
      let line = stored("ledger.opened", recorded: "2199-12-31T23:59:59.999999Z")
      try room.ledger.write([UInt8](line.utf8), to: "phone.jsonl")
    },
    FailureScenario(.badWriter, "log noalc steady --writer ../x"),
    FailureScenario(.unnamedWriter, "log noalc steady") { room in
      try addSegments(63, to: room)
      room.ledger.machine = Machine(host: "vm", id: "1")
    },
    FailureScenario(.changedPast, "log noalc steady", "timeline --after CURSOR") { room in
      room.cursor = room.ledger.run("timeline --json -n 1")["cursor"] ?? ""
      try removeLastLine(room)
    },
    FailureScenario(.tooManySegments, "timeline --after start") { room in try addSegments(256, to: room) },
    FailureScenario(.notWritten, "log noalc steady") { room in
      room.ledger.disk = WatchedDisk(readOnly: "main.jsonl")
    },
    FailureScenario(.ownedElsewhere, "log noalc steady") { room in
      room.ledger.disk = WatchedDisk(readOnly: "main.jsonl", owner: "anna")
    },
    FailureScenario(.system, "show") { room in
      try FileManager.default.createDirectory(
        atPath: room.ledger.events + "/phone.jsonl", withIntermediateDirectories: true)
    },
    FailureScenario(.vanished, "show", isBare: true) { room in
      let disk = simulatedDisk(room)
      disk.onCall = { if $0 == "open" { disk.put(nil, at: room.ledger.events + "/main.jsonl") } }
    },
    FailureScenario(.outcomeUnknown, "log noalc steady", isBare: true) { room in
      simulatedDisk(room).faults.syncPercent = 100
    },
  ]

  @Sendable private static func removeLastLine(_ room: Room) throws {
    try room.ledger.write(
      room.ledger.stored().dropLast().flatMap { [UInt8]($0.text.utf8) + [10] }, to: "main.jsonl")
  }

  /// A disk in memory with a ledger.
  private static func simulatedDisk(_ room: Room) -> SimulatedDisk {
    let disk = SimulatedDisk(seed: 1)
    room.ledger.disk = disk
    room.ledger.run("init noalc")
    return disk
  }

  private static func addSegments(_ count: Int, to room: Room) throws {
    for index in 0..<count {
      try room.ledger.write([UInt8](stored("entry.logged", #","habit":"noalc""#).utf8), to: "s\(index).jsonl")
    }
  }

  static let imports = [
    FailureScenario(.noFile, "import csv rnus.csv --habit meditation"),
    FailureScenario(.noUnzip, health, files: zip) { room in room.ledger.searchPath = "" },
    FailureScenario(.noHealthProgram, health, files: zip) { room in
      room.ledger.health = .other { "/usr/local/bin/streaks-health" }
    },
    FailureScenario(.brokenArchive, health, files: ["export.zip": "PK\u{3}\u{4}"]),
    FailureScenario(.notInArchive, "import loop export.zip", files: zip, spoil: putSwelling),
    FailureScenario(.swelling, health, files: zip, spoil: putSwelling),
    FailureScenario(.zipFromPipe, "import apple-health - <<< PK\u{3}\u{4}"),
    FailureScenario(.tooLarge, csv, files: ["runs.csv": ""]) { room in
      let file = try FileHandle(forWritingTo: URL(fileURLWithPath: room.ledger.folder + "/runs.csv"))
      try file.truncate(atOffset: 65 << 20)
    },
    xml(.notXML, "<HealthData><Record"),
    xml(.longProlog, "<?xml version=\"1.0\"" + String(repeating: " ", count: 1024) + "?><HealthData/>"),
    xml(.entityDeclared, "<!DOCTYPE HealthData [<!ENTITY e \"x\">]><HealthData/>"),
    xml(.externalReference, "<!DOCTYPE HealthData SYSTEM \"health.dtd\"><HealthData/>"),
    xml(.otherEncoding, "<?xml version=\"1.0\" encoding=\"ISO-8859-1\"?><HealthData/>"),
    xml(.otherRoot, "<html/>"),
    csv(.badField, "day,minutes\n2025-11-02,-5\n"),
    xml(
      .endsBeforeStart,
      """
      <HealthData><Record type="HKQuantityTypeIdentifierNumberOfAlcoholicBeverages" sourceName="x" unit="count" \
      startDate="2025-11-01 07:00:00 +0100" endDate="2025-11-01 06:20:00 +0100" value="1"/></HealthData>
      """),
    csv(.ragged, "day,minutes,note\n2025-11-02,5\n"),
    csv(.quotes, "day,minutes\n2025-11-02,5\"\n"),
    FailureScenario(.unknownColumn, csv + " --columns day,minuts", files: ["runs.csv": "2025-11-02,5\n"]),
    csv(.noDayColumn, "when,minutes\n2025-11-02,5\n"),
    FailureScenario(.otherFormat, "import loop Checkmarks.csv", files: ["Checkmarks.csv": "Day;Gym\n"]),
    FailureScenario(
      .badMap, health + " --map types.json",
      files: zip.merging(["types.json": #"{"HKWater":{"habt":"water"}}"#]) { $1 }),
  ]

  private static let csv = "import csv runs.csv --habit meditation"
  private static let health = "import apple-health export.zip"
  private static let zip = ["export.zip": "PK\u{3}\u{4}"]

  /// Puts a zip there whose export unpacks to a thousand times its size.
  @Sendable private static func putSwelling(_ room: Room) throws {
    try Data(Repository.bytes("Tests/Fixtures/imports/swelling.zip")).write(
      to: URL(fileURLWithPath: room.ledger.folder + "/export.zip"))
  }

  private static func csv(_ kind: FailureKind, _ table: String) -> FailureScenario {
    FailureScenario(kind, csv, files: ["runs.csv": table])
  }

  private static func xml(_ kind: FailureKind, _ text: String) -> FailureScenario {
    FailureScenario(kind, "import apple-health export.xml", files: ["export.xml": text])
  }
}
