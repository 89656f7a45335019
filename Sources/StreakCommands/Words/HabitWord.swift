import EventLog
import Inspection
import StreakDomain

/// A lookup of habits by id or name, as people type them.
enum HabitWord {
  /// Returns the habits that `word` identifies: by exact id, else by exact name, else by id or name
  /// in any case.
  static func ids(of word: String, in ledger: Ledger) -> [String] {
    let ids = ledger.facts.definedHabits
    if ids.contains(word) { return [word] }
    let named = ids.map { (id: $0, name: ledger.facts.definition(of: $0)?.name ?? Text($0)) }
    let exact = named.filter { $0.name == Text(word) }
    if !exact.isEmpty { return exact.map(\.id) }
    let lowered = Text(word.lowered)
    let similar = named.filter { [$0.id, $0.name.string].contains { Text($0.lowered) == lowered } }
    return similar.map(\.id)
  }

  /// Returns the only habit that `word` identifies, or `nil` if it identifies none.
  static func id(of word: String, in ledger: Ledger) throws(Failure) -> String? {
    let ids = ids(of: word, in: ledger)
    guard ids.count < 2 else {
      throw .usage("\(quoted(word)) is the name of \(ids.joined(separator: " and ")); say which")
    }
    return ids.first
  }

  /// Returns the ids and names of the habits that aren't retired, to suggest the nearest one.
  static func currentNames(in ledger: Ledger) -> [String] {
    ledger.facts.currentHabits.flatMap { id -> [String] in
      guard let name = ledger.facts.definition(of: id)?.name?.string else { return [id] }
      return Text(name.lowered) == Text(id.lowered) ? [id] : [id, name]
    }
  }
}

extension String {
  var lowered: String { rewriting { $0.properties.lowercaseMapping } }
}

extension LedgerWords {
  func require(_ habit: String, in ledger: Ledger) throws(Failure) {
    guard ledger[habit]?.state == nil else { return }
    let names = takesWords ? HabitWord.currentNames(in: ledger) : ledger.facts.definedHabits
    throw .notFound("no habit \(quoted(habit)) is defined\(Nearest.habit(habit, among: names))")
  }

  func habit(named word: String, in ledger: Ledger) throws(Failure) -> String {
    let named = takesWords ? try HabitWord.id(of: word, in: ledger) : nil
    let habit = named ?? word
    try require(habit, in: ledger)
    return habit
  }

  func habits(named words: some Sequence<String>, in ledger: Ledger) throws(Failure) -> [String] {
    try words.map { (word) throws(Failure) in try habit(named: word, in: ledger) }
  }

  /// Returns the habits that the positional arguments identify in the complete ledger, or an empty
  /// set if there are no arguments.
  func chosenHabits() throws(Failure) -> Set<String> {
    let words = invocation.arguments.positionals
    return Set(try words.map { (word) throws(Failure) in try habit(readFor: word) })
  }

  /// Returns the habit for a new event; an unknown habit causes the same error as in `append`.
  ///
  /// Another program, too, may give the name with which it defined the habit.
  func habit(toRecord word: String, in ledger: Ledger) throws(Failure) -> String {
    guard let habit = try HabitWord.id(of: word, in: ledger) else {
      let place = Place(file: invocation.command.name, line: 0, column: 0)
      throw Failure.unknownHabit(word, among: HabitWord.currentNames(in: ledger)).at(place, "")
    }
    try require(habit, in: ledger)
    return habit
  }

  func chosenHabit(in ledger: Ledger) throws(Failure) -> String? {
    guard let word = invocation.arguments.positionals.first else { return nil }
    return try habit(named: word, in: ledger)
  }

  /// Returns the habit given by `option`; if the option isn't given, returns `nil` without reading
  /// the ledger.
  func habit(_ option: String) throws(Failure) -> String? {
    guard let word = invocation.arguments.value(option) else { return nil }
    return try habit(readFor: word)
  }

  /// Returns the habit that `word` identifies in the complete ledger.
  func habit(readFor word: String) throws(Failure) -> String {
    try habit(named: word, in: invocation.reader.whole().ledger)
  }
}
