import Fuzzing
import TestSupport
import Testing

/// Inputs that once broke a law, and the seeds that fuzzing begins with.
struct KeptInputTests {
  struct Kept: Sendable, CustomTestStringConvertible {
    let target: FuzzTarget
    let name: String

    var bytes: [UInt8] {
      get throws { try Repository.bytes("Tests/Fixtures/fuzz/\(target.rawValue)/\(name)") }
    }

    var testDescription: String { "\(target.rawValue)/\(name)" }
  }

  static let kept: [Kept] = FuzzTarget.allCases.flatMap { target in
    let names = (try? Repository.names(in: "Tests/Fixtures/fuzz/\(target.rawValue)")) ?? []
    return names.map { Kept(target: target, name: $0) }
  }

  @Test(arguments: kept)
  func `a kept input breaks no law`(kept: Kept) throws { try kept.target.check(try kept.bytes) }

  @Test(arguments: FuzzTarget.allCases)
  func `every target has kept inputs`(target: FuzzTarget) {
    #expect(KeptInputTests.kept.contains { $0.target == target })
  }
}
