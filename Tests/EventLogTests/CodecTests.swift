import CommandFixtures
import DomainFixtures
import EventLog
import Foundation
import StreakDomain
import Testing

struct CodecTests {
  @Test(arguments: LineForm.allCases)
  func `the fast scanner and the decoder read entries of any program equally`(form: LineForm) throws
  {
    for seed in Cases.seeds(10) {
      var stream = RandomStream(seed: seed)
      var random = SeededRandom(seed: seed)
      var lines: [UInt8] = []
      var common = 0
      for (number, event) in stream.events(80).withDecimals(seed: seed).enumerated() {
        let line = form.line(of: event, number, &random)
        let read = try EventDecoder.event(Array(line.dropLast()))
        try #require(LineDecoding.SlowLine(Array(line.dropLast())).agreesWithJSON, "seed \(seed)")
        if ![.otherIDs, .counterIDs, .uppercaseIDs, .notes, .escapedNotes, .ownFields, .byOthers]
          .contains(
            form)
        {
          try #require(read == event, "seed \(seed): \(String(decoding: line, as: UTF8.self))")
        }
        lines += line
        guard case .entryLogged = event.payload else { continue }
        common += event.by?.string.begins(with: "streaks-") == true ? 0 : 1
      }
      let comparisons = LineDecoding.compare(lines)
      try #require(!comparisons.contains(.differ), "seed \(seed)")
      try #require(comparisons.count { $0 == .agree } == common && common > 5, "seed \(seed)")
    }
  }

  @Test(arguments: [LineForm.canonical, .escapedNotes])
  func `the fast scanner, the decoder and the JSON reader agree on a line with one byte changed`(
    form: LineForm
  )
    throws
  {
    let text =
      #"""
      {"id":"0199a1b2-c3d4-7e5f-8a9b-0c1d2e3f4a5b","type":"entry.logged","at":"2025-11-03T21:15:\#
      00+01:00",
      """#
        + #"""
        "recorded":"2025-11-03T20:15:00.000000Z","day":"2025-11-03","zone":"Europe/Berlin",\#
        "habit":"noalc",
        """#
        + #"""
        "key":"k1","asOf":"2025-11-03T20:10:00.000000Z","minutes":12.500001,"km":3,"sets":4,"drinks":2,"level":"easy","completed":true,"activity":"run",
        """#
      + #""value":"v","note":"n","more":true}"#
    let event = try EventDecoder.event(Array(text.utf8))
    var random = SeededRandom(seed: 1)
    let line = form.line(of: event, 0, &random)
    #expect(LineDecoding.compare(line + line) == [.agree, .agree])
    let bytes =
      form == .escapedNotes
      ? Array("\0 \"\\,0u".utf8) + [0xC3]
      : Array("\0\t \"\\,:;-./{}0139:@AFZaefgz~".utf8) + [0x7F, 0x80, 0xC3, 0xF0, 0xFF]
    for place in stride(from: 0, to: line.count - 1, by: Cases.stride(5)) {
      for byte in bytes {
        var changed = line
        changed[place] = byte
        for lines in [changed, line + line + changed] {
          try #require(!LineDecoding.compare(lines).contains(.differ), "byte \(byte) at \(place)")
        }
        let slow = LineDecoding.SlowLine(Array(changed.dropLast()))
        try #require(slow.agreesWithJSON, "byte \(byte) at \(place)")
      }
    }
  }

  @Test func `the fast scanner reads version 1 and leaves version 2 to the decoder`() throws {
    let text =
      #"{"id":"e1","type":"entry.logged","at":"2025-11-03T21:15:00+01:00","#
        + #"""
        "recorded":"2025-11-03T20:15:00.000000Z","day":"2025-11-03","zone":"Europe/Berlin",\#
        "habit":"noalc"
        """#
    let lines = ["}\n", "}\n", ",\"v\":1}\n", ",\"v\":2}\n"].flatMap { Array((text + $0).utf8) }
    #expect(LineDecoding.compare(lines) == [.agree, .agree, .agree, .leftToSlow])
  }

  @Test(arguments: [
    (#""minutes":1440"#, true), (#""minutes":1439.999999"#, true),
    (#""minutes":1440.000001"#, false),
    (#""km":0.000001"#, true), (#""km":6.437376"#, true), (#""km":6.4373760000"#, true),
    (#""km":1e-6"#, true), (#""km":1e-7"#, false), (#""km":0.0000001"#, false),
    (#""amount":999999.999999"#, true), (#""amount":1000000"#, true),
    (#""amount":1000000.000001"#, false), (#""amount":123456.123456"#, true),
    (#""amount":99999999999999999999"#, false), (#""sets":1.000001"#, false),
    (#""sets":2.0"#, true),
  ])
  func `both decoders accept a measure with six decimals and refuse a measure with more`(
    field: String, isValid: Bool
  ) throws {
    let line =
      #"{"id":"e1","type":"entry.logged","at":"2025-11-03T21:15:00+01:00","#
      + #""recorded":"2025-11-03T20:15:00.000000Z","day":"2025-11-03","zone":"Europe/Berlin","#
      + #""habit":"a","# + field + "}\n"
    let comparisons = LineDecoding.compare(Array((line + line).utf8))
    #expect(!comparisons.contains(.differ))
    #expect(comparisons.contains(.agree) == isValid)
    let isRead = (try? EventDecoder.event(Array(line.utf8.dropLast()))) != nil
    #expect(isRead == isValid)
  }

  @Test(arguments: Cases.seeds(20))
  func `a JSON number is read like Foundation's Decimal or refused`(seed: UInt64) throws {
    var random = SeededRandom(seed: seed)
    func digits(_ count: Int, _ random: inout SeededRandom) -> String {
      (0..<count).map { _ in "\(random.chance(40) ? 0 : random.below(10))" }.joined()
    }
    for _ in 0..<500 {
      var text = random.chance(20) ? "-" : ""
      text += random.chance(40) ? "0" : "\(1 + random.below(9))" + digits(random.below(18), &random)
      if random.chance(50) { text += "." + digits(1 + random.below(9), &random) }
      if random.chance(30) { text += "e\(random.below(30) - 15)" }
      let number = try #require(Decimal(string: text))
      try check(Thousandths(json: text).map { ($0.count, $0.description) }, 1000, number, text)
      try check(Millionths(json: text).map { ($0.count, $0.description) }, 1_000_000, number, text)
    }
  }

  /// Checks that `read` is the exact count of parts in `number`, of which there are `parts` in one.
  ///
  /// `nil` is right if there is no such count, or if it is too large.
  private func check(
    _ read: (count: Int64, text: String)?, _ parts: Decimal, _ number: Decimal, _ text: String
  ) throws {
    let exact = number * parts
    var (given, whole) = (exact, Decimal())
    unsafe NSDecimalRound(&whole, &given, 0, .plain)
    guard let read else {
      return try #require(whole != exact || abs(exact) > Decimal(Int64.max), "\(text)")
    }
    try #require(Decimal(read.count) == exact, "\(text) is \(read)")
    try #require(Decimal(string: read.text) == number, "\(text) is \(read)")
  }

  @Test
  func `an event is read with fields in any order, white space, escapes and unknown fields`() throws
  {
    let text =
      """
       { \"habit\" : \"no\\u0061lc\" ,\t\"type\":\"entry.logged\", \
      \"zone\":\"Europe/Berlin\",\"day\":\"2025-11-03\",
      """
      + "\"recorded\":\"2025-11-03T20:15:00.000000Z\",\"at\":\"2025-11-03T21:15:00+01:00\","
        + """
        \"minutes\":1.25e1,\"id\":\"e1\",\"colour\":{\"a\":[1,null]},\"note\":\"a \
        \\\"\\ud83c\\udf40\\\" b\" } 
        """
    let event = try EventDecoder.event(Array(text.utf8))
    guard case .entryLogged(let entry) = event.payload else {
      Issue.record("no entry")
      return
    }
    #expect(entry.habit == "noalc")
    #expect(entry.minutes == 12.5)
    #expect(entry.note == "a \"🍀\" b")
    #expect(event.unknown == [Event.UnknownField(key: "colour", json: "{\"a\":[1,null]}")])
  }

  @Test(arguments: [
    ("", "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"),
    ("abc", "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"),
    (
      "abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq",
      "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1"
    ),
    (
      "abcdefghbcdefghicdefghijdefghijkefghijklfghijklmghijklmnhijklmnoijklmnopjklmnopqklmnopqrlmnopqrsmnopqrstnopqrstu",
      "cf5b16a778af8380036ce59e7b0492370b249b11e8f07a51afac45037afee9d1"
    ),
  ])
  func `SHA-256 gives the published digests`(text: String, digest: String) {
    #expect(SHA256(of: Array(text.utf8)).digest() == digest)
  }

  @Test func `SHA-256 of a million letters in uneven pieces gives the published digest`() {
    var hash = SHA256()
    var left = 1_000_000
    var piece = 1
    while left > 0 {
      hash.update([UInt8](repeating: UInt8(ascii: "a"), count: min(left, piece))[...])
      left -= min(left, piece)
      piece = piece * 3 % 997 + 1
    }
    #expect(hash.digest() == "cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0")
  }

  @Test func `a UUID of version 7 starts with its time and sorts by time`() {
    var random = SeededRandom(seed: 3)
    let first = UUIDv7.make(at: Instant(microseconds: 1_762_200_900_000_000), random: &random)
    let second = UUIDv7.make(at: Instant(microseconds: 1_762_200_901_000_000), random: &random)
    #expect(first.hasPrefix("019a4b5b-d1a0-7"))
    #expect(first < second)
    #expect("89ab".contains(first.dropFirst(19).prefix(1)))
  }
}
