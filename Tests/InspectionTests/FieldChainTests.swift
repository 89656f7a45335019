import DomainFixtures
import Inspection
import StreakDomain
import Testing

struct FieldChainTests {
  /// All fields except `longest`, which can depend on days that were changed later.
  private static let fields = HabitField.allCases.filter { $0 != .longest }

  private func folded(_ events: [Event], on today: Day?) -> Ledger {
    var ledger = Ledger(folding: events)
    if let today { ledger.advance(to: today) }
    return ledger
  }

  private func expectEnough(_ events: [Event], _ fields: [StateField], _ context: String) {
    let ledger = folded(events, on: nil)
    for field in fields {
      guard let chain = FieldChain(of: field, in: ledger) else {
        Issue.record("\(context), \(field)")
        continue
      }
      let alone = folded(chain.links.map { events[$0.position - 1] }, on: ledger.today)
      #expect(chain.value == field.value(in: ledger), "\(context), \(field)")
      #expect(field.value(in: alone) == chain.value, "\(context), \(field)")
    }
  }

  @Test func `for short histories, the events in a field's chain alone give the field's value`() {
    var definition = Preset.noalc.definition(for: "noalc")
    definition.forgiveness = .joker(JokerRule(every: 2, cap: 1, heals: ["missed"]))
    for history in ShortHistory.all(of: definition, upTo: 4) {
      expectEnough(
        history.events, FieldChainTests.fields.map { .habit("noalc", $0) }, history.marks)
    }
  }

  @Test(arguments: Cases.seeds(12))
  func `for random streams, the events in a field's chain alone give the field's value`(
    seed: UInt64
  ) {
    var stream = RandomStream(seed: seed)
    let events = stream.events(100)
    let habits = ["a", "b", "c", "d", "both", "more"]
    let own: [StateField] = [
      .ledger(.xp), .ledger(.strengthDays), .ledger(.mixedDays), .ledger(.lastActivity),
    ]
    expectEnough(
      events, own + habits.flatMap { habit in FieldChainTests.fields.map { .habit(habit, $0) } },
      "seed \(seed)")
  }

  @Test func `the chain of a run contains only the events that the run depends on`() throws {
    var sequence = Sequence()
    var events = [
      sequence.event(.habitDefined(Preset.noalc.definition(for: "noalc")), on: History.start),
      sequence.event(.habitDefined(Preset.awareness.definition(for: "other")), on: History.start),
    ]
    for (offset, mark) in "SSSSSE.E.SSS".enumerated() {
      for entry in History.entries("noalc", mark) + [Entry(habit: "other")] {
        events.append(sequence.event(.entryLogged(entry), on: History.start + offset))
      }
    }
    let chain = try #require(FieldChain(of: .habit("noalc", .current), in: folded(events, on: nil)))
    let days = chain.links.map { events[$0.position - 1].day - History.start }
    #expect(chain.value == .number(Thousandths(3)))
    #expect(days == [0, 5, 9, 10, 11])
    #expect(chain.links.map(\.role) == [.definition, .break, .day, .day, .day])
  }
}
