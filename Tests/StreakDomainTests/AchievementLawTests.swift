import DomainFixtures
import StreakDomain
import Testing

struct AchievementLawTests {
  /// Events of four habits over most of a year, also late and deleted ones, some of them of a
  /// limit.
  private struct Events {
    private var random: SeededRandom
    private var sequence = Sequence()
    private var entries: [String] = []
    private static let habits: [Preset] = [.strength, .cardio, .awareness, .game]

    init(seed: UInt64) {
      random = SeededRandom(seed: seed)
    }

    mutating func first() -> [Event] {
      [sequence.event(.ledgerOpened(), on: History.start)]
        + Events.habits.map { sequence.event(.habitDefined($0.definition), on: History.start) }
    }

    mutating func next(upTo day: Int) -> Event {
      let day = History.start + (random.chance(60) ? day : random.below(day + 1))
      if random.chance(15), !entries.isEmpty {
        return sequence.event(
          .entryDeleted(entry: entries[random.below(entries.count)], reason: nil), on: day)
      }
      if random.chance(2) {
        var definition = Preset.game.definition
        if random.chance(50) { definition.rule = Rule(.never) }
        definition.forgiveness = Forgiveness.nothing
        definition.countsFrom = random.chance(50) ? History.start + random.below(40) : nil
        return sequence.event(.habitDefined(definition), on: day)
      }
      let event = sequence.event(.entryLogged(entry()), on: day)
      entries.append(event.id)
      return event
    }

    private mutating func entry() -> Entry {
      switch random.below(5) {
      case 0: .activity("strength", "strength", sets: 1 + random.below(4))
      case 1: .activity("cardio", "running", minutes: Double([5, 20, 130][random.below(3)]))
      case 2: .activity("cardio", "yoga", minutes: Double(5 + random.below(20)))
      case 3: Entry(habit: "awareness")
      default: Entry(habit: "game")
      }
    }
  }

  @Test(arguments: Cases.seeds(24))
  func `computing achievements after every event, rarely or at the end gives the same result`(
    seed: UInt64
  )
    throws
  {
    var source = Events(seed: seed)
    var events = source.first()
    var (stepwise, seldom) = (Ledger(), Ledger())
    for event in events {
      stepwise.fold(event)
      seldom.fold(event)
    }
    let step = [1, 3, 0, 7][Int(seed % 4)]
    for index in 0..<160 {
      let event = source.next(upTo: index * step)
      events.append(event)
      stepwise.fold(event)
      stepwise.updateActivity()
      seldom.fold(event)
      if index % 5 == 0 { seldom.updateActivity() }
      guard index % 7 == 0 else { continue }
      let whole = Ledger(folding: events)
      let context: Comment = "seed \(seed), event \(index)"
      try #require(stepwise.achievements() == whole.achievements(), context)
      try #require(stepwise.activitySnapshot == whole.activitySnapshot, context)
      try #require(seldom.activitySnapshot == whole.activitySnapshot, context)
      try #require(stepwise.achievementKeys == Set(whole.achievements().map(\.key)), context)
    }
  }

  @Test(arguments: Cases.seeds(60))
  func `achievements have the days that a second implementation finds`(seed: UInt64) throws {
    var random = SeededRandom(seed: seed)
    let length = 40 + random.below(160)
    let density = 5 + random.below(60)
    func row(_ marks: String) -> String {
      String(
        (1...length).map { _ in
          random.chance(density) ? marks.randomElement(using: &random) ?? "." : "."
        })
    }
    let (strength, cardio, other) = (row("s"), row("ryu"), row("x"))
    let ledger = Histories("strength \(strength)\ncardio \(cardio)\nawareness \(other)").ledger
    let plain = PlainGrounds([strength, cardio, other].map(Array.init))
    let found = ledger.achievements().filter {
      !$0.key.hasPrefix("milestone:") && !$0.key.hasPrefix("streak-")
    }
    let context: Comment =
      "seed \(seed):\nstrength \(strength)\ncardio \(cardio)\nawareness \(other)"
    try #require(
      Dictionary(uniqueKeysWithValues: found.map { ($0.key, $0.on) }) == plain.days, context)
  }

  /// The achievements of days, by checking every span of days from the start.
  private struct PlainGrounds {
    private(set) var days: [String: Day] = [:]

    init(_ rows: [[Character]]) {
      let count = rows[0].count
      let dates = (0..<count).map { History.start + $0 }
      func has(_ row: Int, _ place: Int, _ marks: String) -> Bool {
        marks.contains(rows[row][place])
      }
      for place in 0..<count {
        let before = 0...place
        func note(_ key: String, _ holds: Bool, on day: Day? = nil) {
          if holds, days[key] == nil { days[key] = day ?? dates[place] }
        }
        let week = before.filter {
          Week(of: dates[$0], from: .monday) == Week(of: dates[place], from: .monday)
        }
        note(
          "tri-threat",
          week.contains { has(0, $0, "s") } && week.contains { has(1, $0, "y") }
            && week.contains { has(1, $0, "ru") })
        note("cardio-king", before.suffix(30).count { has(1, $0, "ryu") } >= 10)
        note("ultra-endurance", before.contains { has(1, $0, "u") })
        for end in before where end < place && dates[end] == dates[end].endOfMonth {
          let month = before.filter { dates[$0].startOfMonth == dates[end].startOfMonth }
          let strong = month.count { has(0, $0, "s") }
          note(
            "balanced-warrior", strong > 0 && strong == month.count { has(1, $0, "ryu") },
            on: dates[end])
        }
        func busy(_ place: Int) -> Bool { rows.contains { $0[place] != "." } }
        func tiers(_ name: String, _ least: [Int], _ number: Int) {
          for (tier, least) in zip(["bronze", "silver", "gold", "diamond", "legendary"], least) {
            note("\(name):\(tier)", number >= least)
          }
        }
        tiers(
          "collector", [10, 25, 50, 100, 250],
          before.reduce(0) { sum, place in sum + rows.count { $0[place] != "." } })
        tiers("marathon", [7, 30, 60, 120, 365], before.count { busy($0) })
        tiers("devotee", [3, 7, 14, 30, 60], before.reversed().prefix { busy($0) }.count)
        tiers(
          "variety", [3, 5, 8, 12, 16], rows.count { row in before.contains { row[$0] != "." } })
      }
    }
  }
}
