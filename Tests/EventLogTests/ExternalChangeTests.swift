import CommandFixtures
import DomainFixtures
import EventLog
import Foundation
import StreakCommands
import StreakDomain
import Synchronization
import Testing

struct ExternalChangeTests {
  enum Meddling: CaseIterable {
    case lockRemoved, lockReplaced, segmentReplaced, segmentRemoved, segmentGrown, segmentMade
    case otherReplaced, otherRemoved, otherMade, folderReplaced

    func meddle(with events: String) throws {
      let files = FileManager.default
      func replace(_ name: String, with bytes: Data) throws {
        try bytes.write(to: URL(fileURLWithPath: "\(events)/\(name)"), options: .atomic)
      }
      func bytes(_ name: String) -> Data { files.contents(atPath: "\(events)/\(name)") ?? Data() }
      switch self {
      case .lockRemoved: try files.removeItem(atPath: events + "/.lock")
      case .lockReplaced: try replace(".lock", with: Data())
      case .segmentReplaced: try replace("main.jsonl", with: bytes("main.jsonl"))
      case .segmentRemoved: try files.removeItem(atPath: events + "/main.jsonl")
      case .segmentGrown:
        let segment = try FileHandle(forWritingTo: URL(fileURLWithPath: events + "/main.jsonl"))
        try segment.seekToEnd()
        try segment.write(contentsOf: Data("{".utf8))
      case .segmentMade: try replace("new.jsonl", with: bytes("phone.jsonl"))
      case .otherReplaced: try replace("phone.jsonl", with: bytes("phone.jsonl"))
      case .otherRemoved: try files.removeItem(atPath: events + "/phone.jsonl")
      case .otherMade: try replace("laptop.jsonl", with: bytes("phone.jsonl"))
      case .folderReplaced:
        try files.moveItem(atPath: events, toPath: events + ".old")
        try files.copyItem(atPath: events + ".old", toPath: events)
      }
    }
  }

  private func ledger() throws -> TemporaryLedger {
    try TemporaryLedger(running: "init noalc\nlog noalc steady --id known --writer phone")
  }

  /// Appends an entry; others interfere between reading and writing, and at the first `sync` of a
  /// file.
  private func append(
    _ id: String, to ledger: TemporaryLedger, writer: String = "main", readOnly: String? = nil,
    afterReading meddle: @escaping @Sendable () -> Void = {},
    beforeSync: @escaping @Sendable () -> Void = {}
  ) throws(Failure) {
    var options = AppendOptions(
      now: Instant(microseconds: 1_762_167_600_000_000), machineZone: "Europe/Berlin")
    let disk = WatchedDisk(readOnly: readOnly, beforeSync: beforeSync)
    options.reading.disk = disk
    let log = try LogWriter(
      folder: ledger.events, writer: writer, wait: 0, makesFolder: false, on: disk)
    var entry = Entry(habit: "noalc")
    entry.level = "steady"
    var given = Draft(.entryLogged(entry))
    given.id = id
    let draft = given
    _ = try log.append(
      Drafts() { body throws(Failure) in
        try body(draft)
        meddle()
      },
      to: FoldedLog(EventStream(folder: ledger.events, options: options.reading), writer: writer),
      if: options, random: SeededRandom(seed: 1))
  }

  @Test(arguments: Meddling.allCases)
  func `an append is refused and writes nothing if files change after they were read`(
    meddling: Meddling
  ) throws {
    let ledger = try ledger()
    let size = Mutex(0)
    var failure: Failure?
    do throws(Failure) {
      let events = ledger.events
      try append(
        "e", to: ledger, writer: meddling == .segmentMade ? "new" : "main",
        afterReading: {
          do { try meddling.meddle(with: events) } catch { Issue.record(error) }
          size.withLock { $0 = TemporaryLedger.size(of: events) }
        })
    } catch { failure = error }
    guard let error = failure, error.kind == .notWritten else {
      Issue.record("\(meddling): \(failure.map { "\($0)" } ?? "recorded")")
      return
    }
    #expect(error.message.contains("meanwhile; try again"), "\(meddling): \(error)")
    #expect(TemporaryLedger.size(of: ledger.events) == size.withLock { $0 }, "\(meddling)")
  }

  @Test(
    arguments: [.lockRemoved, .segmentReplaced, .segmentRemoved, .segmentGrown, .folderReplaced]
      as [Meddling]
  )
  func `an append whose file is replaced before the sync reports an unknown outcome`(
    meddling: Meddling
  ) throws {
    let ledger = try ledger()
    var failure: Failure?
    do throws(Failure) {
      let events = ledger.events
      try append(
        "e", to: ledger,
        beforeSync: {
          do { try meddling.meddle(with: events) } catch { Issue.record(error) }
        })
    } catch { failure = error }
    guard let error = failure, error.kind == .outcomeUnknown else {
      Issue.record("\(meddling): \(failure.map { "\($0)" } ?? "recorded")")
      return
    }
    #expect(error.message.contains("meanwhile"), "\(meddling): \(error)")
  }

  @Test
  func `an append does not answer exists if the segment with the event disappears meanwhile`()
    throws
  {
    let ledger = try ledger()
    let events = ledger.events
    #expect(throws: Failure.self) {
      try append(
        "known", to: ledger, afterReading: { try? Meddling.otherRemoved.meddle(with: events) })
    }
    #expect(throws: Never.self) { try append("known", to: try self.ledger()) }
  }

  /// Leaves an incomplete last line in the other segment, like a program that is still copying it.
  private func leaveUnended(_ ledger: TemporaryLedger) throws -> (path: String, stamp: FileStamp?) {
    try ledger.write(ledger.bytes(of: "phone").dropLast(), to: "phone.jsonl")
    let path = ledger.events + "/phone.jsonl"
    return (path, FileStamp(path, followsLinks: false))
  }

  @Test func `an append does not touch another writer's segment without a last newline`()
    throws
  {
    let ledger = try ledger()
    let (path, stamp) = try leaveUnended(ledger)
    for command in ["log noalc steady", "log noalc steady --id known-not", "day"] {
      #expect(ledger.run(command).status == .done, "\(command)")
      #expect(FileStamp(path, followsLinks: false) == stamp, "\(command)")
    }
  }

  @Test(arguments: ["new", "known"])
  func `an append succeeds if another writer's segment is read-only`(id: String) throws {
    let ledger = try ledger()
    let (path, stamp) = try leaveUnended(ledger)
    try append(id, to: ledger, readOnly: "phone.jsonl")
    #expect(FileStamp(path, followsLinks: false) == stamp)
  }

  @Test
  func
    `appending an event that another segment contains rewrites that segment with the same bytes`()
    throws
  {
    let ledger = try ledger()
    let (path, stamp) = try leaveUnended(ledger)
    let bytes = ledger.bytes(of: "phone")
    try append("known", to: ledger)
    #expect(FileStamp(path, followsLinks: false) != stamp)
    #expect(ledger.bytes(of: "phone") == bytes)
  }

  @Test
  func `two writers never hold the lock of a folder together, even if the lock file is removed`()
    throws
  {
    let ledger = try ledger()
    let log = try LogWriter(folder: ledger.events, writer: "main", wait: 0, makesFolder: false)
    try Meddling.lockRemoved.meddle(with: ledger.events)
    #expect(ledger.run("log noalc steady --wait 0.05").status == .notWritten)
    _ = consume log
    #expect(ledger.run("log noalc steady --wait 0.05").status == .done)
  }
}

extension TemporaryLedger {
  fileprivate static func size(of events: String) -> Int {
    let names = (try? FileManager.default.contentsOfDirectory(atPath: events)) ?? []
    return names.filter { $0.hasSuffix(".jsonl") }
      .reduce(0) { $0 + (FileManager.default.contents(atPath: "\(events)/\($1)")?.count ?? 0) }
  }
}
