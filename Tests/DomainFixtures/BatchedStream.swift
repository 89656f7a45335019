import StreakDomain

/// Turns a random stream into one with batches, the steps of the stream.
///
/// Some neighbouring events become a batch, and batches such as commands write them are inserted: a
/// new habit with its entries, a correction, an import in descending order, the undo of a batch,
/// and so on. The habits, rules and entries of the inserted events come from the stream itself.
struct BatchedStream {
  private var random: SeededRandom
  private var lines: [Event] = []
  /// The entries and definitions that inserted events take over.
  private let entries: [Entry]
  private let definitions: [Habit]
  private let hasSlips: Bool
  private var insertedCount = 0

  /// Returns `source` with batches and copies; one stream in eight ends inside a batch.
  ///
  /// If `hasSlips` is true, inserted batches also contain undos and corrected days.
  static func events(_ source: [Event], seed: UInt64, hasSlips: Bool) -> [Event] {
    var stream = BatchedStream(source, seed: seed, hasSlips: hasSlips)
    stream.add(source)
    return stream.lines
  }

  private init(_ source: [Event], seed: UInt64, hasSlips: Bool) {
    random = SeededRandom(seed: seed &* 104_729)
    self.hasSlips = hasSlips
    definitions = source.compactMap(\.defined)
    entries = source.compactMap { event in
      if case .entryLogged(let entry) = event.payload { entry } else { nil }
    }
  }

  private mutating func add(_ source: [Event]) {
    let endsInsideBatch = random.chance(12)
    var remaining = 0

    for event in source {
      var line = event
      if remaining > 0 {
        remaining -= 1
      } else if random.chance(12) {
        remaining = 1 + random.below(5)
      }
      line.more = event.more || remaining > 0
      lines.append(line)

      guard !line.more else { continue }
      if random.chance(4) { addCopy() }
      if random.chance(10) {
        lines += batch().asBatch
        if random.chance(20) { addCopy() }
      }
    }

    lines[lines.count - 1].more = endsInsideBatch
  }

  /// Appends a copy of an earlier line, often as the last line of the last batch.
  private mutating func addCopy() {
    var copy = lines[random.below(lines.count)]
    copy.more = random.chance(20)
    lines[lines.count - 1].more = random.chance(70)
    lines.append(copy)
  }
}

// MARK: Inserted batches

extension BatchedStream {
  private mutating func batch() -> [Event] {
    switch random.below(hasSlips ? 13 : 9) {
    case 0: newHabit()
    case 1: correction()
    case 2: deletedEntry()
    case 3: nextMorning()
    case 4: retirement()
    case 5: excuse()
    case 6: descendingEntries()
    case 7, 8: circle()
    case 9: correctedDay()
    default: undoneStep()
    }
  }

  /// A habit that is defined in the past, perhaps a composite of it, and its entries.
  private mutating func newHabit() -> [Event] {
    let leaves = definitions.filter { !$0.rule.isComposite }
    guard var leaf = leaves.randomElement(using: &random) else { return [] }
    leaf.id = "new\(insertedCount)"
    let firstDay = today + -random.below(40)
    var batch = [event(.habitDefined(leaf), firstDay)]

    if random.chance(40), let other = definitions.randomElement(using: &random) {
      let rule = Rule(random.chance(50) ? .all(of: [leaf.id, other.id]) : .either(of: [leaf.id]))
      let parent = Habit("parent\(insertedCount)", rule: rule)
      batch.insert(event(.habitDefined(parent), firstDay), at: random.below(2))
    }

    let days = (0...random.below(4)).map { _ in firstDay + random.below(40) }
    let isDescending = random.chance(40)
    for day in isDescending ? days.sorted(by: >) : days {
      batch += [entry(of: leaf.id, on: min(day, today))].compactMap(\.self)
    }
    return batch
  }

  /// The deletion of an entry, and another entry of the same habit and day.
  private mutating func correction() -> [Event] {
    guard let old = loggedEvents.suffix(12).randomElement(using: &random),
      case .entryLogged(let entry) = old.payload,
      let new = self.entry(of: entry.habit, on: old.day)
    else { return [] }
    let deletion = event(.entryDeleted(entry: old.id, reason: nil), old.day)
    return random.chance(80) ? [deletion, new] : [new, deletion]
  }

  /// An entry and its deletion.
  private mutating func deletedEntry() -> [Event] {
    guard let entry = entry(of: randomHabit(), on: pastDay()) else { return [] }
    let other = self.entry(of: randomHabit(), on: pastDay())
    let deletion = event(.entryDeleted(entry: entry.id, reason: nil), entry.day)
    return [entry] + (random.chance(40) ? [other].compactMap(\.self) : []) + [deletion]
  }

  /// A new day, and an entry for the day before.
  private mutating func nextMorning() -> [Event] {
    let newDay = today + (1 + random.below(3))
    let entry = entry(of: randomHabit(), on: newDay.previous)
    return [event(.dayChanged(to: newDay, seal: nil), newDay)] + [entry].compactMap(\.self)
  }

  /// Retirements, and sometimes a definition that ends one.
  private mutating func retirement() -> [Event] {
    let habit = randomHabit()
    let day = pastDay()
    var batch = [event(.habitRetired(habit: habit), day)]
    if random.chance(50) { batch.append(event(.habitRetired(habit: randomHabit()), pastDay())) }

    let definition = definitions.last { $0.id == habit }
    if random.chance(50), let definition {
      batch.append(event(.habitDefined(definition), day + random.below(4)))
    }
    return batch
  }

  /// An excuse, its withdrawal, and sometimes an entry in between.
  private mutating func excuse() -> [Event] {
    let from = pastDay()
    let habits = random.chance(50) ? nil : [randomHabit()]
    let payload = Payload.daysExcused(
      from: from, to: from + random.below(6), habits: habits, reason: nil)
    var batch = [event(payload, from)]

    if random.chance(50) { batch += [entry(of: randomHabit(), on: from)].compactMap(\.self) }
    if random.chance(60) {
      batch.append(event(.excuseWithdrawn(excuse: batch[0].id, reason: nil), from))
    }
    return batch
  }

  /// Entries of one habit, as an import writes them, with the latest day first.
  private mutating func descendingEntries() -> [Event] {
    let habit = randomHabit()
    let lastDay = random.chance(30) ? today + random.below(3) : pastDay()
    let days = (0..<2 + random.below(5)).map { lastDay + -$0 }
    return days.compactMap { entry(of: habit, on: $0) }
  }

  /// Definitions that close a circle of two composites, and sometimes one that opens it.
  private mutating func circle() -> [Event] {
    let composites = Set(definitions.filter { $0.rule.isComposite }.map(\.id)).sorted()
    let first = composites.randomElement(using: &random) ?? "ring"
    let second = composites.filter { $0 != first }.randomElement(using: &random) ?? "bow"
    let leaves = Set(definitions.map(\.id)).subtracting([first, second]).sorted()
    let leaf = leaves.randomElement(using: &random) ?? "leaf"
    let day = pastDay()
    let laterDay = day + random.below(3)

    var batch = [
      event(.habitDefined(Habit(first, rule: .all(of: [second, leaf]))), day),
      event(.habitDefined(Habit(second, rule: .either(of: [first, leaf]))), laterDay),
    ]
    if random.chance(60) {
      batch.append(event(.habitDefined(Habit(second, rule: .either(of: [leaf]))), laterDay))
    }
    if random.chance(50) { batch += [entry(of: leaf, on: pastDay())].compactMap(\.self) }
    return batch
  }

  /// A `day.corrected` with an entry, or with the wrong day that it corrects.
  private mutating func correctedDay() -> [Event] {
    let correctDay = today + -random.below(5)
    var moved = lines.filter { ($0.movesTo ?? Day.first) > correctDay && random.below(4) > 0 }
      .map(\.id)
    var batch: [Event] = []

    if random.chance(40) || moved.isEmpty {
      let wrongDay = today + (1 + random.below(30))
      batch.append(event(.dayChanged(to: wrongDay, seal: nil), wrongDay))
      moved.append(batch[0].id)
    }
    batch.append(event(.dayCorrected(to: correctDay, moved: moved, reason: nil), correctDay))
    if random.chance(60) { batch += [entry(of: randomHabit(), on: correctDay)].compactMap(\.self) }
    return batch
  }

  /// The undo of a whole step: one event for each event of the step, the last event first.
  private mutating func undoneStep() -> [Event] {
    let steps = lines.steps.filter { step in step.count <= 6 && step.contains { $0.by == nil } }
    let recentSteps = random.chance(60) ? Array(steps.suffix(2)) : steps
    let batches = recentSteps.filter { $0.count > 1 }
    guard let step = (batches.isEmpty ? recentSteps : batches).randomElement(using: &random) else {
      return []
    }
    insertedCount += 1
    return step.withoutCopies.reversed().compactMap { undone in
      lines.undo(of: undone, id: "undo-\(insertedCount)-\(undone.id)")
    }
  }
}

// MARK: Parts of batches

extension BatchedStream {
  private var today: Day { PlainLedger(lines).today }

  private var loggedEvents: [Event] { lines.filter { $0.payload.type == .entryLogged } }

  private mutating func pastDay() -> Day { today + -random.below(12) }

  private mutating func randomHabit() -> String {
    definitions.randomElement(using: &random)?.id ?? "a"
  }

  private mutating func entry(of habit: String, on day: Day) -> Event? {
    guard var entry = entries.randomElement(using: &random) else { return nil }
    entry.habit = habit
    return event(.entryLogged(entry), day)
  }

  private mutating func event(_ payload: Payload, _ day: Day) -> Event {
    insertedCount += 1
    let daysLate = random.chance(80) ? 0 : random.below(3)
    let minute = Int64((day + daysLate).number) * 1440 + Int64(random.below(1440))
    return Event(
      id: "batch-\(insertedCount)",
      at: Timestamp(instant: Instant(microseconds: minute * 60_000_000), offset: 0),
      recorded: lines[lines.count - 1].recorded, day: day, zone: "UTC", payload: payload)
  }
}
