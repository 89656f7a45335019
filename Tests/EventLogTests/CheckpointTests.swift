import CommandFixtures
import DomainFixtures
import EventLog
import Foundation
import StreakDomain
import Testing

/// A log that was kept by an earlier run and followed is the log read anew, or is not believed.
struct CheckpointTests {
  private func read(_ ledger: TemporaryLedger) throws(Failure) -> FoldedLog {
    try FoldedLog(EventStream(folder: ledger.events), of: [nil], writer: "main")
  }

  /// The log as it was kept, followed; nil where it is not believed.
  private func kept(_ ledger: TemporaryLedger, _ checkpoints: Checkpoints) throws(Failure) -> FoldedLog? {
    guard var log = checkpoints.log(try EventStream(folder: ledger.events, mayBegin: true), writer: "main"),
      try log.follow()
    else { return nil }
    return log
  }

  private func keep(_ ledger: TemporaryLedger, _ checkpoints: Checkpoints) throws {
    var log = try read(ledger)
    checkpoints.keep(&log)
  }

  /// All that a log tells: of its ledger, of its segments, and where its events are.
  private func told(_ log: FoldedLog) throws -> [String] {
    var log = log
    let ledger = log.ledger(of: nil)
    let places = try (0..<ledger.position).map { "\(try log.stream.place(at: $0 + 1))" }
    return ToldLedger(ledger).lines + places + [
      "\(String(describing: log.lastRecorded)) \(log.isUnended) \(log.stream.sizes)",
      "\(try log.stream.shortSegments()) \(log.stream.droppedLines) \(log.stream.leftovers)",
      "\(log.stream.tornTails.count)",
    ]
  }

  @Test(arguments: Cases.seeds(24))
  func `a log that was kept tells what reading it anew does, whatever was done meanwhile`(seed: UInt64) throws
  {
    let ledger = try TemporaryLedger()
    var random = SeededRandom(seed: seed)
    let checkpoints = Checkpoints(in: ledger.folder + "/cache", least: 0)
    ledger.run("init noalc meditation")
    var believed = 0
    var good = ledger.contents() ?? [:]
    for step in 0..<30 {
      for _ in 0..<random.below(3) { meddle(with: ledger, step, &random) }
      let anew = Result { () throws(Failure) in try read(ledger) }
      let kept = Result { () throws(Failure) in try self.kept(ledger, checkpoints) }
      switch (anew, kept) {
      case (.success(let anew), .success(let kept)):
        good = ledger.contents() ?? [:]
        if let kept {
          believed += 1
          let differing = try zip(told(kept), told(anew)).first { $0 != $1 }
          try #require(differing == nil, "seed \(seed), step \(step)")
          var kept = kept
          checkpoints.keep(&kept)
        } else if random.chance(70) {
          var anew = anew
          checkpoints.keep(&anew)
        }
      // What cannot be read is not believed, or fails alike; then all is as it was.
      case (.failure, .success(nil)): try restore(ledger, good)
      case (.failure(let one), .failure(let other)):
        try #require("\(one)" == "\(other)", "seed \(seed)")
        try restore(ledger, good)
      default: Issue.record("seed \(seed), step \(step): \(anew) \(kept)")
      }
    }
    #expect(believed > 2, "seed \(seed)")
  }

  private func restore(_ ledger: TemporaryLedger, _ files: [String: [UInt8]]) throws {
    for name in ledger.files() { try FileManager.default.removeItem(atPath: "\(ledger.events)/\(name)") }
    for (name, bytes) in files { try ledger.write(bytes, to: name) }
  }

  /// Appends, or changes the folder as other programs do.
  private func meddle(with ledger: TemporaryLedger, _ step: Int, _ random: inout SeededRandom) {
    let writer = ["main", "phone", "laptop"][random.below(3)]
    let bytes = ledger.bytes(of: writer)
    let path = "\(ledger.events)/\(writer).jsonl"
    switch random.below(20) {
    case 0: ledger.now = "2025-11-\(10 + step / 2)T08:00:00+01:00"
    case 1: ledger.run("delete --last --writer \(writer)")
    case 2: ledger.run("define meditation --at-least \(1 + random.below(9))m --writer \(writer)")
    case 3: try? ledger.write(bytes, to: "copy\(step).jsonl")
    case 4: try? FileManager.default.moveItem(atPath: path, toPath: "\(ledger.events)/other\(step).jsonl")
    case 5: try? FileManager.default.removeItem(atPath: path)
    case 6:
      // In its place, and of the same size.
      let text = String(decoding: bytes, as: UTF8.self)
      let changed = text.replacing("\"minutes\":1", with: "\"minutes\":2", maxReplacements: 1)
      if changed != text, let file = FileHandle(forWritingAtPath: path) { file.write(Data(changed.utf8)) }
    case 7:
      let lines = bytes.split(separator: UInt8(ascii: "\n"))
      if let file = FileHandle(forWritingAtPath: path), let last = lines.last {
        try? file.truncate(atOffset: UInt64(bytes.count - last.count - 1))
      }
    case 8: try? ledger.write(bytes + Array("torn".utf8), to: "\(writer).jsonl")
    case 9: ledger.run("redact @\(6 + random.below(9)) --fields note --writer \(writer)")
    case 10: ledger.run("excuse today --writer \(writer)")
    default: ledger.run("log meditation \(10 + random.below(30))m --note dull --writer \(writer) --force")
    }
  }

  private func small() throws -> (ledger: TemporaryLedger, checkpoints: Checkpoints, path: String) {
    let ledger = try TemporaryLedger()
    try ledger.run(all: "init noalc\nlog noalc steady\nlog noalc easy --writer phone")
    let checkpoints = Checkpoints(in: ledger.folder + "/cache", least: 0)
    try keep(ledger, checkpoints)
    let names = try FileManager.default.contentsOfDirectory(atPath: ledger.folder + "/cache")
    #expect(names.count == 1)
    return (ledger, checkpoints, ledger.folder + "/cache/" + (names.first ?? ""))
  }

  @Test func `each byte that is another, missing or too many is found`() throws {
    let (ledger, checkpoints, path) = try small()
    let file = try #require(FileHandle(forUpdatingAtPath: path))
    let bytes = [UInt8](try #require(try file.readToEnd()))
    func put(_ bytes: [UInt8]) throws {
      try file.truncate(atOffset: 0)
      try file.seek(toOffset: 0)
      try file.write(contentsOf: Data(bytes))
    }
    #expect(try kept(ledger, checkpoints) != nil)
    var random = SeededRandom(seed: 9)
    for place in bytes.indices {
      var other = bytes
      other[place] ^= UInt8(1 << random.below(8))
      try put(other)
      try #require(try kept(ledger, checkpoints) == nil, "byte \(place)")
    }
    for count in stride(from: 0, to: bytes.count, by: Cases.stride(11)) {
      try put(Array(bytes[..<count]))
      try #require(try kept(ledger, checkpoints) == nil, "\(count) bytes")
    }
    try put(bytes + [0])
    #expect(try kept(ledger, checkpoints) == nil)
    try put(bytes)
    #expect(try kept(ledger, checkpoints) != nil)
  }

  @Test func `that of another ledger, or one that others may write, is not believed`() throws {
    let (ledger, checkpoints, path) = try small()
    let (owner, _, other) = try small()
    #expect(!owner.files().isEmpty)
    let bytes = try Data(contentsOf: URL(filePath: path))
    try Data(contentsOf: URL(filePath: other)).write(to: URL(filePath: path))
    try FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: path)
    #expect(try kept(ledger, checkpoints) == nil)
    try bytes.write(to: URL(filePath: path))
    try FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: path)
    #expect(try kept(ledger, checkpoints) != nil)
    try FileManager.default.setAttributes([.posixPermissions: 0o620], ofItemAtPath: path)
    #expect(try kept(ledger, checkpoints) == nil)
  }

  @Test func `of many ledgers the newest are kept, and other files stay`() throws {
    let (ledger, checkpoints, path) = try small()
    let folder = ledger.folder + "/cache/"
    let permissions = try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? Int
    #expect(permissions == 0o600)
    try Data().write(to: URL(filePath: folder + "mine.fold"))
    for number in 0..<120 {
      let name = String(repeating: "0", count: 61) + "\(100 + number)" + ".fold"
      try Data().write(to: URL(filePath: folder + name))
    }
    try keep(ledger, checkpoints)
    let names = try FileManager.default.contentsOfDirectory(atPath: folder)
    #expect(names.count == 101)
    #expect(names.contains("mine.fold"))
    #expect(try kept(ledger, checkpoints) != nil)
  }

  @Test func `where nothing can be kept, nothing is said`() throws {
    let (ledger, _, path) = try small()
    for folder in ["/dev/null/cache", "/proc/cache", path] {
      let checkpoints = Checkpoints(in: folder, least: 0)
      try keep(ledger, checkpoints)
      #expect(try kept(ledger, checkpoints) == nil)
      checkpoints.remove(ledger.events)
    }
  }

  @Test(arguments: FailingDisk.Fault.allCases)
  func `a disk that fails at any call leaves the copy as it was or whole`(fault: FailingDisk.Fault) throws {
    let (ledger, checkpoints, path) = try small()
    let folder = ledger.folder + "/cache"
    let before = try Data(contentsOf: URL(filePath: path))
    ledger.run("log noalc easy --id later")
    let wanted = try told(read(ledger))
    var calls = 0
    while true {
      try FileManager.default.removeItem(atPath: folder)
      try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
      try before.write(to: URL(filePath: path))
      try FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: path)
      let disk = FailingDisk(fault, after: calls)
      try keep(ledger, Checkpoints(in: folder, least: 0, on: disk))
      let all = try told(#require(try kept(ledger, checkpoints), "\(calls) calls"))
      try #require(all == wanted, "\(calls) calls")
      guard disk.hasFailed else { break }
      try #require(try Data(contentsOf: URL(filePath: path)) == before, "\(calls) calls")
      // Who is killed leaves a draft, which stands in nobody's way.
      let left = try FileManager.default.contentsOfDirectory(atPath: folder)
      try #require(left.count == 1 || fault != .full, "\(calls) calls")
      calls += 1
    }
    #expect(calls > 2)
    #expect(try Data(contentsOf: URL(filePath: path)) != before)
  }

  @Test func `some that keep and take it at once get all of it or nothing`() async throws {
    let (ledger, checkpoints, path) = try small()
    let wanted = try told(read(ledger))
    let folder = ledger.events
    var log = try read(ledger)
    let ledgerTold = ToldLedger(log.ledger(of: nil))
    try await withThrowingTaskGroup(of: Void.self) { group in
      for _ in 0..<4 {
        group.addTask { [ledgerTold] in
          for _ in 0..<50 {
            var read = try FoldedLog(EventStream(folder: folder), of: [nil], writer: "main")
            checkpoints.keep(&read)
            guard var log = checkpoints.log(try EventStream(folder: folder), writer: "main") else { continue }
            #expect(try log.follow())
            #expect(ToldLedger(log.ledger(of: nil)) == ledgerTold)
          }
        }
      }
      try await group.waitForAll()
    }
    let all = try told(#require(try kept(ledger, checkpoints)))
    #expect(zip(all, wanted).first { $0 != $1 } == nil)
    #expect(all == wanted)
    let left = try FileManager.default.contentsOfDirectory(atPath: ledger.folder + "/cache")
    #expect(left.map { ledger.folder + "/cache/" + $0 } == [path], "no draft is left")
  }
}
