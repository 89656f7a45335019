import EventLog
package import StreakDomain

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#else
  import Darwin
#endif

/// A zip, read with the system's `unzip`: the toolchain has nothing that inflates.
package struct Archive {
  private let path: String
  private let program: String
  private let size: Int
  package let names: [String]

  /// The unpacked files may be so many times the size of the archive; exports of the Health app grow to about 25.
  static let ratio = 250
  /// The most to unpack from any archive, however small.
  static let least = 16 << 20

  /// Whether a file begins as a zip does.
  package static func isZip(_ start: [UInt8]) -> Bool {
    start.starts(with: [0x50, 0x4B, 0x03, 0x04]) || start.starts(with: [0x50, 0x4B, 0x05, 0x06])
  }

  /// Opens an archive; `searchPath` is where programs are looked for, as in PATH.
  package init(_ path: String, searchPath: String) throws(Failure) {
    let candidates = searchPath.parts(at: ":").filter { !$0.isEmpty }.map { "\($0)/unzip" }
    guard let program = candidates.first(where: { unsafe access($0, X_OK) == 0 }) else {
      throw .noUnzip(archive: path)
    }
    self.path = path
    self.program = program
    do throws(SystemError) { size = try ForeignFile(path).size } catch { throw .notImported(error) }
    let listing = Unzip(program, ["-Z1"], of: path, limit: Archive.least).source(path)
    do throws(Failure) {
      names = String(decoding: try listing.all(atMost: Archive.least), as: UTF8.self).parts(at: "\n")
        .filter { !$0.isEmpty }.map(String.init)
    } catch {
      // zipinfo says 1 of an archive without anything in it.
      guard error.detail == .status(1) else { throw error }
      names = []
    }
  }

  /// The name of the Health app's export in it, which phones in some languages call otherwise.
  package func healthExport() throws(Failure) -> String {
    func last(_ name: String) -> Substring? { name.parts(at: "/").last }
    if let name = names.first(where: { last($0)?.asciiLowercased == "export.xml" }) { return name }
    let others = names.filter { $0.ends(with: ".xml") && !$0.ends(with: "_cda.xml") }
    guard others.count == 1 else {
      throw .notInArchive(archive: path, wanted: "export.xml", names: names)
    }
    return others[0]
  }

  /// The bytes of one of its files, as they are unpacked.
  package func bytes(of name: String) -> ByteSource {
    // unzip takes the name as a pattern, in which these mean something; what it makes of other scripts depends on where
    // the zip was made, so they are left open, and the other file that is beside an export is excluded.
    var pattern = ""
    for scalar in name.unicodeScalars {
      if !scalar.isASCII || scalar == "#" || scalar == "?" {
        if !pattern.ends(with: "*") { pattern += "*" }
      } else {
        pattern += "[]*\\".unicodeScalars.contains(scalar) ? "\\\(scalar)" : "\(scalar)"
      }
    }
    let limit = max(Archive.least, size * Archive.ratio)
    // With a password given it does not wait for one to be typed.
    let others = pattern.holds("*") && !name.ends(with: "_cda.xml") ? ["-x", "*_cda.xml"] : []
    let unzip = Unzip(program, ["-p", "-P", "none"], of: path, [pattern] + others, limit: limit)
    return unzip.source("\(path):\(name)")
  }
}
