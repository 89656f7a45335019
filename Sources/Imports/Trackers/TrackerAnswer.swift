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
  private let given: [Spelling: String]
  private let defined: [String]

  package init(given: [Spelling: String], defined: [String]) {
    self.given = given
    self.defined = defined
  }

  /// The habit for a tracker's name: the one given, or the one that is called the same.
  func habit(for name: String) -> String? {
    if let habit = given[name.spelling] { return habit }
    let plain = TrackerNames.plain(name)
    return defined.first {
      $0.spelling == plain.spelling || TrackerNames.plain($0).spelling == plain.spelling
    }
  }

  /// `Wake up early` as `wake_up_early`.
  private static func plain(_ name: String) -> String {
    name.trimmed.asciiLowercased.rewriting { $0 == " " || $0 == "-" ? "_" : nil }
  }

  /// Names that were given and that the file does not have.
  func unused(among names: Set<Spelling>) -> [Spelling] { given.keys.filter { !names.contains($0) }.sorted() }

  func reason(_ name: String) -> LeftOut.Reason { .unknownName(name.spelling, known: defined) }
}

/// Plans what answers become by the rule of their habit.
struct TrackerImport {
  let tracker: String
  let names: TrackerNames
  private(set) var plan: ImportPlan
  private var found: Set<Spelling> = []

  init(_ tracker: String, names: TrackerNames, into plan: ImportPlan) {
    self.tracker = tracker
    self.names = names
    self.plan = plan
  }

  mutating func add(_ answer: TrackerAnswer, of name: String) {
    found.insert(name.spelling)
    let what = "\(name) of \(answer.day)"
    if let reason = plan.exclusion(of: answer.day) { return plan.leave(what, answer.place, reason) }
    guard let habit = names.habit(for: name) else {
      return plan.leave(what, answer.place, names.reason(name))
    }
    let known = known(answer.day, name, habit)
    var isExcused = false
    if let standing = known.standing, case .daysExcused? = plan.options.written[standing] { isExcused = true }
    switch payload(answer, habit) {
    case .success(let payload):
      if let standing = known.standing {
        let written = plan.options.written[standing] ?? payload
        if written.says(payload, hasUnit: !(answer.unit ?? "").isEmpty) {
          _ = plan.isKnown(standing)
          return
        }
      }
      if isExcused { return plan.leave(what, answer.place, .excusedBefore) }
      var event = ImportedEvent(
        id: known.next, habit: habit, day: answer.day, at: nil, payload: payload, by: tracker, what: what,
        place: answer.place)
      event.text = answer.text
      plan.add(event, replacing: known.standing)
    case .failure(let refusal):
      let isNone = [.notDone, .implied, .notAsked].contains(refusal.reason)
      guard let standing = known.standing, isNone else {
        return plan.leave(what, answer.place, refusal.reason)
      }
      if isExcused { return plan.leave(what, answer.place, .excusedBefore) }
      plan.takeBack(
        standing, of: habit, on: answer.day, by: tracker, what, answer.place, refusal.reason)
    }
  }

  /// What earlier imports made of a name's day: the event that stands, and the id that the next is to have.
  ///
  /// Each answer for a day has the next number, so that the first can come back after the second; the number stays
  /// at one that a person deleted, and so does what the day has.
  private func known(_ day: Day, _ name: String, _ habit: String) -> (standing: String?, next: String) {
    var number = 0
    while true {
      let id = ImportID.make([tracker, name, habit, day.description, "\(number)"])
      switch plan.ledger.fate(of: id) {
      case .absent: return (nil, id)
      case .deleted where plan.ledger.fate(of: ImportPlan.deletion(of: id)) == .absent: return (nil, id)
      case .deleted: break
      case .standing:
        let next = ImportID.make([tracker, name, habit, day.description, "\(number + 1)"])
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
          from: answer.day, to: answer.day, habits: [habit], reason: note.isEmpty ? "skipped" : note))
    case .done, .notDone:
      let rule = plan.ledger.definition(of: habit, on: answer.day)?.rule
      return entry(answer, habit, rule).map { .entryLogged($0) }
    }
  }

  mutating func leave(_ answer: TrackerAnswer, of name: String, _ reason: LeftOut.Reason) {
    plan.leave("\(name) of \(answer.day)", answer.place, reason)
  }

  /// The plan, with a word on names that were given in vain.
  consuming func finish() -> ImportPlan {
    let known = found.sorted().map(\.text)
    for name in names.unused(among: found).map(\.text) {
      plan.notes.append(
        "the file has no habit \(quoted(name))" + Nearest.hint(name, among: known)
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
    entry.note = note.isEmpty ? nil : note
    if case .completed? = rule?.kind {
      entry.completed = isDone
      return .success(entry)
    }
    guard isDone else { return .failure(Refused(reason: .notDone)) }
    let number = answer.amount.flatMap { ForeignNumber.read($0) }.flatMap { $0.isFinite && $0 > 0 ? $0 : nil }
    let unit = answer.unit?.asciiLowercased.trimmed ?? ""
    switch rule?.kind {
    case .minutes?:
      guard let number else { return .failure(Refused(reason: .noMeasure(habit: habit, rule: "minutes"))) }
      guard let minutes = HealthUnit.minutes(number, TrackerUnit.time(unit) ?? (unit.isEmpty ? "min" : unit))
      else { return .failure(Refused(reason: .unknownUnit(unit.spelling))) }
      guard minutes <= Thousandths(1440) else {
        return .failure(Refused(reason: .outOfRange(measure: "minutes", most: 1440)))
      }
      entry.minutes = minutes
    case .level?:
      guard let number else { return .failure(Refused(reason: .noMeasure(habit: habit, rule: "level"))) }
      guard number <= 100 else { return .failure(Refused(reason: .outOfRange(measure: "drinks", most: 100))) }
      entry.drinks = Int(HealthUnit.thousandths(number).rounded)
    default:
      guard let number, let amount = answer.amount else { break }
      if let time = TrackerUnit.time(unit), let minutes = HealthUnit.minutes(number, time) {
        guard minutes <= Thousandths(1440) else {
          return .failure(Refused(reason: .outOfRange(measure: "minutes", most: 1440)))
        }
        entry.minutes = minutes
      } else if let length = TrackerUnit.length(unit), let km = HealthUnit.kilometres(number, length) {
        guard km <= Thousandths(1000) else {
          return .failure(Refused(reason: .outOfRange(measure: "km", most: 1000)))
        }
        entry.km = km
      } else {
        entry.value = ImportedEvent.line("\(amount) \(answer.unit ?? "")")
      }
    }
    return .success(entry)
  }
}

/// What people call units, as `HealthUnit` knows them.
enum TrackerUnit {
  static func time(_ unit: String) -> String? {
    switch unit {
    case "min", "mins", "minute", "minutes", "m.": "min"
    case "h", "hr", "hrs", "hour", "hours": "hr"
    case "s", "sec", "secs", "second", "seconds": "s"
    default: nil
    }
  }

  static func length(_ unit: String) -> String? {
    switch unit {
    case "km", "kms", "kilometre", "kilometres", "kilometer", "kilometers": "km"
    case "mi", "mile", "miles": "mi"
    case "m", "metre", "metres", "meter", "meters": "m"
    default: nil
    }
  }
}
