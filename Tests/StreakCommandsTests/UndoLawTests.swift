import CommandFixtures
import DomainFixtures
import Foundation
import StreakCommands
import StreakDomain
import Testing

/// Commands of every kind, also for future days, are undone and restored in any order.
struct UndoLawTests {
  private static let start: Day = "2026-03-02"

  private func command(_ random: inout SeededRandom) -> String {
    let habit = ["a", "b"][random.below(2)]
    let on = ["", "", " --on tomorrow", " --on 2026-03-20", " --on yesterday", " --on -3"][
      random.below(6)]
    // These habits are new, so that first definitions are undone, too.
    if random.chance(12) {
      return "define " + ["c --at-most 2cups", "d --any"][random.below(2)]
    }
    if random.chance(8) { return "log \(["c 1cup", "d"][random.below(2)])" }
    switch random.below(13) {
    case 0, 1: return "define \(habit) --at-least \(1 + random.below(3))pages" + on
    case 2: return "define \(habit) --grace \(1 + random.below(2))" + on
    case 3: return "define \(habit) --jokers \(2 + random.below(2))/2" + on
    case 4: return "define \(habit) --strict" + on
    case 5: return "define \(habit) --name \(["Ann", "Ben"][random.below(2)])" + on
    case 6:
      return "define \(habit) --schedule \(["daily", "3/week", "mon-fri"][random.below(3)])" + on
    case 7: return "define \(habit) --retire" + ["", " --on -2"][random.below(2)]
    case 8:
      return "excuse \(["today", "yesterday"][random.below(2)])"
        + [" ", " \(habit)"][random.below(2)]
    case 9: return "delete --last"
    default:
      return "log \(habit) \(1 + random.below(3))"
        + ["", " --on yesterday", " --on -3"][random.below(3)]
    }
  }

  /// What is told of some days, and what is asked for from which day on, without what names events
  /// and without the new habits whose definitions were undone.
  private func told(_ ledger: TemporaryLedger) throws -> [String] {
    let withdrawn = Set(
      ["c", "d"].filter { ledger.run("replay --json")["habits.\($0).status"] == "retired" })
    let states = try [0, 3, 9, 20].map { (days) throws in
      var state = try ledger.run("replay --json --on \(UndoLawTests.start + days)").json()
      let habits = state["habits"] as? [String: Any] ?? [:]
      state["habits"] = habits.filter { !withdrawn.contains($0.key) }
      return try plain(state)
    }
    let all = try #require(ledger.run("habits --json").json()["habits"] as? [[String: Any]])
    let habits = all.filter { !withdrawn.contains($0["habit"] as? String ?? "") }
    return try states
      + habits.map { (habit) throws in
        var known: [String: String] = [:]
        // Of a day the last holds; whether it is retired, the states say.
        for definition in habit["definitions"] as? [[String: Any]] ?? []
        where definition["rule"] != nil {
          known[try #require(definition["day"] as? String)] = try plain(definition)
        }
        let days = known.keys.sorted()
        let told = days.indices.filter { $0 == 0 || known[days[$0]] != known[days[$0 - 1]] }
        return told.map { "\(days[$0]) \(known[days[$0]] ?? "")" }.joined(separator: "\n")
      }
  }

  private func plain(_ members: [String: Any]) throws -> String {
    let named: Set = [
      "event", "position", "recorded", "longest", "celebrations", "zone", "because", "day",
    ]
    func strip(_ value: Any) -> Any {
      if let list = value as? [Any] { return list.map(strip) }
      return (value as? [String: Any]).map {
        $0.filter { !named.contains($0.key) }.mapValues(strip)
      } ?? value
    }
    let data = try JSONSerialization.data(withJSONObject: strip(members), options: .sortedKeys)
    return String(decoding: data, as: UTF8.self)
  }

  @Test(arguments: Cases.seeds(160))
  func `undoing a step restores the state before the step, and undoing the undo the state after`(
    seed: UInt64
  )
    throws
  {
    var random = SeededRandom(seed: seed)
    let ledger = try TemporaryLedger(now: "\(UndoLawTests.start)T12:00:00Z")
    try ledger.run(
      all: "init --zone Etc/UTC\ndefine a --at-least 2pages --jokers 3/2\ndefine b --any")
    var said: [String] = []
    var states = [try told(ledger)]
    var day = 3
    for _ in 0..<12 {
      if random.chance(30) { day += 1 }
      ledger.now = "\(UndoLawTests.start + day)T12:00:00Z"
      guard states.count > 1, random.chance(40) else {
        let command = command(&random)
        let before = ledger.stored().count
        guard ledger.run(command).status == .done, ledger.stored().count > before else { continue }
        said.append("\(day): \(command)")
        states.append(try told(ledger))
        continue
      }
      let stored = ledger.stored()
      let output = ledger.run("undo")
      guard output.status == .done else {
        #expect(ledger.stored() == stored)
        // An entry that the rule of today does not take, and a retirement that was restored before.
        let isKnown = [", whose rule is", "is retired already"].contains {
          output.errors.contains($0)
        }
        #expect(isKnown, "\(said) \(output.errors)")
        return
      }
      said.append("undo")
      let undone = states.removeLast()
      try #require(try told(ledger) == states.last, "\(said)")
      guard random.chance(50) else { continue }
      said.append("undo the undo")
      let restored = UndoneLedger.restore(ledger)
      guard restored.status == .done else {
        #expect(restored.errors.contains("is retired already"), "\(said) \(restored.errors)")
        return
      }
      states.append(undone)
      try #require(try told(ledger) == undone, "\(said)")
    }
  }
}

extension Output {
  fileprivate func json() throws -> [String: Any] {
    try #require(JSONSerialization.jsonObject(with: Data(text.utf8)) as? [String: Any])
  }
}
