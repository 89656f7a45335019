import Dispatch
import StreakDomain
import Synchronization

/// Who of those that wait is served next: each login in turn, and none with more than half of what there is.
///
/// It is decided when one comes and when one is done, so that a worker only takes what has begun. What a request
/// weighs is known once a worker has looked; where there is no room for it, it waits on, in its old place.
package final class Turns<Item: Sendable>: Sendable {
  /// An item whose turn it is, until it is done.
  package struct Turn: Sendable {
    package let item: Item
    package let login: String
    /// How many came before it.
    fileprivate let number: Int
    /// How many bytes it takes while it waits.
    fileprivate let size: Int
    fileprivate var weight: RequestMemory?
    /// What it was given of the memory, but for its ledger; nil before it was weighed.
    fileprivate var charge: Int?
  }

  fileprivate struct Login {
    var waiting: [Turn] = []
    var waitingBytes = 0
    var running = 0
    /// How many of those were weighed, and what they and their ledger were given.
    var weighed = 0
    var memory = 0
    var ledger = 0
  }

  private struct State {
    var logins: [String: Login] = [:]
    /// The logins of which somebody waits, the next one first.
    var order: [String] = []
    var begun: [Turn] = []
    var entered = 0
    var running = 0
    var memory = 0
    var waitingBytes = 0
    var isEnded = false

    /// Whether nobody waits, and nobody will.
    var isOver: Bool { isEnded && order.isEmpty && begun.isEmpty }
  }

  private let workers: Int
  private let memory: Int
  private let room: Int
  private let state = Mutex(State())
  /// Signalled once for each that begins, and once it is over.
  private let signal = DispatchSemaphore(value: 0)

  /// Turns for so many workers with so much memory; those that wait take `room` bytes at most.
  package init(workers: Int, memory: Int, room: Int) {
    (self.workers, self.memory, self.room) = (workers, memory, room)
  }

  /// How many run, how much memory they were given, and how many wait.
  package var load: (running: Int, memory: Int, waiting: Int) {
    state.withLock { ($0.running, $0.memory, $0.logins.values.reduce(0) { $0 + $1.waiting.count }) }
  }

  /// Lets one more wait, which takes so many bytes meanwhile; false where as many wait as may, half of them of its
  /// login.
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

  /// Waits for one that has begun; nil once `end` was called and none is left.
  package func next() -> Turn? {
    while true {
      signal.wait()
      let (turn, isOver) = state.withLock { state in
        (state.begun.isEmpty ? nil : state.begun.removeFirst(), state.isOver)
      }
      if let turn { return turn }
      guard isOver else { continue }
      // So that the next worker hears of it, too.
      signal.signal()
      return nil
    }
  }

  /// Gives a turn the memory that it needs; false where there is too little now, and it was put back to wait.
  package func weigh(_ turn: inout Turn, _ weight: () -> RequestMemory) -> Bool {
    if turn.charge != nil { return true }
    var own = turn
    own.weight = weight()
    let weighed = own
    turn = changing { state in
      var turn = weighed
      guard var login = state.logins[turn.login] else { return turn }
      let later = login.waiting.firstIndex { $0.number > turn.number } ?? login.waiting.count
      // What came before it in its login, and was put back, goes first.
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

  /// Lets others begin in the place of one that ran.
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
      // Nobody uses the ledger any more.
      if login.weighed == 0 { (login.memory, login.ledger) = (0, 0) }
      state.memory += login.memory
      state.logins[turn.login] = login.running == 0 && login.waiting.isEmpty ? nil : login
    }
  }

  /// Lets the workers end once nobody waits; nobody may enter any more.
  package func end() { changing { $0.isEnded = true } }

  /// Changes the state, and lets begin who then may.
  private func changing<Result>(_ body: (inout State) -> Result) -> Result {
    let (result, count) = state.withLock { state in
      let (result, before) = (body(&state), state.begun.count)
      while state.running < workers, let name = next(in: state) { begin(name, &state) }
      return (result, state.begun.count - before + (state.isOver ? 1 : 0))
    }
    for _ in 0..<count { signal.signal() }
    return result
  }

  /// The login whose turn it is; nil where none may begin.
  private func next(in state: State) -> String? {
    for name in state.order {
      guard let login = state.logins[name], let turn = login.waiting.first,
        login.running < max(1, workers / 2)
      else { continue }
      guard turn.weight != nil else { return name }
      guard let charge = charge(turn, of: login) else { continue }
      // Who comes behind it does not take what it waits for.
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

  /// What a turn takes of the memory; nil where that is more than its login may have, or it was not weighed.
  ///
  /// One that is more than half by itself is let in where its login has nothing else, and counts for half.
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
