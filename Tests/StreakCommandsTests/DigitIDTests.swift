import CommandFixtures
import DomainFixtures
import Foundation
import StreakCommands
import StreakDomain
import Testing

/// Tests of ids that are numbers, which scripts make from row numbers or hashes.
struct DigitIDTests {
  private func ledger(_ random: inout SeededRandom) throws -> (
    ledger: TemporaryLedger, ids: [String]
  ) {
    let ledger = try TemporaryLedger(running: "init noalc")
    var numbers = Set((0..<8).map { _ in random.below(14) })
    numbers.insert(481_516_234_200 + random.below(9))
    for number in numbers.shuffled(using: &random) {
      let entry = #"{"id":"\#(number)","type":"entry.logged","habit":"noalc","level":"steady"}"#
      for status in ["recorded", "exists"] {
        #expect(ledger.run("append", input: entry)["status"] == status)
      }
    }
    return (ledger, ledger.stored().compactMap { $0["id"] })
  }

  @Test(arguments: 1...UInt64(Cases.areAll ? 60 : 4))
  func `a number selects an event by position or by id, and is refused if both are possible`(
    seed: UInt64
  ) throws {
    var random = SeededRandom(seed: seed)
    let (ledger, ids) = try ledger(&random)
    let words = Set((0...ids.count + 3).map(String.init)).union(ids.dropFirst(2))
    for word in words {
      let number = try #require(Int(word))
      let placed = (1...ids.count).contains(number) ? ids[number - 1] : nil
      let named = ids.contains(word) ? word : nil
      let isTwo = placed != nil && named != nil && placed != named
      let event = ledger.run("why \(word) --json")
      #expect(event["event.id"] == (isTwo ? nil : placed ?? named), "seed \(seed): event \(word)")
      let isTwoPoints = isTwo || number == 0 && named != nil
      let point = ledger.run("replay --json --at \(word)")
      #expect(
        point["event"] == (isTwoPoints ? nil : number == 0 ? "null" : placed ?? named),
        "seed \(seed): --at \(word)")
      let http = WebRequest("GET", "/v1/state?at=\(word)", root: ledger.folder).with([
        "Remote-User": "events"
      ]
      ).answer()
      #expect(
        http["event"] == (number == 0 ? "null" : placed ?? named), "seed \(seed): ?at=\(word)")
      for (output, isRefused) in [(event, isTwo), (point, isTwoPoints)] where isRefused {
        #expect(
          output.status == .usage && output.errors.contains("say @\(word) or id:\(word)"),
          "\(output.errors)")
      }
      #expect(ledger.run("why @\(word) --json")["event.id"] == placed)
      #expect(ledger.run("why id:\(word) --json")["event.id"] == named)
      if named != nil { #expect(ledger.run("replay --json --at id:\(word)")["event"] == named) }
    }
  }

  @Test func `replay --at an earlier position works although a later line cannot be read`() throws {
    let ledger = try TemporaryLedger(running: "init noalc\nlog noalc steady")
    try ledger.write(ledger.bytes() + Array("nonsense\n".utf8), to: "main.jsonl")
    #expect(ledger.run("replay --at 2 --json")["position"] == "2")
  }
}
