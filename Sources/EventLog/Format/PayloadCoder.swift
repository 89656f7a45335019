package import StreakDomain

/// A visitor of the fields of a payload in canonical order, which reads, writes or replaces their
/// values.
protocol PayloadCoder {
  associatedtype Thrown: Error

  mutating func required<Value>(_ field: Field, _ value: inout Value, _ format: FieldFormat<Value>)
    throws(Thrown)

  mutating func optional<Value>(_ field: Field, _ value: inout Value?, _ format: FieldFormat<Value>)
    throws(Thrown)

  /// Visits a text that a person wrote and that can be redacted, such as `note`.
  mutating func text(_ field: TextField, _ text: inout Text?) throws(Thrown)
}

extension PayloadCoder {
  mutating func text(_ field: TextField, _ text: inout Text?) throws(Thrown) {
    try optional(Field(field), &text, .printable)
  }

  /// Visits a list whose field is absent from the line if the list is empty.
  mutating func list<Item>(_ field: Field, _ items: inout [Item], _ format: FieldFormat<[Item]>)
    throws(Thrown)
  {
    var optionalItems = items.isEmpty ? nil : items
    try optional(field, &optionalItems, format)
    items = optionalItems ?? []
  }
}

/// The decoder of a payload from a line, which throws the first fault.
struct PayloadReader: PayloadCoder {
  let line: LineFields
  let type: EventType
  /// The fields that the event type may have; complete after `payload()`.
  private(set) var fields = FieldSet()

  mutating func payload() throws(Failure) -> Payload {
    var payload = Payload(blank: type)
    try payload.code(with: &self)
    return payload
  }

  mutating func required<Value>(
    _ field: Field, _ value: inout Value, _ format: FieldFormat<Value>
  ) throws(Failure) {
    fields.formUnion(FieldSet(field.rawValue))
    value = try line.required(field, of: type, format)
  }

  mutating func optional<Value>(
    _ field: Field, _ value: inout Value?, _ format: FieldFormat<Value>
  ) throws(Failure) {
    fields.formUnion(FieldSet(field.rawValue))
    value = try line.optional(field, format)
  }
}

/// A list of everything that is wrong with the known fields of a stored line.
struct FaultFinder: PayloadCoder {
  private let line: LineFields
  /// The keys of required fields that the line lacks.
  private(set) var missing: [String] = []
  private(set) var others: [Failure]

  init(of line: LineFields, _ type: EventType, after first: Failure) {
    self.line = line
    others = first.kind == .missingField ? [] : [first]

    var payload = Payload(blank: type)
    payload.code(with: &self)
    if type == .dayCorrected { _ = need(.moved, .ids) }

    _ = need(.id, .id)
    _ = need(.at, .at)
    _ = need(.recorded, .recorded)
    _ = need(.day, .day)
    _ = need(.zone, .zone)
    _ = read(.by, .by)
    _ = read(.cause, .id)
  }

  private mutating func need<Value>(_ field: Field, _ format: FieldFormat<Value>) -> Value? {
    if !line.has(field) { missing.append(field.key) }
    return read(field, format)
  }

  private mutating func read<Value>(_ field: Field, _ format: FieldFormat<Value>) -> Value? {
    do throws(Failure) { return try line.optional(field, format) } catch {
      if !others.contains(error) { others.append(error) }
      return nil
    }
  }

  mutating func required<Value>(_ field: Field, _ value: inout Value, _ format: FieldFormat<Value>)
  {
    value = need(field, format) ?? value
  }

  mutating func optional<Value>(_ field: Field, _ value: inout Value?, _ format: FieldFormat<Value>)
  {
    value = read(field, format)
  }
}

/// The visitor that replaces the texts that a person wrote.
private struct TextReplacer: PayloadCoder {
  let replacement: (TextField, Text) -> Text

  mutating func required<Value>(_ field: Field, _ value: inout Value, _ format: FieldFormat<Value>)
  {}

  mutating func optional<Value>(_ field: Field, _ value: inout Value?, _ format: FieldFormat<Value>)
  {}

  mutating func text(_ field: TextField, _ text: inout Text?) {
    text = text.map { replacement(field, $0) }
  }
}

typealias FieldDescription = (name: String, schema: FieldSchema, isRequired: Bool)

/// The visitor that lists the fields of a payload.
private struct FieldLister: PayloadCoder {
  let isDraft: Bool
  var fields: [FieldDescription] = []

  mutating func required<Value>(_ field: Field, _ value: inout Value, _ format: FieldFormat<Value>)
  {
    fields.append((field.key, format.schema, true))
  }

  mutating func optional<Value>(_ field: Field, _ value: inout Value?, _ format: FieldFormat<Value>)
  {
    // For a draft, the store adds `seal` and `seen`, and also `moved` if the draft lacks it.
    if isDraft, field == .seal || field == .seen { return }
    fields.append((field.key, format.schema, field == .moved && !isDraft))
  }
}

extension EventType {
  /// Returns the payload fields of this event type, for a stored event or for a draft passed to
  /// `append`.
  func fields(isDraft: Bool) -> [FieldDescription] {
    var payload = Payload(blank: self)
    var lister = FieldLister(isDraft: isDraft)
    payload.code(with: &lister)
    return lister.fields
  }

  /// The names of the payload fields of a draft, with a question mark after each optional field,
  /// such as `reason?`.
  package var fieldNames: [String] {
    fields(isDraft: true).map { $0.name + ($0.isRequired ? "" : "?") }
  }
}

extension Payload {
  package mutating func replaceTexts(_ replacement: @escaping (TextField, Text) -> Text) {
    // The fold depends on this reason, so it can't be redacted.
    if case .daysExcused(_, _, _, "zone"?) = self { return }
    var replacer = TextReplacer(replacement: replacement)
    code(with: &replacer)
  }
}

/// The fields of the event format in canonical order.
///
/// First come the fields that begin every event, then those of payloads, then `more`.
package enum Field: Int, CaseIterable, CodingKey {
  case id, type, v, at, recorded, day, zone, subject, by, cause
  case owner, dayStart, weekStart
  case habit, key, asOf, minutes, km, sets, drinks, amount, level, completed, activity, value, note
  case name, icon, color, group, rule, schedule, forgiveness, streak, countsFrom, milestones, xp
  case entry, from, to, seal, seen, moved, segment, lines, last, habits, excuse, reason, time,
    enabled,
    celebration, event, fields
  case more

  var key: String { stringValue }

  init(_ text: TextField) {
    self =
      switch text {
      case .note: .note
      case .value: .value
      case .reason: .reason
      case .name: .name
      }
  }

  static let all = Field.allCases
  static let keys = Field.all.map { Array($0.key.utf8) }
}

// The fields of each event type, required or optional, in canonical order, for decoding and
// encoding.

extension Payload {
  mutating func code<Coder: PayloadCoder>(with line: inout Coder) throws(Coder.Thrown) {
    switch self {
    case .ledgerOpened(var dayStart, var weekStart):
      try line.optional(.dayStart, &dayStart, .dayStart)
      try line.optional(.weekStart, &weekStart, .weekday)
      self = .ledgerOpened(dayStart: dayStart, weekStart: weekStart)

    case .habitDefined(var definition):
      try definition.code(with: &line)
      self = .habitDefined(definition)

    case .habitRetired(var habit):
      try line.required(.habit, &habit, .habit)
      self = .habitRetired(habit: habit)

    case .entryLogged(var entry):
      try entry.code(with: &line)
      self = .entryLogged(entry)

    case .entryDeleted(var entry, var reason):
      try line.required(.entry, &entry, .id)
      try line.text(.reason, &reason)
      self = .entryDeleted(entry: entry, reason: reason)

    case .dayChanged(var to, var seal, var seen):
      try line.dayChange(&to, &seal, &seen)
      self = .dayChanged(to: to, seal: seal, seen: seen)

    case .dayCorrected(var to, var moved, var reason):
      try line.correction(&to, &moved, &reason)
      self = .dayCorrected(to: to, moved: moved, reason: reason)

    case .daysExcused(var from, var to, var habits, var reason):
      try line.excuse(&from, &to, &habits, &reason)
      self = .daysExcused(from: from, to: to, habits: habits, reason: reason)

    case .excuseWithdrawn(var excuse, var reason):
      try line.required(.excuse, &excuse, .id)
      try line.text(.reason, &reason)
      self = .excuseWithdrawn(excuse: excuse, reason: reason)

    case .segmentDropped(var segment, var reason):
      try line.seenSegment(&segment)
      try line.text(.reason, &reason)
      self = .segmentDropped(segment, reason: reason)

    case .eventRedacted(var event, var fields, var reason):
      try line.redaction(&event, &fields, &reason)
      self = .eventRedacted(event: event, fields: fields, reason: reason)

    case .reminderSet(var habit, var time, var enabled):
      try line.reminder(&habit, &time, &enabled)
      self = .reminderSet(habit: habit, time: time, enabled: enabled)

    case .celebrationSeen(var celebration):
      try line.required(.celebration, &celebration, .word)
      self = .celebrationSeen(celebration: celebration)
    }
  }

  init(blank type: EventType) {
    self =
      switch type {
      case .ledgerOpened: .ledgerOpened()
      case .habitDefined: .habitDefined(Habit("", rule: Rule(.any)))
      case .habitRetired: .habitRetired(habit: "")
      case .entryLogged: .entryLogged(Entry(habit: ""))
      case .entryDeleted: .entryDeleted(entry: "", reason: nil)
      case .dayChanged: .dayChanged(to: .first, seal: nil)
      case .dayCorrected: .dayCorrected(to: .first, moved: [], reason: nil)
      case .daysExcused: .daysExcused(from: .first, to: nil, habits: nil, reason: nil)
      case .excuseWithdrawn: .excuseWithdrawn(excuse: "", reason: nil)
      case .segmentDropped:
        .segmentDropped(SeenSegment(segment: "", lines: 0, last: ""), reason: nil)
      case .eventRedacted: .eventRedacted(event: "", fields: [], reason: nil)
      case .reminderSet: .reminderSet(habit: "", time: .midnight, enabled: false)
      case .celebrationSeen: .celebrationSeen(celebration: "")
      }
  }
}

/// Functions that visit the payload fields of one event type each, in canonical order.
extension PayloadCoder {
  fileprivate mutating func dayChange(
    _ to: inout Day, _ seal: inout String?, _ seen: inout [SeenSegment]
  ) throws(Thrown) {
    try required(.to, &to, .day)
    try optional(.seal, &seal, .digest)
    try list(.seen, &seen, .seen)
  }

  fileprivate mutating func correction(
    _ to: inout Day, _ moved: inout [String], _ reason: inout Text?
  ) throws(Thrown) {
    try required(.to, &to, .day)
    try list(.moved, &moved, .ids)
    try text(.reason, &reason)
  }

  fileprivate mutating func excuse(
    _ from: inout Day, _ to: inout Day?, _ habits: inout [String]?, _ reason: inout Text?
  ) throws(Thrown) {
    try required(.from, &from, .day)
    try optional(.to, &to, .end(of: from))
    try optional(.habits, &habits, .habits)
    try text(.reason, &reason)
    // An excuse for dates that a zone skipped is never withdrawn, so it must have an end.
    if reason == "zone", to == nil { try required(.to, &from, .day) }
  }

  fileprivate mutating func seenSegment(_ seen: inout SeenSegment) throws(Thrown) {
    var segment = seen.segment
    var lines = seen.lines
    var last = seen.last
    try required(.segment, &segment, .writer)
    try required(.lines, &lines, .whole(Limits.lines))
    try required(.last, &last, .id)
    seen = SeenSegment(segment: segment, lines: lines, last: last)
  }

  fileprivate mutating func redaction(
    _ event: inout String, _ fields: inout [TextField], _ reason: inout Text?
  ) throws(Thrown) {
    try required(.event, &event, .id)
    try required(.fields, &fields, .textFields)
    try text(.reason, &reason)
  }

  fileprivate mutating func reminder(
    _ habit: inout String, _ time: inout ClockTime, _ isEnabled: inout Bool
  ) throws(Thrown) {
    try required(.habit, &habit, .habit)
    try required(.time, &time, .clock)
    try required(.enabled, &isEnabled, .boolean)
  }
}

extension Entry {
  fileprivate mutating func code<Coder: PayloadCoder>(with line: inout Coder) throws(Coder.Thrown) {
    try line.required(.habit, &habit, .habit)
    try line.optional(.key, &key, .id)
    try line.optional(.asOf, &asOf, .instant)
    try line.optional(.minutes, &minutes, .measure(limit: Limits.minutes))
    try line.optional(.km, &km, .measure(limit: Limits.km))
    try line.optional(.sets, &sets, .whole(0...Limits.sets))
    try line.optional(.drinks, &drinks, .whole(0...Limits.drinks))
    try line.optional(.amount, &amount, .measure(limit: Limits.amount))
    try line.optional(.level, &level, .word)
    try line.optional(.completed, &completed, .boolean)
    try line.optional(.activity, &activity, .word)
    try line.text(.value, &value)
    try line.text(.note, &note)
  }
}

extension Habit {
  mutating func code<Coder: PayloadCoder>(with line: inout Coder) throws(Coder.Thrown) {
    try line.required(.habit, &id, .habit)
    try line.text(.name, &name)
    // A redacted name counts as absent.
    if name?.isEmpty ?? false { name = nil }
    try line.optional(.icon, &icon, .printable)
    try line.optional(.color, &color, .printable)
    try line.optional(.group, &group, .printable)
    try line.required(.rule, &rule, .rule)
    try line.optional(.schedule, &schedule, .schedule(of: rule))
    try line.optional(.forgiveness, &forgiveness, .forgiveness)
    try line.optional(.streak, &streak, .boolean)
    try line.optional(.countsFrom, &countsFrom, .day)
    try line.optional(.milestones, &milestones, .milestones)
    try line.optional(.xp, &xp, .experience)
  }
}
