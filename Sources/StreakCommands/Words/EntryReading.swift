import EventLog
import StreakDomain

struct EntryReading {
  let habit: String
  let rule: Rule
  /// The text of `--value`, which isn't parsed.
  let value: Text?

  /// Returns the entry that `words`, the arguments of `log`, describe.
  ///
  /// A number and its unit may be two arguments.
  func entry(of words: [String]) throws(Failure) -> Entry {
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
    if words.isEmpty, let sum = rule.sum, sum.countsThings, !entry.has(sum.of) {
      let unit = sum.unit?.string ?? (sum.of == .amount ? "" : sum.of.rawValue)
      _ = try MeasureWord.read("1\(unit)", into: &entry, rule: rule)
    }
    try check(entry, words)
    return entry
  }

  /// Stores a word that isn't a measure in `entry`: as its activity if the rule has activities, otherwise as its value.
  private func take(_ word: String, into entry: inout Entry) throws(Failure) {
    if DayWord.isDay(word) {
      throw .usage("\(quoted(word)) is a day; say --on \(word), or --value to have it as text")
    }
    if word.begins(with: "-"), word.utf8.dropFirst().first?.isDigit ?? false {
      throw .usage("\(quoted(word)) is negative; say how many, or --value to have it as text")
    }
    if rule.traits.looksAtActivities, entry.activity == nil {
      if NumberWord.number(word) != nil {
        throw .usage("\(quoted(word)) of what? say it with its unit, such as \(word)km or \(word)m")
      }
      let known = rule.thresholds.map(\.activity).filter { !$0.string.begins(with: "*") }
      let same = known.first { $0.asciiLowercased == Text(word.asciiLowercased) }
      if same == nil, let near = Nearest.names(to: word, among: known.strings).first {
        throw .usage(
          "\(quoted(word)) is no activity of \(habit)\(Nearest.meant(near)); --value takes any text"
        )
      }
      entry.activity = same ?? Text(word)
    } else if entry.value == nil {
      entry.value = Text(word)
    } else {
      try check(entry, [])
      throw .usage(
        "\(quoted(word)) is one word too many; \(habit) has the value \(quoted(entry.value ?? ""))")
    }
  }

  private func check(_ entry: Entry, _ words: [String]) throws(Failure) {
    guard let missing = rule.missing(in: entry) else { return }
    if rule.sum?.of == .km, words.contains(where: { NumberWord.parts($0).unit.asciiLowercased == "m" }) {
      throw .usage("\(habit) counts km, and m is minutes; say metres as km, such as 0.8km, or 800metres")
    }
    let hint: Sentence? = entry.value.map {
      ", not \(quoted($0))\(Nearest.hint($0.string, among: rule.answers.map(\.word.string)))"
    }
    throw .usage("\(habit) \(missing)\(hint ?? "")")
  }
}

extension Sum {
  /// Whether an entry without a number counts one, because the sum counts a few whole things a day, such as cups.
  fileprivate var countsThings: Bool {
    let most = max(atLeast ?? .zero, atMost ?? .zero)
    let days = per == nil ? 1 : per == .week ? 7 : 31
    guard most.isWhole, most <= Thousandths(10 * days) else { return false }
    switch of {
    case .drinks, .sets: return true
    case .amount:
      guard let unit = unit?.string else { return true }
      guard unit.utf8.count > 3, unit.ends(with: "s"), !UnitScale.isUnit(unit) else { return false }
      return unit.unicodeScalars.allSatisfy(\.properties.isAlphabetic)
    case .entries, .minutes, .km: return false
    }
  }
}

extension Entry {
  fileprivate func joined(with other: Entry, _ word: String) throws(Failure) -> Entry {
    var joined = self
    func take<Value>(_ path: WritableKeyPath<Entry, Value?>) throws(Failure) {
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
