package import StreakDomain

extension LineFields {
  /// The definition of a `habit.defined` line, with every check that needs no other event.
  func definition() throws(LineError) -> Definition {
    let type = EventType.habitDefined.rawValue
    let habit = try required(.habit, of: type, habit)
    let rule = try required(.rule, of: type, value)
    var definition = Definition(habit: habit, rule: try DefinitionDecoder.rule(rule))
    // One that was taken out counts as absent.
    definition.name = try printable(.name).flatMap { $0.isEmpty ? nil : $0 }
    definition.icon = try printable(.icon)
    definition.color = try printable(.color)
    definition.group = try printable(.group)
    if let schedule = try value(.schedule) {
      definition.schedule = try DefinitionDecoder.schedule(schedule)
      if case .every? = definition.schedule, definition.rule.isLimit {
        throw FieldValue("schedule", schedule).bad(
          "asks for one good day in so many, which does not go with a limit; weekdays and times do")
      }
    }
    if let forgiveness = try value(.forgiveness) {
      definition.forgiveness = try DefinitionDecoder.forgiveness(forgiveness)
    }
    definition.streak = try boolean(.streak)
    definition.countsFrom = try day(.countsFrom)
    if let milestones = try value(.milestones) {
      definition.milestones = try DefinitionDecoder.milestones(milestones)
    }
    if let xp = try value(.xp) { definition.xp = try DefinitionDecoder.experience(xp) }
    return definition
  }
}

extension LineFields {
  /// Refuses keys inside a definition that nothing reads: they would be lost, and a fold without them be another one.
  func refuseStrangeKeys(_ definition: Definition, isStored: Bool) throws(LineError) {
    for (key, json) in EventEncoder.fields(definition) where json.begins(with: "{") {
      // What is written as the store writes it has no others; nearly every definition is.
      guard let field = Field(stringValue: key), !bytes[self[field].range].elementsEqual(json.utf8),
        let given = try value(field)
      else { continue }
      try DefinitionDecoder.refuseStrangeKeys(given, unlike: json, path: key, isStored: isStored)
    }
  }
}

extension DefinitionDecoder {
  /// Refuses keys of a part of a definition that its own canonical JSON does not have.
  package static func refuseStrangeKeys(
    _ given: JSONValue, unlike json: String, path: String, isStored: Bool = false
  ) throws(LineError) {
    try FieldValue(path, given).refuseKeys(unlike: try JSONValue(parsing: json), isStored)
  }
}

extension FieldValue {
  fileprivate func refuseKeys(unlike known: JSONValue, _ isStored: Bool) throws(LineError) {
    switch (value.kind, known.kind) {
    case (.object(let given), .object(let known)):
      for (key, value) in given {
        let field = FieldValue(path + "." + key, value)
        guard let twin = known.first(where: { $0.key.spelling == key.spelling }) else {
          let isKnown = DefinitionDecoder.keys.has(key)
          if case .object(let members) = value.kind, members.isEmpty, isKnown { continue }
          let others = DefinitionDecoder.keys.filter { $0 != key }
          throw LineError(
            column: value.column,
            problem: .unknownField(field.path, type: .habitDefined, known: others, isStored: isStored))
        }
        try field.refuseKeys(unlike: twin.value, isStored)
      }
    case (.array(let given), .array(let known)):
      for (one, other) in zip(given, known) { try FieldValue(path, one).refuseKeys(unlike: other, isStored) }
    default: break
    }
  }
}

/// Reads the structured parts of a definition: rule, forgiveness, milestones, XP.
package enum DefinitionDecoder {
  /// Every key that some part of a definition knows.
  fileprivate static let keys = [
    "kind", "atLeast", "atMost", "unit", "levels", "good", "lateBy", "thresholds", "of", "weekdays", "times",
    "per", "every", "cap", "heals", "penalty", "days", "base", "bonus", "minutes", "km", "sets", "xp",
  ]

  package static func rule(_ value: JSONValue) throws(LineError) -> Rule {
    let members = try Members(value, "rule")
    let kind = try members.required("kind").name(Rule.Name.self)
    let lateBy = try members["lateBy"]?.whole(0...Int(Int16.max))
    let rule = Rule(try self.kind(kind, members), lateBy: lateBy)
    if lateBy != nil, rule.isLimit || rule.isComposite {
      throw members.bad("lateBy", "does not go with a limit, nor with habits made of others")
    }
    return rule
  }

  private static func kind(_ kind: Rule.Name, _ members: Members) throws(LineError) -> Rule.Kind {
    switch kind {
    case .minutes: return .minutes(atLeast: try members.required("atLeast").measure(1440))
    case .level: return try levels(members)
    case .any: return .any
    case .none: return .none
    case .sum: return .sum(try sum(members))
    case .completed: return .completed
    case .activity:
      let thresholds = try members.required("thresholds").members()
      var read: [ActivityThreshold] = []
      for (activity, value) in thresholds.all {
        guard !activity.isEmpty, Forms.isPrintable(activity) else {
          throw value.bad("is an activity whose name is empty or not printable")
        }
        read.append(ActivityThreshold(activity: activity, measures: try measures(value, [])))
      }
      return .activity(read)
    case .all: return .all(of: try members.required("of").habits())
    case .either: return .either(of: try members.required("of").habits())
    }
  }

  private static func sum(_ members: Members) throws(LineError) -> Sum {
    let measure = try members.required("of").name(Measure.self)
    if let unit = members["unit"] {
      guard measure == .amount else {
        throw unit.bad("goes with amounts only; \(measure.rawValue) have theirs")
      }
      guard case .string(let text) = unit.value.kind, Forms.isUnit(text) else {
        throw unit.bad("must be \(Forms.unit)")
      }
    }
    let least = try members["atLeast"]?.measure(Sum.most)
    let most = try members["atMost"]?.measure(Sum.most)
    if let least, least <= .zero { throw members.bad("atLeast", "is 0; it must be more, or left out") }
    if let least, let most, least > most {
      throw members.bad("atLeast", "is \(least), more than \"atMost\", which is \(most)")
    }
    guard least != nil || most != nil else {
      throw members.bad("of", "needs \"atLeast\", \"atMost\" or both beside it")
    }
    return Sum(of: measure, unit: try members["unit"]?.text(), atLeast: least, atMost: most)
  }

  package static func schedule(_ value: JSONValue) throws(LineError) -> Schedule {
    let members = try Members(value, "schedule")
    let given = Schedule.Kind.allCases.filter { members[$0.rawValue] != nil }
    guard let kind = given.first, given.count == 1 else {
      throw FieldValue("schedule", value).bad(
        "must have \(given.isEmpty ? "" : "only ")one of \(Schedule.Kind.allCases.map { quoted($0.rawValue) }.joined(separator: ", "))"
      )
    }
    switch kind {
    case .weekdays: return .weekdays(try weekdays(members.required("weekdays")))
    case .times:
      let period = try members.required("per").name(Schedule.Period.self)
      return .times(try members.required("times").whole(period.times), per: period)
    case .every: return .every(try members.required("every").whole(Schedule.every))
    }
  }

  private static func weekdays(_ field: FieldValue) throws(LineError) -> Weekdays {
    guard case .array(let items) = field.value.kind, !items.isEmpty else {
      throw field.bad("must be a list of weekdays such as [\"mon\",\"wed\",\"fri\"]")
    }
    var days: Weekdays = []
    for item in items {
      let named = FieldValue(field.path, item)
      let day = Weekdays([try named.name(Weekday.self)])
      guard days.isDisjoint(with: day) else { throw named.bad("names a weekday twice") }
      days.formUnion(day)
    }
    return days
  }

  private static func levels(_ members: Members) throws(LineError) -> Rule.Kind {
    let field = try members.required("levels")
    var levels: [Level] = []
    for (name, value) in try field.members().all {
      guard !name.isEmpty, Forms.isPrintable(name) else {
        throw value.bad("is a level whose name is empty or not printable")
      }
      guard !Level.reserved.has(name) else {
        throw value.bad(
          "is a level that cannot be called so; \(Level.reserved.joined(separator: ", ")) are taken")
      }
      guard case .array(let bounds) = value.value.kind, bounds.count == 2 else {
        throw value.bad("must be a range of whole drinks such as [2,5] or [6,null]")
      }
      let low = try FieldValue(value.path, bounds[0]).whole(0...100)
      var high: Int?
      if case .null = bounds[1].kind {} else { high = try FieldValue(value.path, bounds[1]).whole(low...100) }
      levels.append(Level(name: name, low: low, high: high))
    }
    var next: Int? = 0
    for level in levels.sorted(by: { $0.low < $1.low }) {
      guard level.low == next else {
        throw field.bad(
          "must cover 0 drinks and up without gap or overlap; \(quoted(level.name)) begins at \(level.low)\(next.map { ", not \($0)" } ?? "")"
        )
      }
      next = level.high.map { $0 + 1 }
    }
    guard !levels.isEmpty else { throw field.bad("must name at least one level") }
    let good = try members.required("good").texts()
    for name in good where !levels.map(\.name).has(name) {
      throw members.bad(
        "good", "names \(quoted(name)), which is no level" + Nearest.hint(name, among: levels.map(\.name)))
    }
    return .level(levels, good: good)
  }

  package static func forgiveness(_ value: JSONValue) throws(LineError) -> Forgiveness {
    let members = try Members(value, "forgiveness")
    switch try members.required("kind").name(Forgiveness.Name.self) {
    case .none: return .none
    case .grace: return .grace(days: try members.required("days").whole(1...100_000))
    case .joker:
      let every = try members.required("every").whole(2...100_000)
      let cap = try members.required("cap").whole(1...60_000)
      var rule = JokerRule(every: every, cap: cap, heals: try members["heals"]?.texts())
      for (outcome, jokers) in try members["penalty"]?.members().all ?? [] {
        rule.penalty.append(JokerRule.Penalty(outcome: outcome, jokers: try jokers.whole(0...60_000)))
      }
      return .joker(rule)
    }
  }

  package static func milestones(_ value: JSONValue) throws(LineError) -> [Int] {
    let field = FieldValue("milestones", value)
    guard case .array(let items) = value.kind else { throw field.bad("must be a list of run lengths") }
    var milestones: [Int] = []
    for item in items {
      let milestone = try FieldValue("milestones", item).whole(2...200_000)
      guard milestone > milestones.last ?? 0 else { throw field.bad("must ascend") }
      milestones.append(milestone)
    }
    return milestones
  }

  package static func experience(_ value: JSONValue) throws(LineError) -> Experience {
    let members = try Members(value, "xp")
    var experience = Experience(base: try members["base"]?.whole(0...1_000_000) ?? 0, bonus: [])
    guard let bonus = members["bonus"] else { return experience }
    guard case .array(let items) = bonus.value.kind else { throw bonus.bad("must be a list") }
    for item in items {
      let value = FieldValue("xp.bonus", item)
      let xp = try Members(item, "xp.bonus").required("xp").whole(0...1_000_000)
      experience.bonus.append(Experience.Bonus(threshold: try measures(value, ["xp"]), xp: xp))
    }
    return experience
  }

  private static func measures(_ value: FieldValue, _ others: [String]) throws(LineError) -> Measures {
    let members = try value.members()
    return Measures(
      minutes: try members["minutes"]?.measure(1440), km: try members["km"]?.measure(1000),
      sets: try members["sets"]?.measure(1000))
  }
}
