package import StreakDomain

/// Writes events as canonical lines (events.md, "The envelope"): fixed order, no spaces.
package enum EventEncoder {
  /// The line of a complete event, with its newline.
  package static func line(_ event: Event) -> [UInt8] {
    var text = fields(event).map { "\"\($0.key)\":\($0.json)" }.joined(separator: ",")
    if event.more { text += ",\"more\":true" }
    return Array("{\(text)}\n".utf8)
  }

  /// The fields of an event but for `more`, each with its JSON, in canonical order.
  package static func fields(_ event: Event) -> [(key: String, json: String)] {
    var fields: [(key: String, json: String)] = [
      ("id", text(event.id)), ("type", text(event.payload.type.rawValue)),
    ]
    if event.version != 1 { fields.append(("v", String(event.version))) }
    fields += [
      ("at", text("\(event.at)")), ("recorded", text("\(event.recorded)")), ("day", text("\(event.day)")),
      ("zone", text(event.zone)),
    ]
    add("subject", event.subject.map(text), to: &fields)
    add("by", event.by.map(text), to: &fields)
    add("cause", event.cause.map(text), to: &fields)
    fields += payload(event.payload)
    fields += event.unknown.map { (Escaping.key($0.key), $0.json) }
    return fields
  }

  private static func payload(_ payload: Payload) -> [(key: String, json: String)] {
    var fields: [(key: String, json: String)] = []
    switch payload {
    case .ledgerOpened(let owner): add("owner", owner.map(text), to: &fields)
    case .habitDefined(let definition): return self.definition(definition)
    case .habitRetired(let habit): fields = [("habit", text(habit))]
    case .entryLogged(let entry): return self.entry(entry)
    case .entryDeleted(let entry, let reason):
      fields = [("entry", text(entry))]
      add("reason", reason.map(text), to: &fields)
    case .dayChanged(let to, let seal):
      fields = [("to", text("\(to)"))]
      add("seal", seal.map(text), to: &fields)
    case .daysExcused(let from, let to, let habits, let reason):
      fields = [("from", text("\(from)")), ("to", text("\(to)"))]
      add("habits", habits.map { list($0.map(text)) }, to: &fields)
      add("reason", reason.map(text), to: &fields)
    case .reminderSet(let habit, let time, let enabled):
      fields = [("habit", text(habit)), ("time", text("\(time)")), ("enabled", enabled ? "true" : "false")]
    case .celebrationSeen(let celebration): fields = [("celebration", text(celebration))]
    case .expectationStated(let expects): fields = [("expects", text(expects))]
    }
    return fields
  }

  private static func entry(_ entry: Entry) -> [(key: String, json: String)] {
    var fields = [(key: "habit", json: text(entry.habit))]
    add("minutes", entry.minutes?.description, to: &fields)
    add("km", entry.km?.description, to: &fields)
    add("sets", entry.sets.map(String.init), to: &fields)
    add("drinks", entry.drinks.map(String.init), to: &fields)
    add("level", entry.level.map(text), to: &fields)
    add("completed", entry.completed.map { $0 ? "true" : "false" }, to: &fields)
    add("activity", entry.activity.map(text), to: &fields)
    add("value", entry.value.map(text), to: &fields)
    add("note", entry.note.map(text), to: &fields)
    return fields
  }

  private static func definition(_ definition: Definition) -> [(key: String, json: String)] {
    var fields = [(key: "habit", json: text(definition.habit))]
    add("name", definition.name.map(text), to: &fields)
    add("icon", definition.icon.map(text), to: &fields)
    add("color", definition.color.map(text), to: &fields)
    add("group", definition.group.map(text), to: &fields)
    add("rule", rule(definition.rule), to: &fields)
    add("forgiveness", definition.forgiveness.map(forgiveness), to: &fields)
    add("streak", definition.streak.map { $0 ? "true" : "false" }, to: &fields)
    add("countsFrom", definition.countsFrom.map { text("\($0)") }, to: &fields)
    add("milestones", definition.milestones.map { list($0.map(String.init)) }, to: &fields)
    add("xp", definition.xp.map(experience), to: &fields)
    return fields
  }

  package static func rule(_ rule: Rule) -> String {
    var members = [("kind", text(rule.name))]
    switch rule.kind {
    case .minutes(let atLeast): members.append(("atLeast", "\(atLeast)"))
    case .level(let levels, let good):
      let bands = levels.map { ($0.name, "[\($0.low),\($0.high.map(String.init) ?? "null")]") }
      members += [("levels", object(bands)), ("good", list(good.map(text)))]
    case .activity(let thresholds):
      members.append(("thresholds", object(thresholds.map { ($0.activity, measures($0.measures, [])) })))
    case .all(let habits), .either(let habits): members.append(("of", list(habits.map(text))))
    case .any, .none, .completed: break
    }
    if let lateBy = rule.lateBy { members.append(("lateBy", String(lateBy))) }
    return object(members)
  }

  package static func forgiveness(_ forgiveness: Forgiveness) -> String {
    switch forgiveness {
    case .none: return object([("kind", text("none"))])
    case .grace(let days): return object([("kind", text("grace")), ("days", String(days))])
    case .joker(let rule):
      var members = [("kind", text("joker")), ("every", String(rule.every)), ("cap", String(rule.cap))]
      if let heals = rule.heals { members.append(("heals", list(heals.map(text)))) }
      if !rule.penalty.isEmpty {
        members.append(("penalty", object(rule.penalty.map { ($0.outcome, String($0.jokers)) })))
      }
      return object(members)
    }
  }

  package static func experience(_ xp: Experience) -> String {
    let bonus = xp.bonus.map { measures($0.threshold, [("xp", String($0.xp))]) }
    return object([("base", String(xp.base)), ("bonus", list(bonus))])
  }

  private static func measures(_ measures: Measures, _ more: [(String, String)]) -> String {
    let given = [("minutes", measures.minutes), ("km", measures.km), ("sets", measures.sets)]
    return object(given.compactMap { key, value in value.map { (key, "\($0)") } } + more)
  }

  private static func add(_ key: String, _ json: String?, to fields: inout [(key: String, json: String)]) {
    if let json { fields.append((key, json)) }
  }

  private static func text(_ text: String) -> String { Escaping.json(text) }

  private static func list(_ items: [String]) -> String { "[" + items.joined(separator: ",") + "]" }

  private static func object(_ members: [(String, String)]) -> String {
    "{" + members.map { text($0.0) + ":" + $0.1 }.joined(separator: ",") + "}"
  }
}

extension Event {
  /// Whether the two say the same, but for `recorded` and `more`.
  package func isSameFact(as other: Event) -> Bool {
    let mine = EventEncoder.fields(self).filter { $0.key != "recorded" }
    let theirs = EventEncoder.fields(other).filter { $0.key != "recorded" }
    return mine.count == theirs.count && holds(theirs.map { ($0.key, $0.json) })
  }

  /// Whether each of these fields stands in the event with the same value.
  func holds(_ given: [(key: String, json: String)]) -> Bool {
    let own = EventEncoder.fields(self)
    return given.allSatisfy { field in own.contains { $0.key == field.key && $0.json == field.json } }
  }
}

extension Escaping {
  /// A key as it stands between quotes.
  static func key(_ text: String) -> String { String(json(text).dropFirst().dropLast()) }
}
