import EventLog
import Inspection
import StreakDomain

/// The command that excuses days, or lists the excuses.
struct ExcuseCommand: Command {
  static let name = "excuse"
  static let group = CommandGroup.everyday
  static let words = Synopsis("[FROM [TO]]", unless: ["--withdraw", "--until"])
  static let options: [Option] =
    [
      .json,
      Option(
        "--habit", .habit, "only this habit (default: all)", repeatable: true,
        needs: ["FROM", "--until"]),
      Option("--reason", .text, "why the days are excused", needs: ["FROM", "--withdraw"]),
      Option(
        "--withdraw", .event, "withdraw a whole excuse, instead of FROM and TO",
        excludes: ["--habit", "--until"]),
      Option(
        "--until", .day, "end the excuse without an end; DAY is the last excused day",
        excludes: ["--reason", "--id"]),
    ] + Option.writing(with: "FROM", "--withdraw", "--until")
  static let help = HelpText(PackageResources.excuse_txt, inserting: ["days": "\(mostDays)"])

  /// The maximum number of days that one excuse may cover without `--force`.
  private static let mostDays = 62

  let invocation: Invocation

  func run() throws(Failure) -> ExitStatus {
    if let word = arguments.value("--withdraw") {
      try withdrawExcuse(word)
    } else if let word = arguments.value("--until") {
      try endExcuses(until: word)
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
      let (from, to) = try daysToExcuse(in: ledger)
      let habits = try habits(in: ledger)
      let whose = habits?.joined(separator: ", ") ?? "all habits"
      firstLine = "\(DayText.span(from...(to ?? Day.last))): excused for \(whose)"

      let present = ledger.facts.standingExcuses.first { excuse in
        let areSameHabits = Set(excuse.habits ?? []) == Set(habits ?? [])
        let areSameDays = excuse.days == from...(to ?? Day.last) && excuse.isOpen == (to == nil)
        let goesOn = to == nil && excuse.isOpen && excuse.days.lowerBound <= from
        return areSameHabits && (goesOn || areSameDays && excuse.reason == reason)
      }
      if let present, !arguments.has("--id") {
        firstLine += " already (\(Event.shortID(present.id)))"
        return []
      }
      return [
        writer.draft(.daysExcused(from: from, to: to, habits: habits, reason: reason))
      ]
    }

    try printAnswer(of: written, unchanged: firstLine) {
      "\(firstLine) (\(Event.shortID($0.id)))"
    }
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

  /// Returns the habits that `--habit` names, without repetitions, or `nil` for all habits.
  private func habits(in ledger: Ledger) throws(Failure) -> [String]? {
    var habits: [String] = []
    for word in arguments.all("--habit") {
      let habit = try words.habit(toRecord: word, in: ledger)
      if !habits.contains(habit) { habits.append(habit) }
    }
    return habits.isEmpty ? nil : habits
  }

  /// Ends the open excuses of the habits that `--habit` names.
  ///
  /// Without `--habit`, ends the open excuses that apply to all habits.
  ///
  /// Each excuse is withdrawn, and written again with the last day. If the excuse also names other
  /// habits, it is written again without an end for these. All events form one step.
  private func endExcuses(until word: String) throws(Failure) {
    var lines: [String] = []
    let written = try writer.write { (ledger) throws(Failure) in
      let last = try words.day(named: word, by: "--until", .near(isFuture: true), in: ledger)
      let habits = try habits(in: ledger)
      let ended = try openExcuses(of: habits, in: ledger, last)

      let whose = habits?.joined(separator: ", ") ?? "all habits"
      lines = ["the excuse of \(whose) ends with \(last)"]
      let ofAll = ledger.facts.standingExcuses.first { $0.isOpen && $0.habits == nil }
      if habits != nil, let ofAll {
        lines.append("  that of all habits (\(Event.shortID(ofAll.id))) goes on")
      }
      return ended.flatMap { drafts(toEnd: $0, of: habits, with: last) }
    }
    try printAnswer(of: written) { _, _, _ in lines }
  }

  /// Returns the open excuses that name one of `habits`.
  ///
  /// If `habits` is `nil`, returns the open excuses that apply to all habits.
  ///
  /// Throws if one of `habits` has no such excuse, if there is none, or if all of them begin after
  /// the day `last`.
  private func openExcuses(
    of habits: [String]?, in ledger: Ledger, _ last: Day
  ) throws(Failure) -> [StandingExcuse] {
    let open = ledger.facts.standingExcuses.filter(\.isOpen)
    let ended = open.filter { excuse in
      guard let habits else { return excuse.habits == nil }
      return excuse.habits.map { !Set($0).isDisjoint(with: habits) } ?? false
    }

    let isOpen = { (habit: String) in ended.contains { $0.habits?.contains(habit) ?? false } }
    let missing = habits?.first { !isOpen($0) }
    guard let first = ended.first, missing == nil else {
      let whose = "of " + (missing ?? "all habits")
      let others = open.compactMap(\.habits).flatMap(\.self)
      var remedy: Remedy?
      if habits != nil, open.contains(where: { $0.habits == nil }) {
        remedy = .program("that of all habits ends without --habit")
      } else if habits == nil, let other = others.first {
        remedy = .program("--habit \(other) ends that of \(other)")
      }
      throw Failure(.unknownExcuse, "there is no excuse \(whose) without an end", remedy: remedy)
    }
    guard ended.contains(where: { $0.days.lowerBound <= last }) else {
      throw Failure(
        .usage, "--until is \(last), before the excuse begins, \(first.days.lowerBound)",
        remedy: .program("`streaks excuse --withdraw \(Event.shortID(first.id))` withdraws it"))
    }
    return ended
  }

  private func drafts(
    toEnd excuse: StandingExcuse, of habits: [String]?, with last: Day
  ) -> [Draft] {
    let first = excuse.days.lowerBound
    let ended = habits.map { habits in (excuse.habits ?? []).filter(habits.contains) }
    let others = (excuse.habits ?? []).filter { !(ended ?? []).contains($0) }

    var payloads = [Payload.excuseWithdrawn(excuse: excuse.id, reason: nil)]
    if first <= last {
      payloads.append(.daysExcused(from: first, to: last, habits: ended, reason: excuse.reason))
    }
    if !others.isEmpty {
      payloads.append(.daysExcused(from: first, to: nil, habits: others, reason: excuse.reason))
    }
    return payloads.map { writer.draft($0) }
  }

  private func printAnswer(
    of written: Decision?, unchanged: String = "", _ firstLine: (AppendResult) -> String
  ) throws(Failure) {
    try printAnswer(of: written, unchanged: [unchanged]) { result, _, changesPast in
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
    if isJSON { return printJSON(of: ExcuseList(excuses)) }
    guard !excuses.isEmpty else { return reportEmpty("no days are excused") }

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

  /// Returns the days from FROM to TO, or only FROM without a TO.
  ///
  /// For FROM, a weekday means the next one, and a date without a year means the nearest one. After
  /// `FROM..`, `to` is `nil`.
  private func daysToExcuse(in ledger: Ledger) throws(Failure) -> (from: Day, to: Day?) {
    let isOpen = word(0).ends(with: "..")
    let first = isOpen ? String(word(0).dropLast(2)) : word(0)
    let from = try words.day(named: first, by: "FROM", .near(isFuture: true), in: ledger)
    guard !isOpen else {
      let today = try words.wordClock(ledger).today
      guard arguments.positionals.count == 1 else {
        throw .usage("FROM is \(quoted(word(0))), without an end, so it goes without a TO")
      }
      try checkCount(from...max(from, today))
      return (from, nil)
    }

    let to =
      try arguments.positionals.count > 1
      ? words.day(named: word(1), by: "TO", .future(from: from), in: ledger) : from

    guard from <= to else { throw .usage("TO is \(to), before FROM, \(from)") }
    try checkCount(from...to)
    return (from, to)
  }

  /// Throws if `days` has more than `mostDays` days, which suggests a mistyped year, unless
  /// `--force` is given.
  private func checkCount(_ days: ClosedRange<Day>) throws(Failure) {
    let count = days.count
    guard count <= Self.mostDays || arguments.has("--force") else {
      throw .usage(
        "\(days.lowerBound) to \(days.upperBound) are \(count) days; more than "
          + "\(Self.mostDays) need --force")
    }
  }
}
