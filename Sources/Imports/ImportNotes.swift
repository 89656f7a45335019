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
  /// The days on which entries of the file and of another importer are added up, by habit.
  private var sharedDays: [String: Set<Day>] = [:]
  /// The days from the first to the last record of newer files, by habit.
  private var daysOfNewerFiles: [String: ClosedRange<Day>]?
  /// The number of records that a newer file of the same days lacked, and that this file has.
  private var returning = 0

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

  /// Notes an entry or excuse that the import `writer` writes from a file of the age `asOf`.
  mutating func note(
    _ event: Event, of habit: String, by writer: Text, asOf: Instant, _ facts: Facts,
    _ history: ImportHistory
  ) {
    let newer =
      daysOfNewerFiles
      ?? history.days { $0.writer == writer && $0.asOf > asOf }.compactMapValues { days in
        days.min().flatMap { first in days.max().map { first...$0 } }
      }
    daysOfNewerFiles = newer
    // A table takes nothing back, so importing the newest one again would not, either.
    if writer != ImportKind.csv.writer, newer[habit]?.contains(event.day) ?? false {
      returning += 1
    }

    // An entry before the first definition of a limit has no effect.
    let first = facts.definitions(of: habit).first
    if let first, first.source.rule.isLimit, event.day < first.day {
      earlyEntries[habit, default: 0] += 1
    }
    guard facts.definition(of: habit)?.rule.bounds != nil else { return }

    // The day of an entry of a sum is noted if another importer, such as `loop`, wrote one, too.
    let days = daysOfOthers ?? history.days { $0.writer != writer && !$0.isExcuse }
    daysOfOthers = days
    if days[habit]?.contains(event.day) ?? false {
      sharedDays[habit, default: []].insert(event.day)
    }
  }

  /// Returns the notes as sentences.
  ///
  /// They are in this order: entries before the first definition of a limit, days shared with other
  /// imports, changes by a person, and records that a newer file lacked.
  func sentences(_ facts: Facts) -> [Sentence] {
    let early = earlyEntries.sorted { $0.key < $1.key }.compactMap { habit, count -> Sentence? in
      guard let first = facts.definitions(of: habit).first?.day else { return nil }
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
    let verb = returning == 1 ? "counts" : "count"
    let returned: Sentence =
      """
      \(counted(returning, "record")) that a newer file lacked \(verb); if removed since, import \
      the newest file again
      """
    return early + shared + changed + (returning > 0 ? [returned] : [])
  }
}

extension Entry {
  /// Returns the arguments of `log` that record the entry, or `nil` if there are none.
  ///
  /// There are none if the entry has a part that `rule` doesn't ask for, because `log` would read
  /// that part as something else.
  func arguments(under rule: Rule) -> [String]? {
    let measures = Measure.allCases.filter { $0 != .entries && has($0) }
    let isReadable = rule.measure == .amount ? measures == [.amount] : !measures.contains(.amount)
    guard isReadable, activity == nil || rule.traits.looksAtActivities,
      level.map(rule.levels.names.contains) ?? true
    else { return nil }

    var numbers = self
    numbers.level = nil
    numbers.activity = nil
    numbers.value = nil
    let words = numbers.measureWords(unit: nil).replacingBytes(of: ", ", with: " ")

    func quoted(_ option: String, _ text: Text?) -> String? {
      text.map { option + Escaping.shell($0.string) }
    }
    return [
      quoted("", level), words.isEmpty ? nil : words, quoted("", activity),
      quoted("--value ", value), quoted("--note ", note),
    ].compactMap(\.self)
  }
}
