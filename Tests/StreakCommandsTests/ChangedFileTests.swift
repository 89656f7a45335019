import CommandFixtures
import Foundation
import StreakCommands
import Testing

/// A file of one of two devices that somebody changed by hand, and what the other device proves.
///
/// The laptop logs first on each day, so it alone seals its file. The phone logs an hour later.
struct ChangedFileTests {
  private func ledger() throws -> TemporaryLedger {
    let ledger = try TemporaryLedger(now: "2025-03-01T08:00:00+01:00")
    try ledger.run(all: "init noalc meditation --writer phone --zone Europe/Berlin")
    for day in 1...6 {
      try ledger.run(
        all: "log meditation 5m --writer laptop --id m\(day)", at: "2025-03-0\(day)T20:00:00+01:00")
      try ledger.run(
        all: "log noalc steady --writer phone --id n\(day)", at: "2025-03-0\(day)T21:00:00+01:00")
      if day == 4 { try ledger.write(Array(ledger.run("verify --heads").text.utf8), to: "h.txt") }
    }
    ledger.now = "2025-03-06T23:00:00+01:00"
    return ledger
  }

  private func lines(_ ledger: TemporaryLedger, _ segment: String) -> [String] {
    String(decoding: ledger.bytes(of: segment), as: UTF8.self).split(separator: "\n").map {
      String($0)
    }
  }

  private func write(
    _ lines: [String], to segment: String, in ledger: TemporaryLedger
  ) throws {
    try ledger.write(Array(lines.map { $0 + "\n" }.joined().utf8), to: "\(segment).jsonl")
  }

  private func against(_ ledger: TemporaryLedger) -> Output {
    ledger.run("verify --against \(ledger.events)/h.txt")
  }

  @Test func `verify --against blames only the changed file if it lost a line`() throws {
    let ledger = try ledger()
    #expect(against(ledger).screen == "")
    try write(
      lines(ledger, "phone").filter { !$0.contains(#""id":"n2""#) }, to: "phone", in: ledger)
    let found = against(ledger)
    #expect(found.status == .failed)
    #expect(found.text.hasPrefix("\(ledger.events)/phone.jsonl: history: "), "\(found.screen)")
    #expect(!found.text.contains("late:") && !found.text.contains("laptop.jsonl:8"))
  }

  @Test func `a changed file still proves up to its last seal that another file is late`() throws {
    let ledger = try ledger()
    let changed = lines(ledger, "laptop").map {
      $0.replacingOccurrences(of: #""id":"m4""#, with: #""id":"x4""#)
    }
    try write(changed, to: "laptop", in: ledger)
    try ledger.write([], to: "phone.jsonl")
    let entry = try #require(lines(ledger, "laptop").first { $0.contains(#""id":"m2""#) })
    let forged = entry.replacingOccurrences(of: #""id":"m2""#, with: #""id":"t2""#)
    try write([forged], to: "tablet", in: ledger)
    let found = against(ledger).text.split(separator: "\n")
    #expect(found.first?.contains("history: ") == true, "\(found)")
    #expect(found.contains { $0.contains("tablet.jsonl:1: late: ") }, "\(found)")
    #expect(!found.contains { $0.contains("laptop.jsonl") && $0.contains("late: ") }, "\(found)")
  }

  @Test func `verify --against names the file that a missing segment was renamed to`() throws {
    let ledger = try ledger()
    try ledger.write(ledger.bytes(of: "phone"), to: "pocket.jsonl")
    try FileManager.default.removeItem(atPath: "\(ledger.events)/phone.jsonl")
    let found = against(ledger)
    #expect(
      found.text.contains("is gone, but pocket.jsonl begins with them: rename it to phone.jsonl"),
      "\(found.screen)")
    #expect(!found.text.contains("late:") && !found.errors.contains("pocket"), "\(found.screen)")
  }

  @Test func `heads with the line ends of Windows are read`() throws {
    let ledger = try ledger()
    let heads = ledger.run("verify --heads").text.replacingOccurrences(of: "\n", with: "\r\n")
    try ledger.write(Array(heads.utf8), to: "h.txt")
    #expect(against(ledger).screen == "")
  }

  @Test func `a line that a device saw is not late if a line was moved before it`() throws {
    let ledger = try ledger()
    try ledger.run(
      all: "delete n2 --id gone --writer phone", at: "2025-03-06T22:00:00+01:00")
    try ledger.run(all: "day --writer laptop", at: "2025-03-07T08:00:00+01:00")
    var phone = lines(ledger, "phone")
    let deletion = try #require(phone.popLast()?.replacingOccurrences(of: "03-06", with: "03-02"))
    let place = try #require(phone.firstIndex { $0.contains(#""id":"n2""#) })
    phone.insert(deletion, at: place + 1)
    try write(phone, to: "phone", in: ledger)

    let list = ledger.run("audit --interventions --json --now 2025-03-07T09:00:00+01:00")
    #expect(list["late.0.events.0"] == "gone" && list["late.1"] == nil, "\(list.text)")
    #expect(
      ledger.run("verify").text.contains(
        "its line 6 is not the event that \(ledger.events)/laptop.jsonl:6 saw"))
  }

  @Test func `verify names the first line that another device saw otherwise`() throws {
    let ledger = try ledger()
    let changed = lines(ledger, "phone").map {
      $0.replacingOccurrences(of: #""id":"n2""#, with: #""id":"x2""#)
    }
    try write(changed, to: "phone", in: ledger)
    let found = ledger.run("verify")
    #expect(found.status == .failed)
    #expect(
      found.text.contains(
        "its line 5 is not the event that \(ledger.events)/laptop.jsonl:4 saw"), "\(found.screen)")
    #expect(found.text.split(separator: "\n").count == 1 && found.errors.isEmpty)
    try ledger.run(all: "verify --accept phone --writer laptop")
    #expect(ledger.run("verify").screen.isEmpty)

    let list = ledger.run("audit --interventions")
    #expect(list.text.contains("accepted the segment phone"), "\(list.screen)")
    let says = "lost or changed lines that may have been about any day"
    #expect(list.text.contains(says), "\(list.screen)")
  }

  @Test func `no later day proves that a line inserted among seen ones was there`() throws {
    let ledger = try ledger()
    var phone = lines(ledger, "phone")
    let first = try #require(phone.firstIndex { $0.contains(#""id":"n2""#) })
    phone.insert(
      phone[first].replacingOccurrences(of: #""id":"n2""#, with: #""id":"t2""#), at: first)
    try write(phone, to: "phone", in: ledger)
    #expect(ledger.run("verify").status == .failed)
    let list = ledger.run("audit --interventions").text
    #expect(!list.contains("there by"), "\(list)")
  }

  @Test func `a device whose clock was corrected still proves what it saw before`() throws {
    let ledger = try ledger()
    try ledger.run(all: "log noalc steady --writer phone", at: "2025-04-05T09:00:00+02:00")
    try ledger.run(all: "day --correct --writer phone", at: "2025-03-07T09:10:00+01:00")
    for day in 7...9 {
      try ledger.run(all: "log noalc steady --writer phone", at: "2025-03-0\(day)T20:00:00+01:00")
    }
    let list = ledger.run("audit --interventions").text
    #expect(!list.contains("arrived late"), "\(list)")
  }

  @Test func `audit --interventions lists a loss that a device accepted`() throws {
    let ledger = try ledger()
    try ledger.run(all: "day --writer phone", at: "2025-03-07T08:00:00+01:00")
    try write(Array(lines(ledger, "laptop").prefix(3)), to: "laptop", in: ledger)
    try ledger.run(
      all: "verify --accept laptop --reason broken --writer phone", at: "2025-03-08T09:00:00+01:00")
    ledger.now = "2025-03-08T10:00:00+01:00"
    let list = ledger.run("audit --interventions")
    #expect(list.text.contains("accepted the segment laptop up to line 11, “broken”"), "\(list)")
    #expect(
      list.text.contains("6 days late, by phone, lost or changed lines"),
      "\(list.text)")
    let row = ledger.run("audit --interventions --json")
    #expect(row["interventions.0.type"] == "segment.dropped")
    #expect(row["interventions.0.lateDays"] == "6")
    #expect(ledger.run("timeline -n 1").text.contains("accepted the segment laptop"))
  }

  @Test func `audit --interventions lists no accepted finding`() throws {
    let ledger = try ledger()
    try ledger.write(ledger.bytes(of: "laptop"), to: "laptop-copy.jsonl")
    try ledger.run(all: "verify --accept laptop-copy --writer phone")
    #expect(!ledger.run("audit --interventions").screen.contains("accepted the segment"))
  }

  @Test func `a broken seal of one line names that line`() throws {
    let ledger = try TemporaryLedger(running: "init noalc", now: "2025-11-03T12:00:00+01:00")
    for day in 4...5 { try ledger.run(all: "day", at: "2025-11-0\(day)T12:00:00+01:00") }
    let changed = lines(ledger, "main").map {
      $0.replacingOccurrences(of: "2025-11-04T12:00:00+01:00", with: "2025-11-04T12:00:01+01:00")
    }
    try write(changed, to: "main", in: ledger)
    #expect(ledger.run("verify").text.contains("a byte of line 3, or this seal, was changed"))
  }
}
