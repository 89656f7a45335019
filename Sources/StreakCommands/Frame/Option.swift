import EventLog
import StreakDomain

/// An option of a command: the one declaration that parsing, errors, help, completion, man pages and routes go by.
package struct Option: Sendable {
  package let name: String
  /// Nil for a switch.
  package let value: Value?
  let help: String
  var isRepeatable = false
  /// Options that do not go with it.
  var excludes: [String] = []
  /// An option without which it says nothing.
  var needs: String?

  package init(
    _ name: String, _ value: Value? = nil, _ help: String, repeatable: Bool = false, excludes: [String] = [],
    needs: String? = nil
  ) {
    (self.name, self.value, self.help, self.excludes, self.needs) = (name, value, help, excludes, needs)
    isRepeatable = repeatable
  }

  /// The name with what its value is called, as help shows it.
  var head: String { name + (value.map { " " + $0.name } ?? "") }

  /// What an option takes.
  package enum Value: Sendable {
    case point, day, time, event, habit, id, zone, preset, segment, predicate, text, file, folder
    /// A whole number among some, of what.
    case count(ClosedRange<Int>, of: String)
    /// One of a few words.
    case choice([String], name: String)
    /// What the command reads by itself, called so.
    case other(String)

    /// What help calls it.
    var name: String {
      switch self {
      case .point: "POINT"
      case .day: "DAY"
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
      case .choice(_, let name), .other(let name): name
      }
    }

    /// What it must be, where that shows without the ledger; nil elsewhere.
    fileprivate var form: String? {
      switch self {
      case .id: Forms.id
      case .count(let range, let noun):
        "a number of \(noun), "
          + (range.upperBound == .max
            ? "\(range.lowerBound) or more" : "\(range.lowerBound) to \(range.upperBound)")
      case .choice(let words, _): words.dropLast().joined(separator: ", ") + " or " + (words.last ?? "")
      default: nil
      }
    }

    fileprivate func takes(_ text: String) -> Bool {
      switch self {
      case .id: Forms.isID(text)
      case .count(let range, _): Int(text).map(range.contains) ?? false
      case .choice(let words, _): words.contains(text)
      default: true
      }
    }
  }
}

extension Arguments {
  /// Refuses values that do not have the form of their option, and options that do not go together.
  func check(_ options: [Option]) throws(Failure) {
    for option in options where has(option.name) {
      for text in all(option.name) {
        guard let value = option.value, let form = value.form, !value.takes(text) else { continue }
        throw .usage("\(option.name) is \(quoted(text)); it must be \(form)")
      }
      if let other = option.excludes.first(where: has) {
        throw .usage("\(option.name) and \(other) do not go together")
      }
    }
    for option in options where has(option.name) {
      guard let needed = option.needs, !has(needed) else { continue }
      throw .usage("\(option.name) goes with \(needed)")
    }
  }

  /// The number that an option of that form was given; nil without one.
  func count(_ name: String) -> Int? { value(name).flatMap { Int($0) } }
}
