import DomainFixtures
import StreakDomain
import Testing

/// A fold that was stored and taken up again goes on as if it never had been.
struct StoredLedgerTests {
  /// Folds a stream, stores it at some places, and compares what it tells after each later step.
  private func check(_ events: [Event], every step: Int, _ about: String) throws {
    var whole = LedgerFold()
    var stored: [(at: Int, fold: LedgerFold)] = []
    for (place, event) in events.enumerated() {
      if place.isMultiple(of: step) {
        let fold = try #require(StoredFold(whole).fold(), "\(about), event \(place)")
        stored.append((place, fold))
        // A later one stores what an earlier one has left where it was.
        if stored.count.isMultiple(of: 3) {
          stored[0] = (stored[0].at, try #require(StoredFold(stored[0].fold).fold()))
        }
      }
      _ = whole.apply(event)
      for index in stored.indices { _ = stored[index].fold.apply(event) }
      guard place % step == step / 2 || place == events.count - 1 else { continue }
      let told = ToldLedger(whole.settled)
      for index in stored.indices {
        let other = ToldLedger(stored[index].fold.settled)
        let difference = told.difference(from: other)
        try #require(
          difference == nil, "\(about), stored at \(stored[index].at), event \(place): \(difference ?? "")")
      }
    }
  }

  @Test(arguments: Cases.seeds(60))
  func `a random stream goes on from every place`(seed: UInt64) throws {
    var stream = RandomStream(seed: seed, isDense: seed.isMultiple(of: 3))
    try check(stream.events(60), every: Cases.areAll ? 1 : 7, "seed \(seed)")
  }

  @Test(arguments: Cases.seeds(60))
  func `so does one with undos and corrections of the day`(seed: UInt64) throws {
    try check(
      SlippedStream(seed: seed, isDense: seed.isMultiple(of: 2)).events(40), every: Cases.areAll ? 1 : 7,
      "seed \(seed)")
  }

  @Test(arguments: Cases.seeds(20))
  func `so does one of hundreds of days`(seed: UInt64) throws {
    var stream = WideStream(seed: seed)
    try check(stream.events(20), every: Cases.areAll ? 1 : 6, "seed \(seed)")
  }

  @Test(arguments: Cases.seeds(40))
  func `so does one in which the owner's name comes late`(seed: UInt64) throws {
    let events = SubjectsStream(seed: seed).events(40)
    try check(events, every: Cases.areAll ? 1 : 7, "seed \(seed)")
  }

  @Test func `what ends too early is no fold`() throws {
    var stream = RandomStream(seed: 4)
    var fold = LedgerFold()
    for event in stream.events(30) { _ = fold.apply(event) }
    let stored = StoredFold(fold)
    #expect(stored.fold() != nil)
    for count in stride(from: 0, to: stored.count, by: Cases.stride(7)) {
      try #require(stored.fold(first: count) == nil, "\(count) bytes")
    }
  }
}
