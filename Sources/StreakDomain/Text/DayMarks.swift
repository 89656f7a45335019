/// Days as characters: what was logged on each, and what became of it, in tests of the fold and of apps.
package enum DayMarks {
  /// The entries of a mark, of which a digit is so many of some measures; nil for a mark that stands for none.
  ///
  /// `.` nothing, `x` an entry without a measure, `C` completed, `F` failed, `R` failed and then completed, and `S`, `E`
  /// and `W` the levels `steady`, `easy` and `wild`.
  package static func entries(
    _ mark: Unicode.Scalar, of habit: String, counting measures: [Measure]
  ) -> [Entry]? {
    var entry = Entry(habit: habit)
    switch mark {
    case ".": return []
    case "x": break
    case "S": entry.level = "steady"
    case "E": entry.level = "easy"
    case "W": entry.level = "wild"
    case "C": entry.completed = true
    case "F": entry.completed = false
    case "R": return ["F", "C"].flatMap { entries($0, of: habit, counting: measures) ?? [] }
    case "0"..."9":
      let count = Int(mark.value) - 48
      if measures == [.entries] { return Array(repeating: entry, count: count) }
      for measure in measures {
        switch measure {
        case .entries: break
        case .minutes: entry.minutes = Thousandths(count)
        case .km: entry.km = Thousandths(count)
        case .sets: entry.sets = count
        case .drinks: entry.drinks = count
        case .amount: entry.amount = Thousandths(count)
        }
      }
    default: return nil
    }
    return [entry]
  }
}

extension Verdict {
  /// `g` good, `h` healed, `t` graced, `m` missed, `b` bad, `n` restarted, `?` open, `e` excused, `r` rest.
  package var letter: String {
    switch self {
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

extension [JokerLine] {
  /// The joker book: `+` earned, `-` spent, `o` forfeited, `!` penalised, each with its day's place from 1: `+7 -9`.
  package func letters(from start: Day) -> String {
    map { line in
      let sign =
        switch line.action {
        case .earned: "+"
        case .spent: "-"
        case .forfeited: "o"
        case .penalised: "!"
        }
      return "\(sign)\(line.day - start + 1)"
    }.joined(separator: " ")
  }
}
