import CommandFixtures
import Foundation
import StreakDomain
import Testing

struct DayAndZoneTests {
  @Test(arguments: [
    ("Europe/Berlin", "2025-11-03T22:59:59.999Z", "2025-11-03"),
    ("Europe/Berlin", "2025-11-03T23:00:00.000Z", "2025-11-04"),
    ("Asia/Kolkata", "2025-11-03T18:29:59.999Z", "2025-11-03"),
    ("Asia/Kolkata", "2025-11-03T18:30:00.000Z", "2025-11-04"),
    ("Asia/Kathmandu", "2025-11-03T18:14:59.999Z", "2025-11-03"),
    ("Asia/Kathmandu", "2025-11-03T18:15:00.000Z", "2025-11-04"),
    ("America/St_Johns", "2025-11-04T03:29:59.999Z", "2025-11-03"),
    ("America/St_Johns", "2025-11-04T03:30:00.000Z", "2025-11-04"),
    ("Pacific/Marquesas", "2025-11-04T09:29:59.999Z", "2025-11-03"),
    ("Pacific/Marquesas", "2025-11-04T09:30:00.000Z", "2025-11-04"),
    ("Pacific/Chatham", "2025-11-03T10:14:59.999Z", "2025-11-03"),
    ("Pacific/Chatham", "2025-11-03T10:15:00.000Z", "2025-11-04"),
    // A day of 23 hours, from 23:00Z to 22:00Z.
    ("Europe/Berlin", "2025-03-29T23:00:00.000Z", "2025-03-30"),
    ("Europe/Berlin", "2025-03-30T21:59:59.999Z", "2025-03-30"),
    ("Europe/Berlin", "2025-03-30T22:00:00.000Z", "2025-03-31"),
    // A day of 25 hours, from 22:00Z to 23:00Z.
    ("Europe/Berlin", "2025-10-25T22:00:00.000Z", "2025-10-26"),
    ("Europe/Berlin", "2025-10-26T22:59:59.999Z", "2025-10-26"),
    ("Europe/Berlin", "2025-10-26T23:00:00.000Z", "2025-10-27"),
    // A day of 24.5 hours, from 13:00Z to 13:30Z.
    ("Australia/Lord_Howe", "2025-04-05T13:00:00.000Z", "2025-04-06"),
    ("Australia/Lord_Howe", "2025-04-06T13:29:59.999Z", "2025-04-06"),
    ("Australia/Lord_Howe", "2025-04-06T13:30:00.000Z", "2025-04-07"),
  ])
  func `an entry gets the date in the ledger's zone, not the machine's, to the millisecond`(
    zone: String, now: String, day: String
  ) throws {
    for machineZone in ["Pacific/Honolulu", "Asia/Tokyo"] {
      let ledger = try TemporaryLedger(now: "2025-03-01T00:00:00Z")
      ledger.machineZone = machineZone
      try ledger.run(all: "init awareness --zone \(zone)")
      try ledger.run(all: "log awareness --id e", at: now)
      #expect(ledger.stored("e", "day") == day)
      #expect(ledger.run("show --json")["today"] == day)
    }
  }

  @Test(arguments: [
    (
      "Europe/Berlin",
      [
        "2025-03-29T23:59:59.999+01:00", "2025-03-30T23:59:59.999+02:00",
        "2025-03-31T00:00:00+02:00",
      ]
    ),
    (
      "Europe/Berlin",
      ["2025-10-25T00:00:00+02:00", "2025-10-26T02:30:00+01:00", "2025-10-27T23:59:59.999+01:00"]
    ),
    (
      "Australia/Lord_Howe",
      ["2025-04-05T00:00:00+11:00", "2025-04-06T23:59:59.999+10:30", "2025-04-07T00:00:00+10:30"]
    ),
  ])
  func `a run counts a day once, even if a clock change makes the day longer or shorter`(
    zone: String, times: [String]
  ) throws {
    let ledger = try TemporaryLedger(
      running: "init saboteur-awareness --zone \(zone)", now: times[0])
    for time in times { try ledger.run(all: "log saboteur-awareness", at: time) }
    #expect(ledger.run("show --json")["habits.saboteur-awareness.current"] == "3")
  }

  @Test func `ledgers in two zones log different dates at the same instant, and both runs grow`()
    throws
  {
    for (zone, dates) in [
      ("Pacific/Honolulu", ["2025-11-02", "2025-11-03", "2025-11-04"]),
      ("Asia/Tokyo", ["2025-11-03", "2025-11-04", "2025-11-05"]),
    ] {
      let ledger = try TemporaryLedger(
        running: "init awareness --zone \(zone)", now: "2025-11-02T20:00:00Z")
      for (index, now) in ["2025-11-02T20:00:00Z", "2025-11-03T20:00:00Z", "2025-11-04T20:00:00Z"]
        .enumerated()
      {
        try ledger.run(all: "log awareness --id e\(index)", at: now)
        #expect(ledger.stored("e\(index)", "day") == dates[index])
      }
      #expect(ledger.run("show --json")["habits.awareness.current"] == "3")
    }
  }

  @Test(arguments: [
    "log awareness", "define reading --preset awareness", "excuse 2025-11-01",
    "remind --set awareness 20:00",
    "celebrate --seen", "delete first", "log awareness --replaces first",
  ])
  func `the first command that writes on a new day begins that day, and the next does not`(
    command: String
  ) throws {
    let ledger = try TemporaryLedger(running: "init awareness\nlog awareness --id first")
    let count = ledger.stored().count
    ledger.now = "2025-11-04T00:00:00+01:00"
    try ledger.run(all: command)
    #expect(ledger.stored()[count]["type"] == "day.changed")
    #expect(ledger.stored()[count]["to"] == "2025-11-04")
    try ledger.run(
      all: command.contains("first") || command.contains("define") ? "log awareness" : command)
    #expect(ledger.stored().count { $0["type"] == "day.changed" } == 1)
  }

  @Test func `day --zone excuses the date that a flight east over the date line skips`() throws {
    let ledger = try TemporaryLedger(now: "2025-03-01T21:00:00Z")
    try ledger.run(all: "init game --zone Pacific/Pago_Pago\nlog game completed --id a")
    ledger.now = "2025-03-02T10:59:59.999Z"
    try ledger.run(all: "day --zone Pacific/Kiritimati\nlog game completed --id b")
    #expect(ledger.stored("a", "day") == "2025-03-01")
    #expect(ledger.stored("b", "day") == "2025-03-03")
    let excuse = ledger.stored().first { $0["type"] == "days.excused" }
    #expect(excuse?["from"] == "2025-03-02")
    #expect(excuse?["to"] == "2025-03-02")
    #expect(excuse?["reason"] == "zone")
    #expect(ledger.run("show --json")["habits.game.current"] == "2")
    #expect(ledger.run("show --json")["zone"] == "Pacific/Kiritimati")
  }

  @Test func `a date that a flight west over the date line repeats counts as one day`() throws {
    let ledger = try TemporaryLedger(now: "2025-02-28T22:00:00Z")
    try ledger.run(all: "init game --zone Pacific/Kiritimati\nlog game completed --id a")
    let days = [
      ("b", "2025-03-01T20:00:00Z", "", "2025-03-02"),
      ("c", "2025-03-02T05:00:00Z", "Pago_Pago", "2025-03-01"),
      ("d", "2025-03-02T20:00:00Z", "Pago_Pago", "2025-03-02"),
      ("e", "2025-03-03T20:00:00Z", "Pago_Pago", "2025-03-03"),
      ("f", "2025-03-04T20:00:00Z", "", "2025-03-04"),
    ]
    for (id, now, zone, day) in days {
      ledger.now = now
      if !zone.isEmpty { try ledger.run(all: "day --zone Pacific/\(zone)") }
      try ledger.run(all: "log game completed --id \(id)")
      #expect(ledger.stored(id, "day") == day)
    }
    #expect(ledger.run("show --json")["habits.game.current"] == "4")
    #expect(ledger.run("show --json")["habits.game.days.excused"] == "0")
    #expect(ledger.run("show --json")["zone"] == "Pacific/Pago_Pago")
  }
}
