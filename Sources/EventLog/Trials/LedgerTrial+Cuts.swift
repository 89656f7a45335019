import StreakDomain

extension LedgerTrial {
  /// An event's line, and the batch it belongs to.
  private struct Line {
    let id: String
    /// The offset after its newline.
    let end: Int
    /// Whether no later line belongs to its batch.
    let endsBatch: Bool
  }

  /// At most so many bytes are read for appending, which takes every event in full, so that it takes seconds.
  private static let budget = 64 << 20

  /// Cuts each segment off at every byte of its end: what is left must be read as the batches before the cut, no more
  /// and no less, and an append after it must keep what was torn and glue nothing.
  ///
  /// A cut leaves what is before alone, so only the last batches are read each time: O(reach²).
  package mutating func cut() throws(LogError) {
    let total = segments.reduce(1) { $0 + $1.bytes.count }
    let step = max(1, reach / max(2, min(32, LedgerTrial.budget / total / segments.count)))
    let head = try head
    for segment in segments {
      let lines = try lines(of: segment)
      let first = max(0, segment.bytes.count - reach)
      let whole = lines.prefix { $0.end <= first }
      let start = whole.last { $0.endsBatch }?.end ?? 0
      let rest = lines.filter { $0.end > start }
      let disk = disk([(segment.name, Array(segment.bytes[start...]))])
      for place in stride(from: segment.bytes.count, through: first, by: -1) {
        disk.truncate(LedgerTrial.path(segment.name), to: place - start)
        cuts += 1
        check(disk, expected(rest, cutAt: place), cutAt: place, of: segment.name)
      }
      for place in stride(from: segment.bytes.count, through: first, by: -step) {
        appends += 1
        checkAppend(after: place, of: segment, lines, head)
      }
    }
  }

  private func lines(of segment: (name: String, bytes: [UInt8])) throws(LogError) -> [Line] {
    var lines: [Line] = []
    var starts: [Int] = []
    let stream = try LedgerTrial.stream(on: disk([segment]), wantsEvents: true)
    try LedgerTrial.each(stream) { item, names in
      starts.append(item.offset)
      lines.append(Line(id: item.id.text(names), end: 0, endsBatch: item.event?.more == nil))
    }
    starts.append(stream.size)
    return lines.indices.map { index in
      Line(id: lines[index].id, end: starts[index + 1], endsBatch: lines[index].endsBatch)
    }
  }

  /// The lines of the batches that are whole before a cut; the last newline may be missing.
  private func expected(_ lines: [Line], cutAt place: Int) -> ArraySlice<Line> {
    let last = lines.lastIndex { $0.endsBatch && $0.end - 1 <= place }
    return lines.prefix(last.map { $0 + 1 } ?? 0)
  }

  /// Reads what is left.
  private mutating func check(
    _ disk: MemoryDisk, _ expected: ArraySlice<Line>, cutAt place: Int, of segment: String
  ) {
    var count = 0
    var isSame = true
    do throws(LogError) {
      try LedgerTrial.each(LedgerTrial.stream(on: disk)) { item, names in
        isSame = isSame && count < expected.count && expected[count].id == item.id.text(names)
        count += 1
      }
    } catch {
      failures.append("\(segment) cut at byte \(place): \(error.message)")
      return
    }
    if !isSame || count != expected.count {
      failures.append(
        "\(segment) cut at byte \(place): \(count) events are read where \(expected.count) are complete")
    }
  }

  private mutating func checkAppend(
    after place: Int, of segment: (name: String, bytes: [UInt8]), _ lines: [Line],
    _ head: (newest: Instant, zone: String)
  ) {
    let path = LedgerTrial.path(segment.name)
    let disk = disk()
    disk.truncate(path, to: place)
    let expected = expected(lines, cutAt: place)
    do throws(LogError) {
      let added = try append(
        to: segment.name, on: disk, head,
        isEmpty: expected.isEmpty
          && segments.allSatisfy { $0.name.spelling == segment.name.spelling || $0.bytes.isEmpty })
      var ids: [String] = []
      let own = MemoryDisk([path.spelling: disk.contents[path.spelling] ?? []])
      try LedgerTrial.each(LedgerTrial.stream(on: own)) { item, names in ids.append(item.id.text(names)) }
      let end = expected.last?.end ?? 0
      let torn = end > place ? [] : Array(segment.bytes[end..<place])
      let kept = disk.contents["\(LedgerTrial.folder)/\(segment.name).torn-\(end)".spelling] ?? []
      if ids != expected.map(\.id) + added || kept != torn {
        failures.append(
          "\(segment.name) cut at byte \(place): an append after it is not read back as written")
      }
    } catch {
      failures.append("\(segment.name) cut at byte \(place), then appended: \(error.message)")
    }
  }

  /// When the newest event was recorded, and the zone of the last.
  private var head: (newest: Instant, zone: String) {
    get throws(LogError) {
      var head = (newest: Instant(microseconds: 0), zone: "UTC")
      try LedgerTrial.each(LedgerTrial.stream(on: disk(), wantsEvents: true)) { item, _ in
        head = (max(head.newest, item.recorded), item.event?.zone ?? head.zone)
      }
      return head
    }
  }

  /// Appends as every command does; returns the ids of what was written.
  private mutating func append(
    to segment: String, on disk: MemoryDisk, _ head: (newest: Instant, zone: String), isEmpty: Bool
  ) throws(LogError) -> [String] {
    let log = try OpenLog(
      folder: LedgerTrial.folder, writer: segment, wait: 0, makesFolder: isEmpty, on: disk)
    var options = AppendOptions(now: head.newest + 1, machineZone: head.zone)
    // What is cut off here was seen by others, and is given up.
    options.isForced = true
    options.reading.disk = disk
    let payload: Payload = isEmpty ? .ledgerOpened(owner: nil) : .expectationStated(expects: "xp >= 0")
    let decision = try Appender.decide(
      [Draft(payload, zone: nil)], stream: LedgerTrial.stream(on: disk, wantsEvents: true),
      writer: segment, options: options, random: random)
    // Each append draws ids of its own.
    _ = random.next()
    try log.write(decision)
    return decision.ids
  }
}
