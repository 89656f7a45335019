import EventLog
import Inspection
import StreakDomain

extension Command {
  static let backtest = Command(
    name: "backtest", group: .lookBack, words: "HABIT",
    summary: "the history under another rule, schedule or forgiveness",
    options: [json] + asking + [
      Option("--all", nil, "every day whose verdict flips, not only the first 20 spans")
    ],
    details: [
      "What is named replaces that part of every definition of the habit, each kept on its own days; a preset replaces",
      "the rest, too. Nothing is written.", "",
      "  streaks backtest gym --schedule 2/week",
      "  streaks backtest noalc --jokers 5/2",
    ],
    example: Example(
      line: "streaks backtest gym --schedule 2/week",
      answer: [
        "🏋️ Gym",
        "  schedule  3/week → 2/week",
        "",
        "                  real  tested",
        "good                35      35",
        "healed               3       0",
        "rest                40      43",
        "current run         38      35",
        "…",
      ])
  ) { invocation throws(Failure) in
    let word = invocation.word(0)
    let invocation = invocation.with(invocation.arguments.withUnitsJoined())
    try BacktestRun(invocation: invocation).print(word)
    return .done
  }
}

/// A habit's history as it is, and as it would be under other definitions.
struct BacktestDocument {
  let habit: String
  let real: Ledger
  let tested: Ledger
  /// The tested definition in force today, in the event that holds it.
  let definition: Event
  /// Each definition of the habit with what is tested in its place, in the order of the log.
  let definitions: [(event: String, day: Day, real: Habit, tested: Habit)]

  /// The days whose verdicts differ.
  var flips: [VerdictChange] { Backtest.flips(of: habit, real, tested) }
  /// Entries that the tested rule cannot read.
  var unread: Int { tested.unreadEntries(of: habit) }
}

/// The steps of `backtest`.
private struct BacktestRun {
  let invocation: Invocation

  /// Folds the history of a habit as it is and under what the options name, and prints both side by side.
  func print(_ word: String) throws(Failure) {
    guard Command.asking.map(\.name).contains(where: invocation.arguments.has) else {
      throw .usage(
        "backtest needs what to test, such as --at-least 20pages, --schedule 3/week or --jokers 5/2")
    }
    var definitions: [Event] = []
    var walk = try invocation.reader.walkToday()
    while try walk.next() {
      if let event = walk.item.event, case .habitDefined = event.payload {
        definitions.append(event)
      }
    }
    let real = try walk.end()
    let habit = try invocation.words.habit(named: word, in: real.ledger)
    definitions.removeAll { $0.defined?.id != habit }
    let document = try test(of: habit, definitions, real.ledger)
    if invocation.isJSON {
      invocation.print(document.json.line)
    } else {
      for line in BacktestText(document, invocation).lines { invocation.print(line) }
    }
  }

  /// The history with every definition of the habit replaced by what the options make of it.
  private func test(
    of habit: String, _ definitions: [Event], _ real: Ledger
  ) throws(Failure) -> BacktestDocument {
    var replaced: [String: Event] = [:]
    for event in definitions {
      guard let definition = event.defined else { continue }
      var tested = event
      tested.payload = .habitDefined(
        try DefinitionChange.made(of: habit, from: definition, real, invocation).0)
      // What is in the log already is folded as it is.
      if let refusal = real.refusal(of: tested), real.refusal(of: event) == nil {
        throw refusal.at(invocation.place, "")
      }
      replaced[event.id] = tested
    }
    var walk = try invocation.reader.walkToday()
    while try walk.read() {
      if let event = walk.item.event, let tested = replaced[event.id] {
        walk.item.replace(by: tested)
      }
      _ = try walk.take()
    }
    let ledger = try walk.end().ledger
    let latest = real.base(of: habit, on: real.today ?? Day.first)?.event ?? ""
    guard let definition = replaced[latest] ?? definitions.last else {
      throw .notFound("no habit \(quoted(habit)) is defined")
    }
    return BacktestDocument(
      habit: habit, real: real, tested: ledger, definition: definition,
      definitions: definitions.compactMap { event in
        guard let real = event.defined, let tested = replaced[event.id]?.defined else { return nil }
        return (event.id, event.day, real, tested)
      })
  }
}

extension BacktestDocument {
  var json: JSON {
    let composites = real.composites(above: habit)
    return .object([
      "format": .whole(1), "habit": .text(habit), "definition": .object(definition.definitionMembers),
      "real": real.state(of: habit)?.json ?? .null, "tested": tested.state(of: habit)?.json ?? .null,
      "flips": .list(
        flips.flatMap { flip in
          (flip.days.lowerBound.number...flip.days.upperBound.number).map { number in
            .object([
              "day": .day(Day(unchecked: number)), "real": .text(flip.before?.rawValue),
              "tested": .text(flip.after?.rawValue),
            ])
          }
        }),
      "composites": .list(
        composites.map { name in
          .object([
            "habit": .text(name), "real": real.state(of: name)?.json ?? .null,
            "tested": tested.state(of: name)?.json ?? .null,
          ])
        }),
      "xp": .object(["real": .whole(real.xp), "tested": .whole(tested.xp)]), "unreadEntries": .whole(unread),
    ])
  }
}
