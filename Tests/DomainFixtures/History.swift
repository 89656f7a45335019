package import StreakDomain

/// A habit's history as text, a character a day, folded by the real ledger.
///
/// `S` steady, `E` easy, `W` wild, a digit so many minutes, `x` an entry without measure, `C` completed, `F` failed,
/// `R` failed and then completed, `.` nothing; under a `sum` of amounts a digit is an amount. Days begin on Monday
/// 2025-09-01; the last is today.
package struct History {
  package let habit: String
  package private(set) var ledger: Ledger
  package static let start = Day(unchecked: 20_332)

  package init(_ definition: Habit, _ days: String, excused: String = "") {
    habit = definition.id
    var fold = LedgerFold()
    var sequence = Sequence()
    _ = fold.apply(sequence.event(.ledgerOpened(owner: nil), on: History.start))
    _ = fold.apply(sequence.event(.habitDefined(definition), on: History.start))
    for (offset, mark) in excused.enumerated() where mark == "e" {
      let day = History.start + offset
      _ = fold.apply(
        sequence.event(.daysExcused(from: day, to: day, habits: nil, reason: nil), on: History.start))
    }
    for (offset, mark) in days.enumerated() {
      for entry in History.entries(habit, mark) {
        _ = fold.apply(sequence.event(.entryLogged(entry), on: History.start + offset))
      }
    }
    fold.settled.advance(to: History.start + (days.count - 1))
    ledger = fold.settled
  }

  /// The entries that a mark stands for.
  package static func entries(_ habit: String, _ mark: Character) -> [Entry] {
    var entry = Entry(habit: habit)
    switch mark {
    case ".": return []
    case "S": entry.level = "steady"
    case "E": entry.level = "easy"
    case "W": entry.level = "wild"
    case "C": entry.completed = true
    case "F": entry.completed = false
    case "R": return entries(habit, "F") + entries(habit, "C")
    case "x": break
    default:
      entry.minutes = mark.wholeNumberValue.map { Thousandths($0) }
      entry.amount = entry.minutes
      entry.drinks = mark.wholeNumberValue
    }
    return [entry]
  }

  package var state: Streak? { ledger.state(of: habit) }

  /// The verdicts: `g` good, `h` healed, `t` graced, `m` missed, `b` bad, `n` restarted, `?` open, `e` excused, `r`
  /// rest.
  package var verdicts: String {
    let days = ledger.verdicts(of: habit, in: Day.first...Day.last)
    return days.map { History.sign($0.verdict) }.joined()
  }

  /// The joker book: `+` earned, `-` spent, `o` forfeited, `!` penalised, each with its day's place from 1.
  package var book: String {
    ledger.jokerBook(of: habit).map { line in
      let signs: [JokerLine.Action: String] = [.earned: "+", .spent: "-", .forfeited: "o", .penalised: "!"]
      return "\(signs[line.action] ?? "")\(line.day - History.start + 1)"
    }.joined(separator: " ")
  }

  package static func sign(_ verdict: Verdict) -> String {
    switch verdict {
    case .good: "g"
    case .healed: "h"
    case .graced: "t"
    case .missed: "m"
    case .bad: "b"
    case .restarted: "n"
    case .open: "?"
    case .excused: "e"
    case .rest: "r"
    }
  }
}

/// Makes complete events one after the other, a minute apart.
package struct Sequence {
  private var count = 0

  package init() {}

  package mutating func event(
    _ payload: Payload, on day: Day, minute: Int? = nil, id: String? = nil, late: Int = 0
  ) -> Event {
    count += 1
    let midnight = Int64((day + late).number) * 86_400_000_000
    let at = Instant(microseconds: midnight + Int64(minute ?? count % 1000) * 60_000_000)
    return Event(
      id: id ?? "e\(count)", at: Timestamp(instant: at, offset: 0),
      recorded: Instant(microseconds: 1_700_000_000_000_000 + Int64(count)), day: day, zone: "UTC",
      payload: payload)
  }
}

extension Preset {
  /// The preset under its own name.
  package var definition: Habit { definition(for: rawValue) }
}
