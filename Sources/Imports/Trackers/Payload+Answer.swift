import StreakDomain

extension Payload {
  /// Whether an answer that was imported before is the one that a file has now.
  ///
  /// The tables of a tracker say more or less of the same answer, so a note or unit that is absent now changes nothing,
  /// and of two skips the first counts.
  func says(_ now: Payload, hasUnit: Bool) -> Bool {
    switch (self, now) {
    case (.daysExcused, .daysExcused): return true
    case (.entryLogged(var before), .entryLogged(let after)):
      if after.note == nil { before.note = nil }
      if before == after { return true }
      guard !hasUnit, before.note.spelling == after.note.spelling, let number = before.number else {
        return false
      }
      return number == after.number
    default: return false
    }
  }
}

extension Entry {
  /// The number that a tracker's answer became, whatever it counts.
  fileprivate var number: Double? {
    let text =
      minutes?.description ?? km?.description ?? amount?.description ?? drinks.map { "\($0)" }
      ?? value?.parts(at: " ").first { !$0.isEmpty }.map { String($0) }
    return text.flatMap { Double($0) }
  }
}
