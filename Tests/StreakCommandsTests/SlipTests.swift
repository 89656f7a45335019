import CommandFixtures
import DomainFixtures
import Foundation
import StreakCommands
import StreakDomain
import Testing

/// An undone mistake leaves no trace (domain.md, `longest`).
struct SlipTests {
  private func ledger() throws -> TemporaryLedger {
    let ledger = try UndoneLedger.make()
    try ledger.run(
      all: """
        define coffee --at-most 2cups --jokers 3/2
        define all --rule '{"kind":"all","of":["noalc","meditation"]}' --jokers 4/2
        define either --rule '{"kind":"either","of":["game","coffee"]}'
        """)
    return ledger
  }

  /// Returns a random command for a day.
  ///
  /// Undoing a deletion logs the entry with another id, so mistakes delete other entries than
  /// lasting commands.
  private func command(_ random: inout SeededRandom, _ day: Int, _ id: String, isSlip: Bool)
    -> String
  {
    let level = ["steady", "steady", "easy", "wild"][random.below(4)]
    let on = "2025-11-\(day - random.below(4))"
    let jokers = "--jokers \(2 + random.below(6))/\(1 + random.below(3))"
    switch random.below(13) {
    case 0...3: return "log noalc \(level) --on \(on) --id \(id)"
    case 4...5: return "log meditation \(5 + random.below(20))m --on \(on) --id \(id)"
    case 6:
      return
        """
        delete \(random.chance(50) ? "n" : "m")\((isSlip ? 3 : 4) + 2 * random.below(3)) --id \(id)
        """
    case 7: return "excuse \(on) 2025-11-\(day) --id \(id)"
    case 8: return "define \(["noalc", "coffee", "all"][random.below(3)]) \(jokers) --id \(id)"
    case 9:
      let members = ["noalc", "meditation", "game", "coffee"][random.below(3)...].joined(
        separator: #"",""#)
      let kind = random.chance(50) ? "all" : "either"
      return
        #"""
        define \#(kind) --rule '{"kind":"\#(kind)","of":["\#(members)"]}' --on \#(on) --id \#(id)
        """#
    case 10...11: return "log coffee \(1 + random.below(4))cups --on \(on) --id \(id)"
    default: return "log game \(random.chance(70) ? "completed" : "failed") --on \(on) --id \(id)"
    }
  }

  private func told(_ ledger: TemporaryLedger) throws -> NSDictionary {
    let json = try JSONSerialization.jsonObject(with: Data(ledger.run("replay --json").text.utf8))
    var state = try #require(json as? [String: Any])
    for field in ["position", "event", "recorded"] { state[field] = nil }
    state["achievements"] = (state["achievements"] as? [[String: Any]])?.map {
      "\($0["key"] ?? "") \($0["on"] ?? "")"
    }
    return state as NSDictionary
  }

  private func noon(_ day: Int) -> String {
    let date = Day("2025-11-01") + (day - 1)
    return "\(date)T12:00:00+01:00"
  }

  /// Runs a command and its undo at noon, with the command's clock `ahead` days ahead.
  ///
  /// - Returns: `nil` if the command is refused or writes nothing, otherwise whether its batch
  ///   began a day.
  private func slip(
    _ ledger: TemporaryLedger, _ command: String, id: String, on day: Int, ahead: Int = 0
  )
    throws -> Bool?
  {
    let before = ledger.stored().count
    ledger.now = noon(day + ahead)
    let hasSlipped = ledger.run(command).status == .done
    ledger.now = noon(day)
    guard hasSlipped, let first = ledger.stored().dropFirst(before).first else { return nil }
    let undo = ledger.run("undo \(id)")
    try #require(undo.status == .done, "\(command): \(undo.errors)")
    return first["type"] == "day.changed"
  }

  @Test(arguments: Cases.seeds(24))
  func `commands that are undone at once leave the same state as without the commands`(seed: UInt64)
    throws
  {
    var random = SeededRandom(seed: seed)
    let (plain, slipped) = (try ledger(), try ledger())
    var (slips, firsts, wrongs) = (0, 0, 0)
    for step in 0..<16 {
      let day = 10 + step
      (plain.now, slipped.now) = (noon(day), noon(day))
      plain.run("day")
      // The first command of a day begins it.
      if random.chance(30) {
        let slip = command(&random, day, "f\(step)", isSlip: true)
        if try self.slip(slipped, slip, id: "f\(step)", on: day) == true { firsts += 1 }
      }
      slipped.run("day")
      try #require(
        try told(slipped) == told(plain), "seed \(seed), step \(step), its first command")
      let command = command(&random, day, "c\(step)", isSlip: false)
      #expect(plain.run(command).status == slipped.run(command).status, "seed \(seed), \(command)")
      if random.chance(70) {
        let slip = self.command(&random, day, "s\(step)", isSlip: true)
        let ahead = step % 3 == 0 ? 1 + random.below(40) : 0
        if let isBegun = try self.slip(slipped, slip, id: "s\(step)", on: day, ahead: ahead) {
          slips += 1
          if isBegun { wrongs += 1 }
        }
      }
      try #require(try told(slipped) == told(plain), "seed \(seed), step \(step)")
    }
    #expect(slips > 3 && firsts > 0 && wrongs > 0, "seed \(seed)")
  }
}
