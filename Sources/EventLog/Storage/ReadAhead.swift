import Dispatch
import StreakDomain
import Synchronization

/// A segment that is read and decoded on a second core, a few batches ahead of the fold.
///
/// Nothing is shared but the batches handed over: the second core keeps names of its own, those new in a batch come
/// with it, and each item's names are translated as it is taken. Items, order and errors are those of `SegmentReader`.
struct ReadAhead {
  private let handover: Handover
  private let guardian: Guardian
  private var batch = Batch()
  private var place = 0
  /// The reader's names as the taker knows them, by the reader's index.
  private var translation: [NameIndex] = []
  /// Lines read around, as far as batches were taken.
  private(set) var skipped: [SkippedLine] = []
  /// How far the reader had come with the batches taken.
  private(set) var progress = SegmentReader.Progress()

  init(_ segment: SegmentReader.Source, options: ReadingOptions) {
    let handover = Handover()
    self.handover = handover
    guardian = Guardian(handover)
    DispatchQueue.global(qos: .userInitiated).async { ReadAhead.read(segment, options, into: handover) }
  }

  /// Takes the next item; false at the end.
  mutating func next(_ item: inout StreamItem, names: inout Names) throws(LogError) -> Bool {
    while place >= batch.items.count {
      switch batch.end {
      case .ended: return false
      case .failed(let error): throw error
      case nil: take(&names)
      }
    }
    item = batch.items[place]
    place += 1
    translate(&item)
    return true
  }

  private mutating func take(_ names: inout Names) {
    batch = handover.exchange(batch)
    place = 0
    for name in batch.newNames { translation.append(names.intern(name)) }
    if !batch.skipped.isEmpty { skipped = batch.skipped }
    progress = batch.progress
  }

  @inline(__always)
  private func translate(_ item: inout StreamItem) {
    item.id = item.id.translated(by: translation)
    if item.boxed == nil { item.fact.translate(by: translation) }
  }

  private static func read(
    _ segment: SegmentReader.Source, _ options: ReadingOptions, into handover: Handover
  ) {
    var names = Names()
    var known = 0
    var reader: SegmentReader?
    while var batch = handover.blank() {
      do throws(LogError) {
        if reader == nil {
          reader = try reading { () throws(SystemError) in try SegmentReader(segment, on: options.disk) }
        }
        var item = StreamItem()
        while batch.items.count < Batch.size {
          guard try reader?.next(&item, names: &names, options: options) == true else {
            batch.end = .ended
            break
          }
          batch.items.append(item)
        }
      } catch {
        batch.end = .failed(error)
      }
      batch.newNames = (known..<names.count).map { names.text(NameIndex(UInt32($0))) }
      known = names.count
      batch.skipped = reader?.skipped ?? []
      batch.progress = reader?.progress ?? SegmentReader.Progress()
      let isLast = batch.end != nil
      handover.put(batch)
      if isLast { return }
    }
  }

  /// Tells the second core to stop when nobody takes any more.
  private final class Guardian {
    private let handover: Handover

    init(_ handover: Handover) {
      self.handover = handover
    }

    deinit {
      handover.stop()
    }
  }
}

/// Some items, handed over at once.
private struct Batch: Sendable {
  static let size = 1024

  var items: [StreamItem] = []
  /// Names that no batch before this one had, in the order of the reader's indexes.
  var newNames: [String] = []
  /// All the lines read around so far.
  var skipped: [SkippedLine] = []
  /// How far the reader has come with its last item.
  var progress = SegmentReader.Progress()
  /// What comes after the items; nil is another batch.
  var end: End?

  enum End: Sendable {
    case ended
    case failed(LogError)
  }
}

/// Where one core puts batches and the other takes them; at most `depth` are filled or being filled.
private final class Handover: Sendable {
  private static let depth = 4

  private let state = Mutex(State())
  private let filled = DispatchSemaphore(value: 0)
  private let free = DispatchSemaphore(value: 0)

  private struct State: Sendable {
    var ready: [Batch] = []
    /// Emptied batches, for the memory they own.
    var spare: [Batch] = []
    var isStopped = false
  }

  init() {
    for _ in 0..<Handover.depth { free.signal() }
  }

  /// Waits for a batch to fill; nil when nobody will take it.
  func blank() -> Batch? {
    free.wait()
    var batch: Batch? = state.withLock { state in
      state.isStopped ? nil : state.spare.popLast() ?? Batch()
    }
    batch?.items.removeAll(keepingCapacity: true)
    return batch
  }

  func put(_ batch: consuming Batch) {
    state.withLock { [batch] in $0.ready.append(batch) }
    filled.signal()
  }

  /// Gives an emptied batch back and waits for the next filled one.
  func exchange(_ emptied: consuming Batch) -> Batch {
    filled.wait()
    defer { free.signal() }
    return state.withLock { [emptied] state in
      if emptied.items.capacity > 0 { state.spare.append(emptied) }
      return state.ready.removeFirst()
    }
  }

  func stop() {
    state.withLock { $0.isStopped = true }
    free.signal()
  }
}
