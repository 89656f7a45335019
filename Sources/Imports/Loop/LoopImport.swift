import EventLog
import Inspection
package import StreakDomain

/// The conversion of the answers in a Loop export to events, according to the rules of the habits.
struct LoopImport {
  /// The value of the field `by` in imported events.
  ///
  /// It also is the beginning of the keys of imported records.
  private static let writer = ImportKind.loop.writer

  private var plan: ImportPlan
  private let names: GivenNames
  private let export: LoopExport
  /// The days for which earlier imports wrote something, by the ids of the habits here.
  private let importedDays: [String: Set<Day>]
  /// The id in this ledger of each habit of the export, or `nil` for a habit without one.
  private var ids: [String?] = []
  /// The days with an answer, by habit of this ledger.
  ///
  /// A value is the index of the habit in the file that gave the answer.
  private var answered: [HabitDay: Int] = [:]
  /// The units in this ledger whose names differ from those in Loop now.
  ///
  /// The keys are the indices of the habits in the file.
  private var unitsHere: [Int: Text] = [:]
  /// The days with a number of drinks that was rounded, with both numbers.
  private var roundedDrinks: [(day: Day, text: String)] = []

  static func plan(
    _ files: ExportFiles, _ names: GivenNames, into plan: ImportPlan
  ) throws(Failure) -> ImportPlan {
    let export = try LoopExport(files)
    if names.single != nil, export.habits.count != 1 {
      throw Failure(
        .usage, "the export has \(counted(export.habits.count, "habit"))",
        remedy: .program("name the habit of each with --habit NAME=HABIT"))
    }

    var loop = LoopImport(
      plan: plan, names: names, export: export,
      importedDays: plan.history.days { $0.writer == writer })
    loop.plan.writer = writer
    loop.plan.setAge(nil, newestDay: export.newestDay)
    loop.findIDs()
    loop.addAnswers()
    loop.takeBackMissing()

    loop.noteUnknownUnits()
    loop.noteSharedHabits()
    loop.noteRoundedDrinks()
    loop.noteSlips()
    if loop.ids.contains(nil) {
      loop.plan.note(
        """
        a habit is not described: define it first, with a measure if it has numbers, or give the \
        folder
        """
      )
    }

    let fileNames = Set(export.habits.map(\.name))
    loop.plan.noteMissing("habit", names.habits.keys.sorted(), among: fileNames)
    try loop.plan.finish()
    return loop.plan
  }

  /// Returns the hash of a habit's name in Loop, which is somebody's words.
  private static func hash(_ name: Text) -> String {
    String(Substring(ImportID.make([writer.string, name.string]).utf8.prefix(8)))
  }

  /// Finds the id of each habit of the export, and plans definitions of new habits.
  private mutating func findIDs() {
    ids = idsByName()
    moveToAnswers()
    findRenamed()
    joinAgain()

    for (index, habit) in export.habits.enumerated() {
      if let frequency = habit.frequency {
        let id = ids[index] ?? newID(of: habit, index)
        ids[index] = id
        define(habit, as: id, frequency, index)
      } else if ids[index] == nil {
        ids[index] = plan.ledger.facts.habits(named: habit.name).first
      }
    }
  }

  /// Returns the ids of this ledger for the habits of the export, or `nil` for those without one.
  ///
  /// An id that an option gives comes first, and otherwise the first candidate that isn't taken.
  private func idsByName() -> [String?] {
    var usedIDs: Set<String> = []
    return export.habits.map { habit in
      if let given = given(habit) { return given }
      let id = candidates(for: habit.name).first { !usedIDs.contains($0) }
      if let id { usedIDs.insert(id) }
      return id
    }
  }

  /// Gives habits without an id the id of the habit with which an earlier import joined them.
  ///
  /// The earlier import read two habits of the file as one habit of this ledger. One of the two has
  /// the id already.
  private mutating func joinAgain() {
    func joined(_ name: Text) -> Set<String> {
      plan.history.loopHabitsInForce[LoopImport.hash(name)] ?? []
    }
    for index in unnamed {
      let name = export.habits[index].name
      ids[index] = joined(name).sorted().first { id in
        let others = ids.indices.filter { ids[$0] == id }.map { export.habits[$0].name }
        return others.contains { other in
          let isNamed = plan.ledger.facts.habits(named: other).contains(id)
          return other != name && (isNamed || joined(other).contains(id))
        }
      }
    }
  }

  private func given(_ habit: LoopHabit) -> String? { names.single ?? names.habits[habit.name] }

  /// Returns the habits of this ledger that the Loop habit called `name` can be.
  ///
  /// First come those to which an earlier import added its answers, then those with the same name.
  private func candidates(for name: Text) -> [String] {
    let mapped = plan.history.loopHabits[LoopImport.hash(name)] ?? []
    // Two habits of one name have the order of their definitions, as in the file.
    return plan.ledger.facts.definedHabits.filter { mapped.contains($0) }
      + plan.ledger.facts.habits(named: name)
  }

  /// The number of answers that can outweigh a name.
  private static let manyAnswers = 7

  /// Moves an id to the habit of the file that has its imported answers, from the one with its
  /// name.
  ///
  /// So *Lesen*, renamed to *Romane*, stays one habit even if there is a new *Lesen*. A name weighs
  /// more than a few answers, so there must be many. The habit with the name must have hardly any
  /// of them, and the other habit nearly all. The other habit has no id yet.
  private mutating func moveToAnswers() {
    for (index, id) in ids.enumerated() {
      guard let id, given(export.habits[index]) == nil,
        let days = importedDays[id], days.count >= LoopImport.manyAnswers,
        case let own = answeredDays(of: id, index, through: .last),
        10 * days.intersection(own).count <= days.count
      else { continue }
      let closest = closest(to: id, among: unnamed)
      guard closest.count == 1, let other = closest.first,
        let differing = differingDays(of: id, other), 10 * differing <= days.count
      else { continue }

      ids[other] = id
      ids[index] = candidates(for: export.habits[index].name).first { !ids.contains($0) }
      noteRenamed(other, id)
    }
  }

  /// The indices of the habits of the export without an id.
  private var unnamed: [Int] { ids.indices.filter { ids[$0] == nil } }

  /// Returns which of the file's habits `indices` are closest to the imported answers of `id`.
  ///
  /// These are the habits that differ from the answers on the fewest days. There can be several, or
  /// none if every habit differs too much.
  private func closest(to id: String, among indices: [Int]) -> [Int] {
    let differences = indices.compactMap { index in
      differingDays(of: id, index).map { (index: index, count: $0) }
    }
    let least = differences.map(\.count).min()
    return differences.filter { $0.count == least }.map(\.index)
  }

  private mutating func noteRenamed(_ index: Int, _ id: String) {
    let name = export.habits[index].name
    guard !candidates(for: name).contains(id) else { return }
    plan.note("\(quoted(name)) is \(id), imported before under another name")
  }

  private mutating func newID(of habit: LoopHabit, _ index: Int) -> String {
    let base = HabitName.id(habit.name.string) ?? "habit-\(index + 1)"
    var id = base
    var number = 1
    while ids.contains(id) {
      number += 1
      id = "\(base)_\(number)"
    }

    if id != HabitName.plain(habit.name.string) {
      plan.note(
        "the habit \(quoted(habit.name)), number \(index + 1) in Loop, is \(id) here")
    }
    return id
  }

  /// Finds the habits that were renamed since an earlier import.
  ///
  /// A renamed habit is the one whose answers differ from the earlier import on the fewest days,
  /// and on at most half as many days as were imported. Of equal ones, the habit with the same rank
  /// in the file is taken. A table of one habit alone doesn't say that others are gone.
  private mutating func findRenamed() {
    guard export.listsHabits || export.habits.count > 1 else { return }
    let named = ids
    let defined = plan.ledger.facts.definedHabits.filter(plan.history.importedHabits.contains)
    let matchingIDs = Set(export.habits.flatMap { plan.ledger.facts.habits(named: $0.name) })
    let missing = plan.ledger.facts.definedHabits.filter { id in
      let isImported = defined.contains(id) || importedDays[id] != nil
      return isImported && !named.contains(id) && !matchingIDs.contains(id)
    }

    // The habits that an import has defined or would define, in the order of the file.
    let ranked = ids.indices.filter { index in
      ids[index].map { defined.contains($0) } ?? (export.habits[index].frequency != nil)
    }

    // The habits with the closest matches choose first, and those without answers last.
    let ranks = missing.map { id in
      let least = unnamed.compactMap { differingDays(of: id, $0) }.min()
      return (importedDays[id] == nil ? 1 : 0, least ?? Int.max)
    }
    for (id, _) in zip(missing, ranks).sorted(by: { $0.1 < $1.1 }) {
      let closest = closest(to: id, among: unnamed)
      let rank = defined.firstIndex(of: id).flatMap { $0 < ranked.count ? ranked[$0] : nil }
      let byRank = closest.first { $0 == rank }
      guard let index = byRank ?? (closest.count == 1 ? closest[0] : nil) else {
        noteGone(id, named)
        continue
      }
      ids[index] = id
      noteRenamed(index, id)
    }
  }

  /// Notes that `id` was imported before, and that no habit of the file has this id now.
  ///
  /// The note suggests a habit of the file that has the same answers, but a name that another habit
  /// of this ledger has.
  private mutating func noteGone(_ id: String, _ ids: [String?]) {
    let namesakes = ids.indices.filter { index in
      importedDays[id] != nil && ids[index].map { importedDays[$0] == nil } ?? false
    }
    let option = closest(to: id, among: namesakes).first.map { index in
      Escaping.visible(Escaping.shell("\(export.habits[index].name)=\(id)"))
    }
    let remedy =
      "; if it has another name now, import with --habit \(option ?? "NAME=\(id)") instead, after "
      + "`streaks undo` if this import is written"
    plan.note(
      """
      \(id) was imported before, and the file has no habit of that name now; its entries still \
      count\(program: remedy)
      """)
  }

  /// Returns on how many days the file's habit `index` differs from the imported answers of `id`.
  ///
  /// On such a day, only one of the two has an answer. Days after the last imported one aren't
  /// counted. The result is `nil` if more than half as many days differ as were imported.
  private func differingDays(of id: String, _ index: Int) -> Int? {
    let old = importedDays[id] ?? []
    guard let last = old.max() else { return 0 }
    let count = old.symmetricDifference(answeredDays(of: id, index, through: last)).count
    return 2 * count <= old.count ? count : nil
  }

  /// Returns the days up to `last` on which the file's habit `index` has an answer that would be
  /// imported for `id`.
  private func answeredDays(of id: String, _ index: Int, through last: Day) -> [Day] {
    // Only a habit that asks for it has entries that say no.
    let saysNo = plan.ledger.facts.definition(of: id)?.rule.traits.asksForCompleted ?? false
    let answers = export.answers.filter { answer in
      answer.habit == index && answer.day <= last && ![.unknown, .implied].contains(answer.kind)
        && (saysNo || answer.kind != .notDone)
    }
    return answers.map(\.day)
  }

  /// Returns the key of the record of a habit on `day`.
  private static func key(of day: Day) -> String { "\(writer):\(day)" }

  /// Plans the definition of a new habit, or reports that the schedule of an existing habit
  /// differs.
  private mutating func define(
    _ habit: LoopHabit, as id: String, _ frequency: Frequency, _ index: Int
  ) {
    let (definition, differences) = habit.definition(
      of: id, frequency, weekStart: plan.ledger.facts.weekStart)
    let ledger = plan.ledger
    let today = plan.today

    // A habit that an undo withdrew is defined again, from its former first day.
    let isWithdrawn = ledger[id]?.isWithdrawn ?? false
    let withdrawn = isWithdrawn ? ledger.facts.definitions(of: id).first?.day : nil

    if withdrawn == nil, let standing = ledger.facts.definition(of: id, forRecordsOf: today) {
      return noteDifferences(habit, index, of: definition, from: standing, frequency)
    }

    let answers = export.answers.filter { $0.habit == index && $0.kind != .unknown }
    plan.define(definition, on: withdrawn ?? min(answers.first?.day ?? today, today))
    for difference in differences { plan.note("\(id): \(difference)") }
    if habit.isArchived { noteArchived(id, index) }

    if habit.isNumerical == nil, answers.contains(where: { $0.amount != nil }) {
      plan.note(
        "\(id): its numbers become texts, unless you define it with a measure before the import")
    }
  }

  /// Notes how the habit's settings in Loop differ from its definition in this ledger.
  ///
  /// The note has the commands that take the settings over.
  private mutating func noteDifferences(
    _ habit: LoopHabit, _ index: Int, of definition: Habit, from standing: Habit,
    _ frequency: Frequency
  ) {
    let id = standing.id
    // Of two habits that are one here, neither says what it should be.
    guard ids.filter({ $0 == id }).count == 1 else { return }

    var changes: [String] = []
    if definition.schedule != standing.schedule {
      let here = standing.schedule?.words ?? "it is asked for every day"
      plan.note(
        "\(id) keeps its own definition: \(frequency.words) there, here \(here)")
      changes.append("--schedule " + (definition.schedule?.short ?? "daily"))
    }

    if let there = definition.rule.bounds, let here = standing.rule.bounds, there.of == here.of,
      there.converted(to: here) != here
    {
      if importedDays[id] != nil, let unit = here.unit, there.isRenamed(from: here) {
        unitsHere[index] = unit
        plan.note(
          """
          \(id): its unit \(quoted(habit.unit)) is read as \(unit), because its target is the \
          same; if it is another unit, \(program: "`streaks undo`", library: "undo") this import, \
          and define the habit with it
          """)
      } else {
        plan.note(
          "\(id) keeps its own target: \(definition.rule.words) there, \(standing.rule.words) here")
        changes += there.options
      }
    }

    if !changes.isEmpty, !plan.isForApp {
      let command = "streaks define \(id) " + changes.joined(separator: " ")
      plan.note("\(id): `\(command)` takes that over from today on")
    }

    if habit.isArchived, plan.ledger.facts.retirement(of: id, on: plan.today.next) == nil {
      noteArchived(id, index)
    }
  }

  /// Notes that the habit is archived in Loop, with the command that retires it here.
  ///
  /// The command retires it after its last answer or entry, so that no missed days follow.
  private mutating func noteArchived(_ id: String, _ index: Int) {
    let entries = plan.ledger.facts.entries(of: id, in: Day.first...Day.last).filter(\.isStanding)
    let days = answeredDays(of: id, index, through: .last) + entries.map(\.day)
    let option = days.max().map { " --on \($0)" } ?? ""
    let remedy = "; `streaks define \(id) --retire\(option)` ends it here"
    plan.note("\(id): is archived there\(program: remedy)")
  }

  /// Adds a note about the unit of the numbers of each habit that no `Habits.csv` describes.
  private mutating func noteUnknownUnits() {
    for (index, habit) in export.habits.enumerated() where habit.isNumerical == nil {
      guard let id = ids[index],
        let unit = plan.ledger.facts.definition(of: id)?.rule.unitOfNumbers,
        export.answers.contains(where: { $0.habit == index && $0.amount != nil })
      else { continue }
      plan.note(
        "\(id): its numbers are read as \(unit), because no Habits.csv beside the file says their "
          + "unit; the whole folder has it")
    }
  }

  /// Adds a note about habits of the file that are one habit here.
  private mutating func noteSharedHabits() {
    for id in Set(ids.compactMap(\.self)).sorted() {
      let names = ids.indices.filter { ids[$0] == id }.map { quoted(export.habits[$0].name) }
      guard names.count > 1 else { continue }
      plan.note(
        """
        \(id): \(names.joined(separator: " and ")) are one habit here, and of several answers on a \
        day only one counts; separate habits keep all
        """)
    }
  }

  private mutating func noteRoundedDrinks() {
    guard let first = roundedDrinks.first else { return }
    let others = Set(roundedDrinks.map(\.day)).count - 1
    let more = others > 0 ? " and \(counted(others, "more day"))" : ""
    plan.note("rounded to whole drinks: \(first.text) on \(first.day)\(more)")
  }

  /// Adds a note about each habit for which a "yes" counts as a slip.
  ///
  /// The person can have meant that there was no slip.
  private mutating func noteSlips() {
    let done = export.answers.filter { $0.kind == .done && plan.exclusion(of: $0.day) == nil }
    for index in Set(done.map(\.habit)).sorted() {
      guard let id = ids[index], case .never? = plan.ledger.facts.definition(of: id)?.rule.kind
      else { continue }
      plan.note(
        """
        \(id): a yes of \(quoted(export.habits[index].name)) counts as a slip; if it means that it \
        was kept, import it as a habit with the rule any
        """)
    }
  }

  /// Takes back the answers of earlier imports that the export lacks, because Loop doesn't export
  /// days without an answer.
  ///
  /// Only days from the first answer of each habit to the age of the file are compared. The common
  /// table of all habits lacks other answers, too, so it takes nothing back.
  private mutating func takeBackMissing() {
    guard !export.isCommonTable else { return }
    for (index, id) in ids.enumerated() {
      let first = export.answers.first { $0.habit == index }?.day
      guard let habit = id, let first, first <= plan.dayOfAge else { continue }
      let span = first...plan.dayOfAge
      plan.takeBackMissing(of: habit) { span.contains($0) }
    }
  }

  /// Adds the answers that become events, and then leaves out the others.
  ///
  /// Two habits of the file can be one habit of this ledger. If only one of their answers for a day
  /// becomes an event, that one counts, and a "no" of the other doesn't.
  private mutating func addAnswers() {
    var others: [(answer: LoopExport.Answer, habit: String, reason: LeftOut.Reason)] = []
    for answer in export.answers {
      if let reason = plan.exclusion(of: answer.day) {
        plan.skip(export.words(of: answer), answer.place, reason)
      } else if let habit = ids[answer.habit] {
        do throws(LeftOut.Reason) {
          try add(answer, try payload(answer, habit), of: habit)
        } catch {
          others.append((answer, habit, error))
        }
      } else {
        let name = export.habits[answer.habit].name
        let reason = LeftOut.Reason.unknownName(name, among: plan.ledger.facts.definedHabits)
        plan.skip(export.words(of: answer), answer.place, reason)
      }
    }
    for (answer, habit, reason) in others { leaveOut(answer, of: habit, reason) }
  }

  /// Notes which habit of the file answers for `habit` on the day of `answer`.
  ///
  /// Throws if the day has an answer already.
  private mutating func claimDay(
    of answer: LoopExport.Answer, _ habit: String
  ) throws(LeftOut.Reason) {
    let day = HabitDay(habit: habit, day: answer.day)
    if let other = answered[day] { throw other == answer.habit ? .duplicate : .ofOtherHabit }
    answered[day] = answer.habit
  }

  private mutating func add(
    _ answer: LoopExport.Answer, _ payload: Payload, of habit: String
  ) throws(LeftOut.Reason) {
    try claimDay(of: answer, habit)
    var draft = Draft(
      payload, of: answer.day, in: plan.zone, by: LoopImport.writer, place: answer.place,
      text: answer.text)
    let name = export.habits[answer.habit].name
    draft.event.unknown = [Event.UnknownField(Event.loopName, LoopImport.hash(name))]
    plan.add(
      KeyedRecord(
        key: LoopImport.key(of: answer.day), draft: draft, phrase: export.words(of: answer),
        saysNote: answer.hasNotes))
  }

  /// Leaves out an answer that becomes no event, and takes back what an earlier import wrote for
  /// its day.
  private mutating func leaveOut(
    _ answer: LoopExport.Answer, of habit: String, _ reason: LeftOut.Reason
  ) {
    if !answer.note.trimmed.isEmpty { plan.lostNotes += 1 }
    do throws(LeftOut.Reason) {
      try claimDay(of: answer, habit)
    } catch {
      let isBlank = answer.kind == .unknown
      return plan.skip(export.words(of: answer), answer.place, isBlank ? .notAsked : reason)
    }

    let key = LoopImport.key(of: answer.day)
    let isMissingMark = export.isCommonTable && answer.kind == .unknown
    if !isMissingMark, [.notDone, .implied, .notAsked].contains(reason) {
      plan.takeBack(key, of: habit, answer.place)
    }
    plan.keep(key, of: habit)
    plan.skip(export.words(of: answer), answer.place, reason)
  }

  private mutating func payload(
    _ answer: LoopExport.Answer, _ habit: String
  ) throws(LeftOut.Reason) -> Payload {
    let note = Text(line: answer.note.trimmed)
    let rule = plan.ledger.facts.definition(of: habit, on: answer.day)?.rule
    let asksForCompleted = rule?.traits.asksForCompleted ?? false

    var entry = Entry(habit: habit)
    entry.note = note.isEmpty ? nil : note

    switch answer.kind {
    case .unknown: throw .notAsked
    case .implied: throw .implied
    case .skipped:
      return .daysExcused(
        from: answer.day, to: answer.day, habits: [habit],
        reason: note.isEmpty ? Event.skipped : note)
    case .done where asksForCompleted: entry.completed = true
    case .notDone where asksForCompleted: entry.completed = false
    case .done: try measure(answer, rule, &entry)
    case .notDone: throw .notDone
    }
    return .entryLogged(entry)
  }

  /// Sets the measure in `entry` that the rule requires, or else the measure that fits the unit of
  /// the answer.
  private mutating func measure(
    _ answer: LoopExport.Answer, _ rule: Rule?, _ entry: inout Entry
  ) throws(LeftOut.Reason) {
    let text = unitsHere[answer.habit]?.string ?? export.habits[answer.habit].unit
    let unit = LoopUnit(text)

    let required = rule?.measure == .entries ? nil : rule?.measure
    guard let amount = answer.amount, amount > .zero else {
      if required == nil { return }
      throw .noMeasure(habit: entry.habit, rule: rule?.name.rawValue ?? "any")
    }

    let measure = required ?? unit.measure
    if required == nil, measure == .amount {
      entry.value = Text(line: "\(amount.millionths) \(text)".trimmed)
      return
    }

    let sum = rule?.bounds?.unit
    guard let number = unit.convert(amount, to: measure, in: sum)?.millionths else {
      throw .unknownUnit(text, here: sum?.string)
    }
    guard number <= Millionths(measure.most) else { throw .tooMuch(measure, unit: sum) }
    entry[measure] = number
    if let drinks = entry.drinks, Millionths(drinks) != number {
      roundedDrinks.append((answer.day, "\(number) to \(drinks)"))
    }
  }
}

extension Sum {
  /// Returns the sum with its bounds converted to the measure and unit of `other`.
  ///
  /// The sum is unchanged if the units don't fit together, or if a bound above 0 would be rounded
  /// to 0.
  package func converted(to other: Sum) -> Sum {
    func converted(_ bound: Thousandths?) -> Thousandths? {
      guard let bound else { return nil }
      let number = DecimalNumber(Millionths(count: bound.count * 1000))
      return MeasureUnit.convert(number, from: unitOfNumbers, to: other.unitOfNumbers)?.bound
    }
    let bounds = (atLeast: converted(atLeast), atMost: converted(atMost))
    guard (bounds.atLeast == nil) == (atLeast == nil), (bounds.atMost == nil) == (atMost == nil)
    else { return self }
    return Sum(
      of: other.of, unit: other.unit, atLeast: bounds.atLeast, atMost: bounds.atMost, per: per)
  }

  /// Whether the sum differs from `other` only in the name of a unit that can't be converted.
  fileprivate func isRenamed(from other: Sum) -> Bool {
    guard let unit, let otherUnit = other.unit, MeasureUnit.named(unit.string) == nil,
      MeasureUnit.named(otherUnit.string) == nil
    else { return false }
    return (of, atLeast, atMost, per) == (other.of, other.atLeast, other.atMost, other.per)
  }

  /// The options of `define` with which a habit gets this sum.
  fileprivate var options: [String] {
    let period = per.map { "/\($0.rawValue)" } ?? ""
    let bounds = [("--at-least", atLeast), ("--at-most", atMost)]
    return bounds.compactMap { option, bound in
      bound.map { option + " " + Escaping.shell("\($0)\(unitOfNumbers)\(period)") }
    }
  }
}
