import StreakDomain

extension Difference: Encodable {
  private enum CodingKeys: CodingKey { case changes, verdicts, books, achievements }
  private enum AchievementKeys: CodingKey { case unlocked, revoked }
  private enum VerdictKeys: CodingKey { case habit, day, before, after }

  public func encode(to encoder: any Encoder) throws {
    var members = encoder.container(keyedBy: CodingKeys.self)
    try members.encode(changes, forKey: .changes)
    try members.encode(books, forKey: .books)
    var keys = members.nestedContainer(keyedBy: AchievementKeys.self, forKey: .achievements)
    try keys.encode(unlocked, forKey: .unlocked)
    try keys.encode(revoked, forKey: .revoked)
    var items = members.nestedUnkeyedContainer(forKey: .verdicts)
    for change in verdicts {
      for day in change.days {
        var item = items.nestedContainer(keyedBy: VerdictKeys.self)
        try item.encode(change.habit, forKey: .habit)
        try item.encode(day, forKey: .day)
        try item.encode(change.before, forKey: .before)
        try item.encode(change.after, forKey: .after)
      }
    }
  }
}

extension FieldChange: Encodable {
  private enum CodingKeys: CodingKey { case path, before, after }

  public func encode(to encoder: any Encoder) throws {
    var members = encoder.container(keyedBy: CodingKeys.self)
    try members.encode(path, forKey: .path)
    try members.encode(before, forKey: .before)
    try members.encode(after, forKey: .after)
  }
}

extension StateValue: Encodable {
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    switch self {
    case .null: try container.encodeNil()
    case .number(let number): try container.encode(number)
    case .day(let day): try container.encode(day)
    case .text(let text): try container.encode(text)
    case .keys(let keys): try container.encode(keys)
    }
  }
}
