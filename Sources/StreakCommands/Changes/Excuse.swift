import EventLog
import Inspection
import StreakDomain

/// The command that excuses days, or lists the excuses.
struct ExcuseCommand: Command {
  static let name = "excuse"
  static let group = CommandGroup.everyday
  static let words = Synopsis("[FROM [TO]]", unless: ["--withdraw"])
  static let options: [Option] =
    [
      .json,
      Option(
        "--habit", .habit, "only this habit (default: all)", repeatable: true, needs: ["FROM"]),
      Option("--reason", .text, "why the days are excused", needs: ["FROM", "--withdraw"]),
      Option(
        "--withdraw", .event, "withdraw a whole excuse, instead of FROM and TO",
        excludes: ["--habit"]),
    ] + Option.writing(with: "FROM", "--withdraw")
  static let help = HelpText(PackageResources.excuse_txt, inserting: ["days": "\(mostDays)"])

  /// The maximum number of days that one excuse may cover without `--force`.
  private static let mostDays = 62

  let invocation: Invocation

  func run() throws(Failure) -> ExitStatus {
    if let word = arguments.value("--withdraw") {
      try withdrawExcuse(word)
    } else if arguments.positionals.isEmpty {
      try listExcuses()
    } else {
      try excuseDays()
    }
    return .done
  }

  private func excuseDays() throws(Failure) {
    let reason = try reason()
    var firstLine = ""
    let written = try writer.write { (ledger) throws(Failure) in
      let span = try spanToExcuse(in: ledger)
      var habits: [String] = []
      for word in arguments.all("--habit") {
        let habit = try words.habit(toRecord: word, in: ledger)
        if !habits.contains(habit) { habits.append(habit) }
      }

      let whose = habits.isEmpty ? "all habits" : habits.joined(separator: ", ")
      firstLine = "\(DayText.span(span)): excused for \(whose)"
      let payload = Payload.daysExcused(
        from: span.lowerBound, to: span.upperBound, habits: habits.isEmpty ? nil : habits,
        reason: reason)
      return [writer.draft(payload)]
    }
    try printAnswer(of: written) { "\(firstLine) (\(Event.shortID($0.id)))" }
  }

  private func withdrawExcuse(_ word: String) throws(Failure) {
    let reason = try reason()
    var firstLine = ""
    let written = try writer.write { (ledger) throws(Failure) in
      let id = try words.event(named: word)
      let span = ledger.facts.excusedSpan(of: id).map { " of \(DayText.span($0))" }
      firstLine = "withdrew the excuse" + (span ?? "")
      return [writer.draft(.excuseWithdrawn(excuse: id, reason: reason))]
    }
    try printAnswer(of: written) { _ in firstLine }
  }

  private func printAnswer(
    of written: Decision?, _ firstLine: (AppendResult) -> String
  ) throws(Failure) {
    try printAnswer(of: written) { result, _, changesPast in
      let hint = "  no day that is over changes; where an entry counts, it still does"
      return [firstLine(result)] + (changesPast ? [] : [hint])
    }
  }

  private func reason() throws(Failure) -> Text? {
    let reason = text("--reason")
    guard reason != "zone" else {
      throw .usage(
        """
        --reason zone is reserved for dates that a change of zone left out, which nobody can \
        withdraw; use other words
        """)
    }
    return reason
  }

  private func listExcuses() throws(Failure) {
    let ledger = try reader.loadToday().ledger
    let excuses = ledger.facts.standingExcuses
    if isJSON { return printJSON(["excuses": JSONValue(of: excuses)]) }
    guard !excuses.isEmpty else { return print("no days are excused") }

    let spans = excuses.map { DayText.span($0.days) }
    let widest = spans.map(\.utf8.count).max() ?? 0
    for (excuse, span) in zip(excuses, spans) {
      let whose = excuse.habits?.joined(separator: ", ") ?? "all habits"
      let reason = excuse.reason.map { ": \($0)" } ?? ""
      print(
        TableRow.text(
          (span, widest), (Escaping.visible(whose + reason), 0), (Event.shortID(excuse.id), 0)))
    }
  }

  /// Returns the days from FROM to TO, or only FROM if TO isn't given; a weekday means the next
  /// one.
  private func spanToExcuse(in ledger: Ledger) throws(Failure) -> ClosedRange<Day> {
    let today = try words.wordClock(ledger).today
    let from = try words.day(named: word(0), by: "FROM", .future(from: today), in: ledger)
    let to =
      try arguments.positionals.count > 1
      ? words.day(named: word(1), by: "TO", .future(from: from), in: ledger) : from

    guard from <= to else { throw .usage("TO is \(to), before FROM, \(from)") }
    let count = to - from + 1
    guard count <= Self.mostDays || arguments.has("--force") else {
      throw .usage("\(from) to \(to) are \(count) days; more than \(Self.mostDays) need --force")
    }
    return from...to
  }
}
