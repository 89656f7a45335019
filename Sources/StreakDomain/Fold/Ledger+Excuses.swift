/// What a `days.excused` says, for as long as it can be withdrawn.
struct Excuse: Sendable {
  var span: ClosedRange<Day>
  /// Nil is every habit.
  var habits: [Int]?
  var reason: Text?
  /// Whether the zone left the days out, so that no person can have them back.
  var isOfZone: Bool
  var isWithdrawn = false
}

/// Days that were excused, by an event that can be withdrawn.
///
/// ```swift
/// for excuse in ledger.excuses where excuse.reason == "travel" {
///   try await folder.append(.withdraw(excuse: excuse.id), now: .now)
/// }
/// ```
public struct StandingExcuse: Hashable, Sendable, Identifiable {
  /// The event's id.
  public let id: String
  /// The days that are excused.
  public let days: ClosedRange<Day>
  /// The ids of the habits that are; nil for all.
  public let habits: [String]?
  /// Why, in words of the person.
  public let reason: LedgerText?
}

extension Ledger {
  /// Excuses the days of a span, unless that was withdrawn before it came.
  mutating func excuse(_ span: ClosedRange<Day>, _ named: [String]?, reason: Text?, _ key: EventKey) {
    let habits = named.map { named in named.map { habitIndex(stream.names.intern($0)) } }
    var excuse = Excuse(span: span, habits: habits, reason: reason, isOfZone: reason == "zone")
    excuse.isWithdrawn = waiting.withdrawals.remove(key) != nil && !excuse.isOfZone
    excuses.byEvent[key] = excuse
    lookBefore(excuse)
    if !excuse.isWithdrawn { put(excuse) { $0.insert(span) } }
  }

  /// Takes an excuse back, wherever in the stream it is; twice, or of anything else, it changes nothing.
  mutating func withdrawExcuse(_ key: EventKey) {
    guard let excuse = excuses.byEvent[key] else {
      waiting.withdrawals.insert(key)
      return
    }
    lookBefore(excuse)
    guard !excuse.isWithdrawn, !excuse.isOfZone else { return }
    excuses.byEvent[key]?.isWithdrawn = true
    put(excuse) { $0.remove(excuse.span) }
  }

  /// Looks at what an excuse is about, also where it changes nothing: an undo of its event relies on that.
  private mutating func lookBefore(_ excuse: Excuse) {
    for habit in excuse.habits ?? Array(habits.indices) { lookBefore(habit) }
  }

  /// Changes the spans that an excuse is about.
  private mutating func put(_ excuse: Excuse, _ change: (inout DaySpans) -> Void) {
    if excuse.habits == nil { change(&excuses.forAll) }
    for habit in excuse.habits ?? Array(habits.indices) {
      let before = takeDown(habit, excuse.span)
      habits[habit].days.definitions.excuse(excuse.habits == nil ? excuses.forAll : nil, change)
      habits[habit].days.reframe(excuse.span)
      finish(habit, before, changed: excuse.span)
      note(outcomeOf: habit, excuse.span)
    }
  }

  /// Why the excuse of an event cannot be withdrawn; nil where it can.
  func refusal(ofWithdrawing id: String) -> Failure? {
    guard let key = EventKey.find(id, names: names), let excuse = excuses.byEvent[key] else {
      return Failure(
        .unknownExcuse, "there is no excuse with the id \(quoted(id)) to withdraw",
        remedy: "`streaks excuse` lists the excuses")
    }
    if excuse.isOfZone {
      return Failure(
        .doesNotFit,
        "\(quoted(id)) excuses \(excuse.span.lowerBound), a date that never was; that cannot be withdrawn")
    }
    guard excuse.isWithdrawn else { return nil }
    return Failure(.untimely, "the excuse \(quoted(id)) is withdrawn already")
  }

  /// The excuses that nobody withdrew, in the order of their days, then of the stream.
  package var standingExcuses: [StandingExcuse] {
    let standing = excuses.byEvent.filter { !$0.value.isWithdrawn }.compactMap { key, excuse in
      index.position(of: key).map { (position: $0, excuse: excuse) }
    }
    let ordered = standing.sorted {
      ($0.excuse.span.lowerBound, $0.position) < ($1.excuse.span.lowerBound, $1.position)
    }
    return ordered.map { position, excuse in
      StandingExcuse(
        id: index.key(at: position).text(names), days: excuse.span,
        habits: excuse.habits?.map { names.text(habits[$0].name) }, reason: excuse.reason)
    }
  }

  /// The days that an excuse is about, by its event; nil where there is no such excuse.
  package func excusedSpan(of id: String) -> ClosedRange<Day>? {
    EventKey.find(id, names: names).flatMap { excuses.byEvent[$0]?.span }
  }
}
