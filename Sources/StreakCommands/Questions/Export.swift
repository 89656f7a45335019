import EventLog
import Inspection
import Imports
package import StreakDomain

/// The command that prints data for other tools.
struct ExportCommand: Command {
  static let name = "export"
  static let group = CommandGroup.exchange
  static let words = Synopsis("FORM [WORDS…]", oneOf: ExportForm.allCases.map(\.rawValue))
  static let options: [Option] =
    [
      Option(
        "--at", .point, "as it was known then, as in `replay` (default: now)",
        only: ["csv", "streak-data"]),
      .on,
      Option("--from", .day, "only the rows from DAY on", only: ["csv"]),
      Option("--to", .day, "only the rows up to DAY", only: ["csv"]),
      Option(
        "--json", nil, "no effect, for they are always JSON", only: ["json-schema", "streak-data"]),
    ] + Option.whatIf
  static let help = HelpText(PackageResources.export_txt)
  static func isForPeople(_ arguments: Arguments) -> Bool { false }

  let invocation: Invocation

  func run() throws(Failure) -> ExitStatus {
    switch try kind(at: 0, of: ExportForm.self) {
    case .csv: return try exportTable()
    case .streakData: return try exportStreakData()
    case .jsonSchema:
      try arguments.limit(1, "json-schema alone")
      context.output(EventSchema.json)
      return .done
    }
  }

  private func exportTable() throws(Failure) -> ExitStatus {
    try Synopsis("csv TABLE [HABIT…]", oneOf: ExportTable.allCases.map(\.rawValue), at: 1).check(
      arguments, of: Self.name)
    let table = try kind(at: 1, of: ExportTable.self)
    let (walk, point) = try reader.walkToPoint(wanting: table == .entries ? .locations : [])
    let loaded = try reader.finish(walk)
    try reader.check(point, reached: loaded)

    let chosen = try words.habits(named: arguments.positionals.dropFirst(2), in: loaded.ledger)
    let habits =
      chosen.isEmpty ? loaded.ledger.habits : chosen.compactMap { loaded.ledger[$0] }
    let days = try period(in: loaded.ledger)
    print(table.head)
    switch table {
    case .entries: try printEntries(of: habits.map(\.id), on: days, loaded)
    case .days: printDays(of: habits, on: days)
    case .jokers: printJokers(of: habits, on: days)
    case .xp: printXP(of: chosen, on: days, loaded.ledger)
    case .achievements: printAchievements(of: chosen, on: days, loaded.ledger)
    }
    return .done
  }

  /// Returns the days from `--from` to `--to`, by default all.
  private func period(in ledger: Ledger) throws(Failure) -> ClosedRange<Day> {
    let from = try words.day("--from", in: ledger) ?? Day.first
    let to = try words.day("--to", in: ledger) ?? Day.last
    guard from <= to else { throw .usage("--to is \(to), before --from, \(from)") }
    return from...to
  }

  private func printEntries(
    of habits: [String], on days: ClosedRange<Day>, _ loaded: LoadedLedger
  ) throws(Failure) {
    let facts = loaded.ledger.facts
    let last = min(try words.day("--on", .pastOrNamed) ?? Day.last, days.upperBound)
    guard days.lowerBound <= last else { return }
    let positions = facts.entryPositions(of: days.lowerBound...last)
    try loaded.stream?.eachEvent(at: positions) { _, event in
      guard case .entryLogged(let entry) = event.payload, habits.contains(entry.habit),
        facts.fate(of: event.id) == .standing
      else { return }
      print(CSV.line(CSV.fields(event, entry)))
    }
  }

  private func printDays(of habits: [HabitView], on days: ClosedRange<Day>) {
    for habit in habits {
      for day in habit.calendar(in: days) {
        let sum = habit.sum(on: day.day)?.sum
        print(
          CSV.line([
            habit.id, "\(day.day)", day.verdict.rawValue, CSV.text(day.outcome), CSV.plain(day.lot),
            "\(day.run)", CSV.ids(day.entries), CSV.plain(sum),
          ]))
      }
    }
  }

  private func printJokers(of habits: [HabitView], on days: ClosedRange<Day>) {
    for habit in habits {
      for line in habit.jokerBook where days.contains(line.day) {
        print(
          CSV.line([
            habit.id, "\(line.day)", line.action.rawValue, CSV.plain(line.lot), "\(line.held)",
            CSV.ids(line.because),
          ]))
      }
    }
  }

  /// Prints the XP of each entry and achievement.
  ///
  /// If `habits` has any, only the XP of their entries is printed.
  private func printXP(of habits: [String], on days: ClosedRange<Day>, _ ledger: Ledger) {
    typealias Row = (day: Day, position: Int, xp: Int, cells: [String])
    var rows: [Row] = []
    for view in ledger.habits where habits.isEmpty || habits.contains(view.id) {
      rows += view.earnedXP.map { earned in
        let cells = [earned.habit, CSV.ids([ledger.facts.id(at: earned.position)]), ""]
        return (earned.day, earned.position, earned.xp, cells)
      }
    }
    if habits.isEmpty {
      for achievement in Achievements(of: ledger).all where achievement.xp > 0 {
        let cells = ["", CSV.ids(achievement.because.suffix(1)), achievement.key]
        let last = achievement.because.last.flatMap { ledger.facts.position(of: $0) }
        rows.append((achievement.on, last ?? .max, achievement.xp, cells))
      }
    }

    rows.sort { ($0.day, $0.position) < ($1.day, $1.position) }
    for row in rows where days.contains(row.day) {
      print(CSV.line(["\(row.day)", "\(row.xp)"] + row.cells))
    }
  }

  /// Prints the achievements.
  ///
  /// If `habits` has any, only their milestones are printed.
  private func printAchievements(
    of habits: [String], on days: ClosedRange<Day>, _ ledger: Ledger
  ) {
    for achievement in Achievements(of: ledger).all where days.contains(achievement.on) {
      let habit = AchievementKey(achievement.key)?.habit
      guard habits.isEmpty || habit.map(habits.contains) ?? false else { continue }
      let name = AchievementText.name(achievement.key, ledger)
      print(
        CSV.line([
          "\(achievement.on)", achievement.key, Escaping.cell(name), habit ?? "",
          "\(achievement.xp)", CSV.ids(achievement.because),
        ]))
    }
  }

  private func exportStreakData() throws(Failure) -> ExitStatus {
    try Synopsis("streak-data HABIT").check(arguments, of: Self.name)
    let ledger = try (arguments.has("--at") ? reader.loadAtPoint() : reader.loadToday()).ledger
    let habit = try words.habit(named: word(1), in: ledger)
    guard let state = ledger[habit]?.state else { return .failed }
    // The JSON of StreakData as Foundation encodes it; dates are seconds since 2001.
    var data: JSONValue.Members = [
      "currentStreakDays": .whole(state.current), "rewardsEarned": .whole(state.jokers.held),
    ]
    if let day = state.lastGood, let begin = try reader.clock(of: ledger)?.begin(of: day) {
      data["lastActivityDate"] = .whole(Int(begin.microseconds / 1_000_000) - 978_307_200)
    }
    print(JSONValue.object(data).json)
    return .done
  }
}

/// The forms that `export` writes.
private enum ExportForm: String, CaseIterable {
  case csv
  case jsonSchema = "json-schema"
  case streakData = "streak-data"
}

/// The tables of `export csv`.
private enum ExportTable: String, CaseIterable {
  case entries, days, jokers, xp, achievements

  /// The first line, with the names of the columns.
  var head: String {
    switch self {
    case .entries:
      """
      id,habit,day,at,zone,recorded,key,asOf,minutes,km,sets,drinks,amount,level,completed,\
      activity,value,note
      """
    case .days: "habit,day,verdict,outcome,joker,run,entries,sum"
    case .jokers: "habit,day,action,lot,held,because"
    case .xp: "day,xp,habit,entry,achievement"
    case .achievements: "day,key,name,habit,xp,because"
    }
  }
}

/// Formatting of lines of comma-separated values, according to RFC 4180 but without carriage
/// returns.
package enum CSV {
  package static func line(_ fields: [String]) -> String {
    fields.map(Escaping.csv).joined(separator: ",")
  }

  package static func text(_ text: Text?) -> String { Escaping.cell(text?.string ?? "") }

  /// Joins ids in one field, which is escaped because an id may begin with a minus.
  static func ids(_ ids: [String]) -> String { Escaping.cell(ids.joined(separator: " ")) }

  static func plain(_ value: (some CustomStringConvertible)?) -> String { value?.description ?? "" }

  static func fields(_ event: Event, _ entry: Entry) -> [String] {
    [
      ids([event.id]), entry.habit, "\(event.day)", "\(event.at)", event.zone, "\(event.recorded)",
      ids(entry.key.map { [$0] } ?? []), plain(entry.asOf),
      plain(entry.minutes), plain(entry.km), plain(entry.sets), plain(entry.drinks),
      plain(entry.amount),
      text(entry.level), plain(entry.completed), text(entry.activity), text(entry.value),
      text(entry.note),
    ]
  }
}

extension Escaping {
  /// Quotes a field of a CSV line if the field contains a comma, a quote or a line break.
  package static func csv(_ text: String) -> String {
    guard text.utf8.contains(where: { ",\"\r\n".utf8.contains($0) }) else { return text }
    return "\"" + text.rewriting { $0 == "\"" ? "\"\"" : nil } + "\""
  }

  /// Escapes text that a spreadsheet would evaluate.
  package static func cell(_ text: String) -> String {
    let visible = visible(text)
    return isFormula(visible) ? "'" + visible : visible
  }
}
