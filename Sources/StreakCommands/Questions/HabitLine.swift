import EventLog
import Inspection
package import StreakDomain

/// A habit's line in `show` and its card in `report`: the run, the jokers, today's status and remarks.
package struct HabitLine {
  let state: Streak
  /// The run as text, such as `28 days`; empty for a habit without a streak.
  let run: String
  private let cap: Int?
  let group: Group
  /// Whether the run ends if nothing more is logged today.
  let isAtRisk: Bool
  /// Today's status in a few words, such as `due` or `kept so far`; empty if the remarks show the status.
  let word: String
  /// The remarks, such as `safe through Saturday`, most important first.
  ///
  /// In a narrow line the last ones are omitted.
  let remarks: [String]
  /// The progress bar of the first quota or sum among the remarks, or `nil` if the remarks contain neither.
  let bar: Bar?

  struct Bar: Hashable {
    let done: Thousandths
    let wanted: Thousandths
    let isOver: Bool
    let words: String
  }

  package enum Group: String, CaseIterable {
    case due, free, done, resting, excused, over, beginning, aside

    var title: String {
      switch self {
      case .due: "due"
      case .free: "may rest today"
      case .done: "done"
      case .resting: "resting"
      case .excused: "excused"
      case .over: "bad today"
      case .beginning: "to begin"
      case .aside: "off or retired"
      }
    }
  }

  package init(_ state: Streak, _ ledger: Ledger) {
    self.state = state
    let definition = ledger.definition(of: state.habit)
    run = state.status == .off ? "" : ledger.runWords(of: state)
    cap = definition?.forgiveness?.cap
    let today = ledger.handle(of: state.habit).flatMap { habit in
      ledger.today.flatMap { ledger.verdict(of: habit, on: $0) }
    }
    let all = HabitRemarks(
      state: state, ledger: ledger, isLimit: definition?.rule.isLimit ?? false, today: today)
    let isExcused = today == .excused && ![.off, .retired].contains(state.status)
    let isLast = ledger.today.flatMap { ledger.retirement(of: state.habit, on: $0.next) } != nil
    let own = HabitLine.group(of: state, today: today, isKept: all.isKept)
    // The last day before a retirement still counts.
    let isAside = isLast && state.status != .retired && ![.due, .free].contains(own)
    group = isAside ? .aside : isExcused ? .excused : own
    isAtRisk = group == .due && state.ifMissed == .breaks
    switch group {
    case .due, .free: word = group.title
    case .done: word = all.isKept ? "kept so far" : group.title
    case .over: word = all.outcome.isEmpty ? group.title : ""
    case .aside: word = state.status == .retired ? "retired" : ""
    case .resting, .excused, .beginning: word = ""
    }
    var remarks =
      isAside
      ? ["retired from tomorrow"] + all.record
      : isExcused ? all.excuse + all.weeksProgress + all.record : all.all
    let second = min(1, remarks.count)
    if isLast, !isAside, state.status != .retired { remarks.insert("retired from tomorrow", at: second) }
    if let planned = PlannedChange(of: state.habit, in: ledger)?.goal {
      remarks.insert(planned, at: isExcused ? min(all.excuse.count, remarks.count) : second)
    }
    let shown = remarks.map(Escaping.visible)
    self.remarks = shown
    bar = all.bars.first { shown.contains($0.words) }
  }

  /// Returns the remarks, preceded by `word` unless `word` is empty or the title of `group`.
  func remarks(in group: Group? = nil) -> [String] {
    (word.isEmpty || word == group?.title ? [] : [word]) + remarks
  }

  var jokers: String {
    let held = state.jokers.held
    guard let cap, cap <= 5, held <= cap else { return held > 0 ? "★\(held)" : "" }
    return String(repeating: "★", count: held) + String(repeating: "☆", count: cap - held)
  }

  private static func group(of state: Streak, today: Verdict?, isKept: Bool) -> Group {
    switch state.status {
    case .off, .retired: .aside
    // A week or month over its limit requires nothing more.
    case .new, .broken:
      today == .bad ? .over : state.progress?.isWeekOver ?? false ? .resting : .beginning
    case .rest: .resting
    case .done: .done
    case .due, .grace: isKept ? .done : state.ifMissed == .rests ? .free : .due
    }
  }

  /// Returns the lines sorted: runs at risk first, then longer runs, then habits that were defined earlier.
  static func sorted(_ lines: [HabitLine]) -> [HabitLine] {
    func rank(_ line: (offset: Int, element: HabitLine)) -> (Int, Int, Int) {
      (
        line.element.isAtRisk ? 0 : 1,
        -line.element.state.current, line.offset
      )
    }
    return lines.enumerated().sorted { rank($0) < rank($1) }.map(\.element)
  }
}

private struct HabitRemarks {
  let state: Streak
  let ledger: Ledger
  let isLimit: Bool
  let today: Verdict?

  var isKept: Bool { [.due, .grace].contains(state.status) && (isLimit || state.ifMissed == .safe) }

  var all: [String] {
    switch state.status {
    case .off: return [state.totals.entries == 0 ? "no entries yet" : counted(state.totals.entries, "entry")]
    case .retired: return longest
    case .new: return beginning
    case .broken:
      return progress + quota.prefix(1) + outcome
        + (state.lastGood.map { ["last good day \(DayText.short($0, today: ledger.today))"] } ?? [])
        + longest
    case .rest: return weeksProgress + [rest] + quota + record
    case .done: return quota + weeksProgress + safety + record
    case .due, .grace:
      if isKept { return progress + quota + record }
      return state.ifMissed == .rests ? progress + quota + safety + record : due + quota + record
    }
  }

  var excuse: [String] {
    guard let today = ledger.today else { return [] }
    let own = ledger.standingExcuses.filter { $0.habits?.contains(state.habit) ?? true }
    let standing = own.filter { $0.days.contains(today) }
    // An excused habit without an excuse of its own is a composite whose members are excused.
    guard let last = standing.max(by: { $0.days.upperBound < $1.days.upperBound }) else {
      return ["excused today"]
    }
    var end = last.days.upperBound
    while let next = own.first(where: { $0.days.contains(end.next) }) { end = next.days.upperBound }
    return [end == today ? "excused today" : "excused through \(DayText.coming(end, today: today))"]
      + (last.reason.map { $0.isEmpty || $0 == "zone" ? [] : [$0.string] } ?? [])
  }

  private var beginning: [String] {
    guard let today = ledger.today else { return ["day 1 is yours"] }
    if isLimit {
      let isAsked = ledger.definition(of: state.habit)?.schedule?.names(today) ?? true
      let mayBegin = isAsked && state.progress?.period == nil && (day == nil || day?.verdict == .open)
      let words = (mayBegin ? ["day 1 tonight if nothing breaks the limit"] : []) + progress
      return words.isEmpty ? ["no good day yet"] : words
    }
    if !progress.isEmpty || !outcome.isEmpty { return progress + outcome + quota.prefix(1) }
    // A composite has no entries of its own.
    if let needs { return [needs] }
    if state.totals.entries == 0 { return ["day 1 is yours"] }
    let nothing = ledger.sum(of: state.habit, on: today)?.rule.progress(.zero)
    return [nothing ?? "no good day yet"] + quota.prefix(1)
  }

  private var day: CalendarDay? {
    ledger.today.flatMap { ledger.verdicts(of: state.habit, in: $0...$0).first }
  }

  /// The outcome of today's entries if it is a bad level, such as `wild today`; otherwise empty.
  var outcome: [String] {
    guard today == .bad, let day, ledger.definition(of: state.habit)?.rule.levels.names.isEmpty == false
    else { return [] }
    return ["\(day.outcome) today"]
  }

  private var due: [String] {
    let needs = needs
    let what: String
    switch state.ifMissed {
    case .breaks:
      let ends = "\(ledger.runWords(of: state)) \(state.current == 1 ? "ends" : "end")"
      return ["\(needs ?? "log today") or \(ends)"] + progress
    // A joker is earned before one is spent, so today can earn the joker that covers it.
    case .heals:
      what = state.jokers.held > 0 ? "a joker would cover today" : "today earns a joker that would cover it"
    case .graced: what = "a miss today is forgiven"
    case .safe, .nothing, .rests: what = "nothing is lost today"
    }
    return [what] + (needs.map { [$0] } ?? []) + progress + safety
  }

  private var needs: String? {
    guard let today = ledger.today, case .all? = ledger.definition(of: state.habit)?.rule.kind else {
      return nil
    }
    let lacking = ledger.members(of: state.habit, on: today).filter {
      $0.leftOut == nil && $0.outcome != "good"
    }
    let names = lacking.map { ledger.definition(of: $0.habit)?.name?.string ?? $0.habit }
    return names.isEmpty ? nil : "needs " + names.joined(separator: ", ")
  }

  private var progress: [String] {
    guard let today = ledger.today, let (sum, rule) = ledger.shownSum(of: state.habit, on: today),
      sum > .zero || rule.per != nil
    else { return [] }
    guard rule.per != nil else { return [rule.progress(sum)] }
    return ledger.progressWords(of: state.habit, on: today)
  }

  var weeksProgress: [String] { state.progress?.period == nil ? [] : progress }

  private var rest: String {
    // An earlier day has decided the week or month, regardless of the current definition.
    if let progress = state.progress, let period = progress.period, progress.atLeast != nil,
      progress.atMost.map({ progress.total <= $0 }) ?? true
    {
      return "done for this \(period.rawValue)"
    }
    if let week = state.quota, week.good > 0,
      week.good >= week.displayedGoal(asked: ledger.requiredDays(of: week, of: state.habit))
    {
      return "done for this \(week.period.rawValue)"
    }
    guard let today = ledger.today, let next = nextAsked(after: today), next > today.next else {
      return "rests today"
    }
    return "rests until \(DayText.coming(next, today: today))"
  }

  /// Returns the next day that a schedule of weekdays or the sum of a week or month requires; `nil` for other habits.
  private func nextAsked(after today: Day) -> Day? {
    if state.progress?.period != nil { return state.progress?.through.next }
    guard case .weekdays? = ledger.definition(of: state.habit)?.schedule else { return nil }
    return (1...7).map { today + $0 }.first {
      ledger.definition(of: state.habit)?.schedule?.names($0) ?? true
    }
  }

  private var quota: [String] {
    guard let today = ledger.today, let quota = state.quota else { return [] }
    return quota.clauses(
      on: today, isDone: state.status == .done, asked: ledger.requiredDays(of: quota, of: state.habit))
  }

  private var safety: [String] {
    guard let today = ledger.today, let end = state.safeThrough, end > today else { return [] }
    return ["safe through \(DayText.coming(end, today: today))"]
  }

  var bars: [HabitLine.Bar] {
    var bars: [HabitLine.Bar] = []
    if let week = state.quota, let words = quota.first {
      let wanted = max(1, week.displayedGoal(asked: ledger.requiredDays(of: week, of: state.habit)))
      bars.append(
        HabitLine.Bar(
          done: Thousandths(week.good), wanted: Thousandths(wanted), isOver: false,
          words: Escaping.visible(words)))
    }
    if let today = ledger.today, let words = progress.first,
      let (sum, rule) = ledger.shownSum(of: state.habit, on: today)
    {
      let isOver = rule.atMost.map { sum > $0 } ?? false
      bars.append(
        HabitLine.Bar(
          done: sum, wanted: rule.wanted(after: sum), isOver: isOver,
          words: Escaping.visible(words)))
    }
    return bars
  }

  var record: [String] { state.longest > state.current ? longest : [] }

  private var longest: [String] { state.longest > 0 ? ["longest \(state.longest)"] : [] }
}

/// A table of habits.
///
/// If the terminal is narrow, names are shortened, and remarks or jokers are omitted.
package struct HabitTable {
  private let style: Style
  private let columns: Int?
  private let nameWidth: Int
  private let runWidth: Int
  private let jokerWidth: Int

  package init(_ lines: [HabitLine], style: Style, columns: Int?) {
    self.style = style
    self.columns = columns
    let most = columns.map { min(24, max(8, $0 / 4)) } ?? 24
    nameWidth = min(most, lines.map { Escaping.columns(of: Escaping.visible($0.state.name)) }.max() ?? 0)
    runWidth = max(6, lines.map(\.run.utf8.count).max() ?? 0)
    jokerWidth = lines.map { Escaping.columns(of: $0.jokers) }.max() ?? 0
  }

  package func line(_ line: HabitLine, in group: HabitLine.Group? = nil) -> String {
    let state = line.state
    let icon = Style.padded(Escaping.visible(String((state.icon?.string ?? "").prefix(1))), 3)
    let name = Style.padded(Layout.shortened(Escaping.visible(state.name), to: nameWidth), nameWidth)
    let run = line.run
    let space = String(repeating: " ", count: runWidth - run.utf8.count + 2)
    var front = icon + name + space + style.paint(run, HabitTable.colour(line))
    let fits = columns.map { $0 >= 56 } ?? true
    if jokerWidth > 0, fits {
      let jokers = line.jokers
      let space = String(repeating: " ", count: jokerWidth - Escaping.columns(of: jokers))
      front += "  " + (jokers.isEmpty ? "" : style.paint(jokers, .yellow)) + space
    }
    let room = columns.map { $0 - Layout.columns(of: front) - 2 } ?? .max
    var remarks = line.remarks(in: group)
    // If there isn't room for both, the first remark is more useful than today's status.
    if remarks.count > line.remarks.count, remarks.count > 1,
      Layout.columns(of: remarks[0] + " · " + remarks[1]) > room
    {
      remarks = line.remarks
    }
    var remark = remarks.first ?? ""
    for next in remarks.dropFirst() where Layout.columns(of: remark + " · " + next) <= room {
      remark += " · " + next
    }
    return (front + "  " + remark).withoutSpacesBehind
  }

  private static func colour(_ line: HabitLine) -> Style.Colour {
    if line.isAtRisk { return .red }
    return switch line.group {
    case .due, .free: .yellow
    case .done: .green
    case .over: .red
    case .resting, .excused, .beginning, .aside: .grey
    }
  }
}
