import CommandFixtures
import EventLog
import StreakDomain
import Testing

struct CursorTests {
  @Test func `the cursor before the first event is the word start`() {
    #expect(Cursor().description == "start")
    #expect(Cursor("start") == Cursor())
  }

  @Test(arguments: [
    "", "Start", "start ", "main", "main:", "main:0", "main:-1", "main:+1", "main:01", "main:1,",
    ",main:1",
    "main:1,main:2", "b:1,a:1", "a%:1", "a%6:1", "%61:1", "a b:1", "a%GG:1", "ä:1", "%FF:1",
    "a:1:2",
    "a:1;b:1",
  ])
  func `a malformed cursor is refused`(text: String) { #expect(Cursor(text) == nil) }

  @Test(arguments: [
    "main:1", "a:1,b:20", "annas-laptop-3fa2c1:745,phone:4405", "main%20(1):3", "%c3%a4:1",
  ])
  func `a cursor that is written in the standard form is printed as it was read`(
    text: String
  ) {
    let isPlain = text != "main%20(1):3"
    #expect((Cursor(text)?.description == text) == isPlain)
  }

  @Test func `each step has a different cursor, which can be printed and read back`() throws {
    let arrivals = try Arrivals(seed: 3)
    for _ in 0..<4 { try arrivals.arrive(8) }
    var reading = try Deliveries(folder: arrivals.folder, after: Cursor())
    var texts: Set<String> = []
    while try reading.nextStep() {
      let text = reading.cursor.description
      #expect(texts.insert(text).inserted)
      #expect(Cursor(text) == reading.cursor)
    }
    #expect(texts.count > 15)
  }
}
