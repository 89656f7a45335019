import EventLog
import Foundation

/// One run of `unzip` and what it writes, piece by piece.
final class Unzip {
  private let archive: String
  private let isListing: Bool
  private let limit: Int
  private let process = Process()
  private let pipe = Pipe()
  private var count = 0
  private var isStarted = false
  private var isEnded = false

  /// `words` are what stands after the archive's name; there is an error once more than `limit` bytes come out.
  init(_ program: String, _ options: [String], of archive: String, _ words: [String] = [], limit: Int) {
    self.archive = archive
    isListing = options == ["-Z1"]
    self.limit = limit
    process.executableURL = URL(fileURLWithPath: program)
    // A name would be read as a pattern or, beginning with a hyphen, as an option; the open file is neither.
    process.arguments = options + ["/dev/stdin"] + words
    // Names beyond ASCII come out as they are, whatever the person's own locale is.
    process.environment = ["LC_ALL": "C.UTF-8"]
    process.standardError = FileHandle.nullDevice
    process.standardOutput = pipe
  }

  /// Whoever reads may stop before the end, at the first thing that is wrong.
  deinit { stop() }

  func source(_ name: String) -> ByteSource {
    ByteSource(name) { () throws(ImportError) in try self.next() }
  }

  private func next() throws(ImportError) -> [UInt8] {
    if !isStarted {
      guard let file = FileHandle(forReadingAtPath: archive) else {
        throw .brokenArchive(archive: archive, status: 9)
      }
      process.standardInput = file
      do { try process.run() } catch { throw .noUnzip(archive: archive) }
      isStarted = true
    }
    let piece = (try? pipe.fileHandleForReading.read(upToCount: 262_144)).map { Array($0) } ?? []
    count += piece.count
    guard count <= limit else {
      stop()
      throw .swelling(archive: archive, ratio: Archive.ratio)
    }
    guard piece.isEmpty else { return piece }
    process.waitUntilExit()
    isEnded = true
    // 1 is a warning: something odd that did not matter.
    guard process.terminationStatus == 0 || process.terminationStatus == 1 && !isListing else {
      throw .brokenArchive(archive: archive, status: process.terminationStatus)
    }
    return []
  }

  private func stop() {
    guard isStarted, !isEnded else { return }
    isEnded = true
    // Not by a signal that could be blocked, and it may be waiting to write.
    kill(process.processIdentifier, SIGKILL)
    try? pipe.fileHandleForReading.close()
    process.waitUntilExit()
  }
}
