import CommandFixtures
import Foundation
import StreakCommands
import StreakDomain
import Testing

/// Files of other devices that arrive late, or that contain events with earlier timestamps.
struct LateFileTests {
  /// A laptop that logged on six days, and a tablet that logged `wild` on the third of them and was
  /// away until now.
  private func devices() throws -> (laptop: TemporaryLedger, tablet: TemporaryLedger) {
    let laptop = try TemporaryLedger(running: "init noalc\nlog noalc steady --on 2025-11-03")
    let tablet = try TemporaryLedger()
    try tablet.write(laptop.bytes(), to: "main.jsonl")
    for day in 4...8 {
      try laptop.run(all: "log noalc steady", at: "2025-11-0\(day)T12:00:00+01:00")
    }
    try tablet.run(all: "log noalc wild --writer tablet --id t5", at: "2025-11-05T22:00:00+01:00")
    return (laptop, tablet)
  }

  @Test
  func `verify --against reports a new file with events older than the heads without --allow-late`()
    throws
  {
    let (laptop, tablet) = try devices()
    try laptop.write(Array(laptop.run("verify --heads").text.utf8), to: "heads.txt")
    let heads = laptop.events + "/heads.txt"
    #expect(laptop.run("verify --against \(heads)").screen == "")

    try laptop.write(tablet.bytes(of: "tablet"), to: "tablet.jsonl")
    let late = laptop.run("verify --against \(heads)")
    #expect(late.status == .failed)
    #expect(late.text.contains("tablet.jsonl:1: late: "), "\(late.screen)")
    #expect(late.text.contains("are not in the heads"), "\(late.screen)")
    #expect(laptop.run("verify --against \(heads) --json")["findings.0.check"] == "late")
    #expect(laptop.run("verify --against \(heads) --allow-late").status == .done)
    #expect(laptop.run("verify").status == .done)
    #expect(laptop.run("verify --allow-late").status == .usage)
  }

  @Test func `verify --against reports no late file for newer events and for copies of old events`()
    throws
  {
    let (laptop, _) = try devices()
    try laptop.write(Array(laptop.run("verify --heads").text.utf8), to: "heads.txt")
    let heads = laptop.events + "/heads.txt"
    try laptop.write(laptop.bytes(), to: "copy.jsonl")
    try laptop.run(all: "log noalc steady", at: "2025-11-09T12:00:00+01:00")
    let found = laptop.run("verify --against \(heads)")
    #expect(!found.text.contains(": late: "), "\(found.screen)")
  }

  @Test
  func `audit --interventions lists a file that arrived late with the changes that it caused`()
    throws
  {
    let (laptop, tablet) = try devices()
    try laptop.write(tablet.bytes(of: "tablet"), to: "tablet.jsonl")
    try laptop.run(all: "log noalc steady", at: "2025-11-09T12:00:00+01:00")

    let text = laptop.run("audit --interventions").text
    #expect(text.contains("tablet arrived late: 2 events written 2025-11-05 22:00"), "\(text)")
    #expect(
      text.contains(
        "not there when main began its day at 2025-11-08 12:00, there by 2025-11-09 12:00"),
      "\(text)")
    #expect(text.contains("noalc run 7 → 4"), "\(text)")

    let json = laptop.run("audit noalc --interventions --json")
    #expect(json["late.0.writer"] == "tablet")
    #expect(json["late.0.lackedBy"] == "main")
    #expect(json["late.0.days"] == "2025-11-05 2025-11-05")
    #expect(json["late.1"] == nil)
    #expect(laptop.run("audit game --interventions --json").status != .done)
  }

  @Test func `audit --interventions does not list a late file that changes nothing`() throws {
    let (laptop, tablet) = try devices()
    try tablet.run(all: "delete t5 --writer tablet", at: "2025-11-05T23:10:00+01:00")
    try laptop.write(tablet.bytes(of: "tablet"), to: "tablet.jsonl")
    try laptop.run(all: "log noalc steady", at: "2025-11-09T12:00:00+01:00")
    let text = laptop.run("audit --interventions").text
    #expect(!text.contains("tablet arrived late"), "\(text)")
  }

  @Test func `audit --interventions still lists a late part of a file after the next part arrives`()
    throws
  {
    let (laptop, tablet) = try devices()
    try laptop.write(tablet.bytes(of: "tablet"), to: "tablet.jsonl")
    try laptop.run(all: "log noalc steady", at: "2025-11-09T12:00:00+01:00")
    try tablet.run(
      all: "define noalc --name Dry --writer tablet", at: "2025-11-05T22:30:00+01:00")
    try laptop.write(tablet.bytes(of: "tablet"), to: "tablet.jsonl")

    let text = laptop.run("audit --interventions").text
    #expect(text.contains("there by 2025-11-09 12:00"), "\(text)")
    #expect(text.contains("noalc run 7 → 4"), "\(text)")
  }

  @Test
  func
    `of two devices apart, audit --interventions lists both until it is known which file arrived`()
    throws
  {
    let (laptop, tablet) = try devices()
    for day in 6...8 {
      try tablet.run(
        all: "log noalc steady --writer tablet", at: "2025-11-0\(day)T13:00:00+01:00")
    }
    try laptop.write(tablet.bytes(of: "tablet"), to: "tablet.jsonl")
    let both = laptop.run("audit --interventions --json")
    #expect(Set([both["late.0.writer"], both["late.1.writer"]]) == ["main", "tablet"])

    try laptop.run(all: "log noalc steady", at: "2025-11-09T12:00:00+01:00")
    let rows = laptop.run("audit --interventions --json")
    #expect(rows["late.0.writer"] == "tablet")
    #expect(rows["late.1"] == nil)
  }

  @Test func `audit --interventions does not list a file as late because of a wrong clock`() throws
  {
    let laptop = try TemporaryLedger(
      running: "init noalc\nlog noalc steady", now: "2025-10-01T09:00:00+02:00")
    let phone = try TemporaryLedger(now: "2025-10-01T10:00:00+02:00")
    try phone.write(laptop.bytes(), to: "main.jsonl")
    try laptop.run(all: "log noalc steady", at: "2025-10-02T09:00:00+02:00")
    try phone.run(
      all: "log noalc steady --writer phone --id ahead", at: "2025-11-15T12:00:00+01:00")
    try phone.run(all: "day --correct --writer phone", at: "2025-10-02T10:00:00+02:00")
    try laptop.write(phone.bytes(of: "phone"), to: "phone.jsonl")
    try phone.write(laptop.bytes(), to: "main.jsonl")
    let text = phone.run("audit --interventions --now 2025-10-02T11:00:00+02:00").screen
    #expect(!text.contains("arrived late"), "\(text)")
  }

  @Test func `replay --as folds only the events that the writer has certainly seen`() throws {
    let (laptop, tablet) = try devices()
    try laptop.write(tablet.bytes(of: "tablet"), to: "tablet.jsonl")
    try laptop.run(all: "log noalc steady", at: "2025-11-09T12:00:00+01:00")

    let then = laptop.run("replay --at 2025-11-08 --as main --habit noalc")
    #expect(then.text.contains("main had seen at least this: its own events"), "\(then.screen)")
    #expect(then.text.contains("its new day of 2025-11-08 12:00, @"), "\(then.screen)")
    let json = laptop.run("replay --at 2025-11-08 --as main --json")
    #expect(json["habits.noalc.current"] == "6")
    #expect(json["as.writer"] == "main")
    #expect(laptop.run("replay --at 2025-11-08 --json")["habits.noalc.current"] == "3")

    // After the file arrived, its new day names the lines of the tablet.
    #expect(laptop.run("replay --as main --json")["habits.noalc.current"] == "4")
    let away = laptop.run("replay --at 2025-11-05 --as tablet --json")
    #expect(away["habits.noalc.current"] == "0")
    #expect(away["as.dayChanged"] != "null")
  }

  @Test func `replay --as refuses an unknown writer and suggests the nearest name`() throws {
    let (laptop, _) = try devices()
    let refused = laptop.run("replay --as mian")
    #expect(refused.status == .usage)
    #expect(refused.errors.contains("mian") && refused.errors.contains("main"))
    #expect(laptop.run("replay --as main --without 1").status == .usage)
  }

  @Test func `timeline shows when each of two devices corrected the same wrong clock`() throws {
    let first = try TemporaryLedger(
      running: "init noalc\nlog noalc steady", now: "2025-06-01T12:00:00+02:00")
    try first.run(all: "log noalc steady", at: "2025-07-04T20:00:00+02:00")
    let second = try TemporaryLedger(seed: 7)
    try second.write(first.bytes(), to: "main.jsonl")
    try first.run(all: "day --correct", at: "2025-06-04T08:00:00+02:00")
    try second.run(all: "day --correct --writer bb", at: "2025-06-04T08:05:00+02:00")
    try first.write(second.bytes(of: "bb"), to: "bb.jsonl")
    // The other device's correction comes before the step with the wrong stamp, whose time is
    // unknown, so that it is listed with the time of the next step.
    let text = first.run("timeline -n 3 --now 2025-06-04T09:00:00+02:00").text
    let rows = text.split(separator: "\n").map { $0.split(separator: " ").prefix(3) }
    #expect(
      rows == [
        ["4", "2025-06-04", "08:05"], ["5–6", "2025-06-04", "08:00"], ["7", "2025-06-04", "08:00"],
      ], "\(text)")
  }
}
