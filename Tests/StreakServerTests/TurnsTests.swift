import DomainFixtures
import StreakServer
import Testing

struct TurnsTests {
  private func take(_ turns: Turns<Int>, _ held: inout [Turns<Int>.Turn]) {
    while turns.load.running > held.count, let turn = turns.next() { held.append(turn) }
  }

  @Test func `a login that asks for more than half leaves the other half to others`() {
    let turns = Turns<Int>(workers: 4, memory: 100, room: 1000)
    var held: [Turns<Int>.Turn] = []
    for number in 0..<20 { #expect(turns.enter(number, of: "ana", bytes: 1)) }
    take(turns, &held)
    #expect(held.map(\.item) == [0, 1])
    for number in 20..<23 { #expect(turns.enter(number, of: "ben", bytes: 1)) }
    #expect(turns.enter(30, of: "cleo", bytes: 1))
    take(turns, &held)
    #expect(held.map(\.item) == [0, 1, 20, 21])
    turns.done(held.removeFirst())
    take(turns, &held)
    turns.done(held.removeFirst())
    take(turns, &held)
    #expect(held.map(\.item) == [20, 21, 2, 30])
    turns.done(held.removeFirst())
    take(turns, &held)
    #expect(held.map(\.item) == [21, 2, 30, 22])
  }

  @Test func `a login's queue is half of all that may wait`() {
    let turns = Turns<Int>(workers: 1, memory: 100, room: 100)
    #expect(turns.enter(0, of: "ana", bytes: 1))
    for number in 1...5 { #expect(turns.enter(number, of: "ana", bytes: 10)) }
    #expect(!turns.enter(6, of: "ana", bytes: 10))
    #expect(turns.enter(7, of: "ben", bytes: 50))
    #expect(!turns.enter(8, of: "cleo", bytes: 1))
    #expect(turns.load.waiting == 6)
  }

  @Test func `a login's ledger is counted once, and what is too large by itself runs alone`() throws {
    let turns = Turns<Int>(workers: 8, memory: 100, room: 1000)
    var held: [Turns<Int>.Turn] = []
    for number in 0..<4 { #expect(turns.enter(number, of: "ana", bytes: 1)) }
    take(turns, &held)
    for place in 0..<3 { #expect(turns.weigh(&held[place]) { RequestMemory(own: 10, ledger: 20) }) }
    #expect(turns.load.memory == 50)
    #expect(!turns.weigh(&held[3]) { RequestMemory(own: 10, ledger: 20) })
    held.removeLast()
    #expect(turns.load.waiting == 1 && turns.load.running == 3)
    turns.done(held.removeFirst())
    take(turns, &held)
    #expect(held.last?.item == 3 && turns.load.memory == 50)
    for turn in held { turns.done(turn) }
    #expect(turns.load.memory == 0)
    for login in ["ana", "ben", "cleo"] { #expect(turns.enter(9, of: login, bytes: 1)) }
    held = []
    take(turns, &held)
    #expect(turns.weigh(&held[0]) { RequestMemory(own: 500, ledger: 500) })
    #expect(turns.weigh(&held[1]) { RequestMemory(own: 500, ledger: 500) })
    #expect(!turns.weigh(&held[2]) { RequestMemory(own: 1, ledger: 1) })
    #expect(turns.load.memory == 100)
    turns.done(held[0])
    #expect(turns.next()?.item == 9 && turns.load.memory == 52)
  }

  private struct Known {
    var weights: [Int: RequestMemory] = [:]
    var logins: [Int: String] = [:]
    var begun: [String: [Int]] = [:]
    var entered: [String: [Int]] = [:]
  }

  @Test(arguments: Cases.seeds(120))
  func `whoever comes and whatever it weighs, all are served in order, and the bounds hold`(seed: UInt64)
    throws
  {
    var random = SeededRandom(seed: seed)
    let (workers, memory) = (1 + random.below(8), 2 * (1 + random.below(200)))
    let turns = Turns<Int>(workers: workers, memory: memory, room: 400)
    var known = Known()
    var held: [Turns<Int>.Turn] = []
    var number = 0
    func serve() throws {
      while turns.load.running > held.count, var turn = turns.next() {
        let weight = known.weights[turn.item] ?? RequestMemory(own: 0, ledger: 0)
        guard turns.weigh(&turn, { weight }) else { continue }
        held.append(turn)
        known.begun[turn.login, default: []].append(turn.item)
        try check()
      }
    }
    func check() throws {
      let load = turns.load
      try #require(load.running <= workers && load.memory <= memory && load.memory >= 0, "seed \(seed)")
      for login in Set(held.map(\.login)) {
        let own = held.filter { $0.login == login }
        try #require(own.count <= max(1, workers / 2), "seed \(seed)")
        let sum = own.reduce(0) { $0 + (known.weights[$1.item]?.own ?? 0) }
        try #require(own.count == 1 || sum <= memory / 2, "seed \(seed)")
      }
      // A worker may be idle only while no item can begin.
      if load.waiting > 0, held.isEmpty { throw TurnsTests.Stuck() }
    }
    for _ in 0..<200 {
      if random.chance(55) {
        let login = ["ana", "ben", "cleo", "dora"][min(random.below(4), random.below(4))]
        known.weights[number] = RequestMemory(own: 1 + random.below(memory), ledger: random.below(memory))
        if turns.enter(number, of: login, bytes: 1 + random.below(20)) {
          known.entered[login, default: []].append(number)
        }
        number += 1
      } else if !held.isEmpty {
        turns.done(held.remove(at: random.below(held.count)))
      }
      try serve()
      try check()
    }
    turns.end()
    while !held.isEmpty {
      turns.done(held.removeFirst())
      try serve()
    }
    #expect(known.begun == known.entered, "seed \(seed)")
    #expect(turns.load == (0, 0, 0), "seed \(seed)")
    #expect(turns.next() == nil, "seed \(seed)")
  }

  private struct Stuck: Error {}
}
