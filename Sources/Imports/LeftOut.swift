import EventLog
import StreakDomain

/// A record of the imported file that is skipped: its place in the file, its description, and the
/// reason.
public struct LeftOut: Codable, Hashable, Sendable {
  /// The place in the file.
  public let place: String
  /// A description of the record.
  public let what: String
  public let reason: String

  /// A reason to skip a record, thrown as an error while the record is converted.
  package struct Reason: Error, Hashable {
    let text: String
    /// The text for several records, such as `have no answer`.
    private let plural: String
    /// The remedy on the command line, such as `; --since includes it`, or an empty text if there
    /// is none.
    private let hint: String

    init(_ text: String, plural: String? = nil, hint: String = "") {
      self.text = text
      self.plural = plural ?? text
      self.hint = hint
    }

    func sentence(count: Int = 1) -> String { (count == 1 ? text : plural) + hint }
  }
}

extension LeftOut.Reason {
  private static func has(_ what: String, hint: String = "") -> Self {
    Self("has \(what)", plural: "have \(what)", hint: hint)
  }

  private static func was(_ what: String) -> Self {
    Self("was \(what)", plural: "were \(what)")
  }

  static func undefinedHabit(_ habit: String) -> Self {
    let preset = Preset(rawValue: habit).map { "--preset \($0.rawValue)" }
    let rule = preset ?? (habit == "sleep" ? "--at-least 7h" : "--any")
    let others = preset == nil ? ", or with another rule," : ""
    return Self(
      "no habit \(quoted(habit)) is defined",
      hint: "; `streaks define \(habit) \(rule)`\(others) makes it")
  }

  static func unknownName(_ name: Text, among habits: [String]) -> Self {
    Self(
      "no habit here is \(quoted(name))\(Nearest.hint(name.string, among: habits))",
      hint: "; --habit \(Escaping.visible(Escaping.shell("\(name)=HABIT"))) names one")
  }

  static func beforeCountsFrom(habit: String, _ day: Day) -> Self {
    Self("before \(day), from which \(quoted(habit)) counts", hint: "; --since includes it")
  }

  static func beforeSince(_ day: Day) -> Self { Self("before \(day)", hint: ", as --since says") }
  static func afterUntil(_ day: Day) -> Self { Self("after \(day)", hint: ", as --until says") }
  static let otherSource = Self("from another source", hint: " than --source names")
  static let otherType = Self("of another type", hint: " than --type names")
  static let duplicate = Self(
    "is a duplicate of an earlier row, and counts once",
    plural: "are duplicates of earlier rows, and count once")

  static let ofOtherHabit = Self(
    "is of a day that another habit of the file answers",
    plural: "are of days that another habit of the file answers")

  static func otherContent(_ id: String) -> Self {
    Self(
      """
      its id \(quoted(id)) already belongs to an entry of another habit; give the row \
      another id
      """,
      hint: ", and if that entry is wrong, `streaks delete \(id)`")
  }

  static let repeatedID = has("the id of an earlier row, which counts")
  static let overlapped = Self(
    "is within other sessions, and time counts once",
    plural: "are within other sessions, and time counts once")
  static let notAsleep = was("in bed or awake, and only sleep counts")
  static let lastsNoTime = Self("lasts no time", plural: "last no time")

  static func tooMuch(_ measure: Measure, unit: Text? = nil) -> Self {
    let word = measure == .amount ? unit?.string ?? "of it" : measure.rawValue
    return Self("more than \(measure.most) \(word), the most that an entry takes")
  }

  /// The record has no unit, or one that can't be converted to that of the habit.
  ///
  /// `here` is the habit's unit, if the other program accepts it as a name for its own.
  static func unknownUnit(_ unit: String, here: String? = nil) -> Self {
    guard !unit.isEmpty else { return has("no unit") }
    let hint = here.map { "; if it is the same, call it \(quoted($0)) there, and export again" }
    return has("the unit \(quoted(unit)), which cannot be converted", hint: hint ?? "")
  }

  static let noNumber = has("no number to measure it by")
  static let inTheFuture = has("not happened yet")
  static let ofLaterDay = Self(
    "belongs to a day that has not begun yet", plural: "belong to days that have not begun yet")

  static func noTime(_ field: String) -> Self {
    has("no time with its zone, in the years 1900 to 2199, as \(quoted(field))")
  }

  static let endsBeforeStart = Self("ends before it starts", plural: "end before they start")
  static let negative = has("a value below 0, or none that is finite")
  static let notDone = was("not done")
  static let implied = was("not done that day, only implied by how often it is due")
  static let notAsked = has("no answer")

  static func noMeasure(habit: String, rule: String) -> Self {
    Self("\(quoted(habit)) has the rule \(quoted(rule)), and there is nothing to measure it by")
  }
}
