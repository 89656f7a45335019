import CommandFixtures
import DomainFixtures
import EventLog
import StreakDomain
import Testing

/// The delivery of whole steps to a consumer that stores a cursor.
struct StepDeliveryTests {
  @Test func `a consumer gets complete steps, each with a cursor`() throws {
    let log = try NotedSegments(["laptop": "b2 d4", "phone": "a1+c3+e5 f6"])
    var deliveries = try log.deliveries()
    #expect(
      try read(&deliveries) == [
        "a1 c3 e5 at 1 2 3, phone:3", "b2 at 4, laptop:1,phone:3", "d4 at 5, laptop:2,phone:3",
        "f6 at 6, laptop:2,phone:4",
      ])
  }

  @Test
  func `a step of only copies is not delivered, but the next cursor counts the copies`() throws {
    let log = try NotedSegments(["phone": "a1+c3", "phone-2": "a1+c3 b4"])
    var deliveries = try log.deliveries()
    #expect(
      try read(&deliveries) == ["a1 c3 at 1 2, phone:2", "b4 at 3, phone:2,phone-2:3"])

    let other = try NotedSegments(["phone": "a1+c3", "phone-2": "a1+c3"])
    deliveries = try other.deliveries()
    #expect(try read(&deliveries) == ["a1 c3 at 1 2, phone:2"])
    #expect(deliveries.cursor.description == "phone:2,phone-2:2")
  }

  @Test func `copies of events in a step are not delivered`() throws {
    let log = try NotedSegments(["phone": "a1+c3+e5", "watch": "c3@2+d4+e5@6"])
    var deliveries = try log.deliveries()
    #expect(
      try read(&deliveries) == ["a1 c3 e5 at 1 2 3, phone:3", "d4 at 4, phone:3,watch:3"])
  }

  /// Earlier programs delivered single events, in the order in which they were recorded.
  @Test(arguments: [
    ("phone:1", ["c3 e5 at 2 3, phone:3", "b2 at 4, laptop:1,phone:3"]),
    ("phone:2", ["e5 at 3, phone:3", "b2 at 4, laptop:1,phone:3"]),
    ("phone:3", ["b2 at 4, laptop:1,phone:3"]),
    ("laptop:1,phone:1", ["late c3 e5 at 2 3, laptop:1,phone:3"]),
    ("laptop:1,phone:2", ["late e5 at 3, laptop:1,phone:3"]),
    ("laptop:1", ["late a1 c3 e5 at 1 2 3, laptop:1,phone:3"]),
    ("laptop:1,phone:3", []),
  ])
  func `a cursor inside a batch delivers the rest of the batch`(cursor: String, wanted: [String])
    throws
  {
    let log = try NotedSegments(["laptop": "b2", "phone": "a1+c3+e5"])
    var deliveries = try log.deliveries(after: #require(Cursor(cursor)))
    #expect(try read(&deliveries) == wanted)
    #expect(ids(deliveries.ledger) == ["a1", "c3", "e5", "b2"])
  }

  @Test
  func `a step that arrives late is delivered at once, and the later steps are folded again`()
    throws
  {
    let log = try NotedSegments(["laptop": "b2 d4", "watch": "g7"])
    var deliveries = try log.deliveries()
    _ = try read(&deliveries)
    log.disk.put(log.bytes("a1+c3+e5 f6+h8"), at: "events/phone.jsonl")
    let isFollowed = try deliveries.follow()
    #expect(isFollowed)

    #expect(try deliveries.nextStep())
    #expect(text(deliveries) == "late a1 c3 e5 at 1 2 3, laptop:2,phone:3,watch:1")
    #expect(ids(deliveries.ledger) == ["a1", "c3", "e5", "b2", "d4", "g7"])
    #expect(deliveries.replacedLedger.map { ids($0) } == ["b2", "d4", "g7"])
    #expect(
      try read(&deliveries) == ["late f6 h8 at 6 7, laptop:2,phone:5,watch:1"])
    #expect(ids(deliveries.ledger) == ["a1", "c3", "e5", "b2", "d4", "f6", "h8", "g7"])
  }

  @Test func `an appended step that begins before the last step is delivered as late`() throws {
    let log = try NotedSegments(["laptop": "b2", "phone": "a1 c5+d9"])
    var deliveries = try log.deliveries()
    _ = try read(&deliveries)

    // It begins after the last step, though before the phone's last line.
    try log.append("e6+f12", to: "laptop")
    #expect(try deliveries.follow())
    #expect(try read(&deliveries) == ["e6 f12 at 5 6, laptop:3,phone:3"])

    try log.append("g10", to: "phone")
    try log.append("h13", to: "laptop")
    #expect(try deliveries.follow())
    #expect(
      try read(&deliveries) == ["g10 at 7, laptop:3,phone:4", "h13 at 8, laptop:4,phone:4"])

    try log.append("i11+j14", to: "phone")
    #expect(try deliveries.follow())
    #expect(try read(&deliveries) == ["late i11 j14 at 8 9, laptop:4,phone:6"])
    #expect(ids(deliveries.ledger).joined(separator: " ") == "a1 b2 c5 d9 e6 f12 g10 i11 j14 h13")
  }

  @Test func `a late step does not repeat lines that a copy of the segment already delivered`()
    throws
  {
    let log = try NotedSegments(["laptop": "b9", "watch": "c3@10"])
    var deliveries = try log.deliveries()
    _ = try read(&deliveries)
    log.disk.put(log.bytes("a1+c3+e5 d6"), at: "events/phone.jsonl")
    #expect(try deliveries.follow())
    #expect(
      try read(&deliveries) == [
        "late a1 e5 at 1 3, laptop:1,phone:3,watch:1", "late d6 at 4, laptop:1,phone:4,watch:1",
      ])
    #expect(ids(deliveries.ledger) == ["a1", "c3", "e5", "d6", "b9"])
  }

  private func read(_ deliveries: inout Deliveries) throws -> [String] {
    var steps: [String] = []
    while try deliveries.nextStep() { steps.append(text(deliveries)) }
    return steps
  }

  /// Returns the step that was delivered last as text: its events, their positions and the cursor.
  private func text(_ deliveries: Deliveries) -> String {
    let ids = deliveries.lines.map { $0.item.id.text(deliveries.ledger.names) }
    let positions = deliveries.lines.map { "\($0.position)" }
    return (deliveries.isLate ? "late " : "") + ids.joined(separator: " ") + " at "
      + positions.joined(separator: " ") + ", \(deliveries.cursor)"
  }

  private func ids(_ ledger: Ledger) -> [String] {
    (0..<ledger.position).map { ledger.id(at: $0 + 1) }
  }
}
