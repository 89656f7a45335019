import EventLog
import StreakDomain

extension Command {
  static let horizon = Command(
    name: "horizon", group: .lookBack, words: "[HABIT]",
    summary: "what happens on the coming days if nothing more is logged",
    options: [
      json, Option("--days", "N", "how many days to look ahead (default: 7)"),
      Option("--on", "DAY", "the day to see it from (default: today)"),
    ] + whatIf,
    details: ["  streaks horizon", "  streaks horizon noalc --days 14"],
    example: Example(
      line: "streaks horizon noalc",
      answer: [
        "🍀 NoAlc  28 days",
        "  2025-11-20  ★ healed     covered by noalc/30",
        "  2025-11-21  ★ healed     covered by noalc/31",
        "  2025-11-22  ★ healed     covered by noalc/32",
        "  2025-11-23  ○ missed     the run ends",
        "  safe through 2025-11-22",
      ])
  ) { invocation throws(CommandError) in
    let limit =
      try invocation.arguments.read("--days", "a number of days, 1 to 3660") { text in
        Int(text).flatMap { (1...3660).contains($0) ? $0 : nil }
      } ?? 7
    let ledger = try invocation.reader.loadToday().ledger
    let chosen = try invocation.words.chosenHabit(in: ledger)
    let horizons = (chosen.map { [$0] } ?? ledger.definedHabits).compactMap {
      ledger.horizon(of: $0, days: limit)
    }
    if invocation.isJSON {
      invocation.print(
        JSON.object(["format": .whole(1), "habits": .list(horizons.map(\.json))]).line)
      return .done
    }
    let shown = horizons.filter { chosen != nil || $0.run > 0 }
    if shown.isEmpty { invocation.print("no run that could end") }
    for (index, horizon) in shown.enumerated() {
      if index > 0 { invocation.print("") }
      for line in HorizonText.lines(horizon, ledger, invocation.style) { invocation.print(line) }
    }
    return .done
  }
}

extension Horizon {
  var json: JSON {
    .object([
      "habit": .text(habit), "current": .whole(run), "safeThrough": .day(safeThrough),
      "untilJoker": untilJoker.map { .whole($0) } ?? .null,
      "days": .list(
        days.map { day in
          .object([
            "day": .day(day.day), "verdict": .text(day.verdict.name), "run": .whole(day.run),
            "spent": .text(day.spent.map { "\(habit)/\($0)" }),
            "earned": .text(day.earned.map { "\(habit)/\($0)" }),
          ])
        }),
    ])
  }
}

/// The coming days for people.
enum HorizonText {
  static func lines(_ horizon: Horizon, _ ledger: Ledger, _ style: Style) -> [String] {
    let definition = ledger.definition(of: horizon.habit)
    let name = definition?.title(horizon.habit) ?? horizon.habit
    var lines = [style.paint(Escaping.visible("\(name)  \(counted(horizon.run, "day"))"), .bold)]
    var run = horizon.run
    for day in horizon.days {
      lines.append("  " + line(day, horizon.habit, isEnd: run > 0 && day.run == 0, style))
      run = day.run
    }
    if horizon.run == 0 {
      lines.append("  no run that could end")
    } else {
      lines.append(horizon.safeThrough.map { "  safe through \($0)" } ?? "  nothing ends this run")
    }
    if let until = horizon.untilJoker {
      lines.append(
        "  the next joker is earned after \(counted(until, "more day")) of the run")
    }
    return lines
  }

  private static func line(
    _ day: Horizon.Step, _ habit: String, isEnd: Bool, _ style: Style
  ) -> String {
    var text = "\(day.day)  \(CalendarText.sign(day.verdict)) \(Style.padded(day.verdict.name, 9))"
    if let spent = day.spent { text += "  covered by \(habit)/\(spent)" }
    if let earned = day.earned { text += "  earns \(habit)/\(earned)" }
    if isEnd { text += "  the run ends" }
    return style.paint(text, isEnd ? .red : day.spent != nil ? .yellow : .grey)
  }
}
