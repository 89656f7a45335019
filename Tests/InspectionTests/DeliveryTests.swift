import CommandFixtures
import DomainFixtures
import EventLog
import Inspection
import StreakDomain
import Testing

struct DeliveryTests {
  /// A consumer that stores only its cursor, as text, and the delivered changes.
  private struct Consumer {
    let folder: String
    var cursor = "start"
    var told = Rebuilt()
    var ids: [String] = []

    mutating func read(_ context: String, atMost most: Int = .max) throws {
      var deliveries = try Deliveries(folder: folder, after: #require(Cursor(cursor)))
      var timeline = Timeline()
      timeline.start(with: &deliveries.ledger)
      try take(
        most, from: &deliveries, &timeline, context, positions: DeliveryTests.positions(in: folder))
    }

    mutating func take(
      _ most: Int, from deliveries: inout Deliveries, _ timeline: inout Timeline, _ context: String,
      positions: [String: Int]? = nil
    ) throws {
      var furthest = ids.compactMap { positions?[$0] }.max() ?? 0
      var rest = most
      var last = 0
      while rest > 0, try deliveries.nextStep() {
        rest -= 1
        told.apply(timeline.note(&deliveries.ledger, replacing: deliveries.replacedLedger))
        cursor = deliveries.cursor.description
        let furthestBefore = furthest
        #expect(!deliveries.lines.isEmpty)

        for line in deliveries.lines {
          let id = line.item.id.text(deliveries.ledger.names)
          #expect(!ids.contains(id), "\(context), \(id)")
          ids.append(id)
          guard let positions else { continue }
          #expect(line.position == positions[id], "\(context), \(id)")
          #expect(line.position > last, "\(context), \(id): new events come in stream order")
          last = line.position
          #expect(deliveries.isLate == (line.position < furthestBefore), "\(context), \(id)")
          furthest = max(furthest, line.position)
        }
      }
    }

    func expectAll(_ context: String) throws {
      let ledger = try DeliveryTests.ledger(in: folder)
      #expect(Set(ids) == Set((1...ledger.position).map { ledger.id(at: $0) }), "\(context)")
      told.expectEqual(ledger, context)
    }
  }

  private static func ledger(in folder: String) throws -> Ledger {
    var stream = try EventStream(folder: folder, options: options)
    var events: [Event] = []
    var names = SymbolTable()
    var item = StreamItem()

    while try stream.next(&item, names: &names) { events.append(try #require(item.event)) }

    return Ledger(folding: events)
  }

  private static var options: ReadingOptions {
    var options = ReadingOptions()
    options.wantsEvents = true
    return options
  }

  private static func positions(in folder: String) throws -> [String: Int] {
    let ledger = try ledger(in: folder)
    return Dictionary(
      uniqueKeysWithValues: stride(from: 1, through: ledger.position, by: 1).map {
        (ledger.id(at: $0), $0)
      })
  }

  @Test(arguments: Cases.seeds(6))
  func `a consumer that reads in parts gets each event once, and the changes add up to the state`(
    seed: UInt64
  )
    throws
  {
    let arrivals = try Arrivals(seed: seed)
    var random = SeededRandom(seed: seed + 1000)
    var consumer = Consumer(folder: arrivals.folder)
    while !arrivals.isDone {
      let context = "seed \(seed), after \(consumer.ids.count) events"
      try arrivals.arrive(1 + random.below(15))
      for _ in 0..<random.below(3) { try consumer.read(context, atMost: random.below(4)) }
      guard random.chance(70) || arrivals.isDone else { continue }
      try consumer.read(context)
      try consumer.expectAll(context)
    }
  }

  @Test(arguments: Cases.seeds(6))
  func `following a ledger delivers the same events as reading on from a cursor`(seed: UInt64)
    throws
  {
    let arrivals = try Arrivals(seed: seed)
    var random = SeededRandom(seed: seed + 2000)
    try arrivals.arrive(4)
    var follower = Consumer(folder: arrivals.folder)
    var deliveries = try Deliveries(folder: arrivals.folder, after: Cursor())
    var timeline = Timeline()
    while !arrivals.isDone {
      let context = "seed \(seed), after \(follower.ids.count) events"
      try follower.take(
        random.chance(50) ? .max : random.below(4), from: &deliveries, &timeline, context)
      try arrivals.arrive(1 + random.below(15))
      _ = try deliveries.follow()
      guard random.chance(60) || arrivals.isDone else { continue }
      repeat {
        try follower.take(.max, from: &deliveries, &timeline, context)
      } while try deliveries.follow()
      try follower.expectAll(context)
      var other = follower
      try other.read(context)
      #expect(other.ids == follower.ids)
    }
    #expect(try !deliveries.follow())
  }

  @Test func `lines of two segments are delivered completely in any order of arrival`() throws {
    var sequence = Sequence()
    var events = [sequence.event(.ledgerOpened(), on: History.start)]
    events.append(
      sequence.event(.habitDefined(Preset.noalc.definition(for: "noalc")), on: History.start))
    for (offset, mark) in "SSSES".enumerated() {
      for entry in History.entries("noalc", mark) {
        events.append(sequence.event(.entryLogged(entry), on: History.start + offset))
      }
      events.append(
        sequence.event(
          .dayChanged(to: History.start + offset + 1, seal: nil), on: History.start + offset + 1)
      )
    }
    let lines = events.map { EventEncoder.line($0) }
    let main = lines.indices.filter { $0 < 2 || $0 % 3 > 0 }.map { lines[$0] }
    let phone = lines.indices.filter { $0 >= 2 && $0 % 3 == 0 }.map { lines[$0] }
    let ledger = try TemporaryLedger()
    for first in 1...main.count {
      for second in 0...phone.count {
        for third in [first, (first + main.count) / 2] {
          var consumer = Consumer(folder: ledger.events)
          for (mains, phones) in [
            (first, 0), (first, second), (third, second), (main.count, phone.count),
          ] {
            try ledger.write(Array(main[..<mains].joined()), to: "main.jsonl")
            try ledger.write(Array(phone[..<phones].joined()), to: "phone.jsonl")
            let context = "\(first), \(second), \(third): \(mains) of main, \(phones) of phone"
            try consumer.read(context)
            try consumer.expectAll(context)
          }
        }
      }
    }
  }
}
