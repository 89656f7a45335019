import CommandFixtures
import EventLog
import StreakDomain
import Testing

struct CursorTests {
  @Test func `before the first event a cursor is a word that no other cursor has`() {
    #expect(Cursor().description == "start")
    #expect(Cursor("start") == Cursor())
    for text in ["", "Start", "start ", "AA", "AQ", "AAAA", "sta", "ä", "A===", "streaks timeline"] {
      #expect(Cursor(text) == nil, "\(text)")
    }
  }

  @Test func `a cursor has one text, and no shorter or longer one is a cursor`() throws {
    let arrivals = try Arrivals(seed: 3)
    for _ in 0..<4 { try arrivals.arrive(8) }
    var reading = try Deliveries(folder: arrivals.folder, after: Cursor())
    var item = StreamItem()
    var texts: Set<String> = []
    while try reading.next(&item) {
      let cursor = reading.cursor()
      let text = cursor.description
      #expect(texts.insert(text).inserted)
      #expect(Cursor(text) == cursor)
      for count in 0..<text.utf8.count {
        #expect(Cursor(String(text.prefix(count))) == nil, "\(text) up to \(count)")
      }
      for more in ["A", "AA", "=", "AAAAAAAAAAAAAAAA"] { #expect(Cursor(text + more) == nil) }
    }
    #expect(texts.count > 20)
  }

  @Test func `a cursor is the same for the same lines, whoever read them`() throws {
    let ledger = try TemporaryLedger()
    let line =
      #"{"id":"a","type":"ledger.opened","at":"2025-11-03T12:00:00Z","recorded":"2025-11-03T12:00:00.000000Z","#
      + #""day":"2025-11-03","zone":"UTC"}"#
    try ledger.write(Array((line + "\n").utf8), to: "main.jsonl")
    var reading = try Deliveries(folder: ledger.events, after: Cursor())
    var item = StreamItem()
    #expect(try reading.next(&item))
    let cursor = reading.cursor()
    #expect(cursor.description == "AQ1uQHnjZwHKl4ES")
  }
}
