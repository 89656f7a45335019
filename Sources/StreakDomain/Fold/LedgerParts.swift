/// The current day of a ledger, and the last day that the ledger includes.
struct LedgerClock: Sendable {
  let cutoff: Day?
  /// The current day, never after `cutoff`; `nil` before the first event that sets it.
  var today: Day?
  var isCutOff = false
}

/// The names, event ids and settings of a stream (event-format.md, "The stream").
struct StreamContext: Sendable {
  var names = SymbolTable()
  var index = EventIndex()
  var settings = StreamSettings()
}

/// The settings of a stream, according to its events so far.
package struct StreamSettings: Sendable {
  /// The current time zone, or `nil` before the first `ledger.opened` or `day.changed`.
  package internal(set) var zone: String?
  /// The time of day at which days begin.
  package internal(set) var dayStart = ClockTime.midnight

  package init() {}

  /// Updates the settings according to the next event, whose id must be new.
  package mutating func update(with event: Event) {
    switch event.payload {
    case .ledgerOpened(let dayStart):
      zone = event.zone
      if let dayStart { self.dayStart = dayStart }
    case .dayChanged: zone = event.zone
    default: break
    }
  }
}

/// The reminders that are set, and the celebrations that have been seen.
struct Preferences: Sendable {
  /// The latest reminder of each habit, by the habit's id.
  var reminders: [String: Reminder] = [:]
  /// The day on which each celebration was first seen, by the celebration's key.
  private var seenDays: [String: Day] = [:]

  var seenCelebrations: Set<String> { Set(seenDays.keys) }

  mutating func see(_ celebration: String, on day: Day) {
    seenDays[celebration] = min(day, seenDays[celebration] ?? day)
  }

  /// Forgets the celebrations first seen after `day`, because a wrong clock had moved today past
  /// `day`.
  mutating func forgetCelebrations(after day: Day) {
    seenDays = seenDays.filter { $0.value <= day }
  }
}
