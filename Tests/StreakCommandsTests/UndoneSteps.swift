import CommandFixtures
import DomainFixtures
import EventLog
import Inspection
import StreakCommands
import StreakDomain

/// A ledger of random commands on several days, of which some were undone or restored later, often
/// by the first command of a day; sometimes the clock is ahead, which is corrected at once.
struct UndoneSteps {
  /// A command: the ids of its events, without a new day, and the command that it undid.
  private struct Step {
    let ids: [String]
    let target: Int?
    var isUndone = false
  }

  let folder: TemporaryLedger
  /// The ids of the events that don't count: what was undone, and the undos.
  private(set) var undone: Set<String> = []
  private var steps: [Step] = []
  private var events: [Event] = []

  init(_ random: inout SeededRandom) throws {
    folder = try TemporaryLedger(running: "init", now: "2025-04-01T07:00:00+02:00")
    folder.run("define noalc --jokers 2/1")
    events = try stored()

    var day = 1
    for _ in 0..<14 {
      day += random.below(3)
      if random.chance(15) {
        setClock(to: day + 2 + random.below(5))
        for _ in 0...random.below(2) { try add(command(&random)) }
        setClock(to: day)
        try add("day --correct")
      }

      setClock(to: day)
      if random.chance(35), let target = target(&random) {
        try undo(target)
      } else {
        try add(command(&random))
      }
    }
  }

  private func setClock(to day: Int) {
    let date = day <= 30 ? "04-\(day < 10 ? "0" : "")\(day)" : "05-0\(day - 30)"
    folder.now = "2025-\(date)T12:00:00+02:00"
  }

  private func command(_ random: inout SeededRandom) -> String {
    let level = ["steady", "steady", "easy", "wild"][random.below(4)]
    let on = ["", "", " --on yesterday"][random.below(3)]
    switch random.below(8) {
    case 0: return "excuse yesterday"
    case 1: return "excuse today"
    case 2: return "day"
    default: return "log noalc \(level)\(on)"
    }
  }

  /// Returns the index of a step to undo: a command, or the undo of one.
  private func target(_ random: inout SeededRandom) -> Int? {
    let open = steps.indices.filter { index in
      let step = steps[index]
      let isOfCommand = step.target.map { steps[$0].target == nil } ?? true
      return !step.isUndone && !step.ids.isEmpty && isOfCommand
    }
    return open.randomElement(using: &random)
  }

  private mutating func add(_ command: String) throws {
    folder.run(TemporaryLedger.words(command))
    steps.append(Step(ids: try newIDs(), target: nil))
  }

  private mutating func undo(_ target: Int) throws {
    guard folder.run(["undo", steps[target].ids[0]]).status == .done else { return }
    let ids = try newIDs()
    steps[target].isUndone = true
    steps.append(Step(ids: ids, target: target))

    undone.formUnion(steps[target].ids + ids)
    if let restored = steps[target].target {
      undone.subtract(steps[restored].ids)
      steps[restored].isUndone = false
    }
  }

  /// Returns the ids of the events that the last command appended, without a new day.
  private mutating func newIDs() throws -> [String] {
    let all = try stored()
    let new = all.dropFirst(events.count)
    events = all
    return new.filter { !$0.payload.staysTrue }.map(\.id)
  }

  private func stored() throws -> [Event] {
    try folder.bytes().split(separator: 10).map { try EventDecoder.event(Array($0)) }
  }

  /// Returns the first position of the step that contains `position`.
  func start(ofStepAt position: Int) -> Int {
    var start = position
    while start > 1, events[start - 2].more { start -= 1 }
    return start
  }

  /// Returns the value of `field` after the first `position` events, without the undone ones, and
  /// with the corrections of the day at the start.
  func value(of field: StateField, at position: Int) -> String {
    var ledger = Ledger()
    var correction = events[0]
    correction.id = "correction"
    correction.payload = .dayCorrected(
      to: correction.day, moved: events.flatMap(\.payload.moved), reason: nil)
    for event in [correction] + events.prefix(position) {
      if !undone.contains(event.id) { ledger.apply(event) }
      if !event.more { ledger.settle() }
    }
    ledger.settle()
    return (field.value(in: ledger) ?? .null).description
  }
}
