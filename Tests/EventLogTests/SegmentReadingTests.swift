import CommandFixtures
import EventLog
import StreakCommands
import StreakDomain
import Testing

struct SegmentReadingTests {
  private func read(_ folder: String, salvage: Bool, mostRead: Int = .max) throws -> [String] {
    var options = ReadingOptions()
    options.disk = WatchedDisk(mostRead: mostRead)
    options.skipsUnreadable = salvage
    var stream = try EventStream(folder: folder, options: options)
    var names = SymbolTable()
    var item = StreamItem()
    var lines: [String] = []
    do throws(Failure) {
      while try stream.next(&item, names: &names) {
        let fact = item.fact
        let words = [fact.values.level, fact.values.activity].map {
          $0 == 0 ? "" : names.text(Symbol($0 - 1))
        }
        let what =
          item.event.map { "\($0)" }
            ?? """
            \(names.text(fact.habit)) \(fact.day) \(fact.at) \(fact.values.minutes) \
            \(fact.values.completed) \(words)
            """
        lines.append(
          """
          \(item.id.text(names)) \(item.recorded) \(stream.place(of: item)) \(item.offset) \
          \(item.beginsStep) \(what)
          """
        )
      }
    } catch { lines.append("\(error)") }
    return lines + stream.skipped.map { "\($0.failure)" }
  }

  @Test
  func `a segment read in pieces of any size gives the same events, locations and errors`() throws {
    let ledger = try TemporaryLedger(running: "init noalc meditation")
    let long = String(repeating: "n", count: 900)
    let lines = (1...12).map {
      #"""
      {"id":"e\#($0)","type":"entry.logged","habit":"noalc","level":"steady","note":\#
      "\#($0 % 4 == 0 ? long : "ü")"}
      """#
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
      Array(sound[..<starts[5]]) + [UInt8](repeating: UInt8(ascii: "x"), count: 70_000)
        + sound[starts[5]...])
    for (number, bytes) in segments.enumerated() {
      try ledger.write(Array(bytes), to: "main.jsonl")
      for salvage in [false, true] {
        let whole = try read(ledger.events, salvage: salvage)
        for size in [1, 2, 7, 64, 255, 256, 257, 1_000, starts[3], starts[3] + 1, starts[3] - 1]
        where bytes.count < 20_000 || size > 200 {
          let cut = try read(ledger.events, salvage: salvage, mostRead: size)
          try #require(cut == whole, "segment \(number), reads of \(size), salvage \(salvage)")
        }
      }
    }
  }
}
