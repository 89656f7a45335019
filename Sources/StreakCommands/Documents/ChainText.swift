import EventLog
import Inspection
import StreakDomain

/// The chain behind a number as text, a line per step; the longest series of similar days are abbreviated.
struct ChainText {
  private let document: ChainDocument
  private let invocation: Invocation
  /// Whether names and joker numbers are shown instead of ids, because nobody has to type them.
  private let showsNames: Bool

  private static let most = 30

  private var words: [Int: String] = [:]
  private var folded: [Line] = []
  /// The position of the last entry of each habit and day in the chain.
  private var deciding: [HabitDay: Int] = [:]

  private struct HabitDay: Hashable {
    let habit: String
    let day: Day
  }

  init(
    _ document: ChainDocument, _ invocation: Invocation, showsAll: Bool, showsNames: Bool = false
  ) throws(Failure) {
    self.document = document
    self.invocation = invocation
    self.showsNames = showsNames
    for step in document.steps {
      guard let habit = step.habit, let position = step.position else { continue }
      let day = HabitDay(habit: habit, day: step.day)
      let last = deciding[day].flatMap { document.ledger.fact(ofEntryAt: $0) }
      if let last, let own = document.ledger.fact(ofEntryAt: position), own.precedes(last) { continue }
      deciding[day] = position
    }
    let all = document.steps.map { Line.step($0) }
    folded = showsAll ? all : fold(all)
    let shown = folded.compactMap { if case .step(let step) = $0 { step.position } else { nil } }.sorted()
    let text = EventText(ledger: document.ledger, showsNames: showsNames)
    try document.stream?.eachEvent(at: shown) { words[$0] = text.text(of: $1) }
  }

  /// A step, or the number of abbreviated steps and their days.
  private enum Line {
    case step(ChainDocument.Step)
    case folded(Int, ClosedRange<Day>)
  }

  var lines: [String] {
    let value = document.chain.value == .null ? "–" : document.chain.value.description
    let head =
      Escaping.visible("\(document.chain.field) = \(value)")
      + (document.ledger.today.map { " on \($0)" } ?? "")
      + ", by \(counted(document.steps.count { $0.position != nil }, "event"))"
    return [invocation.style.paint(head, .bold)] + folded.map(text)
  }

  var items: [(position: Int?, text: String)] {
    folded.map { line in
      switch line {
      case .folded(let count, let days): (nil, rest(count, days))
      case .step(let step):
        (step.position, Escaping.visible("\(step.day) · \(says(step)) · \(means(step))"))
      }
    }
  }

  var json: JSON {
    let steps = document.steps.map { step in
      WhyDocument.Step(
        day: step.day, event: step.position.map { document.ledger.id(at: $0) },
        says: "\(says(step)): \(means(step))")
    }
    return WhyDocument(
      of: document.chain.field.description, value: JSON(of: document.chain.value), chain: steps
    ).json
  }

  private func rest(_ count: Int, _ days: ClosedRange<Day>) -> String {
    "\(count) more like these, \(DayText.span(days))"
  }

  private func says(_ step: ChainDocument.Step) -> String {
    if let position = step.position { return words[position] ?? "" }
    if step.role == .today { return "the date of now" }
    guard let habit = step.habit else { return "nothing logged" }
    let members = document.ledger.members(of: habit, on: step.day)
    guard members.isEmpty else {
      let lacking = members.filter { $0.leftOut == nil && $0.outcome != "good" }
      return lacking.isEmpty
        ? "nothing asked for" : lacking.map { "\($0.habit) \($0.outcome)" }.joined(separator: ", ")
    }
    guard document.ledger.entries(of: habit, in: step.day...step.day).contains(where: { !$0.isDeleted })
    else { return "nothing logged" }
    return document.ledger.sum(of: habit, on: step.day).map { $0.rule.progress($0.sum) }
      ?? "no entry that counts"
  }

  private func text(_ line: Line) -> String {
    switch line {
    case .folded(let count, let days):
      return invocation.style.paint("            " + rest(count, days), .grey)
    case .step(let step):
      let id = step.position.map { Event.shortID(document.ledger.id(at: $0)) }
      return "\(step.day)  \(Escaping.visible(says(step)))  "
        + (id.map { invocation.style.paint($0, .grey) + "  " } ?? "") + Escaping.visible(means(step))
    }
  }

  private func means(_ step: ChainDocument.Step) -> String {
    switch step.role {
    case .opening:
      return step.position == document.steps.first?.position
        ? "opened the ledger" : "set zone and start of the day"
    case .definition: return "in force"
    case .retirement: return "retired the habit"
    case .excuse: return "excuses days"
    case .deletion: return "no longer counts"
    case .today: return "set today"
    case .day, .break:
      let isBreak = step.role == .break && step.day == document.chain.broke
      if isOverruled(step) { return "overruled by the day's last entry" }
      // The run of a member would be mistaken for that of the composite.
      let isOwn = step.habit == document.chain.field.habit
      let verdict =
        step.verdict.map { $0.verdict.rawValue + (isBreak || !isOwn ? "" : ", run \($0.run)") }
        ?? (isBeforeBeginning(step) ? "before the habit begins" : "counts")
      let lots = step.book.map { line -> String in
        guard let lot = line.lot else { return "\(line.action.rawValue) a joker" }
        let use = document.spent[lot.description].map { ", which saved \($0)" } ?? ""
        let joker = showsNames ? "joker \(lot.number)" : lot.description
        return "\(line.action.rawValue) \(joker)" + (line.action == .earned ? use : "")
      }
      return ([isBreak ? "the day that ended the run before: \(verdict)" : verdict] + lots).joined(
        separator: ", ")
    }
  }

  /// Whether the field counts days, and the step is before the habit's first day.
  private func isBeforeBeginning(_ step: ChainDocument.Step) -> Bool {
    guard case .habit(_, let field) = document.chain.field, !field.rawValue.begins(with: "totals."),
      let habit = step.habit
    else { return false }
    return document.ledger.firstFoldedDay(of: habit).map { step.day < $0 } ?? true
  }

  /// Whether the rule uses the day's last entry and the step isn't that entry.
  private func isOverruled(_ step: ChainDocument.Step) -> Bool {
    guard let habit = step.habit, let position = step.position,
      document.ledger.definition(of: habit, on: step.day)?.rule.traits.lastEntryDecides ?? false
    else { return false }
    return deciding[HabitDay(habit: habit, day: step.day)] != position
  }

  private func isPlain(_ step: ChainDocument.Step) -> Bool { step.role == .day && step.book.isEmpty }

  /// Abbreviates the longest series of similar steps until there are few enough lines.
  private func fold(_ lines: [Line]) -> [Line] {
    let plain = fold(lines, where: isPlain)
    return fold(fold(plain) { $0.role == .day }) { _ in true }
  }

  /// Abbreviates the longest series of steps for which `mayFold` is true, except the ends of each series.
  private func fold(_ lines: [Line], where mayFold: (ChainDocument.Step) -> Bool) -> [Line] {
    var over = lines.count - ChainText.most
    guard over > 0 else { return lines }
    var rows: [Range<Int>] = []
    var start = 0
    for place in 0...lines.count {
      if place < lines.count, may(lines[place], be: mayFold) { continue }
      if place - start > 3 { rows.append(start + 1..<place - 1) }
      start = place + 1
    }
    rows.sort { ($1.count, $0.lowerBound) < ($0.count, $1.lowerBound) }
    var chosen: [Range<Int>] = []
    for row in rows where over > 0 {
      chosen.append(row)
      over -= row.count - 1
    }
    var folded: [Line] = []
    var place = 0
    for row in chosen.sorted(by: { $0.lowerBound < $1.lowerBound }) {
      folded += lines[place..<row.lowerBound]
      if let line = summary(of: lines[row]) { folded.append(line) }
      place = row.upperBound
    }
    return folded + lines[place...]
  }

  private func may(_ line: Line, be mayFold: (ChainDocument.Step) -> Bool) -> Bool {
    switch line {
    case .step(let step): mayFold(step)
    case .folded: true
    }
  }

  private func summary(of lines: ArraySlice<Line>) -> Line? {
    var count = 0
    var days: ClosedRange<Day>?
    for line in lines {
      switch line {
      case .step(let step):
        count += 1
        days = days?.joined(step.day...step.day) ?? step.day...step.day
      case .folded(let more, let span):
        count += more
        days = days?.joined(span) ?? span
      }
    }
    return days.map { .folded(count, $0) }
  }
}
