import CommandFixtures
import EventLog
import Foundation
import StreakDomain

extension FailureScenario {
  static let ledgers = [
    FailureScenario(.noLedger, "show", isBare: true),
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
      try room.ledger.write(room.ledger.bytes() + Array(line.utf8), to: "main.jsonl")
    },
    FailureScenario(.badWriter, "log noalc steady --writer ../x"),
    FailureScenario(.changedPast, "log noalc steady", "timeline --after CURSOR") { room in
      room.cursor = room.ledger.run("timeline --json -n 1")["cursor"] ?? ""
      try removeLastLine(room)
    },
    FailureScenario(.notWritten, "log noalc steady") { room in
      room.ledger.disk = WatchedDisk(readOnly: "main.jsonl")
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

  private static func simulatedDisk(_ room: Room) -> SimulatedDisk {
    let disk = SimulatedDisk(seed: 1)
    room.ledger.disk = disk
    room.ledger.run("init noalc")
    return disk
  }
}
