import Inspection
import StreakDomain
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
    let day: Day = "2025-11-03"
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
