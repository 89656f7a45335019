import DomainFixtures
import StreakDomain
import Testing

struct EventKeyTests {
  /// Ids of every length and of common formats, with neighbors that differ in one byte.
  private static let ids: [String] = {
    var random = SeededRandom(seed: 2026)
    let bytes = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789._:-".utf8)
    var ids = (1...64).flatMap { length in
      (0..<20).map { _ in
        String(
          decoding: (0..<length).map { _ in bytes[Int(random.next() % UInt64(bytes.count))] },
          as: UTF8.self)
      }
    }
    ids += [
      "a", "aa", "0194000000000001-3a0fc7bd", "0194000000000001-3a0fc7be",
      "0294000000000001-3a0fc7bd",
    ]
    ids += ["01J9ZQ3D5T8S7V2B4N6M8K0H1C", "01j9zq3d5t8s7v2b4n6m8k0h1c"]
    ids += ["00000000-0000-4000-8000-000000000000", "019A45f0-cb80-4000-8000-000000000000"]
    for version in "0123456789abcdef" {
      ids.append("ffffffff-ffff-\(version)fff-ffff-ffffffffffff")
      ids.append("019a45f0-cb80-\(version)000-8000-000000000000")
      ids.append("019A45F0-CB80-\(version)000-8000-000000000000")
    }
    return ids
  }()

  @Test func `every event id has a key of its own from which the id can be read back`() {
    var names = SymbolTable()
    var known: [EventKey: String] = [:]
    for id in EventKeyTests.ids {
      let key = EventKey(id, names: &names)
      #expect(key.text(names) == id)
      #expect(known.updateValue(id, forKey: key) ?? id == id)
      #expect(EventKey.find(id, names: names) == key)
    }
  }

  @Test(arguments: ["", "ä", "a\0b", "0194000000000001-3a0fc7bd\u{0}", "é123456789012345"])
  func `a text that is not an event id has a key that no id has`(text: String) {
    var names = SymbolTable()
    #expect(EventKey.find(text, names: names) == nil)
    for id in EventKeyTests.ids {
      #expect(EventKey(id, names: &names) != EventKey(text, names: &names))
    }
    #expect(Text(EventKey(text, names: &names).text(names)) == Text(text))
  }

  @Test func `consecutive event ids share one stored string`() {
    var names = SymbolTable()
    for number in 0..<10_000 {
      let digits = String(number)
      _ = EventKey(
        "0194" + String(repeating: "0", count: 12 - digits.utf8.count) + digits + "-3a0fc7bd",
        names: &names)
    }
    #expect(names.count == 1)
  }
}
