/// A part of long work, with the words that describe it and the unit in which it is counted.
package struct WorkPart: Sendable {
  package let words: String
  package let unit: Unit

  package static let reading = WorkPart(words: "reading", unit: .bytes)
  package static let searching = WorkPart(words: "searching", unit: .bytes)
  package static let seals = WorkPart(words: "checking seals", unit: .bytes)
  package static let folding = WorkPart(words: "folding", unit: .events)
  package static let events = WorkPart(words: "checking", unit: .events)
  package static let rows = WorkPart(words: "comparing", unit: .rows)
  package static let entries = WorkPart(words: "checking", unit: .entries)

  /// The unit in which a part of the work is counted.
  package enum Unit: String, Sendable { case bytes, rows, entries, events }
}
