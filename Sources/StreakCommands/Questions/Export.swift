import EventLog
import Inspection
import Imports
package import StreakDomain
import TimeZones

extension Command {
  static let export = Command(
    name: "export", group: .exchange,
    words: Synopsis("FORM [WORDS…]", oneOf: ExportForm.allCases.map(\.rawValue)),
    summary: "export for other tools: CSV, a JSON Schema, an app's numbers",
    options: [
      Option(
        "--at", .point, "as it was known then, as in `replay` (default: end)",
        only: ["csv", "streak-data"]),
      on,
      Option(
        "--json", nil, "no effect, for they are always JSON", only: ["json-schema", "streak-data"]),
    ] + whatIf,
    details: [
      "csv entries [HABIT…]   every entry in force, in the order of the stream",
      """
      csv days [HABIT…]      every day so far: verdict, outcome, the joker spent, the run after it
      """,
      "csv jokers [HABIT…]    the joker book, as `audit` prints it",
      "json-schema            the form of a line of the log (JSON Schema 2020-12)",
      """
      streak-data HABIT      the JSON of StreakData, as an app decodes it from UserDefaults: \
      currentStreakDays, 
      """
        + """
        rewardsEarned (jokers held), and lastActivityDate (the latest good day) in seconds since \
        2001-01-01T00:00:00Z
        """,
      "",
      """
      CSV is UTF-8 with a line of names first. Text that a spreadsheet would take for a formula \
      gets a ' in front.
      """,
      "", "  streaks export csv days noalc > noalc.csv",
    ],
    example: Example(
      line: "streaks export csv jokers noalc",
      answer: [
        "habit,day,action,lot,held,because",
        "noalc,2024-09-26,earned,noalc/1,1,01923217-e600-7c29-bf87-bbc5eb6146b9",
        "noalc,2024-09-26,spent,noalc/1,0,01923217-e600-7c29-bf87-bbc5eb6146b9",
        "…",
      ]),
    isForPeople: false
  ) { invocation throws(Failure) in
    try invocation.exportData()
  }
}

private enum ExportForm: String, CaseIterable {
  case csv
  case jsonSchema = "json-schema"
  case streakData = "streak-data"
}

private enum ExportTable: String, CaseIterable {
  case entries, days, jokers
}

extension Invocation {
  fileprivate func exportData() throws(Failure) -> ExitStatus {
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
      arguments, of: command)
    let table = try kind(at: 1, of: ExportTable.self)
    let (walk, point) = try reader.walkToPoint(wanting: table == .entries ? .places : [])
    let loaded = try reader.finish(walk)
    let ledger = loaded.ledger
    try reader.check(point, reached: loaded)
    let named = try habits(named: arguments.positionals.dropFirst(2), in: ledger)
    let habits = named.isEmpty ? ledger.habits.map(\.state).map(\.habit) : named
    let all = Day.first...Day.last
    switch table {
    case .entries:
      print(
        """
        id,habit,day,at,zone,recorded,minutes,km,sets,drinks,amount,level,completed,activity,value,\
        note
        """
      )
      let last = try words.day("--on", .pastOrNamed) ?? Day.last
      try loaded.stream?.eachEvent(at: ledger.facts.entryPositions(of: Day.first...last)) {
        _, event in
        guard case .entryLogged(let entry) = event.payload, habits.contains(entry.habit),
          ledger.facts.fate(of: event.id) != .deleted
        else { return }
        print(CSV.line(CSV.fields(event, entry)))
      }
    case .days:
      print("habit,day,verdict,outcome,joker,run,entries,sum")
      for (habit, day) in habits.flatMap({ habit in
        (ledger[habit]?.calendar(in: all) ?? []).map { (habit, $0) }
      }) {
        let sum = ledger[habit]?.sum(on: day.day)?.sum
        print(
          CSV.line([
            habit, "\(day.day)", day.verdict.rawValue, CSV.text(day.outcome), CSV.plain(day.lot),
            "\(day.run)", CSV.ids(day.entries), CSV.plain(sum),
          ]))
      }
    case .jokers:
      print("habit,day,action,lot,held,because")
      for (habit, line) in habits.flatMap({ habit in
        (ledger[habit]?.jokerBook ?? []).map { (habit, $0) }
      }) {
        let because = CSV.ids(line.because)
        print(
          CSV.line([
            habit, "\(line.day)", line.action.rawValue, CSV.plain(line.lot), "\(line.held)",
            because,
          ])
        )
      }
    }
    return .done
  }

  private func exportStreakData() throws(Failure) -> ExitStatus {
    try Synopsis("streak-data HABIT").check(arguments, of: command)
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
