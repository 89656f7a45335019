/// The days from today on as they come if nothing more is logged, one by one, of some habits and all below them.
///
/// ```
/// mon-fri, grace 1   today F   days FSSMT   verdicts g r r graced missed
/// ```
struct ComingDays {
  /// Members before composites.
  private let habits: [Int]
  /// Where each is among these, by its place in the ledger; empty for one alone.
  private var places: [Int: Int] = [:]
  /// After the last day that passed.
  private(set) var records: [DayRecord]
  private var verdicts: [MemberVerdict]
  private var hasPassed: [Bool]
  /// The next day.
  private(set) var day: Day
  /// How each habit was on the Monday that later ones are compared with; a new one is taken ever more seldom.
  private var known: (kinds: [RecordKind], day: Day, weeks: Int) = ([], Day.first, 1)
  /// The last day on which something is known that could make weeks differ.
  private var lastChange: Day
  /// Days in a row on which every habit that counts months was good or excused.
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

  /// Where a habit is among `records`.
  func place(of habit: Int) -> Int { places[habit] ?? 0 }

  /// Goes on with the next day.
  mutating func pass(in ledger: borrowing Ledger) {
    for place in habits.indices { hasPassed[place] = false }
    quietDays += 1
    for place in habits.indices where !hasPassed[place] { pass(place, in: ledger) }
    day = day.next
  }

  /// Whether all days to come are as those of the last weeks; asked after each day, it is found on a Monday.
  ///
  /// Weeks that begin alike are alike (Brent's way to find a cycle).
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

  /// Whether a habit's run never ends, as from now on nothing is known to change and all limits are kept; asked after
  /// each day, it is found once.
  func lasts(_ habit: Int, in ledger: borrowing Ledger) -> Bool {
    var known: [Int: Lasting] = [:]
    return day == lastChange.next && lasting(habit, in: ledger, &known) != .no
  }

  /// What becomes of a habit on all days to come.
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

  /// Goes on with the day of a habit, after those of its members.
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
        // By the definitions of the day a member may be above its composite.
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
  /// The last day on which a definition, an excuse, a retirement, the first day or what was logged up to a today makes
  /// a difference.
  fileprivate func lastKnownChange(from today: Day) -> Day {
    max(
      days.definitions.excused.spans.last?.upperBound.next ?? Day.first,
      days.definitions.regimes.last?.from ?? Day.first, days.first ?? Day.first,
      extent(ofDefinitionsOn: today...today).upperBound)
  }
}

extension Ledger {
  /// Finds out when the runs of composites end, of all at once: they ask for the same members.
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

  /// Whether there is a run that days to come may end.
  private func mayEnd(_ habit: Int, _ record: DayRecord, on today: Day) -> Bool {
    record.run > 0 && habits[habit].definition(on: today).streak && !habits[habit].isRetired(on: today)
  }

  /// The last day on which each run lives, once closed with no further entry; nil where it always does.
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

  /// The last day on which the run lives once closed, with no further entry; O(days until then).
  func safeThrough(_ habit: Int, _ record: DayRecord) -> Day? {
    guard let today, mayEnd(habit, record, on: today) else { return nil }
    if let known = habits[habit].judged?.coming { return known.safeThrough }
    return ends(of: [habit], from: today)[0]
  }
}
