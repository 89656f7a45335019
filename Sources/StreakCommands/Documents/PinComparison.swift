import EventLog
import Inspection
import StreakDomain

/// The first number that differs from the pinned one.
struct PinDifference {
  /// Nil of what belongs to no habit, and to no day.
  let habit: String?
  let day: Day?
  let field: String
  let pinned: String?
  let now: String?
  /// The event that the day rests on: its last entry, else the definition in force.
  var event: String?

  /// The earliest day, of that the first habit; XP and achievements where every day agrees.
  static func first(_ pinned: Pin, _ now: Pin, _ ledger: Ledger) -> PinDifference? {
    let (old, new) = (facts(of: pinned), facts(of: now))
    let places = Set(old.keys).union(new.keys).filter { old[$0] != new[$0] }
    if let place = places.min() {
      var found = PinDifference(
        habit: place.habit, day: place.day, field: place.field.rawValue, pinned: old[place], now: new[place])
      let account = ledger.account(of: place.habit, on: place.day)
      found.event = account?.because.last ?? account?.defined.event
      return found
    }
    if pinned.xp != now.xp {
      return PinDifference(
        habit: nil, day: nil, field: "xp", pinned: "\(pinned.xp)", now: "\(now.xp)")
    }
    guard pinned.achievements != now.achievements || pinned.today != now.today
    else { return nil }
    if pinned.achievements == now.achievements, pinned.today != now.today {
      return PinDifference(
        habit: nil, day: nil, field: "today", pinned: pinned.today?.description, now: now.today?.description)
    }
    let gone = pinned.achievements.first { !now.achievements.contains($0) }
    let came = now.achievements.first { !pinned.achievements.contains($0) }
    return PinDifference(
      habit: nil, day: nil, field: "achievements", pinned: gone, now: gone == nil ? came : nil)
  }

  private enum Field: String {
    case verdict, jokers, run
  }

  private struct Place: Hashable, Comparable {
    let day: Day
    let order: Int
    let habit: String
    let field: Field

    static func < (a: Place, b: Place) -> Bool {
      (a.day, a.order, a.field.rawValue) < (b.day, b.order, b.field.rawValue)
    }
  }

  /// Everything that a pin says of days, each in a word.
  private static func facts(of pin: Pin) -> [Place: String] {
    var facts: [Place: String] = [:]
    var orders: [String: Int] = [:]
    for month in pin.months {
      let order = orders[month.habit] ?? orders.count
      orders[month.habit] = order
      func place(_ day: Day, _ field: Field) -> Place {
        Place(day: day, order: order, habit: month.habit, field: field)
      }
      for (offset, sign) in month.signs.enumerated() {
        let verdict = Verdict.allCases.first { Text(CalendarText.sign($0)) == Text(sign) }
        facts[place(month.start + offset, .verdict)] = verdict?.rawValue
      }
      facts[place(month.start + (month.signs.count - 1), .run)] = "\(month.run)"
      for line in month.book {
        let place = place(line.day, .jokers)
        facts[place] = (facts[place].map { $0 + " " } ?? "") + line.text
      }
    }
    return facts
  }
}

/// How a ledger compares with a pin.
struct PinComparison {
  let pinned: Pin
  var change: PinnedEvents.Change?
  /// The first event that was added, moved or altered, or before which one is gone; nil at the end.
  var event: String?
  /// Whether other events are the reason why it does not agree.
  var isHistory = false
  var difference: PinDifference?

  init(pinned: Pin) {
    self.pinned = pinned
  }

  var agrees: Bool { !isHistory && difference == nil }

  mutating func note(_ change: PinnedEvents.Change, in ledger: Ledger) {
    if change.place < ledger.position { event = ledger.id(at: change.place + 1) }
  }

  /// Its members in the document of `verify`.
  var members: JSON.Members {
    var members: JSON.Members = [
      "agrees": .bool(agrees), "fold": .whole(Ledger.foldVersion),
      "pinnedFold": .whole(pinned.fold), "position": .whole(pinned.position), "last": .text(pinned.last),
    ]
    if let change {
      members["history"] = .object([
        "change": .text(change.kind.rawValue), "position": .whole(change.place + 1), "event": .text(event),
        "added": .whole(change.added.count),
      ])
    }
    guard !agrees else { return members }
    members["cause"] = .text(isHistory ? "history" : "fold")
    members["difference"] =
      difference.map { found in
        .object([
          "habit": .text(found.habit), "day": .day(found.day), "field": .text(found.field),
          "pinned": .text(found.pinned), "now": .text(found.now), "event": .text(found.event),
        ])
      } ?? .null
    return members
  }

  /// What differs, for people; nothing where it agrees.
  var lines: [String] {
    guard !agrees else { return [] }
    var lines: [String] = []
    if let change {
      let id = event.map { Escaping.visible(Event.shortID($0)) } ?? "the end"
      switch change.kind {
      case .added: lines.append("history: \(id) at \(change.place + 1) was added")
      case .gone: lines.append("history: the event at \(change.place + 1), before \(id), is gone")
      case .moved: lines.append("history: \(id) at \(change.place + 1) moved")
      case .altered: lines.append("history: \(id) at \(change.place + 1) is not what was pinned")
      }
      if change.added.count > 1 {
        let verb = change.kind == .altered ? "are not as pinned" : "were added"
        lines.append("  \(counted(change.added.count, "event")) \(verb) in all")
      }
    }
    if let difference {
      let place = [difference.habit, difference.day.map { "\($0)" }].compactMap { $0 }.joined(
        separator: " on ")
      let event = difference.event.map { "  " + Escaping.visible(Event.shortID($0)) } ?? ""
      let values = "\(difference.pinned ?? "–") → \(difference.now ?? "–")"
      let cause = isHistory ? "  it changed " : "fold: "
      lines.append(
        cause + Escaping.visible([place, difference.field].filter { !$0.isEmpty }.joined(separator: ", "))
          + " \(Escaping.visible(values))" + event)
      if !isHistory, pinned.fold != Ledger.foldVersion {
        lines.append("  pinned by fold \(pinned.fold), this program is fold \(Ledger.foldVersion)")
      }
    }
    return lines
  }
}
