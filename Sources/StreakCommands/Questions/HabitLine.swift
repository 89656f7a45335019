import EventLog
import Inspection
package import StreakDomain

/// A habit's line in `show` and its card in `report`: the run, the jokers, today's status and
/// remarks.
package struct HabitLine {
  let state: Streak
  /// The run as text, such as `28 days`, or empty for a habit without a streak.
  let run: String
  /// The held jokers and the room for more, such as `★☆☆`.
  let jokers: String
  let group: Group
  /// Today's status in a few words, such as `due` or `kept so far`, or empty if the remarks show
  /// the status.
  let word: String
  /// The remarks, such as `safe through Saturday`, most important first.
  let remarks: [String]
  /// Whether the habit is shown as kept so far: today would be good if it ended now.
  let isKept: Bool

  /// The groups of habits by today's status, in the order of `show`.
  package enum Group: String, CaseIterable {
    case due, free, done, resting, excused, over, beginning, aside

    var title: String {
      switch self {
      case .due, .done, .resting, .excused: rawValue
      case .free: "may rest today"
      case .over: "bad today"
      case .beginning: "to begin"
      case .aside: "off or retired"
      }
    }
  }

  package init(_ habit: HabitView) {
    let text = HabitRemarks(habit)
    state = text.state
    run = state.status == .off ? "" : habit.runWords(of: state)
    jokers = HabitLine.jokers(state.jokers.held, cap: text.definition.forgiveness?.cap)

    let isRetiring = habit.isRetiring
    // The last day before a retirement still counts.
    group = isRetiring && ![.due, .free, .excused].contains(text.group) ? .aside : text.group

    var remarks = text.all
    let notes = [isRetiring ? "retired from tomorrow" : nil, habit.plannedChange]
    let index = group == .aside ? 0 : min(remarks.count, 1)
    remarks.insert(contentsOf: notes.compactMap { $0 }, at: index)

    switch group {
    case .due, .free: word = group.title
    case .done:
      let isSaved = text.verdict == .healed
      word =
        text.isKept ? HabitLine.keptTitle : isSaved ? HabitLine.savedTitle : group.title
    case .over: word = text.outcome.isEmpty ? group.title : ""
    case .aside: word = state.status == .retired ? "retired" : ""
    case .resting, .excused, .beginning: word = ""
    }
    self.remarks = remarks.map(Escaping.visible)
    isKept = group == .done && text.isKept
  }

  /// The status of a habit that `isKept`.
  static let keptTitle = "kept so far"

  /// The status of a habit whose today is bad and was healed.
  static let savedTitle = "saved by a joker"

  /// Whether the run ends if nothing more is logged today.
  var isAtRisk: Bool { group == .due && state.ifMissed == .breaks }

  private static func jokers(_ held: Int, cap: Int?) -> String {
    guard let cap, cap <= 5, held <= cap else { return held > 0 ? "★\(held)" : "" }
    return String(repeating: "★", count: held) + String(repeating: "☆", count: cap - held)
  }

  /// Returns the lines by group.
  ///
  /// In a group, runs at risk come first, then longer runs, then habits that were defined earlier.
  static func grouped(_ lines: [HabitLine]) -> [(group: Group, lines: [HabitLine])] {
    func rank(_ line: (offset: Int, element: HabitLine)) -> (Int, Int, Int) {
      (line.element.isAtRisk ? 0 : 1, -line.element.state.current, line.offset)
    }
    let sorted = lines.enumerated().sorted { rank($0) < rank($1) }.map(\.element)
    return Group.allCases.map { group in (group, sorted.filter { $0.group == group }) }
      .filter { !$0.lines.isEmpty }
  }
}

/// The remarks about a habit, from which a line takes as many as fit.
private struct HabitRemarks {
  let habit: HabitView
  let state: Streak
  let definition: Habit
  let today: Day?
  let verdict: Verdict?

  init(_ habit: HabitView) {
    self.habit = habit
    state = habit.state
    today = habit.today
    definition = habit.definition(on: habit.today ?? Day.first)
    verdict = habit.today.flatMap { habit.verdict(on: $0) }
  }

  /// Whether today would be good if it ended now.
  var isKept: Bool {
    switch state.status {
    case .due, .grace: isLimit || state.ifMissed == .safe
    // A limit that has no run yet.
    case .new, .broken: isLimit && verdict == .open
    case .off, .retired, .rest, .done: false
    }
  }

  private var isRequiredWeekday: Bool {
    today.flatMap { definition.schedule?.names($0) } ?? true
  }

  private var isLimit: Bool { definition.rule.isLimit }

  var group: HabitLine.Group {
    if verdict == .excused, ![.off, .retired].contains(state.status) { return .excused }
    switch state.status {
    case .off, .retired: return .aside
    case .new, .broken:
      if verdict == .bad { return .over }
      // A run of a limit can't begin on a day that rests. A week over its limit is already lost.
      let rests = isLimit && (verdict == .rest || !isRequiredWeekday)
      if rests || state.progress?.isWeekOver ?? false { return .resting }
      if loss != nil, isRequiredWeekday { return .over }
      return isKept ? .done : .beginning
    case .rest: return .resting
    case .done: return .done
    case .due, .grace:
      if isKept { return .done }
      return state.ifMissed == .rests ? .free : loss == nil ? .due : .over
    }
  }

  var all: [String] {
    if group == .excused { return excuse + weeksProgress + record }
    switch state.status {
    case .off:
      return [state.totals.entries == 0 ? "no entries yet" : counted(state.totals.entries, "entry")]
    case .retired: return longest
    case .new: return beginning
    case .broken:
      let lastGood =
        state.lastGood.map { ["last good day \(DayText.short($0, today: today))"] } ?? []
      return progress + quota.prefix(1) + outcome + lastGood + longest
    case .rest: return weeksProgress + [rest] + quota + record
    case .done: return quota + weeksProgress + safety + record
    case .due, .grace:
      if isKept { return progress + quota + record }
      return state.ifMissed == .rests ? progress + quota + safety + record : due + quota + record
    }
  }

  private var excuse: [String] {
    guard let today else { return [] }
    let excuses = habit.facts.standingExcuses.filter { $0.habits?.contains(habit.id) ?? true }
    var end = today.previous
    var reason: String?
    while let next = excuses.first(where: { $0.days.contains(end.next) }) {
      end = next.days.upperBound
      reason = reason ?? next.reason?.string
    }
    let isOpen = end == Day.last
    // An excused habit without an excuse of its own is a composite whose members are excused.
    let span =
      isOpen
      ? "excused until you end it"
      : end > today ? "excused through \(DayText.coming(end, today: today))" : "excused today"
    return [span + (reason.map { ["", "zone"].contains($0) ? "" : " · \($0)" } ?? "")]
  }

  private var beginning: [String] {
    guard let today else { return ["day 1 is yours"] }
    if isLimit {
      let isOpen = [nil, .open].contains(verdict)
      let mayBegin = isRequiredWeekday && state.progress?.period == nil && isOpen
      let words = (mayBegin ? ["day 1 tonight if nothing breaks the limit"] : []) + progress
      return words.isEmpty ? ["no good day yet"] : words
    }
    if !progress.isEmpty || !outcome.isEmpty { return progress + outcome + quota.prefix(1) }
    // A composite has no entries of its own.
    if let needs { return [needs] }
    if state.totals.entries == 0 { return ["day 1 is yours"] }
    let nothing = habit.sum(on: today)?.rule.progress(.zero)
    return [nothing ?? "no good day yet"] + quota.prefix(1)
  }

  /// The bad level of today's entries, such as `wild today`; empty if the outcome is another one.
  ///
  /// For a composite that is lost today, it is the member to which it is lost.
  var outcome: [String] {
    if let loss { return [loss] }
    guard verdict == .bad, let today, !definition.rule.levels.names.isEmpty,
      let day = habit.calendar(in: today...today).first
    else { return [] }
    return ["\(day.outcome) today"]
  }

  private var due: [String] {
    let what: String
    switch state.ifMissed {
    case .breaks:
      let ends = "\(habit.runWords(of: state)) \(state.current == 1 ? "ends" : "end")"
      return ["\(loss.map { "\($0), and" } ?? "\(needs ?? "log today") or") \(ends)"] + progress
    // A joker is earned before one is spent, so today can earn the joker that covers it.
    case .heals:
      what =
        state.jokers.held > 0
        ? "a joker would cover today" : "today earns a joker that would cover it"
    case .graced: what = "a miss today is forgiven"
    case .safe, .nothing, .rests: what = "nothing is lost today"
    }
    return (loss.map { [$0] } ?? []) + [what] + (needs.map { [$0] } ?? []) + progress + safety
  }

  private var loss: String? { habit.lossToday }

  private var needs: String? {
    guard let today, loss == nil, case .all = definition.rule.kind else { return nil }
    let names = habit.members(on: today)
      .filter { $0.leftOut == nil && $0.outcome != "good" }
      .map { habit.facts.definition(of: $0.habit)?.name?.string ?? $0.habit }
    return names.isEmpty ? nil : "needs " + names.joined(separator: ", ")
  }

  private var progress: [String] {
    guard let today, let (sum, rule) = habit.shownSum(on: today) else { return [] }
    if rule.per != nil { return habit.progressWords(on: today) }
    return sum > .zero ? [rule.progress(sum)] : []
  }

  var weeksProgress: [String] { state.progress?.period == nil ? [] : progress }

  private var rest: String {
    guard let today else { return "rests today" }
    // An earlier day has decided the week or month, regardless of the current definition.
    let sum = state.progress.flatMap { $0.atLeast == nil || $0.isWeekOver ? nil : $0.period }
    let week = state.quota.flatMap { quota in
      let required = habit.requiredDays(of: quota, excuses: habit.facts.standingExcuses)
      let isDone = quota.good > 0 && quota.good >= quota.displayedGoal(requiredDays: required)
      return isDone ? definition.schedule.period : nil
    }
    if let done = sum ?? week { return "done for this \(done.rawValue)" }
    var next = state.progress?.period == nil ? nil : state.progress?.through.next
    if let schedule = definition.schedule, case .weekdays = schedule {
      next = (1...7).map { today + $0 }.first { schedule.names($0) }
    }
    guard let next, next > today.next else { return "rests today" }
    return "rests until \(DayText.coming(next, today: today))"
  }

  private var quota: [String] {
    guard let today, let quota = state.quota else { return [] }
    return habit.clauses(of: quota, on: today, isDone: state.status == .done)
  }

  private var safety: [String] {
    guard let today, let end = state.safeThrough, end > today else { return [] }
    return ["safe through \(DayText.coming(end, today: today))"]
  }

  var record: [String] { state.longest > state.current ? longest : [] }

  private var longest: [String] { state.longest > 0 ? ["longest \(state.longest)"] : [] }
}

/// A table of habits; in a narrow terminal, names are shortened and the last remarks are omitted.
package struct HabitTable {
  private let style: Style
  private let columns: Int
  private let nameWidth: Int
  private let runWidth: Int
  private let jokerWidth: Int

  package init(_ lines: [HabitLine], style: Style, columns: Int?) {
    self.style = style
    self.columns = columns ?? .max
    let names = lines.map { Escaping.columns(of: Escaping.visible($0.state.name)) }
    nameWidth = min(24, max(8, self.columns / 4), names.max() ?? 0)
    runWidth = max(6, lines.map(\.run.utf8.count).max() ?? 0)
    jokerWidth = lines.map { Escaping.columns(of: $0.jokers) }.max() ?? 0
  }

  /// Returns the line of a habit; today's status is omitted if it is the title of `group`.
  package func line(_ line: HabitLine, in group: HabitLine.Group? = nil) -> String {
    var row = TableRow()
    row.add(line.state.label(nameWidth))
    row.add(style.paint(line.run, color(line)), width: runWidth, isRight: true)
    row.add(line.jokers.isEmpty ? "" : style.paint(line.jokers, .yellow), width: jokerWidth)
    // If there isn't room for both, the first remark is more useful than today's status.
    let both = ([line.word] + line.remarks.prefix(1)).joined(separator: " · ")
    let hasRoom = line.remarks.isEmpty || Layout.columns(of: both) <= row.room(in: columns)
    let words =
      (hasRoom && !["", group?.title].contains(line.word) ? [line.word] : []) + line.remarks
    row.add(words, upTo: columns)
    return row.text
  }

  private func color(_ line: HabitLine) -> Style.Color {
    switch line.group {
    case .due, .free: line.isAtRisk ? .red : .yellow
    case .done: .green
    case .over: .red
    case .resting, .excused, .beginning, .aside: .grey
    }
  }
}
