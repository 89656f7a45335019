import CommandFixtures
import DomainFixtures
import EventLog
import StreakDomain

extension Simulation {
  /// The observations of another process between two calls of a writer.
  struct Onlooker {
    fileprivate var seen: [String] = []
    fileprivate var reader: EventStream?
    fileprivate var refused: (writer: String, batch: Int)?
    var violation: (any Error)?

    mutating func forget() {
      seen = []
      reader = nil
    }
  }

  func look(on writer: String) {
    onlooker = Onlooker()
    let call = disk.calls + 1 + random.below(40)
    let isWriter = random.chance(30)
    disk.onCall = { [unowned self] _ in
      guard disk.calls == call, onlooker.violation == nil else { return }
      do {
        if isWriter { try comeBetween(writer == "a" ? "b" : "a") } else { try lookIn() }
      } catch { onlooker.violation = error }
    }
  }

  private func lookIn() throws {
    onlooker.seen = try ids()
    try check(onlooker.seen)
    if random.chance(50) { onlooker.reader = try stream() }
  }

  /// Tries to write, which must be refused exactly while another process has the lock.
  private func comeBetween(_ writer: String) throws {
    let isHeld = disk.isLocked("events/.lock")
    let batch = addBatch()
    switch (isHeld, try append(drafts(of: batch), writer)?.kind) {
    case (true, .busy?):
      tally.busy += 1
      onlooker.refused = (writer, batch)
    case (false, nil): batches[batch].isRecorded = true
    case (_, let error):
      throw Violation(
        description:
          "the lock is \(isHeld ? "held" : "free"), and \(writer) is told \("\(error as Any)")")
    }
  }

  /// Checks that what was seen during the step is a prefix now, and that the refused writer can
  /// write.
  func finishLooking() throws {
    if let violation = onlooker.violation { throw violation }
    if !onlooker.seen.isEmpty, !(try ids().starts(with: onlooker.seen)) {
      throw Violation(
        description: "a reader saw in between what was not there before or is not there after")
    }
    if let reader = onlooker.reader {
      tally.slowReaders += 1
      let read = try ids(reader)
      guard read == onlooker.seen else {
        throw Violation(
          description: "a slow reader saw \(read.count) events instead of \(onlooker.seen.count)")
      }
    }
    if let (writer, batch) = onlooker.refused {
      guard try append(drafts(of: batch), writer) == nil else {
        throw Violation(description: "\(writer) is refused when nobody writes")
      }
      batches[batch].isRecorded = true
    }
  }

  private func stream() throws -> EventStream {
    var options = ReadingOptions()
    options.disk = disk
    return try EventStream(folder: "events", options: options)
  }

  func ids(_ opened: EventStream? = nil) throws -> [String] {
    var stream = try opened ?? stream()
    var names = SymbolTable()
    var item = StreamItem()
    var ids: [String] = []
    while try stream.next(&item, names: &names) { ids.append(item.id.text(names)) }
    return ids
  }
}

/// The torn end of a segment before an append, and what was set aside from there before.
struct TornEnd {
  private let segment: String
  private let name: String
  private let offset: Int
  private let bytes: [UInt8]
  private let kept: [UInt8]

  init(_ writer: String, at offset: Int, on disk: SimulatedDisk) {
    let files = disk.contents(of: "events")
    segment = "\(writer).jsonl"
    name = "\(writer).torn-\(offset)"
    self.offset = offset
    bytes = Array((files[segment] ?? []).dropFirst(offset))
    kept = files[name] ?? []
  }

  /// Returns the file that must exist by now, or `nil` if the torn end is still in place.
  ///
  /// A crash may interrupt setting bytes aside. It is continued later, so the file may already
  /// begin with these bytes.
  func putAside(isWritten: Bool, on disk: SimulatedDisk) throws -> (name: String, bytes: [UInt8])? {
    let files = disk.contents(of: "events")
    if !isWritten, Array((files[segment] ?? []).dropFirst(offset)) == bytes { return nil }
    let wanted = bytes.starts(with: kept) ? bytes : kept + bytes
    guard files[name] == wanted else {
      throw Simulation.Violation(
        description:
          "\(name) has \(files[name]?.count ?? 0) bytes that are not the \(wanted.count) torn ones"
      )
    }
    return (name, wanted)
  }
}
