import Replay
import StreakDomain
import TestSupport
import Testing

struct PointTests {
  @Test(arguments: [
    ("0", Point.position(0)), ("1200", .position(1200)), ("end", .end), ("e17", .event("e17")),
    ("0199a1b2-c3d4-7e5f-8a9b-0c1d2e3f4a5b", .event("0199a1b2-c3d4-7e5f-8a9b-0c1d2e3f4a5b")),
  ])
  func `a point is a position, an id or the end`(text: String, point: Point) {
    #expect(Point(text) == point)
  }

  @Test func `a point is a day or a time, seen from that date`() throws {
    let day = try #require(Day("2025-11-03"))
    #expect(Point("2025-11-03") == .day(day))
    #expect(Point("2025-11-03")?.today { _ in nil } == day)
    let time = try #require(Point("2025-11-03T23:30:00Z"))
    #expect(time.today { _ in day.next } == day.next)
    #expect(Point("17")?.today { _ in day } == nil)
  }

  @Test(arguments: [
    "", "two words", "2025-11-31", "1899-12-31", "2025-11-03T10:00:00", "2025-11-03T25:00:00Z",
  ])
  func `what is no point is refused, a wrong date is not taken for an id`(text: String) {
    #expect(Point(text) == nil)
  }
}

struct BookHistoryTests {
  @Test func `a deletion is seen to take back what it rewrote, and the changes add up to the book`() {
    var sequence = Sequence()
    var ledger = Ledger()
    var history = BookHistory()
    var events = [sequence.event(.habitDefined(Preset.noalc.definition), on: History.start)]
    for offset in 0..<8 {
      let mark: Character = offset == 7 ? "E" : "S"
      for entry in History.entries("noalc", mark) {
        events.append(sequence.event(.entryLogged(entry), on: History.start + offset, id: "n\(offset)"))
      }
    }
    events.append(sequence.event(.entryDeleted(entry: "n2", reason: nil), on: History.start + 7, id: "undo"))
    for (index, event) in events.enumerated() {
      _ = ledger.apply(event)
      history.note(&ledger, event: event.id, position: index + 1)
    }
    let changes = history.changes["noalc"] ?? []
    #expect(changes.last?.event == "undo")
    #expect(changes.last?.removed.map(\.action) == [.earned, .spent])
    var lines: [JokerLine] = []
    for change in changes {
      lines.removeAll { change.removed.contains($0) }
      lines += change.added
    }
    ledger.settle()
    #expect(lines == ledger.jokerBook(of: "noalc"))
  }
}
