import EventLog
import Inspection
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
  /// The values of the command's first argument that allow this option, such as `csv`.
  ///
  /// If the list is empty, all values allow it.
  package var kinds: [String] = []

  package init(
    _ name: String, _ value: Value? = nil, _ help: String, repeatable: Bool = false,
    excludes: [String] = [],
    needs: [String] = [], only kinds: [String] = []
  ) {
    self.name = name
    self.value = value
    self.excludes = excludes
    self.needs = needs
    self.kinds = kinds
    isRepeatable = repeatable
    self.help = kinds.isEmpty ? help : kinds.joined(separator: ", ") + ": " + help
  }

  /// Returns the options of all groups, marked so that options of different groups can't be used
  /// together.
  static func alternatives(_ groups: [[Option]]) -> [Option] {
    groups.indices.flatMap { index in
      let others = groups.indices.filter { $0 != index }.flatMap { groups[$0].map(\.name) }
      return groups[index].map { option in
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

  /// Whether this is the option that `other` declares, and not one of the same name for another
  /// purpose.
  func isSame(as other: Option) -> Bool { name == other.name && help == other.help }

  var head: String { name + (value.map { " " + $0.name } ?? "") }

  /// The end of the option's line in the help, such as ` (with --accept)`.
  var conditions: String {
    let conditions = [
      isRepeatable ? "repeatable" : nil, needs.isEmpty ? nil : "with " + Option.either(needs),
      excludes.isEmpty
        ? nil : "not with " + (excludes.count > 6 ? "most others" : Option.either(excludes)),
    ].compactMap(\.self)
    return conditions.isEmpty ? "" : " (" + conditions.joined(separator: "; ") + ")"
  }

  /// The value of an option.
  package struct Value: Sendable {
    /// The value's name in the help, such as `DAY`.
    let name: String
    /// The description of valid values in errors, or `nil` if the command itself checks the value.
    package private(set) var mustBe: String?
    package private(set) var takes: @Sendable (String) -> Bool = { _ in true }
    /// The suggestions for shell completion.
    private(set) var suggestions: [String] = []

    package static func form(
      _ name: String, mustBe: String, suggests words: [String] = [],
      takes: @escaping @Sendable (String) -> Bool
    ) -> Value { Value(name: name, mustBe: mustBe, takes: takes, suggestions: words) }

    package static func count(_ range: ClosedRange<Int>, of noun: String) -> Value {
      let bounds =
        "\(range.lowerBound) " + (range.upperBound == .max ? "or more" : "to \(range.upperBound)")
      return form("N", mustBe: "a number of \(noun), \(bounds)") {
        Int($0).map(range.contains) ?? false
      }
    }

    static func choice(_ words: [String], name: String) -> Value {
      form(name, mustBe: Option.either(words), suggests: words) { words.contains($0) }
    }

    package static func other(_ name: String, suggests words: [String] = []) -> Value {
      Value(name: name, suggestions: words)
    }

    package static let folder = other("DIR")
    static let point = other("POINT")
    static let day = other("DAY")
    static let time = other("TIME")
    static let zone = other("ZONE")
    static let event = other("EVENT")
    static let habit = other("HABIT")
    static let predicate = other("PREDICATE")
    static let segment = other("NAME")
    static let file = other("FILE")
    static let preset = other("NAME", suggests: Preset.allCases.map(\.rawValue))
    static let id = form("ID", mustBe: Syntax.id, takes: Syntax.isID)
    static let month = form("YYYY-MM", mustBe: "a month YYYY-MM") { days(ofMonth: $0) != nil }
    static let year = form("YYYY", mustBe: "a year from 1900 to 2199") { days(ofYear: $0) != nil }
    static let dayStart = form("HH:MM", mustBe: Syntax.dayStart) { Syntax.readDayStart($0) != nil }
    static let weekday = form(
      "WEEKDAY", mustBe: Syntax.weekday, suggests: Weekday.allCases.map(\.rawValue)
    ) {
      Weekday(named: $0.asciiLowercased) != nil
    }
    static let text = form("TEXT", mustBe: "\(Syntax.text), in one line") {
      Syntax.isPrintable($0) && $0.utf8.count <= Limits.text
    }

    static func days(ofMonth text: String) -> ClosedRange<Day>? {
      guard text.utf8.count == 7, let first = Day(text + "-01") else { return nil }
      return first...first.endOfMonth
    }

    static func days(ofYear text: String) -> ClosedRange<Day>? {
      guard text.utf8.count == 4, let first = Day(text + "-01-01"), let last = Day(text + "-12-31")
      else {
        return nil
      }
      return first...last
    }
  }
}

extension Arguments {
  /// Throws unless the values have the forms of their options, and the options go together.
  func check(_ options: [Option]) throws(Failure) {
    for option in options where has(option.name) {
      if let other = option.excludes.first(where: has) {
        throw .usage("\(option: option.name) and \(option: other) do not go together")
      }
      if let kind = positionals.first, !option.kinds.isEmpty, !option.kinds.contains(kind) {
        throw .usage(
          "\(option.name) goes with \(Option.either(option.kinds)), not with \(kind)")
      }
    }

    for option in options where has(option.name) {
      for text in all(option.name) {
        guard let value = option.value, let form = value.mustBe, !value.takes(text) else {
          continue
        }
        let near = Nearest.hint(text, among: value.suggestions)
        throw .usage("\(option: option.name) is \(quoted(text))\(near); it must be \(form)")
      }
      let isMet = option.needs.contains { $0.begins(with: "-") ? has($0) : !positionals.isEmpty }
      guard !option.needs.isEmpty, !isMet else { continue }
      throw .usage("\(option.name) goes with \(Option.either(option.needs))")
    }
  }

  /// Returns the weekday that the option `name` names, such as `sun` or `Sunday`.
  func weekday(_ name: String) -> Weekday? {
    value(name).flatMap { Weekday(named: $0.asciiLowercased) }
  }

  package func count(_ name: String) -> Int? { value(name).flatMap { Int($0) } }
}
