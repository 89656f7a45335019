package import StreakDomain
import Synchronization

#if canImport(Darwin)
  import Foundation
#elseif canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

/// The system's time-zone database.
///
/// Zones are cached. Foundation isn't used on Linux: loading it would take longer than most
/// commands run, and it contains an older database of its own.
package enum Zones {
  /// The zones that were looked up, by name.
  ///
  /// The value is `nil` for an unknown name. At most `mostNames` names are stored.
  private static let zones = Mutex<[String: Zone?]>([:])
  private static let mostNames = 4096

  /// Whether `text` has the form of a zone's name, even if no such zone exists.
  ///
  /// A name has 1 to 64 of the characters `A-Z a-z 0-9 / _ + -` and begins with a letter or digit.
  package static func hasNameForm(_ text: String) -> Bool {
    func isAlphanumeric(_ byte: UInt8) -> Bool { byte.isDigit || (97...122).contains(byte | 0x20) }
    guard Limits.zone.contains(text.utf8.count), let first = text.utf8.first, isAlphanumeric(first)
    else {
      return false
    }
    return text.utf8.allSatisfy { isAlphanumeric($0) || "/_+-".utf8.contains($0) }
  }

  /// Throws if the variable `TZ` has a name that this machine's database doesn't contain.
  ///
  /// A ledger would otherwise begin in another zone than the person asked for.
  private static func requireKnown(_ environment: [String: String]) throws(Failure) {
    guard hasDatabase, let text = environment["TZ"], case let name = name(in: text), !name.isEmpty,
      name != "/etc/localtime", zone(name) == nil || isOffset(name)
    else { return }
    throw Failure(
      .usage,
      """
      the variable TZ is \(quoted(text)), which is not a known time zone\(nearest(to: name)); it \
      must be \(Syntax.zone)
      """)
  }

  /// Whether `name` is an offset such as `UTC+5`.
  ///
  /// An offset isn't a name of the database. In `TZ`, `UTC+5` is five hours west of UTC.
  package static func isOffset(_ name: String) -> Bool {
    let isOfUTC = name.begins(with: "UTC") || name.begins(with: "GMT")
    let isInDatabase = ["GMT+0", "GMT-0"].contains(name)
    return isOfUTC && !isInDatabase && name.utf8.contains { "+-".utf8.contains($0) }
  }

  /// Returns the name in a text such as `:Europe/Berlin` or `/usr/share/zoneinfo/Europe/Berlin`.
  private static func name(in text: String) -> String {
    let line = Array(text.utf8.prefix { $0 != 0x0A }.drop { $0 == UInt8(ascii: ":") })
    let folder = line.firstRange(of: Array("zoneinfo/".utf8))
    return String(decoding: line[(folder?.upperBound ?? 0)...], as: UTF8.self)
  }

  package static func zone(_ name: String) -> Zone? {
    if let cached = zones.withLock({ $0[name] }) { return cached }
    let zone = Zone(name)
    zones.withLock { if $0.count < mostNames { $0[name] = .some(zone) } }
    return zone
  }
}

#if canImport(Darwin)
  /// A time zone whose offsets Foundation knows.
  package struct Zone: Sendable {
    private let zone: TimeZone

    fileprivate init?(_ name: String) {
      guard let zone = TimeZone(identifier: name) else { return nil }
      self.zone = zone
    }

    /// Returns the offset from UTC in seconds at `second` since 1970.
    package func offset(at second: Int64) -> Int {
      zone.secondsFromGMT(for: Date(timeIntervalSince1970: Double(second)))
    }
  }

  extension Zones {
    static var hasDatabase: Bool { true }

    package static var names: [String] { TimeZone.knownTimeZoneIdentifiers }

    package static func ofMachine(_ environment: [String: String]) throws(Failure) -> String {
      try requireKnown(environment)
      return TimeZone.current.identifier
    }
  }
#else
  package typealias Zone = ZoneTable

  extension ZoneTable {
    fileprivate init?(_ name: String) {
      if let offset = Zones.fixedOffset(name) {
        self.init(offset: offset)
        return
      }
      guard Zones.isName(name), let bytes = Zones.zoneBytes(name) else { return nil }
      self.init(file: bytes)
    }
  }

  extension Zones {
    /// The folder of the database, or `nil` if there is none.
    ///
    /// If the variable `TZDIR` is set, only the folder that it names is considered.
    private static let folder: String? = {
      let usual = [
        "/usr/share/zoneinfo", "/usr/lib/zoneinfo", "/usr/share/lib/zoneinfo", "/etc/zoneinfo",
      ]
      let named = unsafe getenv("TZDIR").map { unsafe String(cString: $0) }
      return ((named ?? "").isEmpty ? usual : [named ?? ""]).first { path in
        unsafe access(path, R_OK | X_OK) == 0
      }
    }()

    static var hasDatabase: Bool { folder != nil }

    private static func bytes(of file: String) -> [UInt8]? {
      folder.flatMap { contents(of: "\($0)/\(file)") }
    }

    private static func contents(of path: String) -> [UInt8]? {
      guard let file = unsafe fopen(path, "rb") else { return nil }
      defer { unsafe fclose(file) }
      var bytes: [UInt8] = []
      var piece = [UInt8](repeating: 0, count: 1 << 16)
      while case let count = unsafe fread(&piece, 1, piece.count, file), count > 0 {
        bytes += piece[..<count]
      }
      return bytes
    }

    private static func lines(of file: String) -> [Substring] {
      bytes(of: file).map { String(decoding: $0, as: UTF8.self).parts(at: "\n") } ?? []
    }

    /// Returns the bytes of the zone's file, or `nil` if the database doesn't contain the zone.
    ///
    /// Some systems list older names such as Asia/Calcutta only as links in `tzdata.zi`.
    fileprivate static func zoneBytes(_ name: String) -> [UInt8]? {
      if let bytes = bytes(of: name) { return bytes }
      let links = lines(of: "tzdata.zi").lazy.filter { $0.begins(with: "L ") }.map {
        $0.parts(at: " ")
      }
      return links.first { $0.count == 3 && $0[2] == name }.flatMap {
        bytes(of: String($0[1]))
      }
    }

    /// The name `UTC`, and the canonical names of all zones that have inhabitants.
    package static var names: [String] {
      let fields = lines(of: "zone.tab").filter { !$0.begins(with: "#") }.map { $0.parts(at: "\t") }
      return ["UTC"] + fields.filter { $0.count > 2 }.map { String($0[2]) }
    }

    /// Returns the machine's zone, according to `TZ`, `/etc/localtime` or `/etc/timezone`.
    ///
    /// If none of them says it, the result is UTC. Without a database, the name isn't looked up, so
    /// that the error message can mention the zone. Throws if `TZ` has a name that isn't known.
    package static func ofMachine(_ environment: [String: String]) throws(Failure) -> String {
      try requireKnown(environment)
      let file = contents(of: "/etc/timezone")
      let texts = [
        environment["TZ"], target(of: "/etc/localtime"),
        file.map { String(decoding: $0, as: UTF8.self) },
      ]
      let names = texts.compactMap(\.self).map(name(in:))
      return names.first { hasDatabase ? zone($0) != nil : isName($0) } ?? "UTC"
    }

    private static func target(of path: String) -> String? {
      // The call fills uninitialized memory of the given size.
      let bytes = unsafe [CChar](unsafeUninitializedCapacity: Int(PATH_MAX)) { buffer, count in
        count =
          unsafe buffer.baseAddress.map { unsafe max(0, readlink(path, $0, buffer.count)) } ?? 0
      }
      return bytes.isEmpty
        ? nil : String(decoding: bytes.map { UInt8(bitPattern: $0) }, as: UTF8.self)
    }

    /// Whether `text` can be the name of a zone's file; `posix/…` and `localtime` can't.
    fileprivate static func isName(_ text: String) -> Bool {
      hasNameForm(text) && text.utf8.first.map { (0x41...0x5A).contains($0) } == true
    }

    /// Returns the offset in seconds of `UTC` or of a name such as `GMT+0200`, or `nil` for any
    /// other name.
    ///
    /// Foundation generates names such as `GMT+0200`.
    fileprivate static func fixedOffset(_ name: String) -> Int? {
      if name == "UTC" || name == "Etc/UTC" { return 0 }
      guard name.begins(with: "GMT") || name.begins(with: "UTC") else { return nil }
      let rest = name.utf8.dropFirst(3)
      guard let sign = rest.first else { return 0 }
      let digits = rest.dropFirst()
      guard sign == UInt8(ascii: "+") || sign == UInt8(ascii: "-"),
        [1, 2, 4].contains(digits.count),
        digits.allSatisfy({ $0.isDigit }), let number = Int(String(Substring(digits)))
      else { return nil }
      let (hours, minutes) = digits.count == 4 ? (number / 100, number % 100) : (number, 0)
      guard hours * 60 + minutes <= 18 * 60, minutes < 60 else { return nil }
      return (hours * 60 + minutes) * (sign == UInt8(ascii: "-") ? -60 : 60)
    }
  }
#endif
