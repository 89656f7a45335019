package import StreakDomain

extension LineFields {
  /// Throws if a part of the definition, such as `rule`, has an unknown key, which could change the
  /// fold.
  func refuseStrangeKeys(_ definition: Habit, isStored: Bool) throws(Failure) {
    for (key, encoded) in EventEncoder.members(of: definition) {
      guard case .object = encoded.kind, let field = Field(stringValue: key.string) else {
        continue
      }
      try DefinitionDecoder.refuseStrangeKeys(
        try tree(self[field]), unlike: encoded, path: key.string, isStored: isStored)
    }
  }
}

extension DefinitionDecoder {
  /// Throws if `given` has a key that this program doesn't know.
  ///
  /// `encoded` is the JSON of the part that was decoded from `given`, so it contains only known
  /// keys.
  package static func refuseStrangeKeys(
    _ given: JSONValue, unlike encoded: JSONValue, path: String, isStored: Bool = false
  ) throws(Failure) {
    try FieldValue(path, given).refuseKeys(unlike: encoded, isStored)
  }
}

extension FieldValue {
  fileprivate func refuseKeys(unlike known: JSONValue, _ isStored: Bool) throws(Failure) {
    switch (value.kind, known.kind) {
    case (.object(let given), .object(let known)):
      for (key, value) in given {
        let field = FieldValue("\(path).\(key)", value)
        guard let twin = known.first(where: { $0.key == key }) else {
          let isKnown = DefinitionDecoder.keys.contains(key)
          if case .object(let members) = value.kind, members.isEmpty, isKnown { continue }
          let others = DefinitionDecoder.keys.filter { $0 != key }
          throw .unknownField(
            field.path, of: .habitDefined, at: value.column, known: others.strings,
            isStored: isStored)
        }
        try field.refuseKeys(unlike: twin.value, isStored)
      }
    case (.list(let given), .list(let known)):
      for (one, other) in zip(given, known) {
        try FieldValue(path, one).refuseKeys(unlike: other, isStored)
      }
    default: break
    }
  }
}

package enum DefinitionDecoder {
  fileprivate static let keys: [Text] = [
    "kind", "atLeast", "atMost", "unit", "levels", "good", "lateBy", "thresholds", "of", "weekdays",
    "times",
    "per", "every", "cap", "heals", "penalty", "days", "base", "bonus", "minutes", "km", "sets",
    "xp",
  ]

  package static func schedule(_ value: JSONValue) throws(Failure) -> Schedule {
    let members = try Members(value, "schedule")
    let given = Schedule.Kind.allCases.filter { members[Text($0.rawValue)] != nil }
    guard let kind = given.first, given.count == 1 else {
      throw FieldValue("schedule", value).bad(
        """
        must have \(given.isEmpty ? "" : "only ")one of \
        \(Schedule.Kind.allCases.map { quoted($0.rawValue) }.joined(separator: ", "))
        """
      )
    }
    switch kind {
    case .weekdays: return .weekdays(try weekdays(members.required("weekdays")))
    case .times:
      let period = try members.required("per").name(Schedule.Period.self)
      return .times(try members.required("times").whole(period.times), per: period)
    case .every: return .every(days: try members.required("every").whole(Schedule.every))
    }
  }

  static func schedule(_ value: JSONValue, of rule: Rule) throws(Failure) -> Schedule {
    let schedule = try schedule(value)
    if let per = rule.sum?.per {
      throw FieldValue("schedule", value).bad("does not go with a sum of a \(per.rawValue)")
    }
    if case .every = schedule, rule.isLimit {
      throw FieldValue("schedule", value).bad(
        "asks for one good day in so many, which does not go with a limit; weekdays and times do")
    }
    return schedule
  }

  private static func weekdays(_ field: FieldValue) throws(Failure) -> Weekdays {
    guard case .list(let items) = field.value.kind, !items.isEmpty else {
      throw field.bad("must be a list of weekdays such as [\"mon\",\"wed\",\"fri\"]")
    }
    var days: Weekdays = []
    for item in items {
      let named = FieldValue(field.path, item)
      let day = try named.name(Weekday.self)
      guard !days.has(day.number) else { throw named.bad("names a weekday twice") }
      days = Weekdays(days.days + [day])
    }
    return days
  }

  package static func forgiveness(_ value: JSONValue) throws(Failure) -> Forgiveness {
    let members = try Members(value, "forgiveness")
    switch try members.required("kind").name(Forgiveness.Name.self) {
    case .nothing: return .nothing
    case .grace: return .grace(days: try members.required("days").whole(1...100_000))
    case .joker:
      let every = try members.required("every").whole(2...100_000)
      let cap = try members.required("cap").whole(1...60_000)
      var rule = JokerRule(
        every: every, cap: cap, heals: try members["heals"]?.texts().map { Text($0) })
      for (outcome, jokers) in try members["penalty"]?.members().all ?? [] {
        rule.penalty.append(
          JokerRule.Penalty(outcome: outcome, jokers: try jokers.whole(0...60_000)))
      }
      return .joker(rule)
    }
  }

  package static func milestones(_ value: JSONValue) throws(Failure) -> [Int] {
    let field = FieldValue("milestones", value)
    guard case .list(let items) = value.kind else {
      throw field.bad("must be a list of run lengths")
    }
    var milestones: [Int] = []
    for item in items {
      let milestone = try FieldValue("milestones", item).whole(2...200_000)
      guard milestone > milestones.last ?? 0 else { throw field.bad("must ascend") }
      milestones.append(milestone)
    }
    return milestones
  }

  package static func experience(_ value: JSONValue) throws(Failure) -> Experience {
    let members = try Members(value, "xp")
    var experience = Experience(base: try members["base"]?.whole(0...1_000_000) ?? 0, bonus: [])
    guard let bonus = members["bonus"] else { return experience }
    guard case .list(let items) = bonus.value.kind else { throw bonus.bad("must be a list") }
    for item in items {
      let value = FieldValue("xp.bonus", item)
      let xp = try Members(item, "xp.bonus").required("xp").whole(0...1_000_000)
      experience.bonus.append(Experience.Bonus(threshold: try measures(value), xp: xp))
    }
    return experience
  }

  static func measures(_ value: FieldValue) throws(Failure) -> Measures {
    let members = try value.members()
    return Measures(
      minutes: try members["minutes"]?.measure(Measure.minutes.most),
      km: try members["km"]?.measure(Measure.km.most),
      sets: try members["sets"]?.measure(Measure.sets.most))
  }
}

extension Schedule {
  package enum Kind: String, CaseIterable, Sendable {
    case weekdays, times, every
  }

  package var kind: Kind {
    switch self {
    case .weekdays: .weekdays
    case .times: .times
    case .every: .every
    }
  }
}
