import CommandFixtures
import DomainFixtures
import EventLog
import Foundation
import StreakCommands
import StreakDomain
import Testing

/// Tests of the encoder, the decoder and the schema with examples of every kind of event, rule,
/// schedule and forgiveness.
///
/// The examples are made by exhaustive switches, so a new case doesn't compile without one.
struct EveryKindTests {
  private static func sum(_ measure: Measure) -> Rule {
    let (least, most) = (Thousandths(count: 1), Thousandths(Limits.amount))
    return switch measure {
    case .entries: Rule(.sum(Sum(of: .entries, atLeast: Thousandths(3))), lateBy: 2)
    case .minutes: Rule(.sum(Sum(of: .minutes, atMost: Thousandths(60))))
    case .km: Rule(.sum(Sum(of: .km, atLeast: least, atMost: most)))
    case .sets: Rule(.sum(Sum(of: .sets, atLeast: most)))
    case .drinks: Rule(.sum(Sum(of: .drinks, atMost: .zero)))
    case .amount: Rule(.sum(Sum(of: .amount, unit: "m²/ß-🍀", atLeast: least, atMost: least)))
    }
  }

  private static func examples(_ kind: Schedule.Kind) -> [Schedule] {
    switch kind {
    case .weekdays: [.weekdays(.all)] + Weekday.allCases.map { .weekdays(Weekdays([$0])) }
    case .times:
      Schedule.Period.allCases.flatMap { period in
        [period.times.lowerBound, period.times.upperBound].map { .times($0, per: period) }
      }
    case .every: [.every(days: Limits.every.lowerBound), .every(days: Limits.every.upperBound)]
    }
  }

  private static func example(_ name: Forgiveness.Name) -> Forgiveness {
    switch name {
    case .nothing: .nothing
    case .grace: .grace(days: 2)
    case .joker:
      .joker(
        JokerRule(
          every: 2, cap: 1, heals: ["missed"],
          penalty: [JokerRule.Penalty(outcome: "over", jokers: 1)]))
    }
  }

  private static func example(_ type: EventType) -> [Payload] {
    let day = History.start
    return switch type {
    case .ledgerOpened: [.ledgerOpened(dayStart: "04:00", weekStart: .sunday)]
    case .habitDefined: definitions.map { .habitDefined($0) }
    case .habitRetired: [.habitRetired(habit: "a")]
    case .entryLogged: [.entryLogged(entry)]
    case .entryDeleted: [.entryDeleted(entry: "e1", reason: "twice")]
    case .dayChanged:
      [
        .dayChanged(
          to: day, seal: String(repeating: "0", count: 64),
          seen: [SeenSegment(segment: "phone", lines: 3, last: "e3")])
      ]
    case .dayCorrected: [.dayCorrected(to: day, moved: ["e1", "e2"], reason: "a flat battery")]
    case .daysExcused: [.daysExcused(from: day, to: day + 3, habits: ["a"], reason: "flu")]
    case .excuseWithdrawn: [.excuseWithdrawn(excuse: "e1", reason: "well again")]
    case .segmentDropped:
      [.segmentDropped(SeenSegment(segment: "phone", lines: 3, last: "e3"), reason: "lost")]
    case .eventRedacted:
      [.eventRedacted(event: "e1", fields: TextField.allCases, reason: "a name")]
        + TextField.allCases.map { .eventRedacted(event: "e1", fields: [$0], reason: nil) }
    case .reminderSet: [.reminderSet(habit: "a", time: "21:30", enabled: true)]
    case .celebrationSeen: [.celebrationSeen(celebration: "perfect-day:2025-09-01")]
    }
  }

  private static var entry: Entry {
    var entry = Entry(habit: "a")
    entry.key = "2025-09-01"
    entry.asOf = Instant(microseconds: 1_700_000_000_000_000)
    (entry.minutes, entry.km) = (Millionths(1440), Millionths(count: 1))
    entry.amount = Millionths(Limits.amount)
    (entry.sets, entry.drinks, entry.completed) = (1000, 100, false)
    (entry.level, entry.activity, entry.value, entry.note) = ("easy", "run", "v", "n")
    return entry
  }

  private static var definitions: [Habit] {
    var random = SeededRandom(seed: 1)
    var rules = Measure.allCases.map { sum($0) }
    rules += Schedule.Period.allCases.flatMap { per in
      Measure.allCases.flatMap { measure in
        [(Thousandths(2), nil), (nil, .zero), (Thousandths(2), Thousandths(2))].map { least, most in
          let unit: Text? = measure == .amount ? "l" : nil
          return Rule(
            .sum(Sum(of: measure, unit: unit, atLeast: least, atMost: most, per: per)),
            lateBy: least == nil ? nil : 1)
        }
      }
    }
    for name in Rule.Name.allCases {
      for _ in 0..<4 {
        let rule = Rule(name.random(of: ["b", "c"], &random))
        rules.append(rule)
        if !rule.isLimit, !rule.isComposite {
          rules.append(Rule(rule.kind, lateBy: random.below(3)))
        }
      }
    }
    return rules.map { Habit("a", rule: $0) }
      + Schedule.Kind.allCases.flatMap { examples($0) }.map { schedule in
        var definition = Habit("a", rule: Rule(.any))
        definition.schedule = schedule
        return definition
      }
      + Forgiveness.Name.allCases.map { name in
        var definition = Habit("a", rule: sum(.entries))
        definition.forgiveness = example(name)
        return definition
      } + Preset.allCases.map(\.definition) + [full]
  }

  private static var full: Habit {
    var definition = Habit("a", rule: Rule(.any))
    definition.color = "green"
    definition.countsFrom = History.start
    definition.milestones = [3, 7]
    return definition
  }

  private func lines() -> [String] {
    var sequence = Sequence()
    return EventType.allCases.flatMap { EveryKindTests.example($0) }.map {
      let event = sequence.event($0, on: History.start)
      return String(decoding: EventEncoder.line(event).dropLast(), as: UTF8.self)
    }
  }

  @Test(arguments: EventType.allCases)
  func `an event of each type is equal after encoding and decoding`(type: EventType) throws {
    var sequence = Sequence()
    let examples = EveryKindTests.example(type)
    #expect(!examples.isEmpty)
    for payload in examples {
      #expect(payload.type == type)
      let event = sequence.event(payload, on: History.start)
      let line = EventEncoder.line(event)
      #expect(try EventDecoder.event(Array(line.dropLast())) == event)
    }
  }

  @Test(arguments: EventType.allCases)
  func `the event schema has the fields of each type and requires the same fields as the decoder`(
    type: EventType
  ) throws {
    let schema = try JSONSerialization.jsonObject(with: Data(EventSchema.json)) as? [String: Any]
    let entry = try #require(
      (schema?["oneOf"] as? [[String: Any]])?.first { $0["title"] as? String == type.rawValue },
      "the schema lacks \(type.rawValue)")
    #expect(
      !String(decoding: EventSchema.json, as: UTF8.self).contains("{}"), "a form has no schema")
    let required = entry["required"] as? [String] ?? []
    let envelope = try #require(schema?["properties"] as? [String: Any])
    var sequence = Sequence()
    var fields: Set<String> = ["type"]
    for payload in EveryKindTests.example(type) {
      let line = Data(EventEncoder.line(sequence.event(payload, on: History.start)))
      let event = try #require(JSONSerialization.jsonObject(with: line) as? [String: Any])
      for field in event.keys where envelope[field] == nil && fields.insert(field).inserted {
        let others = try JSONSerialization.data(withJSONObject: event.filter { $0.key != field })
        let isRefused = (try? EventDecoder.event(Array(others))) == nil
        #expect(isRefused == required.contains(field), "the schema: \(field) of \(type.rawValue)")
      }
    }
    let known = try #require(entry["properties"] as? [String: Any])
    #expect(fields == Set(known.keys), "the schema: the fields of \(type.rawValue)")
  }

  @Test(.enabled(if: SchemaValidator.isThere, "there is no python3 with jsonschema"))
  func `the event schema accepts an example of every kind and refuses every malformed line`() throws
  {
    #expect(
      try SchemaValidator.event.refused(lines()) == [:],
      "event.schema.json refuses what the reader takes: add the new kind to it")
    let wrong = try SchemaValidator.event.refused(EveryKindTests.wrong)
    let taken = EveryKindTests.wrong.enumerated().filter { wrong[$0.offset + 1] == nil }.map(
      \.element)
    #expect(taken == [], "event.schema.json takes what the reader refuses")
  }

  @Test(arguments: Rule.Name.allCases)
  func `each kind of rule is in the schema, has its own description and declares its outcomes`(
    name: Rule.Name
  ) throws {
    let schema = try JSONSerialization.jsonObject(with: Data(EventSchema.json)) as? [String: Any]
    let rules = (schema?["$defs"] as? [String: Any])?["rule"] as? [String: Any]
    let kinds = try (rules?["oneOf"] as? [[String: Any]] ?? []).flatMap { rule in
      let kind = try #require((rule["properties"] as? [String: [String: Any]])?["kind"])
      return kind["enum"] as? [String] ?? [kind["const"] as? String].compactMap(\.self)
    }
    #expect(kinds.contains(name.rawValue), "event.schema.json lacks the kind \(name.rawValue)")
    var random = SeededRandom(seed: 3)
    let rule = Rule(name.random(of: ["b", "c"], &random))
    let others = Rule.Name.allCases.filter { $0 != name }.map {
      Rule($0.random(of: ["b", "c"], &random)).words
    }
    #expect(!others.contains(rule.words), "the rule is worded as another kind")
    guard !rule.isComposite else { return }
    #expect(rule.isLimit == (rule.plainOutcome(of: []) == "good"))
    for _ in 0..<200 {
      let entries = (0...random.below(3)).map { _ in EveryKindTests.entry(&random) }
      let outcome = rule.plainOutcome(of: entries)
      #expect(rule.outcomes.contains(outcome), "\(outcome) of \(entries)")
    }
  }

  private static func entry(_ random: inout SeededRandom) -> Entry {
    var entry = Entry(habit: "a")
    entry.minutes = Millionths(random.below(40))
    entry.amount = Millionths(random.below(40))
    (entry.km, entry.sets) = (Millionths(random.below(9)), random.below(9))
    (entry.drinks, entry.completed) = (random.below(9), random.chance(50))
    entry.activity = random.chance(50) ? "run" : nil
    return entry
  }

  @Test(arguments: Rule.Name.allCases)
  func
    `an entry without the rule's measure is refused, and log infers the measure of a bare number`(
      name: Rule.Name
    ) throws
  {
    var random = SeededRandom(seed: 2)
    var rule = Rule(name.random(of: ["b"], &random))
    if name == .sum { rule = Rule(.sum(Sum(of: .amount, atLeast: Thousandths(1)))) }
    var sequence = Sequence()
    var folded = Ledger()
    for payload in [
      Payload.ledgerOpened(dayStart: nil),
      .habitDefined(Habit("b", rule: Rule(.any))),
      .habitDefined(Habit("a", rule: rule)),
    ] { folded.fold(sequence.event(payload, on: History.start)) }
    let empty = Entry(habit: "a")
    let refusal = Admission(to: folded).refusal(
      of: sequence.event(.entryLogged(empty), on: History.start))
    let demands = name.demands
    #expect((refusal != nil) == (demands.needsMeasure || rule.isComposite))
    #expect((rule.missing(in: empty) != nil) == demands.needsMeasure)
    let ledger = try TemporaryLedger(running: "init\ndefine b --any")
    #expect(ledger.run(["define", "a", "--rule", EventEncoder.rule(rule).json]).status == .done)
    let logged = ledger.run("log a 25").status == .done
    #expect(logged == (demands.bare != nil))
    if let bare = demands.bare {
      #expect(String(decoding: ledger.bytes(), as: UTF8.self).contains(bare))
    }
  }

  @Test(arguments: Rule.Name.allCases)
  func `docs domain has a row for each kind of rule`(name: Rule.Name) throws {
    let page = try Repository.text("docs/domain.md")
    let table = try #require(page.range(of: "| rule | the day is good if")).upperBound
    let rows = page[table...].components(separatedBy: "\n\n")[0].split(separator: "\n").filter {
      $0.hasPrefix("| `")
    }
    let isThere = rows.contains { row in
      row.dropFirst().prefix { $0 != "|" }.contains("`\(name.rawValue)`")
    }
    #expect(isThere, "docs/domain.md has no row for `\(name.rawValue)`")
  }

  @Test func `the decoder refuses every line with a malformed or out-of-range value`() {
    for line in EveryKindTests.wrong {
      #expect(throws: (any Error).self, "\(line)") { try EventDecoder.event(Array(line.utf8)) }
    }
  }
}
