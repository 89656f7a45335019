package import StreakDomain

/// A history of one habit over a few days, a character a day as in `History`, as the events of a ledger.
package struct ShortHistory {
  package let marks: String
  /// It opens, defines the habit, logs the days in order, each entry with the id `d` and its place from 0, and ends
  /// with a day change.
  package let events: [Event]
  /// Goes on after the events.
  package let sequence: Sequence

  /// Every history of one to `most` days over some marks; today is its last day, or so many days later.
  package static func all(
    of definition: Definition, marks: String = "SE.", upTo most: Int, later: Int = 0
  ) -> [ShortHistory] {
    let marks = Array(marks)
    return (1...most).flatMap { length in
      (0..<Array(repeating: marks.count, count: length).reduce(1, *)).map { number in
        var rest = number
        let days = (0..<length).map { _ -> Character in
          defer { rest /= marks.count }
          return marks[rest % marks.count]
        }
        return ShortHistory(definition, days, later: later)
      }
    }
  }

  private init(_ definition: Definition, _ marks: [Character], later: Int) {
    var sequence = Sequence()
    var events = [
      sequence.event(.ledgerOpened(owner: nil), on: History.start),
      sequence.event(.habitDefined(definition), on: History.start),
    ]
    for (offset, mark) in marks.enumerated() {
      for entry in History.entries(definition.habit, mark) {
        events.append(sequence.event(.entryLogged(entry), on: History.start + offset, id: "d\(offset)"))
      }
    }
    let today = History.start + (marks.count - 1 + later)
    events.append(sequence.event(.dayChanged(to: today, seal: nil), on: today))
    (self.marks, self.events, self.sequence) = (String(marks), events, sequence)
  }
}
