package import StreakDomain

/// The lines of a batch before they are written; what is more than some memory takes waits in a file without a name.
package struct BatchLines: Sendable {
  /// The bytes that are not in the file yet.
  private var tail: [UInt8] = []
  /// How many bytes are in the file.
  private var spilt = 0
  private var file: File?
  /// Where each line ends, from the first byte of the batch.
  private var ends: [Int] = []
  /// Events that get their seal when they are written, each with its place.
  private(set) var dayChanges: [(place: Int, event: Event)] = []
  /// Where the rest goes; nil where all of it stays in memory.
  private var overflow: Overflow?
  private let disk: any Disk

  /// A place for what is more than `limit` bytes.
  package struct Overflow: Sendable {
    /// Of a file that must not be there; its name is taken away as soon as it is open.
    let path: String
    /// How many bytes stay in memory.
    package var limit = 1 << 20
    /// Whether the batch cannot do without, because it is to be written in the same folder.
    let isNeeded: Bool

    package init(path: String, isNeeded: Bool) {
      self.path = path
      self.isNeeded = isNeeded
    }
  }

  init(_ overflow: Overflow?, on disk: any Disk) {
    self.overflow = overflow
    self.disk = disk
  }

  package var count: Int { ends.count }
  package var isEmpty: Bool { ends.isEmpty }
  /// In bytes.
  var size: Int { spilt + tail.count }

  /// Adds the line of an event, with its newline.
  mutating func add(_ line: [UInt8], of event: Event) throws(SystemError) {
    if case .dayChanged = event.payload { dayChanges.append((count, event)) }
    tail += line
    ends.append(size)
    guard let overflow, tail.count >= overflow.limit else { return }
    do throws(SystemError) {
      if file == nil { file = try File.nameless(overflow.path, on: disk) }
      try file?.append(tail[...])
      spilt += tail.count
      tail.removeAll(keepingCapacity: true)
    } catch {
      guard !overflow.isNeeded else { throw error }
      self.overflow = nil
    }
  }

  /// Says of the last line that another command follows it; the line must be in memory.
  mutating func endCommand() {
    guard let last = ends.indices.last else { return }
    let start = range(of: last).lowerBound - spilt
    tail.replaceSubrange(start..., with: EventEncoder.line(tail[start...], more: .group))
    ends[last] = size
    if let change = dayChanges.indices.last, dayChanges[change].place == last {
      dayChanges[change].event.more = .group
    }
  }

  /// Takes the lines behind the first so many out again; they must be in memory.
  mutating func keep(first count: Int) {
    tail.removeLast(size - (count == 0 ? 0 : ends[count - 1]))
    ends.removeLast(ends.count - count)
    dayChanges.removeAll { $0.place >= count }
  }

  /// Where a line is, by its place in the batch, from 0.
  func range(of place: Int) -> Range<Int> { (place == 0 ? 0 : ends[place - 1])..<ends[place] }

  /// The bytes of a range.
  func bytes(_ range: Range<Int>) throws(SystemError) -> [UInt8] {
    var bytes: [UInt8] = []
    if range.lowerBound < spilt, let file {
      let part = range.lowerBound..<min(range.upperBound, spilt)
      bytes = try file.bytes(part)
      // Nobody else can have shortened it, so the disk has lost it.
      guard bytes.count == part.count else {
        throw SystemError(operation: "read all of", path: file.path, code: 0)
      }
    }
    if range.upperBound > spilt {
      bytes += tail[(max(range.lowerBound, spilt) - spilt)..<(range.upperBound - spilt)]
    }
    return bytes
  }

  /// The event of a line, by its place in the batch.
  func event(at place: Int) throws(Failure) -> Event {
    do throws(SystemError) { return try decoded(bytes(range(of: place)).dropLast()) } catch {
      throw .notWritten(error)
    }
  }

  /// Calls back with each event in order.
  package func each(_ body: (Event) -> Void) throws(Failure) {
    for place in ends.indices { body(try event(at: place)) }
  }

  private func decoded(_ line: ArraySlice<UInt8>) throws(SystemError) -> Event {
    do throws(Failure) { return try EventDecoder.event(Array(line)) } catch {
      throw SystemError(operation: "read back", path: file?.path ?? "the batch", code: 0)
    }
  }
}

extension File {
  /// A file that is gone when it is closed, whatever becomes of this process: its name is taken away at once.
  static func nameless(_ path: String, on disk: any Disk) throws(SystemError) -> File {
    // What a process that was killed between the two calls has left.
    do throws(SystemError) { try disk.remove(path) } catch  where error.isNotFound {}
    let file = try File(path, .create, on: disk)
    try disk.remove(path)
    return file
  }
}
