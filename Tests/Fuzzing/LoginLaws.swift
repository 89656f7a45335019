import Foundation
import StreakServer

/// Folders of logins: two that differ in a byte have folders that no file system takes for the same, or have none.
enum LoginLaws {
  static func check(_ input: [UInt8]) throws(Finding) {
    // A zero byte, which no variable can have, parts two logins; each is also tried beside what looks like it.
    let parts = input.split(separator: 0, maxSplits: 1).map { Array($0.filter { $0 != 0 }) }
    for login in parts {
      let text = String(decoding: login, as: UTF8.self)
      try checkName(login)
      let relatives = [
        text.uppercased(), text.lowercased(), text.precomposedStringWithCanonicalMapping,
        text.decomposedStringWithCanonicalMapping, text.precomposedStringWithCompatibilityMapping, text + ".",
        text + " ", "%" + text, text + "\u{301}", text + "\u{200D}",
      ]
      for relative in relatives { try checkPair(login, Array(relative.utf8)) }
      for index in login.indices {
        var other = login
        other[index] ^= 0x20
        try checkPair(login, other.filter { $0 != 0 })
      }
    }
    if parts.count == 2 { try checkPair(parts[0], parts[1]) }
  }

  /// The folder as the program finds it: what is no UTF-8 has been replaced before.
  private static func folder(_ login: [UInt8]) -> String? {
    try? Login.folder(of: String(decoding: login, as: UTF8.self))
  }

  private static func checkName(_ login: [UInt8]) throws(Finding) {
    guard let folder = folder(login) else { return }
    try demand(String(validating: login, as: UTF8.self) != nil, "a login that is no UTF-8 has a folder")
    let bytes = Array(folder.utf8)
    try demand((1...255).contains(bytes.count), "a name of \(bytes.count) bytes")
    try demand(bytes.allSatisfy { (0x21...0x7E).contains($0) && $0 != 0x2F && $0 != 0x5C }, "\(folder)")
    try demand(bytes.first != 0x2E, "a hidden folder, or one above: \(folder)")
  }

  private static func checkPair(_ one: [UInt8], _ other: [UInt8]) throws(Finding) {
    guard one != other, let first = folder(one), let second = folder(other) else { return }
    try demand(asOnDisk(first) != asOnDisk(second), "\(one) and \(other) share \(first)")
  }

  /// A name as the file system sees it that takes most names for the same.
  private static func asOnDisk(_ name: String) -> [UInt8] {
    Array(name.uppercased().lowercased().decomposedStringWithCompatibilityMapping.utf8)
  }
}
