import EventLog
package import StreakDomain

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#else
  import Darwin
#endif

/// A zip archive, which the system's `unzip` reads, because Swift's standard library has no decompression.
package struct Archive {
  private let path: String
  private let program: String
  private let size: Int
  package let names: [String]

  /// The maximum ratio of unpacked to packed size; the ratio of an export of the Health app is about 25.
  static let ratio = 250
  /// The number of unpacked bytes that is allowed even for a very small archive.
  static let least = 4 << 20

  package static func isZip(_ start: [UInt8]) -> Bool {
    start.starts(with: [0x50, 0x4B, 0x03, 0x04]) || start.starts(with: [0x50, 0x4B, 0x05, 0x06])
  }

  /// Opens an archive and lists its files; `searchPath` lists the folders in which to find `unzip`, as in PATH.
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
      // The exit status of unzip is 1 for an empty archive.
      guard error.detail == .status(1) else { throw error }
      names = []
    }
  }

  /// Returns the name of the XML file of a Health export, which is `export.xml` or, in some languages, a translation.
  package func healthExport() throws(Failure) -> String {
    func last(_ name: String) -> Substring? { name.parts(at: "/").last }
    if let name = names.first(where: { last($0)?.asciiLowercased == "export.xml" }) { return name }
    let others = names.filter { $0.ends(with: ".xml") && !$0.ends(with: "_cda.xml") }
    guard others.count == 1 else {
      throw .notInArchive(archive: path, wanted: "export.xml", names: names)
    }
    return others[0]
  }

  package func bytes(of name: String) -> ByteSource {
    // unzip treats the name as a pattern. Non-ASCII characters may be encoded differently, so wildcards replace them,
    // and the other XML file of an export is excluded.
    var pattern = ""
    for scalar in name.unicodeScalars {
      if !scalar.isASCII || scalar == "#" || scalar == "?" {
        if !pattern.ends(with: "*") { pattern += "*" }
      } else {
        pattern += "[]*\\".unicodeScalars.contains(scalar) ? "\\\(scalar)" : "\(scalar)"
      }
    }
    let limit = max(Archive.least, size * Archive.ratio)
    // If a password is passed, even a wrong one, unzip doesn't ask for it.
    let others = pattern.holds("*") && !name.ends(with: "_cda.xml") ? ["-x", "*_cda.xml"] : []
    let unzip = Unzip(program, ["-p", "-P", "none"], of: path, [pattern] + others, limit: limit)
    return unzip.source("\(path):\(name)")
  }
}
