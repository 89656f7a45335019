import EventLog
import Inspection
import StreakDomain

/// The conversion of the answers in a Loop export to events, according to the rules of the habits.
struct LoopImport {
  /// The value of the field `by` in imported events, and the first part that `ImportID` hashes into their ids.
  static let writtenBy: Text = "loop"

  private var plan: ImportPlan
  private let given: GivenNames
  /// The content of the events of earlier imports, keyed by their ids.
  private let stored: [String: ImportPlan.Content]
  /// The days of each imported habit that Loop skips or doesn't require, which count only in streaks of Loop.
  private var implied: [String: Int] = [:]
  private var answered: Set<HabitDay> = []

  static func plan(
    _ files: ExportFiles, _ given: GivenNames, into plan: ImportPlan
  ) throws(Failure) -> ImportPlan {
    let export = try LoopExport(files)
    if given.single != nil, export.habits.count != 1 {
      throw Failure(
        .usage, "the export has \(counted(export.habits.count, "habit"))",
        remedy: "name the habit of each with --habit NAME=HABIT")
    }
    var loop = LoopImport(
      plan: plan, given: given, stored: try plan.stored { $0.by == writtenBy })
    let habits = loop.resolve(export)
    for answer in export.answers { loop.add(answer, export, habits[answer.habit]) }
    return loop.finish(Set(export.habits.map(\.name)))
  }

  private init(plan: ImportPlan, given: GivenNames, stored: [String: ImportPlan.Content]) {
    (self.plan, self.given, self.stored) = (plan, given, stored)
  }

  /// Returns an id for each habit of the export, even of equal names, and plans the definitions of new habits.
  private mutating func resolve(_ export: LoopExport) -> [String?] {
    var first: [Int: Day] = [:]
    for answer in export.answers where answer.kind != .unknown {
      first[answer.habit] = min(first[answer.habit] ?? answer.day, answer.day)
    }
    let renamed = renamed(export)
    var taken: Set<String> = []
    return export.habits.enumerated().map { index, habit in
      if let id = given.single ?? given.habits[habit.name] { return define(habit, as: id, first[index]) }
      let matching = plan.ledger.habits(named: habit.name)
      if let id = matching.first(where: { !taken.contains($0) }) ?? renamed[index] {
        taken.insert(id)
        return define(habit, as: id, first[index])
      }
      guard habit.described != nil else { return matching.first }
      let base = HabitName.id(habit.name.string) ?? "habit-\(index + 1)"
      let candidates = [base] + (2...export.habits.count + 1).map { "\(base)_\($0)" }
      guard let id = candidates.first(where: { !taken.contains($0) }) else { return nil }
      if id != base || HabitName.plain(habit.name.string) != id {
        plan.notes.append("the habit \(quoted(habit.name)), number \(index + 1) in Loop, is \(id) here")
      }
      taken.insert(id)
      return define(habit, as: id, first[index])
    }
  }

  /// Returns the ids of imported habits that have another name now, by index; their order in the file tells which.
  private mutating func renamed(_ export: LoopExport) -> [Int: String] {
    var imported: [String] = []
    for id in plan.ledger.definedHabits {
      if lastDefinition(of: id).content != nil { imported.append(id) }
    }
    let named = export.habits.map { given.habits[$0.name] ?? plan.ledger.habits(named: $0.name).first }
    let missing = imported.filter { !named.contains($0) }
    guard !missing.isEmpty, export.habits.count > 1 else { return [:] }
    // The habits that an import has defined or would define, in the order of the file.
    let ranked = named.indices.filter { index in
      named[index].map { imported.contains($0) } ?? (export.habits[index].described != nil)
    }
    var renamed: [Int: String] = [:]
    for id in missing {
      guard let rank = imported.firstIndex(of: id), rank < ranked.count, named[ranked[rank]] == nil else {
        plan.notes.append("\(id) was imported before, and the file has no habit of that name now")
        continue
      }
      let name = export.habits[ranked[rank]].name
      renamed[ranked[rank]] = id
      plan.notes.append("\(quoted(name)) is \(id), imported before under another name")
    }
    return renamed
  }

  private func revision(of parts: [String]) -> (standing: String?, next: String) {
    plan.revision(of: [Self.writtenBy.string] + parts)
  }

  /// Returns the last definition that an import wrote for the habit, and the id for the next definition.
  private func lastDefinition(of id: String) -> (content: ImportPlan.Content?, next: String) {
    var (last, number) = (Optional<ImportPlan.Content>.none, 0)
    while true {
      let event = ImportID.make([Self.writtenBy.string, "definition", id, "\(number)"])
      guard plan.ledger.fate(of: event) != .absent else { return (last, event) }
      last = stored[event] ?? last
      number += 1
    }
  }

  /// Plans the definition of a new or changed habit; a person's definition is kept, and differences are reported.
  private mutating func define(_ habit: LoopExport.Habit, as id: String, _ first: Day?) -> String {
    guard let described = habit.described else { return id }
    let (before, next) = lastDefinition(of: id)
    let standing = plan.ledger.definition(of: id, on: plan.today) ?? plan.ledger.definition(of: id)
    let (definition, differences) = described.definition(of: id)
    var day = first ?? plan.today
    if let before, case .habitDefined(let own) = before.payload, standing == own {
      implied[id] = 0
      if definition == own { return id }
      // Loop applies its settings to all days, so the new definition begins on the same day as the earlier one.
      day = before.day
    } else if let standing {
      if standing.schedule != definition.schedule {
        plan.notes.append(
          "\(id) keeps its own definition: \(described.frequency.words) there, here "
            + (standing.schedule?.words ?? "it is asked for every day"))
      }
      return id
    }
    implied[id] = 0
    plan.define(definition, on: min(day, plan.today), id: next, by: Self.writtenBy)
    plan.notes += differences.map { "\(id): \($0)" }
    return id
  }

  private mutating func add(_ answer: LoopExport.Answer, _ export: LoopExport, _ habit: String?) {
    let name = export.habits[answer.habit].name
    let what = "\(name) of \(answer.day)"
    if let reason = plan.exclusion(of: answer.day) { return plan.leave(what, answer.place, reason) }
    guard let habit else {
      return plan.leave(what, answer.place, .unknownName(name, known: plan.ledger.definedHabits))
    }
    guard answered.insert(HabitDay(habit: habit, day: answer.day)).inserted else {
      return plan.leave(what, answer.place, answer.kind == .unknown ? .notAsked : .duplicate)
    }
    if [.implied, .skipped].contains(answer.kind) { implied[habit]? += 1 }
    let known = revision(of: [habit, answer.day.description])
    let replaced = known.standing.map { id in
      var isExcuse = false
      if case .daysExcused? = stored[id]?.payload { isExcuse = true }
      return ImportPlan.Replaced(id: id, day: answer.day, isExcuse: isExcuse)
    }
    do throws(Refused) {
      let payload = try payload(answer, habit)
      if let standing = known.standing,
        (stored[standing]?.payload ?? payload).says(payload, hasUnit: !answer.unit.isEmpty)
      {
        _ = plan.isKnown(standing)
        return
      }
      var event = ImportedEvent(
        id: known.next, habit: habit, day: answer.day, at: nil, payload: payload, by: Self.writtenBy,
        what: what, place: answer.place)
      event.text = answer.text
      plan.add(event, replacing: replaced)
    } catch {
      let isMissingMark = export.isCommonTable && answer.kind == .unknown
      if let replaced, !isMissingMark, [.notDone, .implied, .notAsked].contains(error.reason) {
        plan.takeBack(
          replaced, of: habit, by: Self.writtenBy, answer.place, because: "the answer was taken back")
      }
      plan.leave(what, answer.place, error.reason)
    }
  }

  /// Returns the plan with notes on names that aren't used, and on days that count only in streaks of Loop.
  private consuming func finish(_ found: Set<Text>) -> ImportPlan {
    let counted = implied.filter { $0.value > 0 }.sorted { $0.key < $1.key }
    if !counted.isEmpty {
      plan.notes.append(
        "a streak of Loop also counts days that were skipped or not required, which a run here does not: "
          + counted.map { "up to \($0.value == 1 ? "1 day" : "\($0.value) days") of \($0.key)" }.joined(
            separator: ", "))
    }
    plan.notes += given.unused(among: found)
    return plan
  }

  private func payload(_ answer: LoopExport.Answer, _ habit: String) throws(Refused) -> Payload {
    let note = ImportedEvent.line(answer.note)
    switch answer.kind {
    case .unknown: throw Refused(reason: .notAsked)
    case .implied: throw Refused(reason: .implied)
    case .skipped:
      return .daysExcused(
        from: answer.day, to: answer.day, habits: [habit], reason: note.isEmpty ? "skipped" : Text(note))
    case .done, .notDone: break
    }
    let rule = plan.ledger.definition(of: habit, on: answer.day)?.rule
    var entry = Entry(habit: habit)
    entry.note = note.isEmpty ? nil : Text(note)
    if rule?.traits.asksForCompleted ?? false {
      entry.completed = answer.kind == .done
    } else {
      guard answer.kind == .done else { throw Refused(reason: .notDone) }
      try measure(answer, rule, &entry)
    }
    return .entryLogged(entry)
  }

  /// Sets the measure in `entry` that the rule requires, or else the measure that fits the unit of the answer.
  private func measure(_ answer: LoopExport.Answer, _ rule: Rule?, _ entry: inout Entry) throws(Refused) {
    let unit = answer.unit.asciiLowercased.trimmed
    let number = answer.amount.map { Double($0) }.flatMap { $0 > 0 ? $0 : nil }
    var wanted = rule?.measure
    if wanted == nil || wanted == .entries {
      guard let amount = answer.amount, number != nil else { return }
      wanted = LoopUnit.time(unit) != nil ? .minutes : LoopUnit.length(unit) != nil ? .km : nil
      if wanted == nil {
        entry.value = Text(ImportedEvent.line("\(amount) \(answer.unit)"))
        return
      }
    }
    guard let wanted else { return }
    guard let number else {
      throw Refused(reason: .noMeasure(habit: entry.habit, rule: rule?.name.rawValue ?? "any"))
    }
    let sum = rule?.bounds?.unit
    var converted: Thousandths? = Thousandths(min(number, 1e12))
    switch wanted {
    case .minutes where !unit.isEmpty:
      converted = MeasureUnit.convert(number, from: LoopUnit.time(unit) ?? unit, to: "min")
    case .km where !unit.isEmpty:
      converted = MeasureUnit.convert(number, from: LoopUnit.length(unit) ?? unit, to: "km")
    case .amount where !unit.isEmpty:
      if let sum, LoopUnit.legal(answer.unit) != sum {
        converted = MeasureUnit.convert(number, from: unit, to: sum.string)
      }
    default: break
    }
    guard let converted else { throw Refused(reason: .unknownUnit(answer.unit)) }
    guard converted <= Thousandths(wanted.most) else { throw Refused(reason: .tooMuch(wanted, unit: sum)) }
    switch wanted {
    case .minutes: entry.minutes = converted
    case .km: entry.km = converted
    case .sets: entry.sets = Int(converted.rounded)
    case .drinks: entry.drinks = Int(converted.rounded)
    case .amount: entry.amount = converted
    case .entries: break
    }
  }
}

extension Payload {
  /// Whether this imported answer equals `now`, ignoring a missing note or unit, in which the tables of Loop differ.
  fileprivate func says(_ now: Payload, hasUnit: Bool) -> Bool {
    switch (self, now) {
    case (.daysExcused, .daysExcused): return true
    case (.entryLogged(var before), .entryLogged(let after)):
      if after.note == nil { before.note = nil }
      if before == after { return true }
      guard !hasUnit, before.note == after.note, let number = before.number else { return false }
      return number == after.number
    default: return false
    }
  }
}

extension Entry {
  fileprivate var number: Double? {
    let text =
      minutes?.description ?? km?.description ?? amount?.description ?? drinks.map { "\($0)" }
      ?? value?.string.parts(at: " ").first { !$0.isEmpty }.map { String($0) }
    return text.flatMap { Double($0) }
  }
}
