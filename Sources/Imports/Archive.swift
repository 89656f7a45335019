import EventLog
import Foundation

/// A zip, read with the system's `unzip`: the toolchain has nothing that inflates.
package struct Archive {
  private let path: String
  private let program: String
  private let size: Int
  package let names: [String]

  /// What comes out may be so many times the size of the archive; exports of the Health app grow to about 25.
  static let ratio = 250
  /// What may come out of any archive, however small.
  static let least = 16 << 20

  /// Whether a file begins as a zip does.
  package static func isZip(_ start: [UInt8]) -> Bool {
    start.starts(with: [0x50, 0x4B, 0x03, 0x04]) || start.starts(with: [0x50, 0x4B, 0x05, 0x06])
  }

  /// Opens an archive; `searchPath` is where programs are looked for, as in PATH.
  package init(_ path: String, searchPath: String) throws(ImportError) {
    let candidates = searchPath.split(separator: ":").map { "\($0)/unzip" }
    guard let program = candidates.first(where: { FileManager.default.isExecutableFile(atPath: $0) }) else {
      throw .noUnzip(archive: path)
    }
    self.path = path
    self.program = program
    do throws(SystemError) { size = try ForeignFile(path).size } catch { throw .system(error) }
    let listing = ByteSource(path, Archive.output(of: program, ["-Z1", path], limit: Archive.least, path))
    do throws(ImportError) {
      names = String(decoding: try listing.all(), as: UTF8.self).split(separator: "\n").map(String.init)
    } catch {
      // zipinfo says 1 of an archive without anything in it.
      guard case .brokenArchive(_, 1) = error else { throw error }
      names = []
    }
  }

  /// The name of the Health app's export in it, which phones in some languages call otherwise.
  package func healthExport() throws(ImportError) -> String {
    func last(_ name: String) -> Substring { name.split(separator: "/").last ?? "" }
    if let name = names.first(where: { last($0).lowercased() == "export.xml" }) { return name }
    let others = names.filter { $0.hasSuffix(".xml") && !$0.hasSuffix("_cda.xml") }
    guard others.count == 1 else {
      throw .notInArchive(archive: path, wanted: "export.xml", names: names)
    }
    return others[0]
  }

  /// The bytes of one of its files, as they come out.
  package func bytes(of name: String) -> ByteSource {
    // unzip takes the name as a pattern, in which these mean something; what it makes of other scripts depends on where
    // the zip was made, so they are left open, and the other file that lies beside an export is excluded.
    var pattern = ""
    for character in name {
      if !character.isASCII || character == "#" || character == "?" {
        if !pattern.hasSuffix("*") { pattern += "*" }
      } else {
        pattern += "[]*\\".contains(character) ? "\\\(character)" : String(character)
      }
    }
    let limit = max(Archive.least, size * Archive.ratio)
    // With a password given it does not wait for one to be typed.
    let others = pattern.contains("*") && !name.hasSuffix("_cda.xml") ? ["-x", "*_cda.xml"] : []
    let words = ["-p", "-P", "none", path, pattern] + others
    return ByteSource("\(path):\(name)", Archive.output(of: program, words, limit: limit, path))
  }

  /// The output of a program, piece by piece; it is stopped once there is more than `limit`.
  private static func output(
    of program: String, _ words: [String], limit: Int, _ archive: String
  ) -> () throws(ImportError) -> [UInt8] {
    let process = Process()
    process.executableURL = URL(fileURLWithPath: program)
    process.arguments = words
    // Names beyond ASCII come out as they are, whatever the person's own locale is.
    process.environment = ["LC_ALL": "C.UTF-8"]
    process.standardInput = FileHandle.nullDevice
    process.standardError = FileHandle.nullDevice
    let pipe = Pipe()
    process.standardOutput = pipe
    var count = 0
    var isStarted = false
    return { () throws(ImportError) in
      if !isStarted {
        isStarted = true
        do { try process.run() } catch { throw .noUnzip(archive: archive) }
      }
      let piece = (try? pipe.fileHandleForReading.read(upToCount: 262_144)).map { Array($0) } ?? []
      count += piece.count
      guard count <= limit else {
        // Not by a signal that could be blocked, and it may be waiting to write.
        kill(process.processIdentifier, SIGKILL)
        try? pipe.fileHandleForReading.close()
        process.waitUntilExit()
        throw .swelling(archive: archive, ratio: Archive.ratio)
      }
      guard piece.isEmpty else { return piece }
      process.waitUntilExit()
      // 1 is a warning: something odd that did not matter.
      let isList = words.first == "-Z1"
      guard process.terminationStatus == 0 || process.terminationStatus == 1 && !isList else {
        throw .brokenArchive(archive: archive, status: process.terminationStatus)
      }
      return []
    }
  }
}
