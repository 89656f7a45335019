import EventLog
package import StreakDomain

/// What another tracker says of one habit on one day.
struct TrackerAnswer {
  enum Kind {
    case done, notDone, skipped, implied, unknown
  }

  var kind: Kind
  /// A number beside it, as written.
  var amount: String?
  /// What the number counts, as the tracker calls it.
  var unit: String?
  var note = ""
  let day: Day
  let place: Place
  let text: String
}

/// The habits here that another tracker's habits are imported into.
package struct TrackerNames: Sendable {
  /// By the tracker's name, as `--habit NAME=HABIT` gives them.
  private var given: [Text: String]
  private var defined: [String]

  /// The habits that imports have defined, by the tracker's name.
  private var adopted: [Text: String] = [:]

  package init(given: [Text: String], defined: [String]) {
    self.given = given
    self.defined = defined
  }

  /// The habit for a tracker's name: the one given, or the one that is called the same.
  func habit(for name: Text) -> String? {
    if let habit = given[name] ?? adopted[name] { return habit }
    let plain = TrackerNames.plain(name.string)
    return defined.first { $0 == plain || TrackerNames.plain($0) == plain }
  }

  /// Leads a name to the habit that the import defines for it.
  mutating func adopt(_ name: Text, as habit: String) {
    adopted[name] = habit
    // Another name there may be written almost like it.
    defined.append(habit)
  }

  /// `Wake up early` as `wake_up_early`.
  static func plain(_ name: String) -> String {
    name.trimmed.asciiLowercased.rewriting { $0 == " " || $0 == "-" ? "_" : nil }
  }

  /// Names that were given and that the file does not have.
  func unused(among names: Set<Text>) -> [Text] { given.keys.filter { !names.contains($0) }.sorted() }

  func reason(_ name: Text) -> LeftOut.Reason { .unknownName(name, known: defined) }
}

/// Plans what answers become by the rule of their habit.
struct TrackerImport {
  /// The `by` of the events that an import of Loop writes, and the first part of their ids.
  static let writtenBy: Text = "loop"

  var names: TrackerNames
  var plan: ImportPlan
  private var found: Set<Text> = []
  /// By habit that an import defined, how many days the tracker's streak counts on which nothing was done.
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

  /// What earlier imports made of a name's day: the event in force, and the id that the next is to have.
  ///
  /// Each answer for a day has the next number, so that the first can come back after the second; the number stays
  /// at one that a person deleted, and so does what the day has.
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

  /// The plan, with a word on names that were given in vain.
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

  /// An entry with the measure of a sum.
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
  /// Whether an answer that was imported before is the one that a file has now.
  ///
  /// The tables of a tracker say more or less of the same answer, so a note or unit that is absent now changes nothing,
  /// and of two skips the first counts.
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
  /// The number that a tracker's answer became, whatever it counts.
  fileprivate var number: Double? {
    let text =
      minutes?.description ?? km?.description ?? amount?.description ?? drinks.map { "\($0)" }
      ?? value?.string.parts(at: " ").first { !$0.isEmpty }.map { String($0) }
    return text.flatMap { Double($0) }
  }
}
