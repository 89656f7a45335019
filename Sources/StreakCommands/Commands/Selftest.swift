import EventLog
import StreakDomain

extension Command {
  static let selftest = Command(
    name: "selftest", group: .scripts, words: "",
    summary: "test a copy of the ledger against cuts, flips and reordering",
    options: [
      json,
      Option(
        "--bytes", .other("N"), "cut the last N bytes of each segment, flip N of sealed days (default: 4096)"),
      Option("--seed", .other("N"), "repeat the distribution of a run that printed this seed"),
    ],
    details: [
      "Cuts: the end of each segment is cut off byte by byte, as in a crash; the rest must be read as the batches before",
      "the cut, and an append after it must keep the torn bytes. Flips: every bit of the days sealed last is flipped;",
      "a seal must show it. Interleavings: the events are distributed to several devices and merged again, some",
      "twice; the state must be the same. The ledger itself is only read.",
      "",
      "  streaks selftest", "  streaks selftest --bytes 65536",
    ],
    example: Example(
      line: "streaks selftest",
      answer: [
        "838 cuts, 7 appends after them, 0 flips, 4 interleavings: every cut recovered to a p…",
        "…",
      ], setup: .newLedger)
  ) { invocation throws(CommandError) in
    let reach =
      try invocation.arguments.read("--bytes", "a number of bytes, 1 to 16777216") { text in
        Int(text).flatMap { (1...16_777_216).contains($0) ? $0 : nil }
      } ?? 4096
    let given = try invocation.arguments.read("--seed", "a whole number, 0 or more") {
      Int($0).flatMap { UInt64(exactly: $0) }
    }
    var random = invocation.context.random
    let seed = given ?? random.next() >> 32
    do throws(LogError) {
      var trial = try LedgerTrial(of: invocation.folder, reach: reach, random: TrialRandom(seed: seed))
      try trial.cut()
      try trial.flip()
      try trial.interleave(4)
      trial.print(seed: seed, by: invocation)
      return trial.failures.isEmpty ? .done : .failed
    } catch { throw .log(error) }
  }
}

extension LedgerTrial {
  fileprivate func print(seed: UInt64, by invocation: Invocation) {
    if invocation.isJSON {
      let document: JSON = .object([
        "format": .whole(1), "cuts": .whole(cuts), "appends": .whole(appends),
        "flips": .whole(flips), "interleavings": .whole(interleavings),
        "failures": .list(failures.map { .text($0) }), "seed": .whole(Int(seed)),
      ])
      return invocation.print(document.line)
    }
    let tried = [
      counted(cuts, "cut"), counted(appends, "append") + " after them",
      counted(flips, "flip"),
      counted(interleavings, "interleaving"),
    ].joined(separator: ", ")
    guard failures.isEmpty else {
      for failure in failures { invocation.print(Escaping.visible(failure)) }
      return invocation.print("\(tried), seed \(seed): \(counted(failures.count, "failure"))")
    }
    invocation.print(
      "\(tried): every cut recovered to a prefix, every flip found, every interleaving the same state")
    if flips == 0 { invocation.print("no day is sealed yet, so there was nothing to flip") }
  }
}
