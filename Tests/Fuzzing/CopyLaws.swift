import CommandFixtures
import DomainFixtures
import EventLog
import Foundation
import StreakDomain
import Synchronization

/// The copy of a folded log, changed: it is believed only where it says what the log says.
enum CopyLaws {
  /// A ledger with a copy of it, made once: each input changes the same copy.
  private struct Copied {
    let ledger: TemporaryLedger
    let checkpoints: Checkpoints
    let file: FileHandle
    let copy: [UInt8]
    /// What the log says.
    let told: ToldLedger

    init?() {
      let lines = OddLedger("odd").events.flatMap { EventEncoder.line($0) }
      guard let ledger = try? TemporaryLedger(), (try? ledger.write(lines, to: "main.jsonl")) != nil,
        let stream = try? EventStream(folder: ledger.events),
        var log = try? FoldedLog(stream, of: [nil], writer: "main")
      else { return nil }
      let folder = ledger.folder + "/cache"
      checkpoints = Checkpoints(in: folder, least: 0)
      checkpoints.keep(&log)
      guard let name = try? FileManager.default.contentsOfDirectory(atPath: folder).first,
        let file = FileHandle(forUpdatingAtPath: "\(folder)/\(name)"), let copy = try? file.readToEnd()
      else { return nil }
      (self.ledger, self.file, self.copy, told) = (
        ledger, file, [UInt8](copy), ToldLedger(log.ledger(of: nil))
      )
    }
  }

  private static let copied: Mutex<Copied?> = {
    atexit { CopyLaws.copied.withLock { $0 = nil } }
    return Mutex(Copied())
  }()

  static func check(_ input: [UInt8]) throws(Finding) {
    let result = copied.withLock { copied in
      Result<Void, Finding> { () throws(Finding) in
        guard let copied else { throw Finding("there is no copy") }
        try check(input, copied)
      }
    }
    try result.get()
  }

  private static func check(_ input: [UInt8], _ copied: Copied) throws(Finding) {
    let changed = changed(copied.copy, by: input)
    do {
      try copied.file.truncate(atOffset: 0)
      try copied.file.write(contentsOf: Data(changed))
    } catch { throw Finding("the copy is not changed") }
    guard let again = try? EventStream(folder: copied.ledger.events),
      var kept = copied.checkpoints.log(again, writer: "main"), (try? kept.follow()) == true
    else {
      return try demand(changed != copied.copy, "the copy as it was is not believed")
    }
    let difference = copied.told.difference(from: ToldLedger(kept.ledger(of: nil)))
    try demand(difference == nil, "what is believed says something else: \(difference ?? "")")
  }

  /// The first two bytes say where the others come to lie; without others the copy ends there.
  private static func changed(_ copy: [UInt8], by input: [UInt8]) -> [UInt8] {
    let place = input.prefix(2).reduce(0) { $0 << 8 | Int($1) } % (copy.count + 1)
    let new = input.dropFirst(2)
    return Array(copy[..<place] + new + (new.isEmpty ? [] : copy[min(copy.count, place + new.count)...]))
  }
}
