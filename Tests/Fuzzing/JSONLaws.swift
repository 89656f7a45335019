import EventLog
import Foundation
import StreakDomain

/// The law of JSON: this decoder and Foundation's parser accept the same inputs and read the same
/// values.
package enum JSONLaws {
  static func check(_ input: [UInt8]) throws(Finding) {
    let theirs = try? JSONSerialization.jsonObject(with: Data(input), options: .fragmentsAllowed)
    _ = try difference(on: input, theirs)
    try checkLine(input, theirs)
  }

  package static func difference(on input: [UInt8]) throws(Finding) -> WantedDifference? {
    let theirs = try? JSONSerialization.jsonObject(with: Data(input), options: .fragmentsAllowed)
    return try difference(on: input, theirs)
  }

  package static func isAccepted(_ input: [UInt8]) -> Bool {
    (try? JSONValue(parsing: input)) != nil
  }

  private static func difference(on input: [UInt8], _ theirs: Any?) throws(Finding)
    -> WantedDifference?
  {
    let ours = Result { () throws(Failure) in try JSONValue(parsing: input) }
    switch (ours, theirs) {
    case (.success(let value), let theirs?):
      if agree(value, theirs) { return nil }
      guard let wanted = WantedDifference.reading(input) else {
        throw Finding("another value than Foundation's \(theirs)")
      }
      return wanted
    case (.failure, nil): return nil
    case (.success(let value), nil):
      guard let wanted = WantedDifference.accepting(value) else {
        throw Finding("Foundation refuses it")
      }
      return wanted
    case (.failure(let error), .some):
      guard let wanted = WantedDifference.refusing(input, error) else {
        throw Finding("Foundation accepts it: \(error)")
      }
      return wanted
    }
  }

  private static func agree(_ ours: JSONValue, _ theirs: Any) -> Bool {
    switch ours.kind {
    case .null: return theirs is NSNull
    case .raw: return false
    case .bool(let truth): return isBoolean(theirs) && theirs as? Bool == truth
    case .number(let text): return !isBoolean(theirs) && agree(text, theirs as? NSNumber)
    case .text(let text): return agree(text, theirs as? String)
    case .list(let items):
      guard let theirs = theirs as? [Any], theirs.count == items.count else { return false }
      return zip(items, theirs).allSatisfy { agree($0, $1) }
    case .object(let members):
      guard let theirs = theirs as? [String: Any], theirs.count == members.count else {
        return false
      }
      return members.allSatisfy { key, value in theirs[key.string].map { agree(value, $0) } ?? false
      }
    }
  }

  private static func isBoolean(_ value: Any) -> Bool {
    guard let number = value as? NSNumber else { return false }
    return unsafe number.objCType.pointee == CChar(UInt8(ascii: "c"))
  }

  /// Compares bytes, because `==` treats canonically equivalent strings as equal.
  private static func agree(_ ours: String, _ theirs: String?) -> Bool {
    theirs.map { ours.utf8.elementsEqual($0.utf8) } ?? false
  }

  /// Compares whole numbers exactly, but others approximately, because Foundation may parse them as
  /// `Decimal`.
  private static func agree(_ text: String, _ theirs: NSNumber?) -> Bool {
    guard let theirs else { return false }
    if let whole = Int64(text) { return theirs.int64Value == whole }
    guard let value = Double(text) else { return false }
    return abs(value - theirs.doubleValue) <= max(abs(value) * 1e-14, Double.leastNormalMagnitude)
  }
}

extension JSONLaws {
  private static func checkLine(_ input: [UInt8], _ theirs: Any?) throws(Finding) {
    let members = theirs as? [String: Any]
    let decoded = Result { () throws(Failure) in try EventDecoder.event(input) }
    switch decoded {
    case .failure(let error) where [.notJSON, .conflictMarker].contains(error.kind):
      guard members == nil || WantedDifference.refusing(input, error) != nil else {
        throw Finding("Foundation accepts the line: \(error)")
      }
    case .failure(let error):
      // A number that is too long is refused before the rest of the line is read.
      let isLongNumber = error.says.text.hasPrefix("a number of ")
      try demand(
        members != nil || isHuge(input) || isLongNumber, "Foundation refuses the line: \(error)")
    case .success(let event):
      guard let members else { return try demand(isHuge(input), "Foundation refuses the line") }
      if WantedDifference.reading(input) == nil { try check(event, members) }
    }
  }

  private static func isHuge(_ input: [UInt8]) -> Bool {
    let value = try? JSONValue(parsing: input)
    return value.flatMap { WantedDifference.accepting($0) } == .hugeNumber
      || input.count > LineLimits.bytes
  }

  private static func check(_ event: Event, _ members: [String: Any]) throws(Finding) {
    var texts: [(key: String, ours: String?)] = [
      ("id", event.id), ("type", event.payload.type.rawValue), ("zone", event.zone),
      ("day", event.day.description), ("by", event.by?.string),
      ("cause", event.cause),
    ]
    if case .entryLogged(let entry) = event.payload {
      texts += [
        ("habit", entry.habit), ("level", entry.level?.string),
        ("activity", entry.activity?.string),
        ("value", entry.value?.string),
        ("note", entry.note?.string),
      ]
      let numbers = [
        ("minutes", entry.minutes), ("km", entry.km), ("sets", entry.sets.map { Millionths($0) }),
        ("drinks", entry.drinks.map { Millionths($0) }),
      ]
      for (key, ours) in numbers {
        let isSame =
          ours.map { agree($0.description, members[key] as? NSNumber) } ?? (members[key] == nil)
        try demand(isSame, "\(key) is another number")
      }
    }
    for (key, ours) in texts {
      let isSame = ours.map { agree($0, members[key] as? String) } ?? (members[key] == nil)
      try demand(isSame, "\(key) is another text")
    }
    for field in event.unknown {
      guard let value = try? JSONValue(parsing: field.json.string) else {
        throw Finding("\(field.key) is no JSON")
      }
      try demand(
        members[field.key.string].map { agree(value, $0) } ?? false, "\(field.key) is another value"
      )
    }
  }
}
