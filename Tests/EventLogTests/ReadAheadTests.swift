import CommandFixtures
import DomainFixtures
import EventLog
import StreakDomain
import Testing

struct ReadAheadTests {
  private func read(
    _ folder: String, ahead: Bool, salvage: Bool = false, limit: Int = .max, pieces: Int = 1 << 18
  ) throws -> [String] {
    var options = ReadingOptions()
    options.readAheadFrom = ahead ? 0 : .max
    options.pieceBytes = pieces
    options.salvage = salvage
    var stream = try EventStream(folder: folder, options: options)
    var names = SymbolTable()
    var item = StreamItem()
    var lines: [String] = []
    do throws(Failure) {
      while lines.count < limit, try stream.next(&item, names: &names) {
        let fact = item.fact
        let words = [fact.values.level, fact.values.activity].map {
          $0 == 0 ? "" : names.text(Symbol($0 - 1))
        }
        let what =
          item.event.map { "\($0)" }
          ?? "\(names.text(fact.habit)) \(fact.day) \(fact.at) \(fact.values.minutes) \(fact.values.completed) \(words)"
        lines.append(
          "\(item.id.text(names)) \(item.recorded) \(stream.place(of: item)) \(item.offset) \(what)")
      }
    } catch { lines.append("\(error)") }
    return lines + stream.skipped.map { "\($0.failure)" }
  }

  @Test func `the sample ledger reads the same on two cores`() throws {
    let folder = Repository.root + "/events"
    let alone = try read(folder, ahead: false)
    #expect(alone.count > 4_000)
    for size in [1 << 10, 1 << 14, 1 << 18] { #expect(try read(folder, ahead: true, pieces: size) == alone) }
  }

  @Test(arguments: [false, true])
  func `a bad line ends both after the same events`(salvage: Bool) throws {
    let ledger = try TemporaryLedger()
    ledger.run("init noalc meditation")
    let lines = (1...3_000).map {
      #"{"id":"e\#($0)","type":"entry.logged","habit":"noalc","level":"steady"}"#
    }
    #expect(ledger.run("append", input: lines.joined(separator: "\n")).status == .done)
    var bytes = ledger.bytes()
    bytes[bytes.count - 20_000] = 0
    try ledger.write(bytes, to: "main.jsonl")
    let alone = try read(ledger.events, ahead: false, salvage: salvage)
    #expect(alone.count > 2_000)
    #expect(try read(ledger.events, ahead: true, salvage: salvage) == alone)
  }

  @Test func `wherever a segment is cut into pieces, events, places and errors are the same`() throws {
    let ledger = try TemporaryLedger()
    ledger.run("init noalc meditation")
    let long = String(repeating: "n", count: 900)
    let lines = (1...12).map {
      #"{"id":"e\#($0)","type":"entry.logged","habit":"noalc","level":"steady","note":"\#($0 % 4 == 0 ? long : "ü")"}"#
    }
    #expect(ledger.run("append", input: lines.joined(separator: "\n")).status == .done)
    let sound = ledger.bytes()
    let starts = sound.indices.filter { $0 > 0 && sound[$0 - 1] == UInt8(ascii: "\n") }
    var segments: [[UInt8]] = [sound, sound.dropLast(), sound.dropLast(9)]
    segments += starts.map { start in
      var bytes = sound
      bytes[start + 3] = 0
      return bytes
    }
    segments.append(Array(sound[..<starts[5]]) + sound[starts[4]...])
    segments.append(
      Array(sound[..<starts[5]]) + [UInt8](repeating: UInt8(ascii: "x"), count: 70_000) + sound[starts[5]...])
    for (number, bytes) in segments.enumerated() {
      try ledger.write(Array(bytes), to: "main.jsonl")
      for salvage in [false, true] {
        let whole = try read(ledger.events, ahead: false, salvage: salvage)
        for size in [1, 2, 7, 64, 255, 256, 257, 1_000, starts[3], starts[3] + 1, starts[3] - 1]
        where bytes.count < 20_000 || size > 200 {
          for ahead in [false, true] where !(ahead && salvage) {
            let cut = try read(ledger.events, ahead: ahead, salvage: salvage, pieces: size)
            try #require(
              cut == whole, "segment \(number), pieces of \(size), ahead \(ahead), salvage \(salvage)")
          }
        }
      }
    }
  }

  @Test func `a reader that stops early stops the second core too`() throws {
    let folder = Repository.root + "/events"
    for limit in [0, 1, 2, 1_024, 1_025, 3_000] {
      #expect(try read(folder, ahead: true, limit: limit) == read(folder, ahead: false, limit: limit))
    }
  }

  @Test func `what is appended to a segment is the same, however it was read`() throws {
    let written = try [false, true].map { ahead in
      let ledger = try TemporaryLedger()
      // The clock stands still and goes back, so each `recorded` depends on the previous one.
      for (index, now) in ["2025-11-03", "2025-11-04", "2025-11-04", "2025-11-05", "2025-11-05"].enumerated()
      {
        var options = AppendOptions(
          now: (Timestamp("\(now)T12:00:00+01:00")?.instant ?? Instant(microseconds: 0)) + Int64(-index),
          machineZone: "Europe/Berlin")
        options.reading.readAheadFrom = ahead ? 0 : .max
        var payloads: [Payload] = [
          .ledgerOpened(), .habitDefined(Preset.noalc.definition(for: "noalc")),
        ]
        if index > 0 { payloads = [.reminderSet(habit: "noalc", time: "21:30", enabled: true)] }
        let log = try LogWriter(folder: ledger.events, writer: "main", wait: 0, makesFolder: true)
        try log.write(
          Transaction.decide(
            payloads.map { Draft($0, zone: nil) },
            stream: EventStream(folder: ledger.events, options: options.reading, mayBegin: true),
            writer: "main",
            options: options, random: SeededRandom(seed: UInt64(index))))
      }
      #expect(ledger.run("verify --now 2025-11-05T12:00:00+01:00").screen == "")
      return ledger.bytes()
    }
    #expect(written[0].count { $0 == UInt8(ascii: "\n") } == 8)
    #expect(written[0] == written[1])
  }
}
