package import StreakDomain

/// Several habits of one ledger as text, a row each: the habit, then a character a day as in `History`.
///
///     morning_ritual      CCC.C
///     evening_reflection  CC.CC
///     daily_complete      .....
///
/// A row's habit is a preset of that name, or `chess:game` for another name. Beside the marks of `History` there are
/// `s` three sets of strength, `r` ten minutes of running, `y` fifteen of yoga, `u` two hours of running. The entry
/// of `chess` on the third day has the id `chess-3`, a second one on that day `chess-3b`.
package struct Histories {
  package private(set) var ledger = Ledger()
  private var sequence = Sequence()

  package init(_ rows: String) {
    let rows = rows.split(separator: "\n").map { $0.split(separator: " ").map(String.init) }
    add(.ledgerOpened(owner: nil), on: 1)
    for row in rows {
      let names = row[0].split(separator: ":").map(String.init)
      guard let preset = Preset(rawValue: names[names.count - 1]) else { fatalError("no preset \(row[0])") }
      add(.habitDefined(preset.definition(for: names[0])), on: 1)
    }
    let count = rows.map { $0[1].count }.max() ?? 0
    for day in 1...count {
      for row in rows where day <= row[1].count {
        log(String(row[0].prefix { $0 != ":" }), Array(row[1])[day - 1], on: day)
      }
    }
    ledger.advance(to: Histories.day(count))
  }

  /// The calendar day of a place in the rows, from 1.
  package static func day(_ place: Int) -> Day { History.start + (place - 1) }

  /// Applies one more event about a day, by its place from 1.
  package mutating func add(_ payload: Payload, on place: Int, id: String? = nil) {
    ledger.add(sequence.event(payload, on: Histories.day(place), id: id))
  }

  private mutating func log(_ habit: String, _ mark: Character, on place: Int) {
    for (index, entry) in Histories.entries(habit, mark).enumerated() {
      add(.entryLogged(entry), on: place, id: "\(habit)-\(place)\(index == 0 ? "" : "b")")
    }
  }

  private static func entries(_ habit: String, _ mark: Character) -> [Entry] {
    switch mark {
    case "s": [.activity(habit, "strength", sets: 3)]
    case "r": [.activity(habit, "running", minutes: 10)]
    case "y": [.activity(habit, "yoga", minutes: 15)]
    case "u": [.activity(habit, "running", minutes: 120)]
    default: History.entries(habit, mark)
    }
  }

  package func state(_ habit: String) -> Streak? { ledger.state(of: habit) }

  package func verdicts(_ habit: String) -> String {
    ledger.verdicts(of: habit, in: Day.first...Day.last).map { History.sign($0.verdict) }.joined()
  }
}

extension Entry {
  /// An entry of an activity, its measures whole or in thousandths.
  package static func activity(
    _ habit: String, _ activity: Text?, minutes: Double? = nil, km: Double? = nil, sets: Int? = nil
  ) -> Entry {
    var entry = Entry(habit: habit)
    entry.activity = activity
    entry.minutes = minutes.map { Thousandths(count: Int64(($0 * 1000).rounded())) }
    entry.km = km.map { Thousandths(count: Int64(($0 * 1000).rounded())) }
    entry.sets = sets
    return entry
  }
}
