package import StreakDomain

/// The rules of domain.md written a second time, for the tests alone: day by day, by recursion, nothing kept up.
package struct PlainLedger {
  var definitions: [String: [(day: Day, place: Int, definition: Definition)]] = [:]
  private var retirements: [(habit: String, day: Day, place: Int)] = []
  private var entries: [String: [Day: [Logged]]] = [:]
  private var excuses: [(event: String, span: ClosedRange<Day>, habits: [String]?)] = []
  private var gone: Set<String> = []
  private var withdrawn: Set<String> = []
  package private(set) var today = Day.first
  /// The event that set today.
  package private(set) var setter: String?
  private var closed: [String: [Day: PlainDay]] = [:]
  private var over: [String: [Day: Brought]] = [:]
  /// By habit, week or month, and its first day.
  var decisions: [String: Decision?] = [:]
  private var firstDays: [String: Day] = [:]

  private struct Logged {
    let event: Event
    let place: Int
    let entry: Entry
  }

  /// `today` is a later today, `on` the day as of which the events are read, earlier or later.
  package init(_ events: [Event], today: Day? = nil, on: Day? = nil) {
    let moved = Set(events.flatMap(\.payload.moved))
    var change: Event?
    for (place, event) in events.enumerated() {
      let isZone = event.zoneExcuse && change?.more == .command
      if isZone, let change, moved.contains(change.id) { continue }
      if !isZone { change = event.payload.type == .dayChanged ? event : nil }
      if isZone, event.more != .command { change = nil }
      if let day = event.movesTo, !moved.contains(event.id), day > self.today {
        (self.today, setter) = (day, event.id)
      }
      switch event.payload {
      case .habitDefined(let definition):
        definitions[definition.habit, default: []].append((event.day, place, definition))
        definitions[definition.habit]?.sort { ($0.day, $0.place) < ($1.day, $1.place) }
      case .habitRetired(let habit): retirements.append((habit, event.day, place))
      case .entryLogged(let entry):
        entries[entry.habit, default: [:]][event.day, default: []].append(
          Logged(event: event, place: place, entry: entry))
      case .entryDeleted(let entry, _): gone.insert(entry)
      case .daysExcused(let from, let to, let habits, let reason):
        excuses.append((reason == "zone" ? "" : event.id, from...to, habits))
      case .excuseWithdrawn(let excuse, _): withdrawn.insert(excuse)
      default: break
      }
    }
    if let today { self.today = max(self.today, today) }
    if let on { self.today = on }
    excuses.removeAll { withdrawn.contains($0.event) }
    for habit in definitions.keys { firstDays[habit] = findFirstDay(habit) }
  }

  package func firstDay(_ habit: String) -> Day? { firstDays[habit] }

  package func definition(_ habit: String, _ day: Day) -> Definition? {
    guard let all = definitions[habit], let first = all.first else { return nil }
    return (all.last { $0.day <= day } ?? all.last { $0.day == first.day })?.definition
  }

  func isRetired(_ habit: String, _ day: Day) -> Bool {
    retirements.contains { retired in
      retired.habit == habit && retired.day < day
        && !(definitions[habit] ?? []).contains {
          $0.place > retired.place && $0.day >= retired.day && $0.day <= day
        }
    }
  }

  /// The standing entries of a day that count, in order.
  private func standing(_ habit: String, _ day: Day) -> [Logged] {
    guard day <= today, countsFrom(habit).map({ day >= $0 }) ?? true else { return [] }
    return (entries[habit]?[day] ?? []).filter { !gone.contains($0.event.id) }
      .sorted { ($0.event.at.instant, $0.place) < ($1.event.at.instant, $1.place) }
  }

  /// That of the latest definition of a day not after today; before there is one, the first's.
  private func countsFrom(_ habit: String) -> Day? {
    guard let all = definitions[habit], let first = all.first else { return nil }
    return (all.last { $0.day <= today } ?? all.last { $0.day == first.day })?.definition.countsFrom
  }

  /// All standing entries that count, in no order.
  package func standing(_ habit: String) -> [Entry] {
    (entries[habit] ?? [:]).keys.flatMap { standing(habit, $0).map(\.entry) }
  }

  private func members(_ habit: String, _ day: Day) -> [String] { definition(habit, day)?.rule.members ?? [] }

  func leads(_ habit: String, to other: String, _ day: Day, _ seen: Set<String> = []) -> Bool {
    habit == other
      || !seen.contains(habit)
        && members(habit, day).contains { leads($0, to: other, day, seen.union([habit])) }
  }

  private func findFirstDay(_ habit: String) -> Day? {
    guard let first = definitions[habit]?.first else { return nil }
    guard let rule = definition(habit, first.day)?.rule else { return nil }
    let countsFrom = countsFrom(habit) ?? Day.first
    if rule.isLimit { return max(first.day, countsFrom) }
    if rule.isComposite { return earliest(habit, []).map { max($0, countsFrom) } }
    return (entries[habit] ?? [:]).keys.filter { !standing(habit, $0).isEmpty }.min()
  }

  private func earliest(_ habit: String, _ seen: Set<String>) -> Day? {
    guard let first = definitions[habit]?.first, !seen.contains(habit) else { return nil }
    guard let rule = definition(habit, first.day)?.rule else { return nil }
    guard rule.isComposite else { return findFirstDay(habit) }
    return rule.members.compactMap { earliest($0, seen.union([habit])) }.min()
  }

  /// What a day brings a habit before any forgiveness.
  struct Brought {
    var outcome: Text = "missed"
    var isExcused = false
    var isRest = false
    /// Whether an earlier day decided the week or month, so that today rests before it is over.
    var isDecided = false
  }

  /// The standing entries of a day that are not too late, in order.
  func counting(_ habit: String, _ day: Day) -> [Entry] {
    standing(habit, day).filter {
      $0.event.at.localDay - $0.event.day <= definition(habit, day)?.rule.lateBy ?? Int.max
    }.map(\.entry)
  }

  mutating func brought(_ habit: String, _ day: Day, isOver: Bool) -> Brought {
    if isOver, let known = over[habit]?[day] { return known }
    let found = bring(habit, day, isOver: isOver)
    if isOver { over[habit, default: [:]][day] = found }
    return found
  }

  private mutating func bring(_ habit: String, _ day: Day, isOver: Bool) -> Brought {
    guard let definition = definition(habit, day) else { return Brought() }
    var brought = Brought()
    if definition.rule.isComposite {
      var (good, counted, resting) = (0, 0, 0)
      for member in definition.rule.members {
        if definitions[member] == nil || leads(member, to: habit, day) {
          counted += 1
          continue
        }
        let seen = self.brought(member, day, isOver: isOver)
        if seen.isExcused { continue }
        if rests(member, day) {
          resting += 1
          continue
        }
        counted += 1
        let isLimit = self.definition(member, day)?.rule.isLimit ?? false
        if seen.outcome == "good", isOver || !isLimit { good += 1 }
      }
      let isAll = definition.rule.name == .all
      if counted > 0, isAll ? good == counted : good > 0 { brought.outcome = "good" }
      if counted == 0 || !isAll && good == 0, resting > 0 { brought.isRest = true }
      if counted == 0, resting == 0 { brought.isExcused = true }
    } else if let per = definition.rule.sum?.per {
      let decision = decision(habit, per, around: day)
      brought.outcome = definition.rule.isLimit ? "good" : "missed"
      if let decision, decision.day == day {
        brought.outcome = decision.outcome
      } else {
        brought.isDecided = decision.map { $0.day < day } ?? false
        brought.isRest = isOver || brought.isDecided
      }
    } else {
      brought.outcome = definition.rule.plainOutcome(of: counting(habit, day))
    }
    let isQuiet = brought.outcome == "missed" || definition.rule.isLimit && brought.outcome == "good"
    let isInSpan = excuses.contains { $0.span.contains(day) && $0.habits?.contains(habit) ?? true }
    if isRetired(habit, day) || isInSpan && isQuiet { brought.isExcused = true }
    return brought
  }

  /// Whether a member's verdict of a day is, or would be once it is closed, that it rests.
  private mutating func rests(_ habit: String, _ day: Day) -> Bool {
    if let first = firstDay(habit), first <= day { return closedDay(habit, day).verdict == .rest }
    if case .weekdays(let weekdays)? = definition(habit, day)?.schedule, !weekdays.has(day.weekday) {
      return true
    }
    return brought(habit, day, isOver: true).isRest
  }

  /// A day as it is, or would be, once it is closed with nothing more logged.
  package mutating func closedDay(_ habit: String, _ day: Day) -> PlainDay {
    guard let first = firstDay(habit), first <= day, let definition = definition(habit, day) else {
      return PlainDay()
    }
    if let known = closed[habit]?[day] { return known }
    let before = closedDay(habit, day.previous)
    let brought = brought(habit, day, isOver: true)
    let found = before.next(
      day, brought.outcome, isExcused: brought.isExcused, isRest: brought.isRest, isOpen: false,
      startsSchedule: self.definition(habit, day.previous)?.schedule != definition.schedule, definition)
    closed[habit, default: [:]][day] = found
    return found
  }

  /// Today as it is so far.
  package mutating func openDay(_ habit: String) -> PlainDay {
    guard let first = firstDay(habit), first <= today, let definition = definition(habit, today) else {
      return PlainDay()
    }
    let before = closedDay(habit, today.previous)
    let brought = brought(habit, today, isOver: false)
    let isQuiet = brought.outcome == "missed" || definition.rule.isLimit && brought.outcome == "good"
    return before.next(
      today, brought.outcome, isExcused: brought.isExcused, isRest: brought.isRest,
      isOpen: isQuiet && !brought.isDecided,
      startsSchedule: self.definition(habit, today.previous)?.schedule != definition.schedule, definition)
  }

  /// The days from the first to today.
  package mutating func days(_ habit: String) -> [PlainDay] {
    guard let first = firstDay(habit), first <= today else { return [] }
    return (0..<today - first).map { closedDay(habit, first + $0) } + [openDay(habit)]
  }

  /// The last day on which the run is not over if nothing more is logged; nil where it lives so many days.
  package mutating func safeThrough(_ habit: String, atMost days: Int) -> Day? {
    let open = openDay(habit)
    guard open.run > 0, definition(habit, today)?.streak ?? true, !isRetired(habit, today) else { return nil }
    return (0..<days).map { today + $0 }.first { closedDay(habit, $0).run == 0 }?.previous
  }
}
