import EventLog
import Inspection
import StreakDomain

/// The notes of an import about entries that may not count as a person expects, and about what a
/// person had changed.
struct ImportNotes {
  /// The number of entries before the first definition of a limit, by the limit's id.
  private var earlyEntries: [String: Int] = [:]
  /// The days with entries that other importers wrote and that count, by habit.
  private var daysOfOthers: [String: Set<Day>]?
  /// The days, by habit, on which entries of the file and of another importer are added up.
  private var sharedDays: [String: Set<Day>] = [:]

  /// The sentences about changes that a person made in the ledger, by how the import treats them.
  private var changes: [Change: [Sentence]] = [:]

  /// A person's change of an imported entry, and how the import treats the change.
  enum Change: String, CaseIterable {
    case deleted = "were deleted here and count again"
    case corrected = "were corrected here, and the file's count now"
    case cleared = "were corrected here, and are taken back"
    case kept = "stay as you changed them"
  }

  /// The maximum number of sentences about each kind of change.
  private static let changesShown = 3

  mutating func note(_ change: Change, _ sentence: Sentence) {
    changes[change, default: []].append(sentence)
  }

  /// Notes an entry or excuse that the import `writer` writes.
  mutating func note(
    _ event: Event, of habit: String, by writer: Text, _ facts: Facts, _ history: ImportHistory
  ) {
    noteEarly(habit, event.day, facts)
    guard facts.definition(of: habit)?.rule.bounds != nil else { return }

    // The day of an entry of a sum is noted if another importer, such as `loop`, wrote one, too.
    let days = daysOfOthers ?? history.days { $0.writer != writer && !$0.isExcuse }
    daysOfOthers = days
    if days[habit]?.contains(event.day) ?? false {
      sharedDays[habit, default: []].insert(event.day)
    }
  }

  /// Counts an entry if it belongs to a limit and its day is before the limit's first definition.
  ///
  /// Such an entry has no effect.
  private mutating func noteEarly(_ habit: String, _ day: Day, _ facts: Facts) {
    guard let first = facts.definitions(of: habit).min(by: { $0.day < $1.day }),
      first.source.rule.isLimit, day < first.day
    else { return }
    earlyEntries[habit, default: 0] += 1
  }

  /// Returns the notes as sentences.
  ///
  /// The first ones are about entries before the first definition of a limit, the next about days
  /// shared with other imports, and the last about changes by a person.
  func sentences(_ facts: Facts) -> [Sentence] {
    let early = earlyEntries.sorted { $0.key < $1.key }.compactMap { habit, count -> Sentence? in
      guard let first = facts.definitions(of: habit).map(\.day).min() else { return nil }
      return """
        \(habit): \(counted(count, "entry")) of days before \(first), from which this limit \
        counts; define it from an earlier day\(program: " with `streaks define \(habit) --on DAY`")
        """
    }

    let shared = sharedDays.sorted { $0.key < $1.key }.map { habit, days -> Sentence in
      """
      \(habit): on \(counted(days.count, "day")) entries of another import count, too, and add \
      up\(program: "; `streaks undo EVENT` with one of its entries takes that back")
      """
    }

    let changed = Change.allCases.flatMap { change -> [Sentence] in
      let all = changes[change] ?? []
      let more = all.count - Self.changesShown
      return all.prefix(Self.changesShown) + (more > 0 ? ["\(more) more \(change.rawValue)"] : [])
    }
    return early + shared + changed
  }
}

extension Entry {
  /// The arguments of `log` for the entry's measures and value; `unit` is the unit of `amount`.
  func arguments(unit: Text?) -> [String] {
    var measures = self
    measures.value = nil
    let words = measures.measureWords(unit: unit).replacingBytes(of: ", ", with: " ")
    let text = value.map { "--value " + Escaping.shell($0.string) }
    return [words, text].compactMap { $0.flatMap { $0.isEmpty ? nil : $0 } }
  }
}
