import CommandFixtures
import Testing

/// The status of each habit today in `/cards.json`, which the page shows as it is.
struct PageCardsTests {
  @Test(arguments: [
    // The goal of the week stays 3 after missed days, and before the first entry.
    (
      "define gym --any --schedule 3/week\nlog gym --on 2025-10-20", "2025-11-09",
      [#""badge":"to begin""#, #""quota":"0 of 3 this week""#]
    ),
    (
      "define gym --any --schedule 3/week", "2025-11-09",
      [#""badge":"to begin""#, #""quota":"0 of 3 this week""#]
    ),
    (
      """
      define gym --any --schedule 3/week\nlog gym --on 2025-10-20
      excuse 2025-11-08 2025-11-09\nlog gym --on 2025-11-03
      """, "2025-11-05",
      [#""badge":"may rest today""#, #""quota":"1 this short week, no more needed""#]
    ),
    // If the drinks of a week exceed its limit, its later days are rest days.
    (
      "init alcohol-week\nlog alcohol-week 20drinks --on 2025-11-06", "2025-11-07",
      [#""badge":"rests today""#]
    ),
    ("init coffee\nlog coffee 3cups", "2025-11-03", [#""badge":"bad today""#]),
    ("define run --at-least 20km/week --jokers 4/2", "2025-11-03", [#""jokers":"☆☆""#]),
    ("init coffee\nlog coffee 1cups", "2025-11-03", [#""badge":"kept so far""#]),
    // A habit with a limit has a rest day, even if it has no run.
    (
      "define sweets --at-most 1pieces --schedule sat,sun", "2025-11-04",
      [#""badge":"rests today""#]
    ),
    // A day that is excused is done if it has an entry, too.
    (
      "define walk --any\nlog walk --on 2025-11-02\nexcuse today +1 --habit walk --reason flu",
      "2025-11-03", [#""badge":"excused""#, #""excuse":"excused through tomorrow · flu""#]
    ),
    (
      "define walk --any\nlog walk --on 2025-11-02\nexcuse today --habit walk\nlog walk",
      "2025-11-03", [#""badge":"done""#]
    ),
  ])
  func `a card has the status and the quota of show`(words: String, day: String, says: [String])
    throws
  {
    let body = try cards(after: words, on: day)
    #expect(says.allSatisfy { body.contains($0) }, "\(body)")
  }

  @Test func `an achievement has its condition, and a sign of a day its meaning`() throws {
    let words = "init awareness\nlog awareness --on 2025-11-01\nlog awareness --on 2025-11-02"
    let body = try cards(after: words + "\nlog awareness", on: "2025-11-03")
    #expect(body.contains(#""devotee:bronze":"entries on 3 days in a row""#), "\(body)")
    #expect(body.contains(#""milestone:awareness:3":"a run of 3 days""#), "\(body)")
    #expect(body.contains(#"["open","Open: not over yet"]"#), "\(body)")
  }

  private func cards(after words: String, on day: String) throws -> String {
    let ledger = try TemporaryLedger(now: "2025-11-03T12:00:00+01:00")
    let start = words.hasPrefix("init") ? "" : "init\n"
    ledger.now = "\(day)T12:00:00+01:00"
    try ledger.run(all: start + words)

    var request = WebRequest("GET", "/cards.json", root: ledger.folder)
    request.now = ledger.now
    let answer = request.with(["Remote-User": "events"]).answer()
    #expect(answer.status == 200)
    return answer.body
  }
}
