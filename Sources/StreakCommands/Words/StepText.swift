import EventLog
import Imports
import Inspection
import StreakDomain

/// A description of what a person did in a step, as unescaped text.
///
///     day.changed, entry.logged                   walk 30 min
///     entry.logged with a key and a cause         replaced noalc steady by 3 drinks
///     151 entries and 2 definitions from Loop     imported 151 entries of 2 habits from Loop
///     entry.deleted by an undo                    undid noalc wild
struct StepText {
  /// The description, such as `replaced noalc steady by 3 drinks`.
  let says: String
  /// The day of the step's entries, or of `acts` if there are no entries; `nil` if the days differ.
  let day: Day?
  /// The person's own events, without those that the program adds, such as a new day.
  let acts: [StepLine]

  /// The most events that are described one by one.
  private static let mostListed = 2

  /// Creates the text of a step with the given lines.
  ///
  /// `stream` has the events that an undo reverted. If a large step is also about other habits,
  /// only what it did to `habits` is described. If it did nothing to them, but began a day, only
  /// the new day is described.
  init(
    _ lines: [StepLine], _ ledger: Ledger, _ stream: EventStream?,
    about habits: Set<String> = [], showsNames: Bool = false, showsRules: Bool = false
  ) {
    let text = EventText(ledger: ledger, showsNames: showsNames, showsRules: showsRules)
    acts = StepText.acts(of: lines, about: habits, ledger.facts)
    // The day of a deletion is the day on which it was made, so a replacement has the day of its
    // new entry.
    let entries = acts.filter { $0.item.type == .entryLogged }
    let dated = entries.isEmpty ? acts : entries
    let firstDay = dated.first?.item.day
    day = dated.allSatisfy { $0.item.day == firstDay } ? firstDay : nil
    says = acts.isEmpty ? "" : StepText.words(acts, text, stream)
  }

  private static func acts(
    of lines: [StepLine], about habits: Set<String>, _ facts: Facts
  ) -> [StepLine] {
    if lines.count <= 1 { return lines }
    // A new day, for example, is added by the program.
    let acts = lines.filter { !($0.item.event?.payload.isAutomatic ?? false) }
    if acts.isEmpty {
      // Somebody who accepts a loss may begin a day with it.
      let losses = lines.filter { $0.item.type == .segmentDropped }
      return Array((losses.isEmpty ? lines : losses).prefix(1))
    }
    guard !habits.isEmpty else { return acts }

    let habits = facts.withMembers(habits)
    let ofOthers = acts.filter { $0.habits(in: facts)?.isDisjoint(with: habits) ?? false }
    if ofOthers.count == acts.count {
      // Then the step changed the habits only by the day that it began.
      let newDay = lines.filter { $0.item.type == .dayChanged }
      return newDay.isEmpty ? acts : newDay
    }
    guard acts.count > mostListed else { return acts }

    let relevant = acts.filter { act in
      act.habits(in: facts).map { !$0.isDisjoint(with: habits) } ?? false
    }
    return relevant.isEmpty ? acts : relevant
  }

  private static func words(
    _ acts: [StepLine], _ text: EventText, _ stream: EventStream?
  ) -> String {
    if let undo = undo(acts, text, stream) { return undo }
    if let replacement = replacement(acts, text) { return replacement }
    if let end = endOfExcuse(acts, text) { return end }
    let isImport = ImportKind(by: acts[0].item.by) != nil
    if !isImport, let listed = listed(acts, text) { return listed }

    let counts = StepCounts(lines: acts, ledger: text.ledger, called: text.called)
    return counts.imported ?? listed(acts, text) ?? counts.counts
  }

  /// Returns positions as text, such as `4860` or `4859–4860`.
  static func shown(_ positions: ClosedRange<Int>) -> String {
    positions.count == 1
      ? "\(positions.lowerBound)" : "\(positions.lowerBound)–\(positions.upperBound)"
  }

  /// Returns the text of an undo, such as `undid noalc wild`, or `restored …` if it reverts an
  /// undo.
  private static func undo(
    _ acts: [StepLine], _ text: EventText, _ stream: EventStream?
  ) -> String? {
    guard acts.allSatisfy({ $0.item.event?.isUndo ?? false }), let stream,
      let cause = acts.first?.item.event?.cause,
      let position = text.ledger.facts.position(of: cause)
    else { return nil }

    let positions = stream.batch(around: position)
    var lines: [StepLine] = []
    try? stream.eachEvent(at: Array(positions)) { lines.append(StepLine($1, at: $0)) }
    guard !lines.isEmpty else { return nil }

    let undone = StepText(
      lines, text.ledger, stream, showsNames: text.showsNames, showsRules: false)
    let words = undone.says
    if words.begins(with: "undid ") { return "restored " + words.droppingBytes(6) }
    if words.begins(with: "restored ") { return "undid " + words.droppingBytes(9) }
    if let noun = undone.noun { return "undid " + noun }
    return "undid " + words + (undone.day.map { " of \($0)" } ?? "")
  }

  /// The description as a noun, such as `the definition of walk` for `defined walk`.
  ///
  /// It is `nil` if the text is a noun already, such as `noalc wild`, or if it lists several
  /// events.
  private var noun: String? {
    let ofSeveral = [
      ("replaced ", "the replacement of "), ("imported ", "the import of "),
      ("took back ", "the taking back of "),
      ("ended the excuse ", "the end of the excuse "),
    ]
    let isImport = ImportKind(by: acts[0].item.by) != nil
    let event = acts[0].item.event
    let isReplacement = event?.cause != nil && event?.payload.entry?.key != nil
    let isEntry = acts.count == 1 && acts[0].item.type == .entryLogged && !isImport
    let isPlainEntry = isEntry && !isReplacement
    let nouns = isPlainEntry ? [] : acts.count == 1 ? EventText.nouns + ofSeveral : ofSeveral
    return nouns.first { says.begins(with: $0.0) }.map { $1 + says.droppingBytes($0.utf8.count) }
  }

  /// Returns the text of a correction, such as `replaced noalc steady by 3 drinks`.
  ///
  /// A correction to another habit is a deletion and an entry.
  private static func replacement(_ acts: [StepLine], _ text: EventText) -> String? {
    guard let replaced = replacedEntry(acts), let last = acts.last,
      let new = EventText.entry(of: last.item, in: text.ledger),
      let old = text.ledger.facts.entry(of: replaced)?.entry
    else { return nil }

    let day = last.item.day
    let isSameHabit = Text(new.habit) == Text(old.habit)
    let noted = text.noted(new, on: day)
    let newWords = isSameHabit && !noted.isEmpty ? noted : text.words(of: new, on: day)
    return "replaced \(text.words(of: old, on: day)) by \(newWords)"
  }

  /// Returns the id of the entry that the events correct, or `nil` if they are no correction.
  private static func replacedEntry(_ acts: [StepLine]) -> String? {
    guard let event = acts.first?.item.event else { return nil }
    if acts.count == 1 { return event.payload.entry?.key == nil ? nil : event.cause }
    return acts.count == 2 && event.payload.reason == "replaced" ? event.payload.removed : nil
  }

  /// Returns the text of the step in which `excuse --until` replaced an excuse without an end, such
  /// as `ended the excuse of 2025-11-02 to 2025-11-05`.
  private static func endOfExcuse(_ acts: [StepLine], _ text: EventText) -> String? {
    guard acts.count > 1, acts.dropFirst().allSatisfy({ $0.item.type == .daysExcused }),
      case .excuseWithdrawn(let id, _)? = acts[0].item.event?.payload,
      let open = text.ledger.facts.excusedSpan(of: id), open.upperBound == Day.last,
      let ended = acts[1].item.event, let days = ended.payload.excusedDays,
      days.lowerBound == open.lowerBound, days.upperBound < open.upperBound
    else { return nil }
    return "ended the excuse of " + text.text(of: ended).droppingBytes("excused ".utf8.count)
  }

  /// Returns the texts of the events, or `nil` if there are too many to list.
  private static func listed(_ acts: [StepLine], _ text: EventText) -> String? {
    if acts.count == 1 { return text.text(of: acts[0].item) }
    if case .ledgerOpened? = acts[0].item.event?.payload,
      let defined = definedHabits(acts.dropFirst())
    {
      let habits =
        defined.count > 6
        ? counted(defined.count, "habit") : defined.map(text.called).joined(separator: ", ")
      return text.text(of: acts[0].item) + " with \(habits)"
    }
    // A definition can be repeated on the days of later definitions that it replaces.
    if let habits = definedHabits(acts[...]), Set(habits).count == 1 {
      return text.text(of: acts[0].item)
    }

    guard acts.count <= mostListed else { return nil }
    return acts.map { text.text(of: $0.item) }.joined(separator: ", ")
  }

  /// Returns the habits that the events define, or `nil` if they don't only define habits.
  private static func definedHabits(_ acts: ArraySlice<StepLine>) -> [String]? {
    let defined = acts.compactMap { $0.item.event?.defined?.id }
    return defined.count == acts.count ? defined : nil
  }
}

extension StepLine {
  /// Returns the habits that the event is about, or `nil` if it isn't about particular habits.
  func habits(in facts: Facts) -> Set<String>? {
    item.event.map { $0.payload.touches.habits(in: facts) } ?? item.habit(in: facts).map { [$0] }
  }
}
