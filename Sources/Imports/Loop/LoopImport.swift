import EventLog
import Inspection
import StreakDomain

/// The conversion of the answers in a Loop export to events, according to the rules of the habits.
struct LoopImport {
  /// The value of the field `by` in imported events, and the first part that `ImportID` hashes into
  /// their ids.
  private static let writer: Text = "loop"

  private var plan: ImportPlan
  private let names: GivenNames
  private let export: LoopExport
  /// The events of earlier imports, by id.
  private let stored: [String: Event]
  private var answered: Set<HabitDay> = []

  static func plan(
    _ files: ExportFiles, _ names: GivenNames, into plan: ImportPlan
  ) throws(Failure) -> ImportPlan {
    let export = try LoopExport(files)
    if names.single != nil, export.habits.count != 1 {
      throw Failure(
        .usage, "the export has \(counted(export.habits.count, "habit"))",
        remedy: .program("name the habit of each with --habit NAME=HABIT"))
    }

    let stored = try plan.stored { $0.by == writer }
    var loop = LoopImport(plan: plan, names: names, export: export, stored: stored)
    let habits = loop.resolve()
    for answer in export.answers { loop.add(answer, habits[answer.habit]) }

    if habits.contains(nil) {
      loop.plan.summary.notes.append(
        """
        a habit is not described: define it first, with a measure if it has numbers, or give the \
        folder
        """
      )
    }

    let fileNames = Set(export.habits.map(\.name))
    loop.plan.noteMissing("habit", names.habits.keys.sorted(), among: fileNames)
    return loop.plan
  }

  /// Returns the id for each habit of the export, or `nil` for a habit without id, and plans
  /// definitions of new habits.
  private mutating func resolve() -> [String?] {
    let renamed = renamed()
    var usedIDs: Set<String> = []
    return export.habits.enumerated().map { index, habit in
      let matching = plan.ledger.facts.habits(named: habit.name)

      var id = names.single ?? names.habits[habit.name]
      if id == nil {
        id = matching.first { !usedIDs.contains($0) } ?? renamed[index]
        if id == nil, habit.frequency != nil { id = newID(of: habit, index, usedIDs) }
        if let id { usedIDs.insert(id) }
      }

      if let id, let frequency = habit.frequency { define(habit, as: id, frequency, index) }
      return id ?? matching.first
    }
  }

  private mutating func newID(of habit: LoopHabit, _ index: Int, _ usedIDs: Set<String>) -> String {
    let base = HabitName.id(habit.name.string) ?? "habit-\(index + 1)"
    var id = base
    var number = 1
    while usedIDs.contains(id) {
      number += 1
      id = "\(base)_\(number)"
    }

    if id != HabitName.plain(habit.name.string) {
      plan.summary.notes.append(
        "the habit \(quoted(habit.name)), number \(index + 1) in Loop, is \(id) here")
    }
    return id
  }

  /// Returns the ids of habits that were renamed since an earlier import, keyed by their index in
  /// the file.
  ///
  /// A renamed habit is recognized by its rank in the order of the file, if it has most answers of
  /// the earlier import.
  private mutating func renamed() -> [Int: String] {
    let imported = plan.ledger.facts.definedHabits.filter {
      plan.revision(of: LoopImport.key(of: $0)).last != nil
    }
    let named = export.habits.map {
      names.habits[$0.name] ?? plan.ledger.facts.habits(named: $0.name).first
    }
    let matchingIDs = Set(export.habits.flatMap { plan.ledger.facts.habits(named: $0.name) })
    guard export.habits.count > 1 else { return [:] }

    // The habits that an import has defined or would define, in the order of the file.
    let ranked = named.indices.filter { index in
      named[index].map { imported.contains($0) } ?? (export.habits[index].frequency != nil)
    }

    var renamed: [Int: String] = [:]
    for id in imported where !named.contains(id) && !matchingIDs.contains(id) {
      guard let rank = imported.firstIndex(of: id), rank < ranked.count, named[ranked[rank]] == nil,
        hasAnswers(of: id, ranked[rank])
      else {
        plan.summary.notes.append(
          "\(id) was imported before, and the file has no habit of that name now")
        continue
      }

      let name = export.habits[ranked[rank]].name
      renamed[ranked[rank]] = id
      plan.summary.notes.append("\(quoted(name)) is \(id), imported before under another name")
    }
    return renamed
  }

  /// Whether the file's habit `index` has answers on at least half of the days with imported
  /// entries of `id`.
  private func hasAnswers(of id: String, _ index: Int) -> Bool {
    let old = Set(stored.values.filter { $0.payload.entry?.habit == id }.map(\.day))
    let answers = export.answers.filter {
      $0.habit == index && ![.notDone, .unknown].contains($0.kind)
    }
    return old.count <= 2 * old.intersection(answers.map(\.day)).count
  }

  /// Returns the values from which the ids of the events are made that define a habit.
  private static func key(of habit: String) -> [String] { [writer.string, "definition", habit] }

  /// Plans the definition of a new habit, or reports that the schedule of an existing habit
  /// differs.
  private mutating func define(
    _ habit: LoopHabit, as id: String, _ frequency: Frequency, _ index: Int
  ) {
    let (definition, differences) = habit.definition(of: id, frequency)
    let ledger = plan.ledger
    let today = plan.today

    // A habit that an undo withdrew is defined again, from its former first day.
    let isWithdrawn = ledger[id]?.isWithdrawn ?? false
    let withdrawn =
      isWithdrawn ? ledger.facts.definitions(of: id).map(\.day).min() : nil

    if withdrawn == nil, let standing = ledger.facts.definition(of: id, forRecordsOf: today) {
      guard standing.schedule != definition.schedule else { return }
      plan.summary.notes.append(
        "\(id) keeps its own definition: \(frequency.words) there, here "
          + (standing.schedule?.words ?? "it is asked for every day"))
      return
    }

    let answers = export.answers.filter { $0.habit == index && $0.kind != .unknown }
    plan.define(
      definition, on: withdrawn ?? min(answers.first?.day ?? today, today),
      id: plan.revision(of: LoopImport.key(of: id)).next, by: LoopImport.writer)
    plan.summary.notes += differences.map { "\(id): \($0)" }

    if habit.isNumerical == nil, answers.contains(where: { $0.amount != nil }) {
      plan.summary.notes.append(
        "\(id): its numbers become texts, unless you define it with a measure before the import")
    }
  }

  private mutating func add(_ answer: LoopExport.Answer, _ habit: String?) {
    let name = export.habits[answer.habit].name
    let what = "\(name) of \(answer.day)"

    if let reason = plan.exclusion(of: answer.day) { return plan.skip(what, answer.place, reason) }
    guard let habit else {
      return plan.skip(
        what, answer.place, .unknownName(name, among: plan.ledger.facts.definedHabits))
    }
    guard answered.insert(HabitDay(habit: habit, day: answer.day)).inserted else {
      return plan.skip(what, answer.place, answer.kind == .unknown ? .notAsked : .duplicate)
    }

    let key = [LoopImport.writer.string, habit, answer.day.description]
    do throws(LeftOut.Reason) {
      let draft = Draft(
        try payload(answer, habit), of: answer.day, in: plan.zone, by: LoopImport.writer,
        place: answer.place, text: answer.text)
      plan.revise(draft, what, key: key, stored: stored) { $0.hasSameAnswer(as: $1) }
    } catch {
      let isMissingMark = export.isCommonTable && answer.kind == .unknown
      if let before = plan.revision(of: key).standing.flatMap({ stored[$0] }), !isMissingMark,
        [.notDone, .implied, .notAsked].contains(error)
      {
        plan.withdraw(
          before, by: LoopImport.writer, answer.place, because: "the answer was taken back")
      }
      plan.skip(what, answer.place, error)
    }
  }

  private func payload(_ answer: LoopExport.Answer, _ habit: String) throws(LeftOut.Reason)
    -> Payload
  {
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
        from: answer.day, to: answer.day, habits: [habit], reason: note.isEmpty ? "skipped" : note)
    case .done where asksForCompleted: entry.completed = true
    case .notDone where asksForCompleted: entry.completed = false
    case .done: try measure(answer, rule, &entry)
    case .notDone: throw .notDone
    }
    return .entryLogged(entry)
  }

  /// Sets the measure in `entry` that the rule requires, or else the measure that fits the unit of
  /// the answer.
  private func measure(
    _ answer: LoopExport.Answer, _ rule: Rule?, _ entry: inout Entry
  ) throws(LeftOut.Reason) {
    let text = export.habits[answer.habit].unit
    let unit = LoopUnit(text)

    let required = rule?.measure == .entries ? nil : rule?.measure
    guard let amount = answer.amount, amount > .zero else {
      if required == nil { return }
      throw .noMeasure(habit: entry.habit, rule: rule?.name.rawValue ?? "any")
    }

    let measure = required ?? unit.measure
    if required == nil, measure == .amount {
      entry.value = Text(line: "\(amount) \(text)".trimmed)
      return
    }

    let sum = rule?.bounds?.unit
    guard let number = unit.convert(Double(amount), to: measure, in: sum) else {
      throw .unknownUnit(text)
    }
    guard number <= Thousandths(measure.most) else { throw .tooMuch(measure, unit: sum) }
    entry[measure] = number
  }
}

extension Payload {
  /// Whether this stored payload has the same answer as `now`; ignores units, and ignores the note
  /// if `now` has none.
  fileprivate func hasSameAnswer(as now: Payload) -> Bool {
    guard let before = entry, let now = now.entry else { return entry == nil && now.entry == nil }
    return before.completed == now.completed && before.number == now.number
      && (now.note == nil || before.note == now.note)
  }
}

extension Entry {
  /// The first measure of the entry, or else the number with which the value begins.
  fileprivate var number: Thousandths? {
    let measured = Measure.allCases.dropFirst().compactMap { self[$0] }.first
    return measured ?? value.flatMap { NumberWord($0.string)?.number }
  }
}
