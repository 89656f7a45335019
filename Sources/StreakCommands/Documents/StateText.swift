import EventLog
import StreakDomain

/// The state for people: a line a habit, longest run first.
enum StateText {
  static func show(_ document: StateDocument, _ ledger: Ledger, style: Style) -> String {
    var lines = ["\(document.today?.description ?? "no day yet") · \(document.zone ?? "no zone")", ""]
    lines += habits(document.habits, ledger, style)
    if !document.celebrations.isEmpty {
      lines += ["", "to celebrate: " + document.celebrations.joined(separator: ", ")]
    }
    return lines.joined(separator: "\n")
  }

  /// The state at a point; with `habitOnly` just where it stands and the habit's line.
  static func replay(_ document: StateDocument, _ ledger: Ledger, habitOnly: Bool, style: Style) -> String {
    var lines = ["position \(document.position) · \(document.event ?? "the empty ledger")"]
    if let recorded = document.recorded { lines.append("recorded \(recorded)") }
    lines.append("today \(document.today?.description ?? "-") · \(document.zone ?? "-")")
    lines.append("")
    lines += habits(document.habits, ledger, style)
    if habitOnly { return lines.joined(separator: "\n") }
    let activity = document.activity
    if activity.lastActivity != nil {
      lines.append("")
      lines.append(
        "activity: \(activity.strengthDays) strength days, \(activity.cardioDays) cardio days, "
          + "\(activity.mixedDays) with both")
    }
    if !document.achievements.isEmpty {
      lines += ["", "\(document.xp) XP, \(document.achievements.count) achievements, the latest:"]
      for achievement in document.achievements.suffix(3) {
        lines.append(
          "  \(achievement.on)  \(achievement.key)" + (achievement.xp > 0 ? "  +\(achievement.xp) XP" : ""))
      }
    }
    return lines.joined(separator: "\n")
  }

  private static func habits(_ states: [HabitState], _ ledger: Ledger, _ style: Style) -> [String] {
    guard !states.isEmpty else { return ["no habits yet; `streaks define` makes one"] }
    // Longest first; the order of definition decides between equal runs.
    let sorted = states.enumerated().sorted {
      ($1.element.current, $0.offset) < ($0.element.current, $1.offset)
    }
    let names = sorted.map { shortened($0.element.name) }
    let width = names.map(Escaping.columns).max() ?? 0
    let runs = sorted.map { run($0.element) }
    let runWidth = max(9, (runs.map(\.count).max() ?? 0) + 1)
    return sorted.map { entry in
      let state = entry.element
      let icon = Style.padded(Escaping.visible(String((state.icon ?? "").prefix(1))), 3)
      let name = Style.padded(shortened(state.name), width)
      let days = run(state)
      let run = String(repeating: " ", count: runWidth - days.count) + days
      let cap = ledger.definition(of: state.habit)?.forgiveness?.cap
      let jokers = Style.padded(dots(state.jokers.held, cap), 4)
      let text =
        "\(icon)\(name)\(style.paint(run, colour(state)))  \(style.paint(jokers, .yellow))"
        + "  \(Style.padded(state.status.rawValue, 7)) \(remark(state))"
      return text.withoutSpacesBehind
    }
  }

  private static func run(_ state: HabitState) -> String {
    state.status == .off ? "" : "\(state.current) \(state.current == 1 ? "day" : "days")"
  }

  /// A name safe to show, cut where it would push the columns apart.
  private static func shortened(_ name: String) -> String {
    let visible = Escaping.visible(name)
    return visible.count > 24 ? visible.prefix(23) + "…" : visible
  }

  /// Held jokers as stars out of what can be held.
  private static func dots(_ held: Int, _ cap: Int?) -> String {
    guard let cap, cap <= 5, held <= cap else { return held > 0 ? "★\(held)" : "" }
    return String(repeating: "★", count: held) + String(repeating: "☆", count: cap - held)
  }

  private static func colour(_ state: HabitState) -> Style.Colour {
    switch state.status {
    case .done: .green
    case .due, .grace: .yellow
    case .broken: .red
    case .off, .retired, .new, .rest: .grey
    }
  }

  private static func remark(_ state: HabitState) -> String {
    switch state.status {
    case .off: return state.totals.entries == 1 ? "1 entry" : "\(state.totals.entries) entries"
    case .new: return "day 1 is yours"
    case .broken, .retired: return state.longest > 0 ? "longest \(state.longest)" : ""
    case .rest, .grace, .due, .done: break
    }
    var parts = state.quota.map { [$0.words] } ?? []
    switch state.ifMissed {
    case .rests where state.quota == nil:
      parts.append(state.status == .rest ? "not asked for today" : "today may rest")
    case .heals: parts.append("a joker would cover today")
    case .graced: parts.append("today may be missed")
    case .breaks: parts.append("today decides")
    case .safe, .none, .rests: break
    }
    if let through = state.safeThrough, state.ifMissed != .breaks { parts.append("safe through \(through)") }
    if state.longest > state.current { parts.append("longest \(state.longest)") }
    return parts.joined(separator: " · ")
  }
}
