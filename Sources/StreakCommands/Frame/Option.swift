import EventLog
import StreakDomain

/// An option of a command: the one declaration that parsing, errors, help, completion, man pages and routes go by.
package struct Option: Sendable {
  package let name: String
  /// Nil for a switch.
  package let value: Value?
  package let help: String
  var isRepeatable = false
  /// Options that do not go with it.
  package var excludes: [String] = []
  /// Options of which it needs one, or else it says nothing; a name without dashes is that of the first word.
  package var needs: [String] = []
  /// The first words of the command with which alone it goes; empty if it goes with all.
  package var kinds: [String] = []

  package init(
    _ name: String, _ value: Value? = nil, _ help: String, repeatable: Bool = false, excludes: [String] = [],
    needs: [String] = [], only kinds: [String] = []
  ) {
    (self.name, self.value, self.excludes, self.needs) = (name, value, excludes, needs)
    (self.kinds, isRepeatable) = (kinds, repeatable)
    self.help = kinds.isEmpty ? help : kinds.joined(separator: ", ") + ": " + help
  }

  /// Groups of options of which only one is named at a time.
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

  /// Words of which one is meant: `bash, zsh or fish`.
  static func either(_ words: [String]) -> String {
    let others = words.dropLast().joined(separator: ", ")
    return (others.isEmpty ? "" : others + " or ") + (words.last ?? "")
  }

  /// The name with what its value is called, as help shows it.
  var head: String { name + (value.map { " " + $0.name } ?? "") }

  /// What an option takes.
  package enum Value: Sendable {
    case point, day, month, year, time, event, habit, id, zone, preset, segment, predicate, text, file, folder
    /// A whole number among some, of what.
    case count(ClosedRange<Int>, of: String)
    /// One of a few words.
    case choice([String], name: String)
    /// A word of a form: what help calls it, what it must be, and whether a text is one.
    case form(String, mustBe: String, takes: @Sendable (String) -> Bool)
    /// What the command reads by itself, called so, with what completion offers.
    case other(String, suggests: [String] = [])

    /// When days begin.
    static let dayStart = Value.form("HH:MM", mustBe: Forms.dayStart) { Forms.readDayStart($0) != nil }

    /// The days of a month of the form `YYYY-MM`.
    static func days(ofMonth text: String) -> ClosedRange<Day>? {
      guard text.utf8.count == 7, let first = Day(text + "-01") else { return nil }
      return first...first.endOfMonth
    }

    /// The days of a year of the form `YYYY`.
    static func days(ofYear text: String) -> ClosedRange<Day>? {
      guard text.utf8.count == 4, let first = Day(text + "-01-01"), let last = Day(text + "-12-31") else {
        return nil
      }
      return first...last
    }

    /// What help calls it.
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

    /// What it must be, where that shows without the ledger; nil elsewhere.
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
  /// Refuses values that do not have the form of their option, and options that do not go together.
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

  /// The number that an option of that form was given; nil without one.
  package func count(_ name: String) -> Int? { value(name).flatMap { Int($0) } }
}
