package import StreakDomain

// The JSON decoder and encoder of rules; a new kind of rule needs a case in both switches, and its
// schema in `event.schema.json`.

extension DefinitionDecoder {
  package static func rule(_ field: FieldValue) throws(Failure) -> Rule {
    let members = try field.members()
    let kind = try members.required("kind").name(Rule.Name.self)
    let lateBy = try members["lateBy"]?.whole(Limits.lateBy)
    let rule = Rule(try self.kind(kind, members), lateBy: lateBy)
    if lateBy != nil, rule.isLimit || rule.isComposite {
      throw members.bad("lateBy", "does not go with a limit, nor with habits made of others")
    }
    return rule
  }

  private static func kind(_ kind: Rule.Name, _ members: Members) throws(Failure) -> Rule.Kind {
    switch kind {
    case .minutes:
      .minutes(atLeast: try members.required("atLeast").measure(Limits.minutes))
    case .level: try levels(members)
    case .any: .any
    case .never: .never
    case .sum: .sum(try sum(members))
    case .completed: .completed
    case .activity: .activity(try thresholds(members))
    case .all: .all(of: try members.required("of").habits())
    case .either: .either(of: try members.required("of").habits())
    }
  }

  private static func thresholds(_ members: Members) throws(Failure) -> [ActivityThreshold] {
    let field = try members.required("thresholds")
    return try field.members().all.map { (activity, value) throws(Failure) in
      guard !activity.isEmpty, Syntax.isPrintable(activity.string) else {
        throw value.bad("is an activity whose name is empty or not printable")
      }
      return ActivityThreshold(activity: activity, measures: try measures(value))
    }
  }

  private static func sum(_ members: Members) throws(Failure) -> Sum {
    let measure = try members.required("of").name(Measure.self)
    var unit: Text?
    if let field = members["unit"] {
      guard measure == .amount else {
        throw field.bad("goes with amounts only; \(measure.rawValue) have theirs")
      }
      guard case .text(let text) = field.value.kind, Syntax.isUnit(text) else {
        throw field.bad("must be \(Syntax.unit)")
      }
      unit = Text(text)
    }

    let least = try members["atLeast"]?.measure(Limits.amount)
    let most = try members["atMost"]?.measure(Limits.amount)
    if let least, least <= .zero {
      throw members.bad("atLeast", "is 0; it must be more, or absent")
    }
    if let least, let most, least > most {
      throw members.bad("atLeast", "is \(least), more than \"atMost\", which is \(most)")
    }
    guard least != nil || most != nil else {
      throw members.bad("of", "needs \"atLeast\", \"atMost\" or both beside it")
    }

    return Sum(
      of: measure, unit: unit, atLeast: least, atMost: most,
      per: try members["per"]?.name(Schedule.Period.self))
  }

  private static func levels(_ members: Members) throws(Failure) -> Rule.Kind {
    let field = try members.required("levels")
    let levels = try field.members().all.map { (name, value) throws(Failure) in
      try level(name, value)
    }

    // The levels must cover all numbers of drinks, each once.
    var next: Int? = 0
    for level in levels.sorted(by: { $0.low < $1.low }) {
      guard level.low == next else {
        throw field.bad(
          """
          must cover 0 drinks and up without gap or overlap; \(quoted(level.name)) begins at \
          \(level.low)\(next.map { ", not \($0)" } ?? "")
          """
        )
      }
      next = level.high.map { $0 + 1 }
    }
    guard !levels.isEmpty else { throw field.bad("must name at least one level") }

    let good = try members.required("good").texts().map { Text($0) }
    for name in good where !levels.map(\.name).contains(name) {
      throw members.bad(
        "good",
        """
        names \(quoted(name)), which is not a \
        level\(Nearest.hint(name.string, among: levels.map(\.name.string)))
        """
      )
    }
    return .level(Levels(levels, good: good))
  }

  private static func level(_ name: Text, _ field: FieldValue) throws(Failure) -> Level {
    guard !name.isEmpty, Syntax.isPrintable(name.string) else {
      throw field.bad("is a level whose name is empty or not printable")
    }
    guard !Level.reserved.contains(name) else {
      throw field.bad(
        """
        is a level that cannot be called so; \(Level.reserved.strings.joined(separator: ", ")) \
        are taken
        """
      )
    }

    guard case .list(let bounds) = field.value.kind, bounds.count == 2 else {
      throw field.bad("must be a range of whole drinks such as [2,5] or [6,null]")
    }
    let low = try FieldValue(field.path, bounds[0]).whole(0...Limits.drinks)
    if case .null = bounds[1].kind { return Level(name: name, low: low, high: nil) }
    let high = try FieldValue(field.path, bounds[1]).whole(low...Limits.drinks)
    return Level(name: name, low: low, high: high)
  }
}

extension EventEncoder {
  package static func rule(_ rule: Rule) -> JSONValue {
    var members: [JSONValue.Member] = [("kind", .text(rule.name.rawValue))]

    switch rule.kind {
    case .minutes(let atLeast): members.append(("atLeast", .number(atLeast)))
    case .level(let levels):
      let bands = levels.bands.map { band -> JSONValue.Member in
        (band.name, .list([.whole(band.low), band.high.map { .whole($0) } ?? .null]))
      }
      members.append(("levels", .object(inOrder: bands)))
      members.append(("good", .texts(levels.good.strings)))
    case .activity(let thresholds):
      let activities = thresholds.map { threshold -> JSONValue.Member in
        (threshold.activity, .object(inOrder: measures(threshold.measures)))
      }
      members.append(("thresholds", .object(inOrder: activities)))
    case .all(let habits), .either(let habits): members.append(("of", .texts(habits)))
    case .sum(let sum):
      members.append(("of", .text(sum.of.rawValue)))
      if let unit = sum.unit { members.append(("unit", .text(unit.string))) }
      if let least = sum.atLeast { members.append(("atLeast", .number(least))) }
      if let most = sum.atMost { members.append(("atMost", .number(most))) }
      if let per = sum.per { members.append(("per", .text(per.rawValue))) }
    case .any, .never, .completed: break
    }

    if let lateBy = rule.lateBy { members.append(("lateBy", .whole(Int(lateBy)))) }
    return .object(inOrder: members)
  }
}
