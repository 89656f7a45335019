import EventLog
import StreakDomain

/// An option of a command, declared once for parsing, errors, help, completion and HTTP routes.
package struct Option: Sendable {
  package let name: String
  package let value: Value?
  package let help: String
  var isRepeatable = false
  /// The names of the options that can't be combined with this option.
  package var excludes: [String] = []
  /// The options of which at least one must be given with this option.
  ///
  /// A name without dashes, such as `FROM`, stands for any positional argument.
  package var needs: [String] = []
  /// The values of the command's first argument that allow this option, such as `csv`, or empty if all values allow it.
  package var kinds: [String] = []

  package init(
    _ name: String, _ value: Value? = nil, _ help: String, repeatable: Bool = false, excludes: [String] = [],
    needs: [String] = [], only kinds: [String] = []
  ) {
    (self.name, self.value, self.excludes, self.needs) = (name, value, excludes, needs)
    (self.kinds, isRepeatable) = (kinds, repeatable)
    self.help = kinds.isEmpty ? help : kinds.joined(separator: ", ") + ": " + help
  }

  /// Returns the options of all groups, marked so that options of different groups can't be used together.
  static func alternatives(_ groups: [[Option]]) -> [Option] {
    groups.indices.flatMap { own in
      let others = groups.indices.filter { $0 != own }.flatMap { groups[$0].map(\.name) }
      return groups[own].map { option in
        var option = option
        option.excludes += others
        return option
      }
    }
  }

  /// Joins words with commas and `or`, such as `bash, zsh or fish`.
  static func either(_ words: [String]) -> String {
    let others = words.dropLast().joined(separator: ", ")
    return (others.isEmpty ? "" : others + " or ") + (words.last ?? "")
  }

  var head: String { name + (value.map { " " + $0.name } ?? "") }

  /// The end of the option's line in the help, such as ` (with --accept)`.
  var conditions: String {
    let conditions = [
      isRepeatable ? "repeatable" : nil, needs.isEmpty ? nil : "with " + Option.either(needs),
      excludes.isEmpty ? nil : "not with " + (excludes.count > 6 ? "most others" : Option.either(excludes)),
    ].compactMap(\.self)
    return conditions.isEmpty ? "" : " (" + conditions.joined(separator: "; ") + ")"
  }

  package enum Value: Sendable {
    case point, day, month, year, time, event, habit, id, zone, preset, segment, predicate, text, file, folder
    case count(ClosedRange<Int>, of: String)
    case choice([String], name: String)
    /// A value of a special form, with its name in the help, its description in errors, and a validity check.
    case form(String, mustBe: String, takes: @Sendable (String) -> Bool)
    /// A value that the command itself checks, with suggestions for shell completion.
    case other(String, suggests: [String] = [])

    static let dayStart = Value.form("HH:MM", mustBe: Forms.dayStart) { Forms.readDayStart($0) != nil }

    static func days(ofMonth text: String) -> ClosedRange<Day>? {
      guard text.utf8.count == 7, let first = Day(text + "-01") else { return nil }
      return first...first.endOfMonth
    }

    static func days(ofYear text: String) -> ClosedRange<Day>? {
      guard text.utf8.count == 4, let first = Day(text + "-01-01"), let last = Day(text + "-12-31") else {
        return nil
      }
      return first...last
    }

    var name: String {
      switch self {
      case .point: "POINT"
      case .day: "DAY"
      case .month: "YYYY-MM"
      case .year: "YYYY"
      case .time: "TIME"
      case .event: "EVENT"
      case .habit: "HABIT"
      case .id: "ID"
      case .zone: "ZONE"
      case .preset, .segment: "NAME"
      case .predicate: "PREDICATE"
      case .text: "TEXT"
      case .file: "FILE"
      case .folder: "DIR"
      case .count: "N"
      case .choice(_, let name), .form(let name, _, _), .other(let name, _): name
      }
    }

    fileprivate var form: String? {
      switch self {
      case .month: "a month YYYY-MM"
      case .year: "a year from 1900 to 2199"
      case .id: Forms.id
      case .text: "printable text of at most 1024 bytes, in one line"
      case .count(let range, let noun):
        "a number of \(noun), "
          + (range.upperBound == .max
            ? "\(range.lowerBound) or more" : "\(range.lowerBound) to \(range.upperBound)")
      case .choice(let words, _): either(words)
      case .form(_, let mustBe, _): mustBe
      default: nil
      }
    }

    fileprivate func takes(_ text: String) -> Bool {
      switch self {
      case .month: Value.days(ofMonth: text) != nil
      case .year: Value.days(ofYear: text) != nil
      case .id: Forms.isID(text)
      case .text: Forms.isPrintable(text) && text.utf8.count <= 1024
      case .count(let range, _): Int(text).map(range.contains) ?? false
      case .choice(let words, _): words.contains(text)
      case .form(_, _, let takes): takes(text)
      default: true
      }
    }
  }
}

extension Arguments {
  func check(_ options: [Option]) throws(Failure) {
    for option in options where has(option.name) {
      if let other = option.excludes.first(where: has) {
        throw .usage("\(option.name) and \(other) do not go together")
      }
      if let kind = positionals.first, !option.kinds.isEmpty, !option.kinds.contains(kind) {
        throw .usage(
          "\(option.name) goes with \(Option.either(option.kinds)), not with \(kind)")
      }
    }
    for option in options where has(option.name) {
      for text in all(option.name) {
        guard let value = option.value, let form = value.form, !value.takes(text) else { continue }
        throw .usage("\(option.name) is \(quoted(text)); it must be \(form)")
      }
      let isMet = option.needs.contains { $0.begins(with: "-") ? has($0) : !positionals.isEmpty }
      guard !option.needs.isEmpty, !isMet else { continue }
      throw .usage("\(option.name) goes with \(Option.either(option.needs))")
    }
  }

  package func count(_ name: String) -> Int? { value(name).flatMap { Int($0) } }
}
