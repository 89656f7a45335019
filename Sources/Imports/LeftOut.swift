import EventLog
package import StreakDomain

/// A record of an external file that is skipped, and the reason.
package struct LeftOut: Sendable {
  package let place: Place
  package let what: String
  package let reason: Reason

  package init(place: Place, what: String, reason: Reason) {
    self.place = place
    self.what = what
    self.reason = reason
  }

  package enum Reason: Hashable, Sendable {
    case undefinedHabit(String, preset: String?)
    /// A habit name in the file that matches no habit here.
    case unknownName(Text, known: [String])
    case beforeCountsFrom(habit: String, Day)
    case beforeSince(Day)
    case afterUntil(Day)
    case otherSource
    case otherType
    case duplicate
    /// The id in the file already belongs to another entry.
    case otherContent(String)
    case overlapped
    case lastsNoTime
    case outOfRange(measure: String, most: Int)
    case unknownUnit(Text)
    case noNumber
    case inTheFuture
    case beyondTheCalendar
    case negative
    case notDone
    case implied
    case notAsked
    case noMeasure(habit: String, rule: String)
    case refused(String)
  }
}

extension LeftOut.Reason {
  static func tooMuch(_ measure: Measure) -> LeftOut.Reason {
    .outOfRange(measure: measure.rawValue, most: measure.most)
  }

  /// The reason, with a hint on the command line's options if there is one.
  package var sentence: String {
    switch self {
    case .undefinedHabit(let habit, let preset):
      "\(says); `streaks define \(habit)" + (preset.map { " --preset \($0)" } ?? "") + "` makes it"
    case .unknownName(let name, _):
      "\(says); --habit \(Escaping.visible(Escaping.shell("\(name)=HABIT"))) names one"
    case .beforeCountsFrom: "\(says); --since includes it"
    case .beforeSince: "\(says), as --since says"
    case .afterUntil: "\(says), as --until says"
    case .otherSource: "from a source that --source does not name"
    case .otherType: "of a type that --type does not name"
    default: says
    }
  }

  package var says: String {
    switch self {
    case .undefinedHabit(let habit, _): "no habit \(quoted(habit)) is defined"
    case .unknownName(let name, let known):
      "no habit here is \(quoted(name))\(Nearest.hint(name.string, among: known))"
    case .beforeCountsFrom(let habit, let day): "before \(day), from which \(quoted(habit)) counts"
    case .beforeSince(let day): "before \(day)"
    case .afterUntil(let day): "after \(day)"
    case .otherSource: "from another source"
    case .otherType: "of another type"
    case .duplicate: "is a duplicate of an earlier row, and counts once"
    case .otherContent(let id):
      "its id \(quoted(id)) already belongs to another entry; delete that one and give the row another id"
    case .overlapped: "is within other sessions, and time counts once"
    case .lastsNoTime: "lasts no time"
    case .outOfRange(let measure, let most): "more than \(most) \(measure), the most that an entry takes"
    case .unknownUnit(let unit):
      unit.isEmpty ? "has no unit" : "has the unit \(quoted(unit)), which cannot be converted"
    case .noNumber: "has no number to measure it by"
    case .inTheFuture: "has not happened yet"
    case .beyondTheCalendar: "is outside the years 1900 to 2199"
    case .negative: "has a value below 0, or none that is finite"
    case .notDone: "was not done"
    case .implied: "was not done that day, only implied by how often it is due"
    case .notAsked: "has no answer"
    case .noMeasure(let habit, let rule):
      "\(quoted(habit)) has the rule \(quoted(rule)), and there is nothing to measure it by"
    case .refused(let sentence): sentence
    }
  }
}
