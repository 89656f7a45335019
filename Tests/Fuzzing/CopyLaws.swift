import CommandFixtures
import DomainFixtures
import EventLog
import Foundation
import StreakDomain

/// The copy of a folded log, changed: it is believed only where it says what the log says.
enum CopyLaws {
  private static let lines = OddLedger("odd").events.flatMap { EventEncoder.line($0) }

  static func check(_ input: [UInt8]) throws(Finding) {
    guard let ledger = try? TemporaryLedger(), (try? ledger.write(lines, to: "main.jsonl")) != nil,
      let stream = try? EventStream(folder: ledger.events),
      var log = try? FoldedLog(stream, of: [nil], writer: "main")
    else { throw Finding("there is no log") }
    let folder = ledger.folder + "/cache"
    let checkpoints = Checkpoints(in: folder, least: 0)
    checkpoints.keep(&log)
    guard let name = try? FileManager.default.contentsOfDirectory(atPath: folder).first,
      let file = FileHandle(forUpdatingAtPath: "\(folder)/\(name)"), let copy = try? file.readToEnd()
    else { throw Finding("there is no copy") }
    let changed = changed([UInt8](copy), by: input)
    do {
      try file.truncate(atOffset: 0)
      try file.seek(toOffset: 0)
      try file.write(contentsOf: Data(changed))
    } catch { throw Finding("the copy is not changed") }
    guard let again = try? EventStream(folder: ledger.events),
      var kept = checkpoints.log(again, writer: "main"), (try? kept.follow()) == true
    else {
      return try demand(changed != [UInt8](copy), "the copy as it was is not believed")
    }
    let difference = ToldLedger(log.ledger(of: nil)).difference(from: ToldLedger(kept.ledger(of: nil)))
    try demand(difference == nil, "what is believed says something else: \(difference ?? "")")
  }

  /// The first two bytes say where the others come to lie; without others the copy ends there.
  private static func changed(_ copy: [UInt8], by input: [UInt8]) -> [UInt8] {
    let place = input.prefix(2).reduce(0) { $0 << 8 | Int($1) } % (copy.count + 1)
    let new = input.dropFirst(2)
    return Array(copy[..<place] + new + (new.isEmpty ? [] : copy[min(copy.count, place + new.count)...]))
  }
}
