/// The days from today on, for some habits and their members, on the assumption that nothing more is logged.
struct ComingDays {
  private let habits: [Int]
  private var places: [Int: Int] = [:]
  private(set) var records: [DayRecord]
  private var verdicts: [MemberVerdict]
  private var hasPassed: [Bool]
  private(set) var day: Day
  private var known: (kinds: [RecordKind], day: Day, weeks: Int) = ([], Day.first, 1)
  private var lastChange: Day
  private var quietDays = 0

  init(of wanted: [Int], in ledger: borrowing Ledger, from today: Day) {
    var all: [Int] = []
    var seen: Set<Int> = []
    for habit in wanted {
      for each in ledger.habits[habit].links.below
      where ledger.habits[each].isDefined && seen.insert(each).inserted {
        all.append(each)
      }
      if seen.isEmpty || seen.insert(habit).inserted { all.append(habit) }
    }
    if wanted.count > 1 {
      var heights: [Int] = []
      for each in all { heights.append(ledger.habits[each].links.height) }
      let order = all.indices.sorted { (heights[$0], all[$0]) < (heights[$1], all[$1]) }
      all = order.map { all[$0] }
    }
    habits = all
    day = today
    lastChange = today
    records = []
    for (place, habit) in all.enumerated() {
      if all.count > 1 { places[habit] = place }
      records.append(ledger.record(habit, through: today.previous))
      lastChange = max(lastChange, ledger.habits[habit].lastKnownChange(from: today))
    }
    verdicts = [MemberVerdict](repeating: .notGood, count: all.count)
    hasPassed = [Bool](repeating: false, count: all.count)
  }

  func place(of habit: Int) -> Int { places[habit] ?? 0 }

  mutating func pass(in ledger: borrowing Ledger) {
    for place in habits.indices { hasPassed[place] = false }
    quietDays += 1
    for place in habits.indices where !hasPassed[place] { pass(place, in: ledger) }
    day = day.next
  }

  /// Whether all later days repeat those of the last weeks; detected on Mondays by Brent's algorithm.
  mutating func repeats(in ledger: borrowing Ledger) -> Bool {
    guard day.weekdayNumber == 0, day > lastChange else { return false }
    var now: [RecordKind] = []
    for (place, habit) in habits.enumerated() {
      now.append(ledger.habits[habit].days.definitions.kind(of: records[place], over: Day.first...Day.last))
    }
    if now == known.kinds, quietDays >= day - known.day { return true }
    if known.kinds.isEmpty || day - known.day >= 7 * known.weeks { known = (now, day, 2 * known.weeks) }
    return false
  }

  /// Whether the habit's run never ends, because nothing known changes it and all limits are kept.
  func lasts(_ habit: Int, in ledger: borrowing Ledger) -> Bool {
    var known: [Int: Lasting] = [:]
    return day == lastChange.next && lasting(habit, in: ledger, &known) != .no
  }

  private enum Lasting { case good, excused, no }

  private func lasting(_ habit: Int, in ledger: borrowing Ledger, _ known: inout [Int: Lasting]) -> Lasting {
    guard ledger.habits[habit].isDefined else { return .no }
    if ledger.habits[habit].isRetired(on: day) { return .excused }
    let definition = ledger.habits[habit].definition(on: day)
    guard definition.isComposite else { return definition.isLimit ? .good : .no }
    if let found = known[habit] { return found }
    known[habit] = .no
    var members: [Lasting] = []
    for member in definition.members {
      members.append(
        ledger.isCircular(member, in: habit, on: day) ? .no : lasting(member, in: ledger, &known))
    }
    let isKept =
      definition.test.traits.combination == .one
      ? members.contains(.good) : !members.contains(.no) && members.contains(.good)
    let found: Lasting = isKept ? .good : members.allSatisfy { $0 == .excused } ? .excused : .no
    known[habit] = found
    return found
  }

  private mutating func pass(_ place: Int, in ledger: borrowing Ledger) {
    hasPassed[place] = true
    let habit = habits[place]
    let part = ledger.habits[habit].days.definitions.part(from: day)
    var code = DayCode.none
    if part.definition.isComposite {
      var all = MemberDays()
      for member in part.definition.members {
        guard let other = places[member], !ledger.isCircular(member, in: habit, on: day) else {
          all.note(.notGood, 0)
          continue
        }
        if !hasPassed[other] { pass(other, in: ledger) }
        all.note(verdicts[other], 0)
      }
      code = all.code(0, needsOne: part.definition.test.traits.combination == .one)
    } else {
      code = ledger.habits[habit].days.tree[day]
    }
    let facts = FoldDay(day, code, in: part)
    guard let first = ledger.habits[habit].days.first, first <= day else {
      verdicts[place] = MemberVerdict(early: facts, under: part.definition)
      return
    }
    records[place] = records[place].next(facts, under: part.definition)
    let verdict = records[place].verdict
    verdicts[place] = MemberVerdict(verdict)
    if part.definition.countsMonths, verdict != .good, verdict != .excused { quietDays = 0 }
  }
}

extension HabitFold {
  fileprivate func lastKnownChange(from today: Day) -> Day {
    max(
      days.definitions.excused.spans.last?.upperBound.next ?? Day.first,
      days.definitions.regimes.last?.from ?? Day.first, days.first ?? Day.first,
      extent(ofDefinitionsOn: today...today).upperBound)
  }
}

extension Ledger {
  /// Computes `safeThrough` of several composites in one pass, because they share members.
  mutating func lookAhead(_ some: [Int], from today: Day) {
    let wanted = some.filter { habit in
      guard !habits[habit].links.below.isEmpty, let now = habits[habit].judged, now.coming == nil else {
        return false
      }
      return mayEnd(habit, now.record, on: today)
    }
    guard !wanted.isEmpty else { return }
    for (habit, day) in zip(wanted, ends(of: wanted, from: today)) {
      habits[habit].judged?.coming = HabitFold.Coming(safeThrough: day)
    }
  }

  private func mayEnd(_ habit: Int, _ record: DayRecord, on today: Day) -> Bool {
    record.run > 0 && habits[habit].definition(on: today).streak && !habits[habit].isRetired(on: today)
  }

  /// Returns the last day of each run if nothing more is logged, or `nil` if the run never ends.
  private func ends(of wanted: [Int], from today: Day) -> [Day?] {
    var ends = [Day?](repeating: nil, count: wanted.count)
    var alive = Array(wanted.indices)
    var coming = ComingDays(of: wanted, in: self, from: today)
    while !alive.isEmpty, coming.day <= Day.last {
      let day = coming.day
      coming.pass(in: self)
      alive.removeAll { place in
        guard coming.records[coming.place(of: wanted[place])].run == 0 else { return false }
        ends[place] = day.previous
        return true
      }
      alive.removeAll { coming.lasts(wanted[$0], in: self) }
      if coming.repeats(in: self) { break }
    }
    return ends
  }

  func safeThrough(_ habit: Int, _ record: DayRecord) -> Day? {
    guard let today, mayEnd(habit, record, on: today) else { return nil }
    if let known = habits[habit].judged?.coming { return known.safeThrough }
    return ends(of: [habit], from: today)[0]
  }
}
