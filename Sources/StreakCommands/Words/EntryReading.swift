import EventLog
import StreakDomain

/// What the words of `log` mean for a habit (cli.md, `log`).
struct EntryReading {
  let habit: String
  let rule: Rule
  /// The text of `--value`, which may be anything.
  let value: String?

  /// The entry that the words give, one measure each but for a number and its unit apart.
  func entry(of words: [String]) throws(CommandError) -> Entry {
    var entry = Entry(habit: habit)
    entry.value = value
    for word in MeasureWord.joined(words[...], rule) {
      var measured = Entry(habit: habit)
      if try MeasureWord.read(word, into: &measured, rule: rule) {
        entry = try entry.joined(with: measured, word)
      } else {
        try take(word, into: &entry)
      }
    }
    try check(entry)
    return entry
  }

  /// Takes a word that is no measure: the activity where the rule looks at activities, else the value.
  private func take(_ word: String, into entry: inout Entry) throws(CommandError) {
    if DayWord.isDay(word) {
      throw .usage("\(quoted(word)) is a day; say --on \(word), or --value to have it as text")
    }
    if case .activity(let thresholds) = rule.kind, entry.activity == nil {
      if NumberWord.number(word) != nil {
        throw .usage("\(quoted(word)) of what? say it with its unit, such as \(word)km or \(word)m")
      }
      let known = thresholds.map(\.activity).filter { !$0.begins(with: "*") }
      let same = known.first { $0.asciiLowercased.spelling == word.asciiLowercased.spelling }
      if same == nil, let near = Nearest.names(to: word, among: known).first {
        throw .usage(
          "\(quoted(word)) is no activity of \(habit) (did you mean \(quoted(near))?); --value takes any text"
        )
      }
      entry.activity = same ?? word
    } else if entry.value == nil {
      entry.value = word
    } else {
      throw .usage(
        "\(quoted(word)) is one word too many; \(habit) has the value \(quoted(entry.value ?? ""))")
    }
  }

  /// Refuses an entry without what the rule looks at.
  private func check(_ entry: Entry) throws(CommandError) {
    let instead = entry.value.map { ", not \(quoted($0))" } ?? ""
    func hint(_ names: [String]) -> String { entry.value.map { Nearest.hint($0, among: names) } ?? "" }
    switch rule.kind {
    case .minutes where entry.minutes == nil:
      throw .usage("\(habit) counts minutes; say how many, such as 12m\(instead)")
    case .level(let levels, _) where entry.level == nil && entry.drinks == nil:
      let names = levels.map(\.name)
      throw .usage(
        "\(habit) needs a level (\(names.joined(separator: ", "))) or drinks, such as 2drinks\(instead)\(hint(names))"
      )
    case .completed where entry.completed == nil:
      throw .usage(
        "\(habit) is either completed or failed; say which\(instead)\(hint(["completed", "failed"]))")
    case .sum(let sum) where !entry.has(sum.of):
      let unit = sum.of == .minutes ? "m" : sum.unit ?? (sum.of == .amount ? "" : sum.of.rawValue)
      let bound = sum.atLeast ?? sum.atMost ?? Thousandths(20)
      throw .usage(
        "\(habit) counts \(sum.unit ?? sum.of.rawValue); say how many, such as \(bound)\(unit)\(instead)")
    case .minutes, .level, .any, .none, .sum, .completed, .activity, .all, .either: break
    }
  }
}

extension Entry {
  /// Both entries' measures in one; a measure that both have is refused.
  fileprivate func joined(with other: Entry, _ word: String) throws(CommandError) -> Entry {
    var joined = self
    func take<Value>(_ path: WritableKeyPath<Entry, Value?>) throws(CommandError) {
      guard let value = other[keyPath: path] else { return }
      guard joined[keyPath: path] == nil else {
        throw .usage("\(quoted(word)) gives a measure a second time; say it once, or log two entries")
      }
      joined[keyPath: path] = value
    }
    try take(\.minutes)
    try take(\.km)
    try take(\.sets)
    try take(\.drinks)
    try take(\.amount)
    try take(\.level)
    try take(\.completed)
    return joined
  }
}
