import CommandFixtures
import DomainFixtures
import EventLog
import StreakDomain
import Testing

/// Lines of entries with the fields `key` and `asOf`.
struct KeyedLineTests {
  @Test(arguments: LineForm.allCases)
  func `the fast scanner and the decoder read entries with keys equally, in any order of fields`(
    form: LineForm
  ) throws {
    for seed in Cases.seeds(10) {
      var stream = RandomStream(seed: seed)
      var random = SeededRandom(seed: seed)
      var lines: [UInt8] = []
      var common = 0
      var keyed = 0

      for (number, event) in stream.events(80).withKeys(seed: seed).enumerated() {
        lines += form.line(of: event, number, &random)
        guard let entry = event.payload.entry, !event.isUndo else { continue }
        common += 1
        keyed += entry.key == nil ? 0 : 1
      }

      let comparisons = LineDecoding.compare(lines)
      try #require(!comparisons.contains(.differ), "seed \(seed)")
      try #require(comparisons.count { $0 == .agree } == common && keyed > 0, "seed \(seed)")
    }
  }

  private static let head =
    #""id":"e1","type":"entry.logged","at":"2025-11-03T21:15:00+01:00","#
    + #""recorded":"2025-11-03T20:15:00.000000Z","day":"2025-11-03","zone":"Europe/Berlin","#

  @Test(arguments: [
    (#""habit":"steps","key":"k","amount":5"#, true),
    (#""amount":5,"asOf":"2025-11-03T20:00:00.000000Z","key":"k","habit":"steps""#, true),
    (#""habit":"steps","key":"0199a1b2-c3d4-7e5f-8a9b-0c1d2e3f4a5b","amount":5"#, true),
    (#""habit":"steps","asOf":"2025-11-03T20:00:00.000000Z","amount":5"#, true),
    (#""habit":"steps","key":"k","asOf":"2025-11-03T21:00:00+01:00","amount":5"#, false),
    (#""cause":"e0","habit":"steps","key":"k","amount":5"#, false),
    (#""cause":"e0","habit":"steps","amount":5"#, true),
  ])
  func `the fast scanner reads common forms of a key and leaves other forms to the decoder`(
    payload: String, isFast: Bool
  ) {
    let line = Array("{\(KeyedLineTests.head)\(payload)}\n".utf8)
    let expected: LineDecoding.Comparison = isFast ? .agree : .leftToSlow
    #expect(LineDecoding.compare(line + line) == [expected, expected])
  }

  @Test(arguments: [
    #""key":"""#, #""key":"a b""#, #""key":7"#, #""key":null"#, #""key":"\u0061 b""#,
    #""key":"00000000000000000000000000000000000000000000000000000000000000000""#,
    #""asOf":"2025-11-03""#, #""asOf":"2025-11-03T20:00:00""#, #""asOf":7"#,
    #""asOf":"2025-11-03T25:00:00.000000Z""#, #""key":"k","key":"k""#,
  ])
  func `an entry with a malformed key or asOf is refused`(fields: String) {
    let line = Array("{\(KeyedLineTests.head)\"habit\":\"steps\",\(fields),\"amount\":5}".utf8)
    #expect(throws: Failure.self) { try EventDecoder.event(line) }
    #expect(LineDecoding.compare(line + [UInt8(ascii: "\n")]) == [.leftToSlow])
  }

  @Test func `an asOf with an offset is stored in UTC`() throws {
    let fields = #""habit":"steps","key":"k","asOf":"2025-11-03T21:00:00.5+01:00","amount":5"#
    let event = try EventDecoder.event(Array("{\(KeyedLineTests.head)\(fields)}".utf8))
    let line = String(decoding: EventEncoder.line(event), as: UTF8.self)
    #expect(
      line.contains(
        #""habit":"steps","key":"k","asOf":"2025-11-03T20:00:00.500000Z","amount":5}"#), "\(line)")
  }

  @Test
  func `a seal covers the key and the asOf of an entry, and a redaction cannot remove them`() {
    let fields =
      #""habit":"steps","key":"k1","asOf":"2025-11-03T20:00:00.000000Z","amount":5,"note":"n""#
    let line = "{\(KeyedLineTests.head)\(fields)}"
    func digest(_ line: String) -> [UInt8] { RedactableTexts.digest(of: Array(line.utf8)) }

    #expect(RedactableTexts(Array(line.utf8)).texts.map(\.field) == [.note])
    #expect(digest(line.replacing(#""n""#, with: #""other""#)) == digest(line))
    #expect(digest(line.replacing(#""k1""#, with: #""k2""#)) != digest(line))
    #expect(digest(line.replacing("T20:00:00.0", with: "T20:00:00.1")) != digest(line))
  }
}
