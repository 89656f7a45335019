import CommandFixtures
import DomainFixtures
import EventLog
import StreakDomain

extension Simulation {
  func redact(_ writer: String) throws {
    let recorded = batches.filter(\.isRecorded).flatMap(\.ids)
    let bytes = disk.contents(of: "events")["\(writer).jsonl"] ?? []
    let own = recorded.filter { BytePattern(note(of: $0)).first(in: bytes) != nil }
    guard !own.isEmpty else { return }
    let id = own[random.below(own.count)]
    var options = AppendOptions(now: now, machineZone: "Europe/Berlin")
    options.reading.disk = disk
    do {
      // The entry may be in an incomplete batch, which the next append sets aside, and be recorded
      // by the other writer.
      if try disk.redact(id, of: writer, options, seed: random.next()) {
        tally.redactions += 1
        redacted[id, default: []].insert(writer)
        let holders = holders(of: id).filter { $0.hasPrefix("\(writer).") }
        guard holders.isEmpty else {
          throw Violation(description: "\(holders) still have the note of \(id)")
        }
      }
    } catch let error as Failure {
      switch error.kind {
      case .outcomeUnknown: tally.unknown += 1
      case .system, .vanished, .notWritten, .busy: tally.refused += 1
      default: throw Violation(description: "redact: \(error)")
      }
    }
    // Set-aside files are overwritten, because they may contain part of the text.
    aside = aside.filter { !$0.key.hasPrefix("\(writer).torn-") }
  }

  func checkRedactions() throws {
    for (id, writers) in redacted {
      let segments = holders(of: id).filter { name in writers.contains { name == "\($0).jsonl" } }
      if !segments.isEmpty {
        throw Violation(description: "\(segments) have the note of \(id) again")
      }
    }
  }

  private func holders(of id: String) -> [String] {
    let note = BytePattern(note(of: id))
    return disk.contents(of: "events").filter { note.first(in: $0.value) != nil }.keys.sorted()
  }

  private func note(of id: String) -> String { "\"note\":\"\(id) " }
}

extension SimulatedDisk {
  @discardableResult
  func redact(_ id: String, of writer: String, _ options: AppendOptions, seed: UInt64) throws
    -> Bool
  {
    let log = try LogWriter(folder: "events", writer: writer, wait: 0, makesFolder: false, on: self)
    let stream = try EventStream(folder: "events", options: options.reading)
    var drafts: [Draft] = []
    var extents: [Range<Int>] = []
    try stream.eachLine(of: Text(writer)) { line in
      for text in line.id == id ? RedactableTexts(line.bytes).texts : [] where !text.content.isEmpty
      {
        extents.append(line.offset + text.extent.lowerBound..<line.offset + text.extent.upperBound)
        drafts.append(Draft(.eventRedacted(event: id, fields: [text.field], reason: nil)))
      }
    }
    _ = try log.append(
      Drafts(drafts, removing: extents), to: FoldedLog(stream, writer: writer), if: options,
      random: SeededRandom(seed: seed))
    return !drafts.isEmpty
  }
}
