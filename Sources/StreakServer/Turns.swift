import Dispatch
import StreakDomain
import Synchronization

/// The order of waiting requests: logins take turns, and none gets more than half of the workers and memory.
///
/// The memory that an item needs is known only after a worker has measured it. If there isn't enough, the
/// item waits again in its old place.
package final class Turns<Item: Sendable>: Sendable {
  package struct Turn: Sendable {
    package let item: Item
    package let login: String
    fileprivate let number: Int
    fileprivate let size: Int
    fileprivate var weight: RequestMemory?
    /// The memory reserved for the item without that of its ledger, or `nil` until it is weighed.
    fileprivate var charge: Int?
  }

  fileprivate struct Login {
    var waiting: [Turn] = []
    var waitingBytes = 0
    var running = 0
    /// The number of running items that have been weighed, and the memory reserved for them and their ledger.
    var weighed = 0
    var memory = 0
    var ledger = 0
  }

  private struct State {
    var logins: [String: Login] = [:]
    var order: [String] = []
    var begun: [Turn] = []
    var entered = 0
    var running = 0
    var memory = 0
    var waitingBytes = 0
    var isEnded = false

    var isOver: Bool { isEnded && order.isEmpty && begun.isEmpty }
  }

  private let workers: Int
  private let memory: Int
  private let room: Int
  private let state = Mutex(State())
  /// Signaled once for each item that begins, and once at the end.
  private let signal = DispatchSemaphore(value: 0)

  /// Creates turns for `workers` workers and `memory` bytes; waiting items may take at most `room` bytes.
  package init(workers: Int, memory: Int, room: Int) {
    (self.workers, self.memory, self.room) = (workers, memory, room)
  }

  /// The number of running items, the memory reserved for them, and the number of waiting items.
  package var load: (running: Int, memory: Int, waiting: Int) {
    state.withLock { ($0.running, $0.memory, $0.logins.values.reduce(0) { $0 + $1.waiting.count }) }
  }

  /// Adds a waiting item of `bytes` bytes; returns false if too much is waiting, in total or for its login.
  package func enter(_ item: Item, of name: String, bytes: Int) -> Bool {
    changing { state in
      var login = state.logins[name] ?? Login()
      guard login.waitingBytes + bytes <= room / 2, state.waitingBytes + bytes <= room else { return false }
      if login.waiting.isEmpty { state.order.append(name) }
      login.waiting.append(Turn(item: item, login: name, number: state.entered, size: bytes))
      state.entered += 1
      login.waitingBytes += bytes
      state.waitingBytes += bytes
      state.logins[name] = login
      return true
    }
  }

  /// Waits for an item that has begun; returns `nil` if none is left after `end`.
  package func next() -> Turn? {
    while true {
      signal.wait()
      let (turn, isOver) = state.withLock { state in
        (state.begun.isEmpty ? nil : state.begun.removeFirst(), state.isOver)
      }
      if let turn { return turn }
      guard isOver else { continue }
      // Wakes the next worker, which also must end.
      signal.signal()
      return nil
    }
  }

  /// Reserves the memory that a turn needs; if there isn't enough now, makes it wait again and returns false.
  package func weigh(_ turn: inout Turn, _ weight: () -> RequestMemory) -> Bool {
    if turn.charge != nil { return true }
    var own = turn
    own.weight = weight()
    let weighed = own
    turn = changing { state in
      var turn = weighed
      guard var login = state.logins[turn.login] else { return turn }
      let later = login.waiting.firstIndex { $0.number > turn.number } ?? login.waiting.count
      // An earlier item of the login that waits again goes first.
      if later == 0, let charge = charge(turn, of: login),
        state.memory + charge.own + charge.ledger <= memory
      {
        login.take(charge, for: &turn)
        state.memory += charge.own + charge.ledger
      } else {
        login.running -= 1
        state.running -= 1
        login.waiting.insert(turn, at: later)
        login.waitingBytes += turn.size
        state.waitingBytes += turn.size
        state.order = [turn.login] + state.order.filter { $0 != turn.login }
      }
      state.logins[turn.login] = login
      return turn
    }
    return turn.charge != nil
  }

  package func done(_ turn: Turn) {
    changing { state in
      guard var login = state.logins[turn.login] else { return }
      state.memory -= login.memory
      login.running -= 1
      state.running -= 1
      if let charge = turn.charge {
        login.memory -= charge
        login.weighed -= 1
      }
      if login.weighed == 0 { (login.memory, login.ledger) = (0, 0) }
      state.memory += login.memory
      state.logins[turn.login] = login.running == 0 && login.waiting.isEmpty ? nil : login
    }
  }

  package func end() { changing { $0.isEnded = true } }

  private func changing<Result>(_ body: (inout State) -> Result) -> Result {
    let (result, count) = state.withLock { state in
      let (result, before) = (body(&state), state.begun.count)
      while state.running < workers, let name = next(in: state) { begin(name, &state) }
      return (result, state.begun.count - before + (state.isOver ? 1 : 0))
    }
    for _ in 0..<count { signal.signal() }
    return result
  }

  private func next(in state: State) -> String? {
    for name in state.order {
      guard let login = state.logins[name], let turn = login.waiting.first,
        login.running < max(1, workers / 2)
      else { continue }
      guard turn.weight != nil else { return name }
      guard let charge = charge(turn, of: login) else { continue }
      // If memory is short, later items must not take it, so that this one is not starved.
      return state.memory + charge.own + charge.ledger <= memory ? name : nil
    }
    return nil
  }

  private func begin(_ name: String, _ state: inout State) {
    guard var login = state.logins[name] else { return }
    var turn = login.waiting.removeFirst()
    login.waitingBytes -= turn.size
    state.waitingBytes -= turn.size
    if let charge = charge(turn, of: login) {
      login.take(charge, for: &turn)
      state.memory += charge.own + charge.ledger
    }
    login.running += 1
    state.running += 1
    state.begun.append(turn)
    state.order.removeAll { $0 == name }
    if !login.waiting.isEmpty { state.order.append(name) }
    state.logins[name] = login
  }

  /// Returns the memory to reserve for a turn; `nil` if it isn't weighed or its login would exceed its half.
  ///
  /// An item that needs more than half may run if its login has no other, and counts as half.
  private func charge(_ turn: Turn, of login: Login) -> RequestMemory? {
    guard let weight = turn.weight else { return nil }
    let (most, ledger) = (memory / 2, max(0, weight.ledger - login.ledger))
    guard login.weighed > 0 else {
      return RequestMemory(own: min(weight.own, most), ledger: min(ledger, most - min(weight.own, most)))
    }
    return login.memory + weight.own + ledger <= most ? RequestMemory(own: weight.own, ledger: ledger) : nil
  }
}

extension Turns.Login {
  fileprivate mutating func take(_ charge: RequestMemory, for turn: inout Turns.Turn) {
    turn.charge = charge.own
    weighed += 1
    memory += charge.own + charge.ledger
    ledger += charge.ledger
  }
}
