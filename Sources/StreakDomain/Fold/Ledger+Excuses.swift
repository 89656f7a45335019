struct Excuse: Sendable {
  var span: ClosedRange<Day>
  /// The habits, or `nil` for all.
  var habits: [Int]?
  var reason: Text?
  /// Whether the excuse is for a date that a time zone skipped, so it can't be withdrawn.
  var isOfZone: Bool
  var isWithdrawn = false
}

/// An excuse that hasn't been withdrawn.
///
/// ```swift
/// for excuse in ledger.excuses where excuse.reason == "travel" {
///   try await folder.append(.withdraw(excuse: excuse.id), now: .now)
/// }
/// ```
public struct StandingExcuse: Hashable, Sendable, Identifiable {
  public let id: String
  /// The excused days.
  public let days: ClosedRange<Day>
  /// The ids of the excused habits, or `nil` for all habits.
  public let habits: [String]?
  /// The reason given by the person.
  public let reason: LedgerText?
}

extension Ledger {
  mutating func excuse(_ span: ClosedRange<Day>, _ named: [String]?, reason: Text?, _ key: EventKey) {
    let habits = named.map { named in named.map { habitIndex(stream.names.intern($0)) } }
    var excuse = Excuse(span: span, habits: habits, reason: reason, isOfZone: reason == "zone")
    excuse.isWithdrawn = waiting.withdrawals.remove(key) != nil && !excuse.isOfZone
    excuses.byEvent[key] = excuse
    lookBefore(excuse)
    if !excuse.isWithdrawn { put(excuse) { $0.insert(span) } }
  }

  /// Withdraws an excuse, which may arrive later; a repeated withdrawal changes nothing.
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

  private mutating func lookBefore(_ excuse: Excuse) {
    for habit in excuse.habits ?? Array(habits.indices) { lookBefore(habit) }
  }

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

  /// The excuses that haven't been withdrawn, by day, then position.
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

  package func excusedSpan(of id: String) -> ClosedRange<Day>? {
    EventKey.find(id, names: names).flatMap { excuses.byEvent[$0]?.span }
  }
}
