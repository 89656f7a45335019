import CommandFixtures
import StreakCommands
import Testing

/// Two devices import tables of different ages before they exchange their files.
///
/// The newest table then counts as on a single device, wherever it is imported again.
struct ImportsOfTwoDevicesTests {
  private let laptop: TemporaryLedger
  private let desk: TemporaryLedger

  init() throws {
    laptop = try TemporaryLedger(now: "2025-11-18T08:00:00+01:00")
    laptop.run("init --writer setup")
    laptop.run("define medi --any --writer setup")
    laptop.run("define run --at-least 1km --writer setup")
    desk = try TemporaryLedger(now: laptop.now, seed: 1)
    try desk.write(laptop.bytes(of: "setup"), to: "setup.jsonl")
  }

  @discardableResult
  private func run(_ words: String, on device: TemporaryLedger) -> Output {
    // Each command is a minute later than the one before.
    let minute = laptop.stored(in: "laptop").count + desk.stored(in: "desk").count
    device.now = "2025-11-18T09:\(minute < 10 ? "0" : "")\(minute):00+01:00"
    return device.run("\(words) --writer \(device === laptop ? "laptop" : "desk")")
  }

  @discardableResult
  private func add(_ table: String, to device: TemporaryLedger) throws -> Output {
    let path = try device.file("table.csv", table)
    return run("import csv \(path) --excused ill --replace", on: device)
  }

  private func exchange() throws {
    let fromDesk = desk.bytes(of: "desk")
    try desk.write(laptop.bytes(of: "laptop"), to: "laptop.jsonl")
    try laptop.write(fromDesk, to: "desk.jsonl")
  }

  /// Imports `newest` again on the laptop, exchanges the files, and imports it on the desk, which
  /// then has nothing to add.
  ///
  /// - Returns: The output of the laptop.
  private func addEverywhere(_ newest: String) throws -> Output {
    let output = try add(newest, to: laptop)
    try exchange()
    let next = try add(newest, to: desk)
    #expect(next.text.hasPrefix("imported 0 entries"), "\(next)")
    #expect(!next.text.contains("taken back"), "\(next)")
    return output
  }

  @Test(arguments: [["yes", "ill"], ["ill", "yes"]], ["no", ""])
  func `the newest table takes back an excuse of one device and an entry of the other`(
    answers: [String], newestAnswer: String
  ) throws {
    func table(_ answer: String, _ last: String) -> String {
      "day,medi\n2025-11-01,yes\n2025-11-02,\(answer)\n\(last),yes\n"
    }
    let newest = table(newestAnswer, "2025-11-09")
    try add(table(answers[0], "2025-11-03"), to: laptop)
    try exchange()
    try add(table(answers[1], "2025-11-05"), to: desk)
    try add(newest, to: laptop)
    try exchange()

    _ = try addEverywhere(newest)
    #expect(desk.standing("medi", "day") == ["2025-11-01", "2025-11-09"])
    #expect(desk.run("excuse --json")["excuses.0.excuse"] == nil)
  }

  @Test func `a record whose import was undone is imported again although another device has it`()
    throws
  {
    let older = "day,run\n2025-11-01,10\n2025-11-05,30\n"
    let newer = older + "2025-11-09,20\n"
    try add(newer, to: laptop)
    run("undo", on: laptop)
    try add(older, to: desk)
    try exchange()

    let again = try addEverywhere(newer)
    #expect(again.text.hasPrefix("imported 3 entries"), "\(again)")
    #expect(!again.text.contains("deleted here") && !again.text.contains("changed"), "\(again)")
    #expect(desk.standing("run", "km") == ["10", "30", "20"])
  }

  @Test(arguments: ["no": ["4", "1"], "7": ["4", "7", "1"]])
  func `the newest table counts although its undo elsewhere restored an older answer`(
    answer: String, distances: [String]
  ) throws {
    func table(_ answer: String, _ last: String) -> String {
      "day,run\n2025-11-01,4\n2025-11-02,\(answer)\n\(last)"
    }
    let newest = table(answer, "2025-11-09,1\n")
    try add(table("5", ""), to: laptop)
    try add(newest, to: laptop)
    try add(table("6", "2025-11-05,4\n"), to: desk)
    try add(newest, to: desk)
    run("undo", on: desk)
    try exchange()

    _ = try addEverywhere(newest)
    #expect(desk.standing("run", "km") == distances)
  }

  @Test func `an excuse that a person withdrew stays so until the source changes`() throws {
    let older = "day,medi\n2025-11-01,ill\n2025-11-03,yes\n"
    try add(older, to: laptop)
    let excuse = laptop.run("excuse --json")["excuses.0.excuse"] ?? ""
    run("excuse --withdraw \(excuse)", on: laptop)
    try exchange()
    for device in [laptop, desk] {
      let same = try add(older, to: device)
      #expect(same.text.contains("deleted here before, still deleted: 1"), "\(same)")
    }

    try add(older.replacing("ill", with: "yes"), to: desk)
    run("undo", on: desk)
    let again = try add(older, to: desk)
    #expect(again.text.contains("deleted here before, still deleted: 1"), "\(again)")
    try add(older.replacing("ill", with: "yes"), to: desk)
    #expect(desk.standing("medi", "day") == ["2025-11-01", "2025-11-03"])
  }
}
