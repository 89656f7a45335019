import EventLog
package import StreakDomain

/// A parser for durations such as `1h30m`, `1h 30 min`, `1h30`, `31:20`, `1:02:03` or `1:02:03.5`.
package enum ClockMeasure {
  /// Returns the minutes, rounded to six decimals, or `nil` if `word` isn't a duration.
  ///
  /// Throws if `word` may be hours and minutes as well as minutes and seconds, such as `1:30`.
  package static func minutes(_ word: String) throws(Failure) -> Millionths? {
    guard let milliseconds = milliseconds(word) else { return nil }
    if isAmbiguous(word) {
      let hours = word.replacingBytes(of: ":", with: "h") + "m"
      let seconds = (milliseconds + 500) / 1000
      throw Failure(
        .usage,
        "\(quoted(word)) may be \(hours) or \(seconds)s; write one of them; --value has it as text")
    }
    let minutes = Millionths(count: Int64(milliseconds * 1000 + 30) / 60)
    let most = Limits.minutes
    guard minutes <= Millionths(most) else {
      throw Failure(.usage, "\(quoted(word)): minutes go from 0 to \(most)")
    }
    return minutes
  }

  /// Returns the milliseconds of a duration, or `nil` if `word` isn't a duration.
  ///
  /// `1:30` is read as minutes and seconds.
  static func milliseconds(_ word: String) -> Int? { hoursAndMinutes(word) ?? clock(word) }

  /// Whether `word`, such as `1:30` or `07:30`, may be hours and minutes as well as minutes and
  /// seconds.
  static func isAmbiguous(_ word: String) -> Bool {
    guard word.parts(at: ":").count == 2 else { return false }
    return word.utf8.count == 4 || word.utf8.count == 5 && hasLeadingZero(word)
  }

  /// Whether `word` is written as most clocks write hours and minutes, such as `07:30`.
  static func hasLeadingZero(_ word: String) -> Bool {
    word.utf8.count == 5 && word.begins(with: "0") && clock(word) != nil
  }

  /// Returns the milliseconds of hours and minutes such as `7:30`, or `nil` for other texts.
  static func millisecondsOfHours(_ word: String) -> Int? {
    word.parts(at: ":").count == 2 ? hoursAndMinutes(word.replacingBytes(of: ":", with: "h")) : nil
  }

  /// Whether `word` shows that its column writes durations as `m:ss`.
  ///
  /// It shows that with three parts, as in `1:02:03`, or with two digits of minutes, as in `31:20`.
  static func showsSeconds(_ word: String) -> Bool {
    clock(word) != nil && !isAmbiguous(word)
  }

  /// Whether `word` can't be hours and minutes: it has three parts, or its first one is 24 or more.
  static func mustHaveSeconds(_ word: String) -> Bool {
    let parts = word.parts(at: ":")
    return clock(word) != nil && (parts.count == 3 || (parts[0].number(digits: 1...4) ?? 0) >= 24)
  }

  /// Returns the milliseconds of a text such as `1h30m`.
  private static func hoursAndMinutes(_ word: String) -> Int? {
    let plain = word.asciiLowercased.rewriting { $0.properties.isWhitespace ? "" : nil }
    let parts = plain.parts(at: "h")
    guard parts.count == 2, let hours = parts[0].number(digits: 1...4) else { return nil }

    let suffix = ["min", "m"].first { parts[1].ends(with: $0) }?.utf8.count ?? 0
    let rest = Substring(parts[1].utf8.dropLast(suffix))
    guard let minutes = rest.number(digits: 1...2), minutes < 60 else { return nil }
    return (hours * 60 + minutes) * 60_000
  }

  /// Returns the milliseconds of a text such as `31:20`, `1:02:03` or `1:02:03.5`.
  private static func clock(_ word: String) -> Int? {
    var parts = word.parts(at: ":")
    guard (2...3).contains(parts.count) else { return nil }

    let seconds = parts.removeLast().parts(at: ".", most: 2)
    parts.append(seconds[0])
    let fraction = seconds.count == 2 ? seconds[1] : "0"
    guard (1...3).contains(fraction.utf8.count) else { return nil }

    let zeros = String(repeating: "0", count: 3 - fraction.utf8.count)
    let counts = parts.compactMap { $0.number(digits: 1...4) }
    guard counts.count == parts.count, parts.dropFirst().allSatisfy({ $0.utf8.count == 2 }),
      counts.dropFirst().allSatisfy({ $0 < 60 }),
      let thousandths = "\(fraction)\(zeros)".number(digits: 3...3)
    else { return nil }
    return counts.reduce(0) { $0 * 60 + $1 } * 1000 + thousandths
  }
}
