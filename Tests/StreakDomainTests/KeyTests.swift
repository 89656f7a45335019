import DomainFixtures
import StreakDomain
import Testing

/// The sentences of domain.md, "Keys", each with a history.
struct KeyTests {
  @Test func `the latest of the entries with the same key counts`() {
    var stream = KeyedStream()
    stream.log("x", 5, key: "k")
    stream.log("y", 7, key: "k")
    stream.log("z", 1)
    #expect(stream.standing() == ["y", "z"])
    #expect(stream.total() == 8)
    #expect(stream.ledger().facts.fate(of: "x") == .replaced(by: "y"))
  }

  @Test func `an entry with an earlier asOf does not replace the holder of its key`() {
    var stream = KeyedStream()
    stream.log("x", 5, key: "k")
    stream.log("y", 7, key: "k", asOf: -1)
    #expect(stream.standing() == ["x"])
  }

  @Test
  func `an entry whose asOf is in the future is not replaced by entries with an earlier asOf`() {
    var stream = KeyedStream()
    stream.log("x", 5, key: "k", asOf: 100)
    stream.log("y", 7, key: "k")
    stream.log("z", 9, key: "k", asOf: 99)
    #expect(stream.standing() == ["x"])
  }

  @Test func `of entries with the same key and asOf, the last in the stream counts`() {
    var stream = KeyedStream()
    stream.log("x", 5, key: "k", asOf: 100)
    stream.log("y", 7, key: "k", asOf: 100)
    #expect(stream.standing() == ["y"])
  }

  @Test func `asOf has no effect on entries without a key`() {
    var stream = KeyedStream()
    stream.log("x", 5, asOf: 100)
    stream.log("y", 7, asOf: 1)
    #expect(stream.standing() == ["x", "y"])
  }

  @Test func `deleting the holder of a key does not restore the entries that it replaced`() {
    var stream = KeyedStream()
    stream.log("x", 5, key: "k")
    stream.log("y", 7, key: "k")
    stream.delete("y")
    #expect(stream.standing() == [])
    #expect(stream.ledger().facts.fate(of: "x") == .replaced(by: "y"))

    stream.log("old", 2, key: "k", asOf: -1)
    #expect(stream.standing() == [])
    stream.log("z", 3, key: "k")
    #expect(stream.standing() == ["z"])
  }

  @Test func `deleting a replaced entry changes nothing`() {
    var stream = KeyedStream()
    stream.log("x", 5, key: "k")
    stream.log("y", 7, key: "k")
    stream.delete("x")
    #expect(stream.standing() == ["y"])
  }

  @Test func `an entry whose deletion arrived first still replaces other entries of its key`() {
    var stream = KeyedStream()
    stream.log("x", 5, key: "k")
    stream.delete("y")
    stream.log("y", 7, key: "k")
    #expect(stream.standing() == [])
  }

  @Test func `an entry that is too late for its rule still replaces an entry that was in time`() {
    var stream = KeyedStream(Rule(.any, lateBy: 0))
    stream.log("x", 5, key: "k")
    stream.log("next day", 5, key: "other", on: 1)
    #expect(stream.verdicts() == "gg")
    stream.log("y", 7, key: "k", late: 2)
    #expect(stream.verdicts() == "mg")
  }

  @Test func `an entry before countsFrom still replaces an entry of a day that counts`() {
    var stream = KeyedStream(countsFrom: KeyTests.monday + 1)
    stream.log("x", 5, key: "k", on: 1)
    #expect(stream.total() == 5)
    stream.log("y", 7, key: "k", on: 0)
    #expect(stream.total() == 0)
  }

  @Test func `an entry that its rule ignores still replaces the entry that counted`() {
    var stream = KeyedStream()
    stream.log("x", 5, key: "k")
    #expect(stream.verdicts() == "g")
    var minutes = Entry(habit: "a")
    minutes.minutes = 20
    minutes.key = "k"
    stream.add(.entryLogged(minutes), id: "y")
    #expect(stream.verdicts() == "?")
    #expect(stream.standing() == ["y"])
  }

  @Test
  func `seen from an earlier today, an entry of a later day still replaces the earlier entry`() {
    var stream = KeyedStream()
    stream.log("x", 5, key: "k")
    stream.log("no key", 1, on: 0)
    stream.log("y", 7, key: "k", on: 3)
    #expect(stream.total() == 8)
    #expect(stream.total(on: 1) == 1)
    stream.log("z", 9, key: "k", asOf: 200)
    #expect(stream.total(on: 1) == 10)
  }

  @Test
  func `seen from an earlier today, an entry of a later day can still be replaced by its id`() {
    var stream = KeyedStream()
    stream.log("k", 5, on: 3)
    stream.log("x", 7, key: "k")
    #expect(stream.total(on: 1) == 7)
    #expect(stream.total() == 7)
  }

  @Test func `an entry without a key is replaced by an entry that has its id as key`() {
    var stream = KeyedStream()
    stream.log("k", 5)
    stream.log("x", 7, key: "k", asOf: -1)
    #expect(stream.standing() == ["x"])
  }

  @Test func `a new entry whose id is already used as a key is replaced immediately`() {
    var stream = KeyedStream()
    stream.log("x", 7, key: "k", asOf: -1)
    stream.delete("x")
    stream.log("k", 5)
    #expect(stream.standing() == [])
    #expect(stream.ledger().facts.fate(of: "k") == .replaced(by: "x"))
  }

  @Test func `an entry with a key is not replaced by an entry that has its id as key`() {
    var stream = KeyedStream()
    stream.log("k", 5, key: "own")
    stream.log("x", 7, key: "k")
    #expect(stream.standing() == ["k", "x"])
  }

  @Test func `entries of different habits never replace each other`() {
    var stream = KeyedStream()
    stream.log("x", 5, key: "k")
    stream.log("y", 7, key: "k", of: "b")
    stream.log("other", 1, of: "b")
    stream.log("z", 2, key: "other")
    #expect(stream.standing() == ["x", "z"])
    #expect(stream.standing(of: "b") == ["y", "other"])
  }

  @Test func `a replaced entry still moves today`() {
    var stream = KeyedStream()
    stream.log("x", 5, key: "k", on: 4)
    stream.log("y", 7, key: "k", on: 0)
    #expect(stream.ledger().today == KeyTests.monday + 4)
    #expect(stream.verdicts() == "gmmm?")
  }

  @Test(arguments: [true, false])
  func `a replacement takes the position of the first entry of its key among simultaneous entries`(
    replacesByID: Bool
  ) {
    var stream = KeyedStream(Preset.noalc.definition.rule)
    stream.log("x", level: "wild", key: replacesByID ? nil : "k")
    stream.log("y", level: "steady")
    stream.log("z", level: "easy", key: replacesByID ? "x" : "k")
    #expect(stream.verdicts() == "g", "the last entry is y")

    stream.delete("y")
    #expect(stream.verdicts() == "b")
  }

  @Test
  func `a milestone names the holder of a key as its cause, and is lost if the holder is deleted`()
  {
    var stream = KeyedStream()
    for day in 0..<3 { stream.log("x\(day)", 5, key: "k\(day)", on: day) }
    stream.log("y", 6, key: "k2", on: 2)
    #expect(stream.milestone?.because == ["y"])
    stream.delete("y")
    #expect(stream.milestone == nil)
  }

  static let monday = History.start
}

/// A stream of entries of the habits `a` and `b`, for which any sum of amounts is good.
private struct KeyedStream {
  private var sequence = Sequence()
  private var events: [Event] = []

  init(
    _ rule: Rule = .sum(of: .amount, unit: "steps", atLeast: 1), countsFrom: Day? = nil
  ) {
    add(.ledgerOpened())
    for habit in ["a", "b"] {
      var definition = Habit(habit, rule: rule)
      definition.countsFrom = countsFrom
      add(.habitDefined(definition))
    }
  }

  mutating func add(_ payload: Payload, on day: Int = 0, id: String? = nil, late: Int = 0) {
    let day = KeyTests.monday + day
    events.append(sequence.event(payload, on: day, minute: 600, id: id, late: late))
  }

  /// Logs an amount; `asOf` is the number of microseconds after the first event.
  mutating func log(
    _ id: String, _ amount: Int, key: String? = nil, asOf: Int64? = nil, of habit: String = "a",
    on day: Int = 0, late: Int = 0
  ) {
    var entry = Entry(habit: habit)
    entry.amount = Millionths(amount)
    entry.key = key
    entry.asOf = asOf.map { events[0].recorded + $0 }
    add(.entryLogged(entry), on: day, id: id, late: late)
  }

  mutating func log(_ id: String, level: Text, key: String? = nil) {
    var entry = Entry(habit: "a")
    entry.level = level
    entry.key = key
    add(.entryLogged(entry), id: id)
  }

  mutating func delete(_ id: String) { add(.entryDeleted(entry: id, reason: nil)) }

  /// Returns the ledger, whose states must be those of the plain fold.
  func ledger(on day: Int? = nil) -> Ledger {
    let cutoff = day.map { KeyTests.monday + $0 }
    var ledger = Ledger(folding: events, cutoff: cutoff)
    if let cutoff { ledger.advance(to: cutoff) }
    var plain = PlainLedger(events, on: cutoff)
    #expect(plain.differences(from: ledger) == [])
    return ledger
  }

  func standing(of habit: String = "a") -> [String] {
    ledger().facts.standingEntries(of: habit).map(\.id)
  }

  func total(on day: Int? = nil) -> Thousandths? {
    ledger(on: day).state(of: "a")?.totals.amount
  }

  func verdicts() -> String {
    ledger().verdicts(of: "a", in: Day.first...Day.last).letters
  }

  var milestone: Achievement? {
    ledger().achievements().first { $0.key == "milestone:a:3" }
  }
}

struct KeyLawTests {
  @Test(arguments: Cases.seeds(300))
  func `seen from another today, a ledger of entries with keys matches a second implementation`(
    seed: UInt64
  ) {
    let events = StreamKind.keyed.events(seed)
    let today = PlainLedger(events).today

    for move in [-60, -9, -3, -1, 1, 40] {
      let day = today + move
      var ledger = Ledger(folding: events, cutoff: day)
      ledger.advance(to: day)
      var plain = PlainLedger(events, on: day)
      #expect(plain.differences(from: ledger) == [], "seed \(seed), on \(day)")
    }
  }
}
