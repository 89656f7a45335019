import DomainFixtures
import Inspection
import StreakCommands
import StreakDomain

enum PredicateLaws {
  private static let ledgers: [Ledger] = {
    var ledger = Ledger()
    var stream = RandomStream(seed: 7)
    ledger.fold(stream.events(120))
    return [Ledger(), ledger]
  }()

  static func check(_ input: [UInt8]) throws(Finding) {
    let text = String(decoding: input, as: UTF8.self)
    for ledger in ledgers { try check(text, in: ledger) }
  }

  private static func check(_ text: String, in ledger: Ledger) throws(Finding) {
    let habits = ledger.definedHabits
    let read = Result { () throws(Failure) in try Predicate(parsing: text) }
    let readKnowing = Result { () throws(Failure) in try Predicate(parsing: text, habits: habits) }
    if case .failure(let error) = readKnowing { try checkMessage(of: error, in: text) }
    switch read {
    case .failure(let error):
      try checkMessage(of: error, in: text)
      guard case .failure = readKnowing else {
        throw Finding("refused, but not where the habits are known")
      }
    case .success(let predicate):
      let unknown = predicate.firstUnknown(among: habits)
      switch readKnowing {
      case .success(let knowing):
        try demand(unknown == nil, "a habit is unknown only after reading")
        try demand(
          knowing.condition == predicate.condition, "knowing the habits changes the meaning")
      case .failure: try demand(unknown != nil, "refused only where the habits are known")
      }
      try checkJudging(of: predicate, in: ledger)
    }
  }

  private static func checkMessage(of error: Failure, in text: String) throws(Finding) {
    let isInside = (1...text.utf8.count + 1).contains(error.column)
    try demand(isInside, "the error's column \(error.column) is not in the predicate")
    try demand(!error.message.isEmpty, "an error without a message")
  }

  private static func checkJudging(of predicate: Predicate, in ledger: Ledger) throws(Finding) {
    let holds = predicate.holds(in: ledger)
    var watched = ledger
    var watch = PredicateWatch(predicate)
    try demand(watch.update(for: &watched) == holds, "looking tells another change than judging")
    try demand(watch.holds == holds, "watched it holds otherwise")
    try demand(!watch.update(for: &watched), "it changes where nothing changed")
    try demand(!predicate.comparedValues(in: ledger).isEmpty, "values without a text")
  }
}
