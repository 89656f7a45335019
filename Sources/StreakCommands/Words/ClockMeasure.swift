import EventLog
import StreakDomain

/// Minutes as a watch shows them: `1h30m`, `1h30`, `31:20`, `1:02:03`.
enum ClockMeasure {
  /// The minutes of a word in one of these forms; nil for another form.
  static func minutes(_ word: String) throws(CommandError) -> Thousandths? {
    guard let seconds = hoursAndMinutes(word) ?? clock(word) else { return nil }
    guard seconds <= 1440 * 60 else { throw .usage("\(quoted(word)): minutes go from 0 to 1440") }
    // A second is no whole number of thousandths of a minute.
    return Thousandths(count: (Int64(seconds) * 1000 + 30) / 60)
  }

  private static func hoursAndMinutes(_ word: String) -> Int? {
    let parts = word.asciiLowercased.parts(at: "h")
    guard parts.count == 2, let hours = number(parts[0]) else { return nil }
    let rest = parts[1].ends(with: "m") ? Substring(parts[1].utf8.dropLast()) : parts[1]
    guard rest.utf8.count <= 2, let minutes = number(rest), minutes < 60 else { return nil }
    return (hours * 60 + minutes) * 60
  }

  private static func clock(_ word: String) -> Int? {
    let parts = word.parts(at: ":")
    guard (2...3).contains(parts.count), parts.dropFirst().allSatisfy({ $0.utf8.count == 2 }) else {
      return nil
    }
    var seconds = 0
    for (index, part) in parts.enumerated() {
      guard let count = number(part), index == 0 || count < 60 else { return nil }
      seconds = seconds * 60 + count
    }
    return seconds
  }

  private static func number(_ text: Substring) -> Int? {
    guard (1...4).contains(text.utf8.count), text.utf8.allSatisfy({ (48...57).contains($0) }) else {
      return nil
    }
    return Int(text)
  }
}
