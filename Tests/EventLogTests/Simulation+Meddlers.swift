import CommandFixtures
import DomainFixtures
import EventLog
import StreakDomain

/// Programs without locks that interfere with an append: a sync tool, a checkout, a user who tidies
/// up.
extension Simulation {
  private enum Meddling: CaseIterable {
    case lockRemoved, lockReplaced
    /// The other writer comes too, because nothing seems to be locked.
    case lockRemovedForTwo, folderReplacedForTwo
    case segmentCopied, segmentSetBack, segmentRemoved
    /// Another machine's version of a segment, with one more batch.
    case segmentOfAnotherMachine
    case folderReplaced
  }

  func meddle(with writer: String) {
    onlooker = Onlooker()
    let call = disk.calls + 1 + random.below(60)
    let kind = Meddling.allCases[random.below(Meddling.allCases.count)]
    var isDue = true
    disk.onCall = { [unowned self] operation in
      // Vanishing just after an inspection cannot be told from vanishing a moment later.
      guard isDue, disk.calls >= call, operation != "inspect" else { return }
      isDue = false
      tally.meddlings += 1
      do {
        try meddle(kind, with: writer)
        try forgetWhatIsGone()
      } catch { onlooker.violation = error }
    }
  }

  private func meddle(_ kind: Meddling, with writer: String) throws {
    let other = writer == "a" ? "b" : "a"
    let segment = random.chance(70) ? writer : other
    let bytes = disk.contents(of: "events")["\(segment).jsonl"]
    func put(_ bytes: [UInt8]?) { disk.put(bytes, at: "events/\(segment).jsonl") }
    switch kind {
    case .lockRemoved: disk.put(nil, at: "events/.lock")
    case .lockReplaced: disk.put([], at: "events/.lock")
    case .lockRemovedForTwo:
      disk.put(nil, at: "events/.lock")
      try contest(by: random.chance(50) ? other : writer)
    case .folderReplacedForTwo:
      disk.replaceFolder("events")
      try contest(by: random.chance(50) ? other : writer)
    case .segmentCopied: if let bytes { put(bytes) }
    case .segmentSetBack: if let bytes { put(setBack(bytes)) }
    // Without the first writer's segment there would be no ledger.
    case .segmentRemoved: if segment == "b" { put(nil) }
    case .segmentOfAnotherMachine: if let bytes = try fromAnotherMachine(segment) { put(bytes) }
    case .folderReplaced: disk.replaceFolder("events")
    }
  }

  /// Lets another writer append the same ids with other contents; only one may be acknowledged.
  private func contest(by writer: String) throws {
    let batch = batches.count - 1
    batches[batch].isContested = true
    switch try append(drafts(of: batch, filler: "other"), writer)?.kind {
    case nil:
      batches[batch].isRecorded = true
      batches[batch].isTaken = true
    case .busy?: tally.busy += 1
    default: break
    }
  }

  private func setBack(_ bytes: [UInt8]) -> [UInt8] {
    var ends: [Int] = []
    var start = 0
    while let newline = bytes[start...].firstIndex(of: UInt8(ascii: "\n")) {
      let line = String(decoding: bytes[start..<newline], as: UTF8.self)
      if !line.hasSuffix("\"more\":true}") { ends.append(newline + 1) }
      start = newline + 1
    }
    guard !ends.isEmpty else { return bytes }
    return Array(bytes[..<ends[random.below(ends.count)]])
  }

  /// Returns the segment with another batch, written under the same name on another machine.
  private func fromAnotherMachine(_ writer: String) throws -> [UInt8]? {
    let machine = SimulatedDisk(seed: random.next())
    try machine.makeFolder("events")
    for (name, bytes) in disk.contents(of: "events") { machine.put(bytes, at: "events/\(name)") }
    machine.put(nil, at: "events/.lock")
    guard try append(drafts(of: addBatch()), writer, on: machine) == nil else { return nil }
    return machine.contents(of: "events")["\(writer).jsonl"]
  }

  private func forgetWhatIsGone() throws {
    let standing = Set(try ids())
    for index in batches.indices where !batches[index].ids.allSatisfy(standing.contains) {
      batches[index].isRecorded = false
    }
  }
}
