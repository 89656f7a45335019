import StreakDomain

/// Folded logs that are kept in a folder between runs, so that a later one reads only what was appended since.
///
/// They are copies of what the log says and may vanish at any moment. One is believed only if nothing speaks against
/// it (docs/decisions.md, "A checkpoint of the fold"); else the log is read, as if there were none.
package struct Checkpoints: Sendable {
  private let folder: String
  /// From how many events on that were read it is worth to keep what they were folded to.
  private let least: Int
  private let disk: any Disk
  /// How much is kept: of other ledgers than the one written last the newest up to these.
  private static let most = (bytes: 64 << 20, files: 100)
  private static let ending = ".fold"
  private static let magic = UInt64(0x4C4F_4653_4B52_5453)
  /// The magic number and the checksum of what follows.
  private static let headSize = 16

  /// Those in a folder, which need not be there; written where more than `least` events had to be read.
  package init(in folder: String, least: Int = 4096, on disk: any Disk = SystemDisk()) {
    (self.folder, self.least, self.disk) = (folder, least, disk)
  }

  /// Those in the folder of `STREAKS_CACHE`, else where the system has what may vanish; nil for nowhere.
  package init?(for environment: [String: String]) {
    func folder(_ name: String) -> String? { environment[name].flatMap { $0.begins(with: "/") ? $0 : nil } }
    if let named = environment["STREAKS_CACHE"], !named.isEmpty {
      guard named != "off" else { return nil }
      self.init(in: named)
      return
    }
    #if canImport(Darwin)
      let caches = folder("HOME").map { $0 + "/Library/Caches" }
    #else
      let caches = folder("XDG_CACHE_HOME") ?? folder("HOME").map { $0 + "/.cache" }
    #endif
    guard let caches else { return nil }
    self.init(in: caches + "/streaks")
  }

  /// The file of a ledger, named after its folder's path.
  private func path(of ledger: String) -> String {
    "\(folder)/\(Checkpoints.name(of: ledger))\(Checkpoints.ending)"
  }

  private static func name(of ledger: String) -> String {
    SHA256(of: Array(SystemDisk.absolute(ledger).utf8)).digest()
  }

  /// Whether a file of this name is a checkpoint, or the draft of one.
  private static func isOwn(_ name: String) -> Bool {
    name.ends(with: ending) && name.utf8.prefix { UInt8($0).hexDigit != nil }.count == 64
  }

  /// A log as it was folded once, which is to be followed now; nil where there is none that can be believed.
  ///
  /// `stream` has the segments as they are, of which no event was read; `writer` names the one that is meant to be
  /// written.
  package func log(_ stream: EventStream, writer: String) -> FoldedLog? {
    guard stream.isAsStored, let bytes = MappedFile.bytes(of: path(of: stream.folder)),
      bytes.count > Checkpoints.headSize
    else { return nil }
    var coder = StateCoder(bytes, from: 0, Checkpoints.events)
    var (magic, sum) = (UInt64(0), UInt64(0))
    coder.value(&magic)
    coder.value(&sum)
    guard magic == Checkpoints.magic, Checkpoints.isOfThisProgram(&coder),
      sum == bytes.checksum(from: Checkpoints.headSize)
    else { return nil }
    return FoldedLog(stream, writer: writer, &coder)
  }

  /// Keeps a log that was read to its end, where so much was read that it is worth it; never under a ledger's lock.
  ///
  /// Nothing is synced, and whatever fails leaves no file: there will be another time.
  package func keep(_ log: inout FoldedLog) {
    guard log.unstored > least, log.canBeStored else { return }
    log.stored = log.ledgers.position
    let path = path(of: log.stream.folder)
    var random = SystemRandomNumberGenerator()
    let draft = "\(folder)/\(Checkpoints.name(of: log.stream.folder)).\(random.next())\(Checkpoints.ending)"
    do throws(SystemError) {
      try write(log, to: draft)
      try disk.rename(draft, to: path)
    } catch {
      try? disk.remove(draft)
      return
    }
    tidy(but: path)
  }

  /// Removes that of a ledger, which may have texts that are taken out.
  package func remove(_ ledger: String) { try? disk.remove(path(of: ledger)) }

  private func write(_ log: FoldedLog, to draft: String) throws(SystemError) {
    let file = try opened(draft)
    var failure: SystemError?
    try file.append([UInt8](repeating: 0, count: Checkpoints.headSize)[...])
    var coder = unsafe StateCoder(from: Checkpoints.headSize, Checkpoints.events) { bytes in
      guard failure == nil else { return }
      do throws(SystemError) {
        for start in stride(from: 0, to: bytes.count, by: 1 << 20) {
          let piece = unsafe Array(bytes[start..<min(bytes.count, start + 1 << 20)])
          try file.append(piece[...])
        }
      } catch { failure = error }
    }
    var log = log
    _ = Checkpoints.isOfThisProgram(&coder)
    log.pass(&coder)
    coder.flush()
    if let failure { throw failure }
    guard !coder.isBroken, let written = MappedFile.bytes(of: draft) else { throw .changedMeanwhile(draft) }
    let head = [Checkpoints.magic, written.checksum(from: Checkpoints.headSize)]
    let bytes = unsafe head.withUnsafeBytes { unsafe Array($0) }
    try File(draft, .rewrite, on: disk).rewrite(bytes[...], at: 0)
  }

  /// A new file, in a folder that is made where it is missing.
  private func opened(_ draft: String) throws(SystemError) -> File {
    do throws(SystemError) { return try File(draft, .create, on: disk) } catch {
      guard error.isNotFound else { throw error }
      for made in [FolderPath.parent(of: folder), folder] { try? disk.makeFolder(made) }
      return try File(draft, .create, on: disk)
    }
  }

  /// Removes the oldest files beyond what is kept, and what killed processes left.
  private func tidy(but path: String) {
    guard let names = try? disk.names(in: folder) else { return }
    var kept: [(path: String, stamp: FileStamp)] = []
    for name in names where Checkpoints.isOwn(name) {
      let other = "\(folder)/\(name)"
      guard other != path, let stamp = (try? disk.stamp(of: other)) ?? nil else { continue }
      kept.append((other, stamp))
    }
    var (bytes, files) = (0, 1)
    for file in kept.sorted(by: { $0.stamp.isNewer(than: $1.stamp) }) {
      (bytes, files) = (bytes + file.stamp.size, files + 1)
      if bytes > Checkpoints.most.bytes || files > Checkpoints.most.files { try? disk.remove(file.path) }
    }
  }

  /// Has the coder write what wrote this, or read whether this program did.
  private static func isOfThisProgram(_ coder: inout StateCoder) -> Bool {
    guard let own = MappedFile.program else {
      coder.fail()
      return false
    }
    var (program, version) = (own, Ledger.foldVersion)
    coder.part(&program)
    coder.value(&version)
    return program == own && version == Ledger.foldVersion && !coder.isBroken
  }

  /// Events as lines of a segment.
  private static let events = StateCoder.EventForm(
    line: { EventEncoder.line($0) }, event: { line in try? EventDecoder.event(Array(line.dropLast())) })
}
