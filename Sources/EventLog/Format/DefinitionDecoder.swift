package import StreakDomain

/// The decoder of the parts of a habit's definition, such as `rule`; `Rule+JSON.swift` has the
/// rules.
package enum DefinitionDecoder {
  package static func schedule(_ field: FieldValue) throws(Failure) -> Schedule {
    let members = try field.members()
    let kinds = Schedule.Kind.allCases.filter { members[Text($0.rawValue)] != nil }
    guard let kind = kinds.first, kinds.count == 1 else {
      throw field.bad(
        """
        must have \(kinds.isEmpty ? "" : "only ")one of \
        \(Schedule.Kind.allCases.map { quoted($0.rawValue) }.joined(separator: ", "))
        """
      )
    }

    switch kind {
    case .weekdays: return .weekdays(try weekdays(members.required("weekdays")))
    case .times:
      let period = try members.required("per").name(Schedule.Period.self)
      return .times(try members.required("times").whole(period.times), per: period)
    case .every: return .every(days: try members.required("every").whole(Limits.every))
    }
  }

  static func schedule(_ field: FieldValue, of rule: Rule) throws(Failure) -> Schedule {
    let schedule = try schedule(field)
    if let per = rule.sum?.per {
      throw field.bad("does not go with a sum of a \(per.rawValue)")
    }
    if case .every = schedule, rule.isLimit {
      throw field.bad(
        "asks for one good day in so many, which does not go with a limit; weekdays and times do")
    }
    return schedule
  }

  private static func weekdays(_ field: FieldValue) throws(Failure) -> Weekdays {
    let form: Sentence = "a list of weekdays such as [\"mon\",\"wed\",\"fri\"]"
    var days: Weekdays = []
    for item in try field.items(form) {
      let day = try item.name(Weekday.self)
      guard !days.has(day.number) else { throw item.bad("names a weekday twice") }
      days = Weekdays(days.days + [day])
    }
    guard !days.days.isEmpty else { throw field.bad("must be \(form)") }
    return days
  }

  package static func forgiveness(_ field: FieldValue) throws(Failure) -> Forgiveness {
    let members = try field.members()
    switch try members.required("kind").name(Forgiveness.Name.self) {
    case .nothing: return .nothing
    case .grace: return .grace(days: try members.required("days").whole(Limits.grace))
    case .joker:
      let every = try members.required("every").whole(Limits.jokerDays)
      let cap = try members.required("cap").whole(Limits.jokerCap)
      var rule = JokerRule(
        every: every, cap: cap, heals: try members["heals"]?.texts().map { Text($0) })
      for (outcome, jokers) in try members["penalty"]?.members().all ?? [] {
        rule.penalty.append(
          JokerRule.Penalty(outcome: outcome, jokers: try jokers.whole(Limits.penalty)))
      }
      return .joker(rule)
    }
  }

  package static func milestones(_ field: FieldValue) throws(Failure) -> [Int] {
    var milestones: [Int] = []
    for item in try field.items("a list of run lengths") {
      let milestone = try item.whole(Limits.milestone)
      guard milestone > milestones.last ?? 0 else { throw field.bad("must ascend") }
      milestones.append(milestone)
    }
    return milestones
  }

  package static func experience(_ field: FieldValue) throws(Failure) -> Experience {
    let members = try field.members()
    let base = try members["base"]?.whole(Limits.xp) ?? 0
    let bonus = try members["bonus"]?.items("a list").map { (item) throws(Failure) in
      let xp = try item.members().required("xp").whole(Limits.xp)
      return Experience.Bonus(threshold: try measures(item), xp: xp)
    }
    return Experience(base: base, bonus: bonus ?? [])
  }

  static func measures(_ value: FieldValue) throws(Failure) -> Measures {
    let members = try value.members()
    return Measures(
      minutes: try members["minutes"]?.measure(Limits.minutes),
      km: try members["km"]?.measure(Limits.km),
      sets: try members["sets"]?.measure(Limits.sets))
  }
}

/// The check of definitions for unknown keys, which could change the fold.
extension FieldValue {
  private static let keys: [Text] = [
    "kind", "atLeast", "atMost", "unit", "levels", "good", "lateBy", "thresholds", "of", "weekdays",
    "times", "per", "every", "cap", "heals", "penalty", "days", "base", "bonus", "minutes", "km",
    "sets", "xp",
  ]

  /// Throws if an object in the value has a key that this program doesn't know.
  ///
  /// `encoded` is the JSON of what was decoded from the value, so it contains only known keys.
  package func refuseUnknownKeys(
    unlike encoded: JSONValue, isStored: Bool = false
  ) throws(Failure) {
    switch (value.kind, encoded.kind) {
    case (.object(let members), .object(let encodedMembers)):
      for (key, value) in members {
        let field = FieldValue("\(path).\(key)", value)
        if let twin = encodedMembers.first(where: { $0.key == key }) {
          try field.refuseUnknownKeys(unlike: twin.value, isStored: isStored)
          continue
        }

        let isKnown = FieldValue.keys.contains(key)
        if case .object(let members) = value.kind, members.isEmpty, isKnown { continue }
        let others = FieldValue.keys.filter { $0 != key }
        throw .unknownField(
          field.path, of: .habitDefined, at: value.column, among: others.strings,
          isStored: isStored)
      }

    case (.list(let items), .list(let encodedItems)):
      for (item, twin) in zip(items, encodedItems) {
        try FieldValue(path, item).refuseUnknownKeys(unlike: twin, isStored: isStored)
      }

    default: break
    }
  }
}

extension Schedule {
  /// The kind of a schedule, by its first key.
  package enum Kind: String, CaseIterable, Sendable {
    case weekdays, times, every
  }
}
