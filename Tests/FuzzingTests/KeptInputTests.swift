import CommandFixtures
import DomainFixtures
import Fuzzing
import Testing

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
  func `a stored fuzzing input passes the checks of its target`(kept: Kept) throws {
    try kept.target.check(try kept.bytes)
  }

  @Test(arguments: FuzzTarget.allCases)
  func `every fuzzing target has stored inputs`(target: FuzzTarget) {
    #expect(KeptInputTests.kept.contains { $0.target == target })
  }

  @Test(arguments: FuzzTarget.allCases, Cases.seeds(8))
  func `a stored fuzzing input with random changes passes the checks of its target`(
    target: FuzzTarget, seed: UInt64
  )
    throws
  {
    var mutation = Mutation(
      of: try KeptInputTests.kept.filter { $0.target == target }.map { try $0.bytes }, seed: seed)
    for round in 1...target.rounds {
      let input = mutation.next()
      do throws(Finding) { try target.check(input) } catch {
        Issue.record(
          """
          seed \(seed), round \(round): \
          \(error)\n\(String(decoding: input, as: UTF8.self).debugDescription)
          """
        )
      }
    }
  }
}

/// Mutated inputs: changed, deleted and inserted bytes, or the start of one and the end of another.
private struct Mutation {
  private let inputs: [[UInt8]]
  private var random: SeededRandom

  init(of inputs: [[UInt8]], seed: UInt64) {
    self.inputs = inputs
    random = SeededRandom(seed: seed)
  }

  mutating func next() -> [UInt8] {
    var input = inputs[random.below(inputs.count)]
    for _ in 0...random.below(3) {
      let place = random.below(input.count + 1)
      switch random.below(4) {
      case 0: input.insert(byte(), at: place)
      case 1 where place < input.count: input[place] = byte()
      case 2: input.removeSubrange(place..<min(input.count, place + 1 + random.below(8)))
      default:
        let other = inputs[random.below(inputs.count)]
        input = input[..<place] + other.suffix(random.below(other.count + 1))
      }
    }
    return input
  }

  private mutating func byte() -> UInt8 {
    let telling =
      Array("\0\n \"\\,:;-+./{}[]()<>=!0159aeEhTZ".utf8) + [0x7F, 0x80, 0xC3, 0xED, 0xFF]
    return random.below(3) == 0 ? UInt8(random.below(256)) : telling[random.below(telling.count)]
  }
}
