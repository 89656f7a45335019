import Dispatch
import StreakDomain
import Synchronization

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#else
  import Darwin
#endif

/// The source of decoded pieces, which other cores may decode ahead.
///
/// A reader decodes a piece itself if no other core has begun it; while another core decodes the piece, the
/// reader decodes a later one. The order of events and errors is that of a single pass.
final class PieceSource {
  let options: ReadingOptions
  private var own = PieceReader()
  private var crew: Crew?

  init(_ options: ReadingOptions) { self.options = options }

  deinit { crew?.stop() }

  /// Starts decoding on other cores, unless pieces depend on earlier ones, as with `--salvage`.
  func begin(_ readers: [SegmentReader]) {
    guard !options.salvage, !options.skipUnknown, crew == nil else { return }
    let cores = sysconf(Int32(_SC_NPROCESSORS_ONLN))
    guard cores > 1 || options.readAheadFrom == 0 else { return }
    let options = options
    let crew = Crew(readers.map { reader in (reader.pieceCount, { reader.job($0, options) }) })
    self.crew = crew
    for _ in 0..<min(max(1, cores - 1), 7) {
      DispatchQueue.global(qos: .userInitiated).async { crew.work() }
    }
  }

  /// Continues without other cores, because the lines appended later are few.
  func end() {
    crew?.stop()
    crew = nil
  }

  func take(_ job: PieceReader.Job, _ number: Int, of segment: Int, into piece: inout Piece) {
    guard let crew else { return own.read(job, into: &piece) }
    crew.take(number, of: segment, &own, into: &piece)
  }
}

/// The pieces of several segments, decoded by several cores up to a limited distance ahead.
private final class Crew: Sendable {
  fileprivate static let depth = 6

  private let jobs: [@Sendable (Int) -> PieceReader.Job]
  private let state: Mutex<State>
  private let room = DispatchSemaphore(value: 0)
  private let filled = DispatchSemaphore(value: 0)

  fileprivate struct State: Sendable {
    var queues: [Queue]
    var spare: [Piece] = []
    var awaited: Int?
    var isStopped = false
  }

  fileprivate struct Queue: Sendable {
    let count: Int
    /// The first piece that no core has begun.
    var next = 0
    var taken = 0
    /// The decoded pieces by number, and whether another core decoded them.
    var ready: [Int: (piece: Piece, isAhead: Bool)] = [:]
  }

  fileprivate enum Step {
    case take(Piece, isAhead: Bool)
    case decode(Int)
    case wait
  }

  init(_ segments: [(count: Int, job: @Sendable (Int) -> PieceReader.Job)]) {
    jobs = segments.map(\.job)
    state = Mutex(State(queues: segments.map { Queue(count: $0.count) }))
    for _ in 0..<Crew.depth { room.signal() }
  }

  func work() {
    var reader = PieceReader()
    while true {
      room.wait()
      let claim = state.withLock { $0.claim() }
      guard let claim else {
        room.signal()
        return
      }
      var piece = claim.blank
      reader.read(jobs[claim.segment](claim.number), into: &piece)
      put(piece, claim.number, of: claim.segment, isAhead: true)
    }
  }

  private func put(_ piece: consuming Piece, _ number: Int, of segment: Int, isAhead: Bool) {
    let isAwaited = state.withLock { [piece] state in
      state.queues[segment].ready[number] = (piece, isAhead)
      guard state.awaited == segment else { return false }
      state.awaited = nil
      return true
    }
    if isAwaited { filled.signal() }
  }

  func take(_ number: Int, of segment: Int, _ reader: inout PieceReader, into piece: inout Piece) {
    while true {
      switch state.withLock({ $0.step(to: number, of: segment) }) {
      case .take(let found, let isAhead):
        let emptied = piece
        piece = found
        state.withLock { [emptied] in $0.spare.append(emptied) }
        if isAhead { room.signal() }
        return
      case .decode(number):
        reader.read(jobs[segment](number), into: &piece)
        return state.withLock { $0.queues[segment].taken += 1 }
      case .decode(let later):
        var blank = state.withLock { $0.spare.popLast() } ?? Piece()
        reader.read(jobs[segment](later), into: &blank)
        put(blank, later, of: segment, isAhead: false)
      case .wait: filled.wait()
      }
    }
  }

  func stop() {
    state.withLock { $0.isStopped = true }
    room.signal()
  }
}

extension Crew.State {
  /// Claims the next piece to decode, from the segment with the fewest claimed pieces that wait for the
  /// reader.
  ///
  /// `blank` is the buffer to decode into. Returns `nil` if decoding is stopped or every piece is claimed.
  fileprivate mutating func claim() -> (segment: Int, number: Int, blank: Piece)? {
    guard !isStopped else { return nil }
    var chosen: Int?
    for (index, queue) in queues.enumerated() where queue.next < queue.count {
      if chosen.map({ queues[$0].ahead > queue.ahead }) ?? true { chosen = index }
    }
    guard let chosen else { return nil }
    queues[chosen].next += 1
    return (chosen, queues[chosen].next - 1, spare.popLast() ?? Piece())
  }

  fileprivate mutating func step(to number: Int, of segment: Int) -> Crew.Step {
    if let found = queues[segment].ready.removeValue(forKey: number) {
      queues[segment].taken += 1
      return .take(found.piece, isAhead: found.isAhead)
    }
    let queue = queues[segment]
    if queue.next == number || queue.next < queue.count && queue.ahead < Crew.depth {
      queues[segment].next += 1
      return .decode(queue.next)
    }
    awaited = segment
    return .wait
  }
}

extension Crew.Queue {
  fileprivate var ahead: Int { next - taken }
}
