import DomainFixtures
import EventLog
import Foundation
import StreakDomain
import Testing

struct TimeZoneTests {
  /// Whether the machine's database and Foundation's have the same version.
  private static let isSameEdition: Bool = {
    let lines =
      (try? String(contentsOfFile: "/usr/share/zoneinfo/tzdata.zi", encoding: .utf8)) ?? ""
    return lines.hasPrefix("# version \(TimeZone.timeZoneDataVersion)\n")
  }()

  /// Zones that are equal since 1970 but may differ before, depending on the packager.
  private static let namesBefore1970: Set<String> = {
    let lines =
      (try? String(contentsOfFile: "/usr/share/zoneinfo/zone1970.tab", encoding: .utf8)) ?? ""
    let rows = lines.split(separator: "\n").filter { !$0.hasPrefix("#") }
    return Set(rows.compactMap { $0.split(separator: "\t").dropFirst(2).first.map(String.init) })
  }()

  @Test(.enabled(if: isSameEdition && !namesBefore1970.isEmpty))
  func `every time zone has the same offsets as in Foundation, from 1900 to 2199`() throws {
    let names = Set(TimeZone.knownTimeZoneIdentifiers + Zones.names).sorted()
    var changes = 0
    for name in stride(from: 0, to: names.count, by: Cases.stride(3)).map({ names[$0] }) {
      let zone = try #require(Zones.zone(name), "\(name)")
      let other = try #require(TimeZone(identifier: name), "\(name)")
      let first =
        TimeZoneTests.namesBefore1970.contains(name) ? Int64(Day.first.number) * 86_400 : 0
      let last = Int64(Day.last.number + 1) * 86_400
      let steps = Array(stride(from: first, to: last, by: 11 * 86_400 + 3601))
      var found = Set(zone.changes.filter { first <= $0 && $0 < last })
      // The changes by the rule, which the file doesn't list.
      for (before, after) in zip(steps, steps.dropFirst())
      where zone.offset(at: before) != zone.offset(at: after) {
        var (low, high) = (before, after)
        while high - low > 1 {
          let middle = (low + high) / 2
          if zone.offset(at: middle) == zone.offset(at: before) {
            low = middle
          } else {
            high = middle
          }
        }
        found.insert(high)
      }
      changes += found.count
      let times = steps + found.map { $0 - 1 } + found
      let wrong = times.filter {
        zone.offset(at: $0) != other.secondsFromGMT(for: Date(timeIntervalSince1970: Double($0)))
      }
      #expect(wrong.isEmpty, "\(name) at \(wrong.prefix(3))")
    }
    #expect(names.count > 400 && changes > (Cases.areAll ? 60_000 : 20_000))
  }

  /// Returns a file with the changes `1 h east from 1000 on, 2 h from 2000 on`, and 0 before.
  private func file(
    version: Character = "2", leaps: UInt8 = 0, kinds: [UInt8] = [1, 2], footer: String = "AAA-3"
  ) -> [UInt8] {
    func block(_ size: Int, isRead: Bool) -> [UInt8] {
      let counts: [UInt8] = [0, 0, leaps, isRead ? 2 : 0, isRead ? 3 : 1, 4]
      let zerosOfLeaps = Int(leaps) * (size + 4)
      var bytes = Array("TZif".utf8)
      bytes.append(version == "1" ? 0 : version.asciiValue ?? 0)
      bytes += zeros(15)
      for count in counts { bytes += [0, 0, 0, count] }
      guard isRead else { return bytes + zeros(10 + zerosOfLeaps) }
      for time in [1000, 2000] as [Int64] {
        for byte in (0..<size).reversed() {
          bytes.append(UInt8(truncatingIfNeeded: time >> (8 * byte)))
        }
      }
      bytes += kinds
      for offset in [0, 3600, 7200] as [Int32] {
        for byte in (0..<4).reversed() {
          bytes.append(UInt8(truncatingIfNeeded: offset >> (8 * byte)))
        }
        bytes += [0, 0]
      }
      bytes += "AAA\0".utf8
      return bytes + zeros(zerosOfLeaps)
    }
    if version == "1" { return block(4, isRead: true) }
    var bytes = block(4, isRead: false)
    bytes += block(8, isRead: true)
    bytes += "\n\(footer)\n".utf8
    return bytes
  }

  private func zeros(_ count: Int) -> [UInt8] { [UInt8](repeating: 0, count: count) }

  private func offsets(_ bytes: [UInt8]) -> [Int]? {
    ZoneTable(file: bytes).map { zone in
      [-1, 999, 1000, 1999, 2000, 9_000_000_000].map { zone.offset(at: $0) }
    }
  }

  @Test
  func `the rule of a time zone applies after the last change, and without a rule the last offset`()
  {
    #expect(offsets(file()) == [0, 0, 3600, 3600, 10_800, 10_800])
    #expect(offsets(file(footer: "")) == [0, 0, 3600, 3600, 7200, 7200])
    #expect(offsets(file(version: "1")) == [0, 0, 3600, 3600, 7200, 7200])
  }

  @Test
  func `a time zone file that is truncated or malformed is refused`() {
    for version in ["1", "2"] as [Character] {
      let whole = file(version: version)
      for count in 0..<whole.count {
        #expect(offsets(Array(whole.prefix(count))) == nil, "\(count)")
      }
    }
    #expect(offsets(file(leaps: 1)) == nil)
    #expect(offsets(file(kinds: [1, 3])) == nil)
    #expect(offsets(file(footer: "AAA")) == nil)
    for place in 20..<44 {
      var bytes = file()
      bytes[place] = 0xFF
      #expect(offsets(bytes) == nil, "\(place)")
    }
  }

  @Test(arguments: [
    "", "AAA", "AA0", "AAA0BBB", "AAA0BBB,M3.5.0", "AAA0BBB,M13.1.0,M10.5.0",
    "AAA0BBB,M3.6.0,M10.5.0",
    "AAA0BBB,M3.5.7,M10.5.0", "AAA0BBB,J0,J100", "AAA0BBB,366,1", "AAA0BBB,M3.5.0/168,M10.5.0",
    "AAA25",
    "AAA0BBB,M3.5.0,M10.5.0,", "<AAA0", "AAA0:60", "AAA-",
  ])
  func `a malformed time zone rule is refused`(text: String) {
    #expect(ZoneRule(Array(text.utf8)[...]) == nil)
  }

  @Test(arguments: [
    // J60 doesn't count 29 February, which is day 59 from 0.
    ("AAA0BBB,J60/0,J61/0", "2024-03-01", 3600), ("AAA0BBB,J60/0,J61/0", "2023-03-01", 3600),
    ("AAA0BBB,59/0,60/0", "2024-02-29", 3600), ("AAA0BBB,59/0,60/0", "2023-03-01", 3600),
    ("AAA0BBB,59/0,60/0", "2024-03-01", 0),
    ("<+05>-5:30<-01>1:00:30,0/0,J365/23", "2024-07-01", -3630),
    ("<+05>-5:30", "2024-07-01", 19_800), ("AAA0BBB,M2.5.4/0,M3.1.5/24", "2024-03-01", 3600),
    ("AAA0BBB,M2.5.4/0,M3.1.5/24", "2024-03-02", 0),
    ("AAA0BBB,M2.5.4/-24,M3.1.5", "2024-02-28", 3600),
  ])
  func `a time zone rule counts days as POSIX specifies`(text: String, day: String, offset: Int)
    throws
  {
    let rule = try #require(ZoneRule(Array(text.utf8)[...]))
    let second = Int64(try #require(Day(day)).number) * 86_400 + 12 * 3600
    #expect(rule.offset(at: second) == offset)
  }

  @Test(arguments: [
    "../../etc/passwd", "/etc/localtime", "Europe/../Europe/Berlin", "Europe", "europe/berlin",
    "Europe/Berlin ",
    "posix/Europe/Berlin", "localtime", "zone.tab", "", "GMT+19", "GMT+0260", "GMT+123", "UTC+",
    "GMT+02:00",
    "CET-1CEST",
  ])
  func `an unknown or malformed time zone name is refused`(name: String) {
    #expect(Zones.zone(name) == nil)
  }

  @Test(arguments: [
    ("UTC", 0), ("Etc/UTC", 0), ("GMT", 0), ("GMT+2", 7200), ("GMT+0200", 7200),
    ("GMT-0330", -12_600),
    ("UTC+14", 50_400),
    ("Etc/GMT+5", -18_000),
  ])
  func `a name such as GMT+2 is a time zone with that offset`(name: String, offset: Int) {
    #expect(Zones.zone(name)?.offset(at: 1_700_000_000) == offset)
    #expect(TimeZone(identifier: name)?.secondsFromGMT() == offset)
  }
}
