import CommandFixtures
import DomainFixtures
import EventLog
import Inspection
import StreakDomain
import Testing

/// Whose events are the owner's may be known only later: what arrived before is delivered then, each event once.
struct OwnerDeliveryTests {
  /// Segments of a ledger whose owner goes by a name, too, and of which prefixes arrive in any order.
  private struct Devices {
    let ledger: TemporaryLedger
    private var lines: [[[UInt8]]] = [[], [], []]
    private var arrived = [0, 0, 0]

    init(_ random: inout SeededRandom, seed: UInt64, names: [String]) throws {
      ledger = try TemporaryLedger()
      var stream = RandomStream(seed: seed)
      var events = stream.events(50)
      for (number, name) in names.enumerated() {
        var event = events[0]
        (event.id, event.payload) = ("owner-\(number)", .ledgerOpened(owner: name))
        events.insert(event, at: random.below(events.count))
      }
      for (number, event) in events.enumerated() {
        var event = event
        if case .ledgerOpened(_?, _) = event.payload {
        } else {
          event.subject = [nil, "ana", "bob"][random.below(3)]
        }
        event.recorded = Instant(microseconds: 1_700_000_000_000_000 + Int64(3 * number))
        let segment = random.below(3)
        lines[segment].append(EventEncoder.line(event))
        // Another device imported the same.
        guard random.chance(25) else { continue }
        event.recorded = event.recorded + 1
        lines[(segment + 1) % 3].append(EventEncoder.line(event))
      }
    }

    var isDone: Bool { zip(arrived, lines).allSatisfy { $0 == $1.count } }

    /// More of a segment comes, often all of it, or a line is cut.
    mutating func arrive(_ random: inout SeededRandom) throws {
      let index = random.below(3)
      let rest = lines[index].count - arrived[index]
      arrived[index] += random.chance(50) ? rest : random.below(rest + 1)
      var bytes = Array(lines[index][..<arrived[index]].joined())
      if arrived[index] < lines[index].count {
        bytes += lines[index][arrived[index]].prefix(random.below(40))
      }
      if arrived[index] > 0 { try ledger.write(bytes, to: "\(["main", "phone", "watch"][index]).jsonl") }
    }

    var isEmpty: Bool { arrived.allSatisfy { $0 == 0 } }
  }

  /// What somebody was told; what came without a cursor counts once a cursor follows.
  private struct Told {
    var ids: [String] = []
    var state = Rebuilt()
  }

  private static func ledger(in folder: String) throws -> (Ledger, owned: Set<String>) {
    var options = ReadingOptions()
    options.wantsEvents = true
    var stream = try EventStream(folder: folder, options: options)
    var fold = LedgerFold()
    var events: [Event] = []
    var item = StreamItem()
    while try stream.next(&item, names: &fold.names) {
      let event = try #require(item.event)
      events.append(event)
      _ = fold.apply(event)
    }
    return (fold.settled, Set(events.filter { fold.folds($0.subject) }.map(\.id)))
  }

  /// Reads at most so many events; returns what is kept by somebody who stores it with each cursor.
  private func read(
    _ deliveries: inout Deliveries, _ timeline: inout Timeline, _ most: Int, _ told: inout Told
  ) throws -> (cursor: Cursor?, kept: Told) {
    var kept = told
    var cursor: Cursor?
    var (item, rest) = (StreamItem(), most)
    while rest > 0, try deliveries.next(&item) {
      rest -= 1
      let difference =
        deliveries.isContinued
        ? timeline.note(&deliveries.fold.settled) : timeline.turn(to: &deliveries.fold.settled)
      told.state.apply(difference ?? Difference())
      told.ids.append(item.id.text(deliveries.fold.names))
      guard let new = deliveries.cursor() else { continue }
      (cursor, kept) = (new, told)
    }
    return (cursor, kept)
  }

  private func expectAll(_ told: Told, in folder: String, _ context: String) throws {
    let (ledger, owned) = try OwnerDeliveryTests.ledger(in: folder)
    #expect(Set(told.ids).count == told.ids.count, "\(context): an event came twice")
    #expect(owned.isSubset(of: told.ids), "\(context): \(owned.subtracting(told.ids)) never came")
    told.state.expectEqual(ledger, context)
  }

  @Test(arguments: Cases.seeds(60, part: 12))
  func `whatever the order in which segments arrive, each event of the owner comes once`(seed: UInt64) throws
  {
    var random = SeededRandom(seed: seed)
    let names = [["ana"], ["ana"], ["ana", "bob"], []][random.below(4)]
    var devices = try Devices(&random, seed: seed, names: names)
    let folder = devices.ledger.events
    var cursor = Cursor()
    var told = Told()
    var followed = Told()
    var follower: (deliveries: Deliveries, timeline: Timeline)?
    while !devices.isDone {
      try devices.arrive(&random)
      guard !devices.isEmpty else { continue }
      let context = "seed \(seed), after \(told.ids.count) events"
      for most in [random.below(6), random.chance(60) || devices.isDone ? Int.max : 0] where most > 0 {
        var deliveries = try Deliveries(folder: folder, after: cursor)
        var timeline = Timeline()
        _ = timeline.turn(to: &deliveries.fold.settled)
        var new = told
        let (next, kept) = try read(&deliveries, &timeline, most, &new)
        (cursor, told) = (next ?? cursor, kept)
        if most == .max { try expectAll(told, in: folder, context) }
      }
      if follower == nil { follower = (try Deliveries(folder: folder, after: Cursor()), Timeline()) }
      guard var (deliveries, timeline) = follower else { continue }
      repeat { _ = try read(&deliveries, &timeline, .max, &followed) } while try deliveries.follow()
      follower = (deliveries, timeline)
      try expectAll(followed, in: folder, "\(context), following")
    }
  }

  @Test func `only the last of the events that a name makes the owner's has a cursor`() throws {
    let ledger = try TemporaryLedger()
    func line(_ id: String, _ second: Int, _ rest: String) -> String {
      #"{"id":"\#(id)","type":"\#(rest),"at":"2025-11-03T12:00:00Z","#
        + #""recorded":"2025-11-03T12:00:0\#(second).000000Z","day":"2025-11-03","zone":"UTC"}"# + "\n"
    }
    let entry = #"entry.logged","habit":"noalc","level":"steady""#
    let own = entry + #","subject":"ana""#
    try ledger.write(
      Array((line("a", 2, own) + line("c", 3, own) + line("b", 4, entry)).utf8), to: "phone.jsonl")
    func told(after cursor: Cursor) throws -> (ids: [String], cursors: [Cursor?]) {
      var deliveries = try Deliveries(folder: ledger.events, after: cursor)
      var told: (ids: [String], cursors: [Cursor?]) = ([], [])
      var item = StreamItem()
      while try deliveries.next(&item) {
        told.ids.append(item.id.text(deliveries.fold.names))
        told.cursors.append(deliveries.cursor())
      }
      return told
    }
    let before = try told(after: Cursor())
    #expect(before.ids == ["b"])
    let cursor = try #require(before.cursors[0])
    for second in [1, 5] {
      let opened = #"ledger.opened","owner":"ana""#
      try ledger.write(Array(line("o", second, opened).utf8), to: "main.jsonl")
      let after = try told(after: cursor)
      #expect(after.ids == (second == 1 ? ["o", "a", "c"] : ["a", "c", "o"]))
      #expect(after.cursors.map { $0 != nil } == [false, false, true])
      #expect(try told(after: #require(after.cursors.last ?? nil)).ids.isEmpty)
    }
  }
}
