import Inspection
import EventLog
import StreakDomain

extension Forecast {
  var json: JSON {
    .object([
      "habit": .text(habit), "current": .whole(run), "safeThrough": .day(safeThrough),
      "untilJoker": untilJoker.map { .whole($0) } ?? .null,
      "days": .list(
        days.map { day in
          .object([
            "day": .day(day.day), "verdict": .text(day.verdict.rawValue), "run": .whole(day.run),
            "spent": .text(day.spent.map { "\(habit)/\($0)" }),
            "earned": .text(day.earned.map { "\(habit)/\($0)" }),
          ])
        }),
    ])
  }
}

enum ForecastText {
  static func lines(_ forecast: Forecast, _ ledger: Ledger, _ style: Style) -> [String] {
    let definition = ledger.definition(of: forecast.habit)
    let name = definition?.title ?? forecast.habit
    let unit = ledger.runUnit(of: forecast.habit, since: ledger.state(of: forecast.habit)?.start)
    var lines = [style.paint(Escaping.visible("\(name)  \(counted(forecast.run, unit))"), .bold)]
    var run = forecast.run
    for day in forecast.days {
      lines.append("  " + line(day, forecast.habit, isEnd: run > 0 && day.run == 0, style))
      run = day.run
    }
    if forecast.run == 0 {
      lines.append("  no run that could end")
    } else {
      lines.append(forecast.safeThrough.map { "  safe through \($0)" } ?? "  safe for a year or more")
    }
    if let until = forecast.untilJoker {
      lines.append(
        "  the next joker is earned after \(counted(until, "more \(unit)")) of the run")
    }
    return lines
  }

  private static func line(
    _ day: Forecast.Step, _ habit: String, isEnd: Bool, _ style: Style
  ) -> String {
    var text = "\(day.day)  \(CalendarText.sign(day.verdict)) \(Style.padded(day.verdict.rawValue, 9))"
    if let spent = day.spent { text += "  covered by \(habit)/\(spent)" }
    if let earned = day.earned { text += "  earns \(habit)/\(earned)" }
    if isEnd { text += "  the run ends" }
    return style.paint(text.withoutSpacesBehind, isEnd ? .red : day.spent != nil ? .yellow : .grey)
  }
}
