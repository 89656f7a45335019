import EventLog
package import StreakDomain

/// The answer of another tracker for one habit and day.
struct TrackerAnswer {
  enum Kind {
    case done, notDone, skipped, implied, unknown
  }

  var kind: Kind
  var amount: String?
  /// The unit of `amount`, as written.
  var unit: String?
  var note = ""
  let day: Day
  let place: Place
  let text: String
}

/// The mapping from another tracker's habits to habits of the ledger.
package struct TrackerNames: Sendable {
  private var given: [Text: String]
  private var defined: [String]

  /// The habits defined by imports, by the tracker's name.
  private var adopted: [Text: String] = [:]

  package init(given: [Text: String], defined: [String]) {
    self.given = given
    self.defined = defined
  }

  func habit(for name: Text) -> String? {
    if let habit = given[name] ?? adopted[name] { return habit }
    let plain = TrackerNames.plain(name.string)
    return defined.first { $0 == plain || TrackerNames.plain($0) == plain }
  }

  /// Maps a name to the habit that the import defines for it.
  mutating func adopt(_ name: Text, as habit: String) {
    adopted[name] = habit
    // Other names in the file may differ only in spelling.
    defined.append(habit)
  }

  /// Converts `Wake up early` to `wake_up_early`.
  static func plain(_ name: String) -> String {
    name.trimmed.asciiLowercased.rewriting { $0 == " " || $0 == "-" ? "_" : nil }
  }

  /// Returns the given names that the file doesn't contain.
  func unused(among names: Set<Text>) -> [Text] { given.keys.filter { !names.contains($0) }.sorted() }

  func reason(_ name: Text) -> LeftOut.Reason { .unknownName(name, known: defined) }
}

/// The conversion of a tracker's answers to events, according to the habits' rules.
struct TrackerImport {
  /// The `by` of the imported events, and the first part of their ids.
  static let writtenBy: Text = "loop"

  var names: TrackerNames
  var plan: ImportPlan
  private var found: Set<Text> = []
  /// The number of days, by habit, that the tracker marks as skipped or as not required by the frequency.
  ///
  /// Its streaks may count these days, while ours do not. Contains only habits defined by an import.
  var implied: [String: Int] = [:]

  init(names: TrackerNames, into plan: ImportPlan) {
    self.names = names
    self.plan = plan
  }

  mutating func add(_ answer: TrackerAnswer, of name: Text) {
    found.insert(name)
    let what = "\(name) of \(answer.day)"
    if let reason = plan.exclusion(of: answer.day) { return plan.leave(what, answer.place, reason) }
    guard let habit = names.habit(for: name) else {
      return plan.leave(what, answer.place, names.reason(name))
    }
    if [.implied, .skipped].contains(answer.kind) { implied[habit]? += 1 }
    let known = known(answer.day, name, habit)
    switch payload(answer, habit) {
    case .success(let payload):
      if let standing = known.standing {
        let written = plan.options.written[standing]?.payload ?? payload
        if written.says(payload, hasUnit: !(answer.unit ?? "").isEmpty) {
          _ = plan.isKnown(standing)
          return
        }
      }
      var event = ImportedEvent(
        id: known.next, habit: habit, day: answer.day, at: nil, payload: payload, by: Self.writtenBy,
        what: what,
        place: answer.place)
      event.text = answer.text
      plan.add(event, replacing: known.standing)
    case .failure(let refusal):
      let isNone = [.notDone, .implied, .notAsked].contains(refusal.reason)
      guard let standing = known.standing, isNone else {
        return plan.leave(what, answer.place, refusal.reason)
      }
      plan.takeBack(
        standing, of: habit, on: answer.day, by: Self.writtenBy, what, answer.place, refusal.reason)
    }
  }

  /// Returns the current event of earlier imports for a day, and the id for the next one.
  ///
  /// Each changed answer gets the next number in its id, so that an earlier answer can return. An event that
  /// a person deleted keeps its number, so it stays deleted.
  private func known(_ day: Day, _ name: Text, _ habit: String) -> (standing: String?, next: String) {
    var number = 0
    while true {
      let id = ImportID.make([Self.writtenBy.string, name.string, habit, day.description, "\(number)"])
      switch plan.ledger.fate(of: id) {
      case .absent: return (nil, id)
      case .deleted where plan.ledger.fate(of: ImportPlan.deletion(of: id)) == .absent: return (nil, id)
      case .deleted: break
      case .standing:
        let next = ImportID.make([
          Self.writtenBy.string, name.string, habit, day.description, "\(number + 1)",
        ])
        return (id, next)
      }
      number += 1
    }
  }

  private func payload(_ answer: TrackerAnswer, _ habit: String) -> Result<Payload, Refused> {
    switch answer.kind {
    case .unknown: return .failure(Refused(reason: .notAsked))
    case .implied: return .failure(Refused(reason: .implied))
    case .skipped:
      let note = ImportedEvent.line(answer.note)
      return .success(
        .daysExcused(
          from: answer.day, to: answer.day, habits: [habit], reason: note.isEmpty ? "skipped" : Text(note)))
    case .done, .notDone:
      let rule = plan.ledger.definition(of: habit, on: answer.day)?.rule
      return entry(answer, habit, rule).map { .entryLogged($0) }
    }
  }

  /// Returns the plan with remarks on unused names and on days that Loop's streaks count.
  consuming func finish() -> ImportPlan {
    let counted = implied.filter { $0.value > 0 }.sorted { $0.key < $1.key }
    if !counted.isEmpty {
      plan.notes.append(
        "a run here counts only days done, a streak of loop also days skipped or not required by the frequency: "
          + "at most " + counted.map { "\($0.value) of \($0.key)" }.joined(separator: ", "))
    }
    let known = found.sorted().strings
    for name in names.unused(among: found) {
      plan.notes.append(
        "the file has no habit \(quoted(name))\(Nearest.hint(name.string, among: known))"
          + (known.isEmpty ? "" : "; it has " + known.prefix(12).map(quoted).joined(separator: ", ")))
    }
    return plan
  }

  private struct Refused: Error {
    let reason: LeftOut.Reason
  }

  private func entry(_ answer: TrackerAnswer, _ habit: String, _ rule: Rule?) -> Result<Entry, Refused> {
    var entry = Entry(habit: habit)
    let isDone = answer.kind == .done
    let note = ImportedEvent.line(answer.note)
    entry.note = note.isEmpty ? nil : Text(note)
    if rule?.traits.asksForCompleted ?? false {
      entry.completed = isDone
      return .success(entry)
    }
    guard isDone else { return .failure(Refused(reason: .notDone)) }
    let number = answer.amount.flatMap { ForeignNumber.read($0) }.flatMap { $0.isFinite && $0 > 0 ? $0 : nil }
    let unit = answer.unit?.asciiLowercased.trimmed ?? ""
    let unmeasured = Refused(reason: .noMeasure(habit: habit, rule: rule?.name.rawValue ?? "any"))
    switch rule?.measure {
    case .minutes?:
      guard let number else { return .failure(unmeasured) }
      guard let minutes = HealthUnit.minutes(number, TrackerUnit.time(unit) ?? (unit.isEmpty ? "min" : unit))
      else { return .failure(Refused(reason: .unknownUnit(Text(unit)))) }
      guard minutes <= Thousandths(Measure.minutes.most) else {
        return .failure(Refused(reason: .tooMuch(.minutes)))
      }
      entry.minutes = minutes
    case .drinks?:
      guard let number else { return .failure(unmeasured) }
      guard number <= Double(Measure.drinks.most) else { return .failure(Refused(reason: .tooMuch(.drinks))) }
      entry.drinks = Int(HealthUnit.thousandths(number).rounded)
    case .km?, .sets?, .amount?:
      guard let number else { return .failure(unmeasured) }
      return measured(entry, rule?.bounds ?? Sum(of: .amount), number, unit, answer)
    case .entries?, nil:
      guard let number, let amount = answer.amount else { break }
      if let time = TrackerUnit.time(unit), let minutes = HealthUnit.minutes(number, time) {
        guard minutes <= Thousandths(Measure.minutes.most) else {
          return .failure(Refused(reason: .tooMuch(.minutes)))
        }
        entry.minutes = minutes
      } else if let length = TrackerUnit.length(unit), let km = HealthUnit.kilometres(number, length) {
        guard km <= Thousandths(Measure.km.most) else {
          return .failure(Refused(reason: .tooMuch(.km)))
        }
        entry.km = km
      } else {
        entry.value = Text(ImportedEvent.line("\(amount) \(answer.unit ?? "")"))
      }
    }
    return .success(entry)
  }

  private func measured(
    _ entry: Entry, _ sum: Sum, _ number: Double, _ unit: String, _ answer: TrackerAnswer
  ) -> Result<Entry, Refused> {
    var entry = entry
    switch sum.of {
    case .km:
      guard let km = HealthUnit.kilometres(number, TrackerUnit.length(unit) ?? (unit.isEmpty ? "km" : unit))
      else { return .failure(Refused(reason: .unknownUnit(Text(unit)))) }
      guard km <= Thousandths(Measure.km.most) else { return .failure(Refused(reason: .tooMuch(.km))) }
      entry.km = km
    case .sets:
      guard number <= Double(Measure.sets.most) else { return .failure(Refused(reason: .tooMuch(.sets))) }
      entry.sets = Int(number.rounded())
    case .amount, .minutes, .drinks, .entries:
      let amount = HealthUnit.thousandths(number)
      let legal = TrackerUnit.legal(answer.unit ?? "")
      guard unit.isEmpty || sum.unit == nil || legal == sum.unit else {
        return .failure(Refused(reason: .unknownUnit(Text(answer.unit ?? ""))))
      }
      guard amount <= Thousandths(Sum.most) else {
        return .failure(Refused(reason: .outOfRange(measure: sum.unit?.string ?? "of it", most: Sum.most)))
      }
      entry.amount = amount
    }
    return .success(entry)
  }
}

extension Payload {
  /// Whether an imported answer equals the current one.
  ///
  /// A missing note or unit is ignored, because the tracker's tables differ in detail. Two skips are equal.
  func says(_ now: Payload, hasUnit: Bool) -> Bool {
    switch (self, now) {
    case (.daysExcused, .daysExcused): return true
    case (.entryLogged(var before), .entryLogged(let after)):
      if after.note == nil { before.note = nil }
      if before == after { return true }
      guard !hasUnit, before.note == after.note, let number = before.number else {
        return false
      }
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
