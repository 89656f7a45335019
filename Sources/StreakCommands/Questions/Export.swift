import EventLog
package import StreakDomain
import TimeZones

extension Command {
  static let export = Command(
    name: "export", group: .exchange,
    words: Synopsis("FORM [WORDS…]", oneOf: ExportForm.allCases.map(\.rawValue)),
    summary: "export for other tools: CSV, a JSON Schema, an app's numbers",
    options: [
      Option(
        "--at", .point, "as it was known then, as in `replay` (default: end)", only: ["csv", "streak-data"]),
      on,
      Option("--json", nil, "no effect, for they are always JSON", only: ["json-schema", "streak-data"]),
    ] + whatIf,
    details: [
      "csv entries [HABIT…]   every entry in force, in the order of the stream",
      "csv days [HABIT…]      every day so far: verdict, outcome, the joker spent, the run after it",
      "csv jokers [HABIT…]    the joker book, as `audit` prints it",
      "json-schema            the form of a line of the log (JSON Schema 2020-12)",
      "streak-data HABIT      the JSON of StreakData, as an app decodes it from UserDefaults: currentStreakDays, "
        + "rewardsEarned (jokers held), and lastActivityDate (the latest good day) in seconds since 2001-01-01T00:00:00Z",
      "",
      "CSV is UTF-8 with a line of names first. Text that a spreadsheet would take for a formula gets a ' in front.",
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
    let habits = named.isEmpty ? ledger.states().map(\.habit) : named
    switch table {
    case .entries:
      let last = try words.day("--on", .pastOrNamed) ?? Day.last
      print(EntryTable.names)
      try loaded.stream?.eachEvent(at: ledger.entryPositions(of: Day.first...Day.last)) { _, event in
        guard case .entryLogged(let entry) = event.payload, habits.contains(entry.habit), event.day <= last,
          ledger.fate(of: event.id) != .deleted
        else { return }
        print(CSV.line(EntryTable.fields(event, entry)))
      }
    case .days:
      print("habit,day,verdict,outcome,joker,run,entries,sum")
      for habit in habits {
        for day in ledger.verdicts(of: habit, in: Day.first...Day.last) {
          print(CSV.line(day.fields(of: habit, ledger)))
        }
      }
    case .jokers:
      print("habit,day,action,lot,held,because")
      for habit in habits {
        for line in ledger.jokerBook(of: habit) { print(CSV.line(line.fields(of: habit))) }
      }
    }
    return .done
  }

  private func exportStreakData() throws(Failure) -> ExitStatus {
    try Synopsis("streak-data HABIT").check(arguments, of: command)
    let ledger = try (arguments.has("--at") ? reader.loadAtPoint() : reader.loadToday()).ledger
    let habit = try words.habit(named: word(1), in: ledger)
    guard let state = ledger.state(of: habit) else { return .failed }
    // The JSON of StreakData as Foundation encodes it; dates are seconds since 2001.
    var data: JSON.Members = [
      "currentStreakDays": .whole(state.current), "rewardsEarned": .whole(state.jokers.held),
    ]
    if let day = state.lastGood, let begin = try reader.clock(of: ledger)?.begin(of: day) {
      data["lastActivityDate"] = .whole(Int(begin.microseconds / 1_000_000) - 978_307_200)
    }
    print(JSON.object(data).line)
    return .done
  }
}

/// Formatting of lines of comma-separated values, according to RFC 4180 but without carriage returns.
package enum CSV {
  package static func line(_ fields: [String]) -> String {
    fields.map(Escaping.csv).joined(separator: ",")
  }

  /// Escapes a text from the log, so that a spreadsheet doesn't read the text as a formula.
  package static func text(_ text: Text?) -> String { Escaping.cell(text?.string ?? "") }

  /// Joins ids in one field.
  ///
  /// It is escaped, because a spreadsheet reads an id that begins with a minus as a formula.
  static func ids(_ ids: [String]) -> String { Escaping.cell(ids.joined(separator: " ")) }
}

private enum EntryTable {
  static let names =
    "id,habit,day,at,zone,recorded,minutes,km,sets,drinks,amount,level,completed,activity,value,note"

  static func fields(_ event: Event, _ entry: Entry) -> [String] {
    func plain(_ value: (some CustomStringConvertible)?) -> String { value?.description ?? "" }
    return [
      CSV.ids([event.id]), entry.habit, "\(event.day)", "\(event.at)", event.zone, "\(event.recorded)",
      plain(entry.minutes), plain(entry.km), plain(entry.sets), plain(entry.drinks), plain(entry.amount),
      CSV.text(entry.level), plain(entry.completed), CSV.text(entry.activity), CSV.text(entry.value),
      CSV.text(entry.note),
    ]
  }
}

extension CalendarDay {
  fileprivate func fields(of habit: String, _ ledger: Ledger) -> [String] {
    [
      habit, "\(day)", verdict.rawValue, CSV.text(outcome), lot?.description ?? "", "\(run)",
      CSV.ids(entries), ledger.sum(of: habit, on: day).map { "\($0.sum)" } ?? "",
    ]
  }
}

extension JokerLine {
  fileprivate func fields(of habit: String) -> [String] {
    [habit, "\(day)", action.rawValue, lot?.description ?? "", "\(held)", CSV.ids(because)]
  }
}

extension Escaping {
  /// Quotes a field of a CSV line if the field contains a comma, a quote or a line break.
  package static func csv(_ text: String) -> String {
    guard text.utf8.contains(where: { ",\"\r\n".utf8.contains($0) }) else { return text }
    return "\"" + text.rewriting { $0 == "\"" ? "\"\"" : nil } + "\""
  }

  /// Escapes text for a spreadsheet, which would evaluate a text that begins with a sign such as `=` or `+` as a
  /// formula.
  ///
  /// White space before the sign makes no difference to a spreadsheet.
  package static func cell(_ text: String) -> String {
    let visible = visible(text)
    let first = visible.unicodeScalars.first { !$0.properties.isWhitespace }
    return first.map { "=+-@＝＋－＠".unicodeScalars.contains($0) } ?? false ? "'" + visible : visible
  }
}
