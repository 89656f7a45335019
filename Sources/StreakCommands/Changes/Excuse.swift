import EventLog
import Inspection
import StreakDomain

extension Command {
  static let excuse = Command(
    name: "excuse", group: .everyday,
    words: Synopsis("[FROM [TO]]", unless: ["--withdraw"]),
    summary: "excuse days: travel, illness, vacation; or list the excuses",
    options: [
      json,
      Option(
        "--habit", .habit, "only this habit (default: all)", repeatable: true, needs: ["FROM"]),
      Option("--reason", .text, "why the days are excused", needs: ["FROM", "--withdraw"]),
      Option(
        "--withdraw", .event, "withdraw a whole excuse, instead of FROM and TO",
        excludes: ["--habit"]),
    ] + writing(with: "FROM", "--withdraw"),
    details: [
      """
      Without FROM it lists the excuses in force. An excused day is skipped as if the calendar did \
      not have it, unless an
      """,
      """
      entry counts on it, good or bad. The answer names the past days that change. A weekday, or a \
      date without a year, is
      """,
      "the next one from today on; for TO, the next from FROM on; +3 is in three days. More than",
      "\(mostDays) days need --force, to catch a mistyped year.", "",
      "  streaks excuse 2025-08-01 2025-08-14 --reason vacation", "  streaks excuse sat sun",
      "  streaks excuse -2 today", "  streaks excuse",
      "  streaks excuse --withdraw …2b3c4d",
    ],
    example: Example(
      line: "streaks excuse sat sun --habit gym --reason trip",
      answer: [
        "2025-11-22 to 2025-11-23: excused for gym…",
        "  no day that is over changes; where an entry counts, it still does",
        "  `streaks undo` reverts it",
      ])
  ) { invocation throws(Failure) in
    try invocation.excuseDays()
    return .done
  }

  /// The maximum number of days that one excuse may cover without `--force`.
  fileprivate static let mostDays = 62
}

extension Invocation {
  fileprivate func excuseDays() throws(Failure) {
    guard !arguments.positionals.isEmpty || arguments.has("--withdraw") else {
      return try listExcuses()
    }
    let reason = text("--reason")
    if reason == "zone" {
      throw .usage(
        """
        --reason zone is reserved for dates that a change of zone left out, which nobody can \
        withdraw; use other words
        """
      )
    }
    var says = ""
    let written = try writer.write { (ledger) throws(Failure) in
      if let word = arguments.value("--withdraw") {
        let id = try words.event(named: word)
        says =
          "withdrew the excuse"
          + (ledger.facts.excusedSpan(of: id).map { " of \(DayText.span($0))" } ?? "")
        return [try writer.draft(.excuseWithdrawn(excuse: id, reason: reason))]
      }
      let span = try spanToExcuse(in: ledger)
      var habits: [String] = []
      for word in arguments.all("--habit") {
        let habit = try words.habit(toRecord: word, in: ledger)
        if !habits.contains(habit) { habits.append(habit) }
      }
      let whose = habits.isEmpty ? "all habits" : habits.joined(separator: ", ")
      says = "\(DayText.span(span)): excused for \(whose)"
      let payload = Payload.daysExcused(
        from: span.lowerBound, to: span.upperBound, habits: habits.isEmpty ? nil : habits,
        reason: reason)
      return [try writer.draft(payload)]
    }
    try printAnswer(of: written) { result, _, changesPast in
      [says + (arguments.has("--withdraw") ? "" : " (\(Event.shortID(result.id)))")]
        + (changesPast
          ? [] : ["  no day that is over changes; where an entry counts, it still does"])
    }
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
    let days = arguments.positionals
    let first = word(0)
    let (today, _) = try words.wordClock(ledger)
    let from = try words.day(named: first, by: "FROM", .future(from: today), in: ledger)
    let to =
      try days.count > 1
      ? words.day(named: days[1], by: "TO", .future(from: from), in: ledger) : from
    guard from <= to else { throw .usage("TO is \(to), before FROM, \(from)") }
    let count = to - from + 1
    guard count <= Command.mostDays || arguments.has("--force") else {
      throw .usage("\(from) to \(to) are \(count) days; more than \(Command.mostDays) need --force")
    }
    return from...to
  }
}
