import EventLog
import StreakDomain

/// The last answer to a request, kept beside the ledger for as long as asking again would give the same.
///
/// The fold stays the only truth. An answer is used again for the same path, on the same day of the ledger's zone, by the
/// same program, of segments with the same stamps; whatever else is found, or cannot be read or written, is as if
/// nothing were kept.
struct KeptAnswer {
  /// Where it is kept: a folder inside the ledger's, which goes with it and holds nothing that is not in it; never behind a link.
  private let folder: String
  private let name: String
  /// What the answer depends on, but for the day.
  private let ground: String
  private let now: Instant
  /// A larger answer, in bytes, takes so long to send that folding adds little.
  private static let limit = 16 << 20

  /// Looks at what an answer will depend on; nil where that cannot be told.
  init?(to path: String, of ledger: String, _ context: Context) {
    let name = PercentEncoding.fileName(path)
    guard name.utf8.count < 200, let program = context.program,
      let stamp = FileStamp(program, followsLinks: true),
      let names = try? SystemDisk().names(in: ledger)
    else { return nil }
    var ground = [path, stamp.text]
    for name in names.sorted(by: { $0.spelling < $1.spelling }) where EventStream.isSegment(name) {
      guard let stamp = FileStamp("\(ledger)/\(name)", followsLinks: false) else { return nil }
      ground += [name, stamp.text]
    }
    folder = ledger + "/.answers"
    self.name = name
    self.ground = SHA256.digest(of: Array(ground.joined(separator: "\n").utf8))
    now = context.now
  }

  /// The answer, if it still is one.
  var document: (tag: EntityTag, body: [UInt8])? {
    guard let disk = try? SystemDisk(within: folder),
      let bytes = WholeFile.read(name, upTo: KeptAnswer.limit, on: disk),
      let end = bytes.firstIndex(of: UInt8(ascii: "\n"))
    else { return nil }
    let words = String(decoding: bytes[..<end], as: UTF8.self).parts(at: " ")
    guard words.count == 4, words[0].spelling == ground.spelling, let from = Int64(words[1]),
      let until = Int64(words[2]),
      from <= now.microseconds, now.microseconds <= until
    else { return nil }
    let body = Array(bytes[(end + 1)...])
    // What a crash left of it, or somebody changed, has another digest.
    guard let position = Int(words[3].parts(at: "-")[0]) else { return nil }
    let tag = EntityTag(position: position, body: body)
    return tag.opaque.spelling == words[3].spelling ? (tag, body) : nil
  }

  /// Keeps an answer for the rest of the ledger's day; nobody waits for the disk.
  func keep(_ body: [UInt8], tag: EntityTag, _ clock: DayClock) {
    guard body.count < KeptAnswer.limit - 1000 else { return }
    let today = clock.day(of: now)
    let (from, until) = (clock.begin(of: today), clock.end(of: today))
    let head = "\(ground) \(from.microseconds) \(until.microseconds) \(tag.opaque)\n"
    try? SystemDisk().makeFolder(folder)
    guard let disk = try? SystemDisk(within: folder) else { return }
    let draft = ".\(name)"
    do throws(SystemError) {
      try WholeFile.write(Array(head.utf8) + body, to: name, by: draft, durably: false, on: disk)
    } catch {
      // A killed request may have left a draft, which would be in the way for ever; the next one keeps its answer.
      try? disk.remove(draft)
    }
  }
}
