import EventLog
import Inspection
import StreakDomain

/// The command that finds the steps after which a predicate became true or false.
struct WhenCommand: Command {
  static let name = "when"
  static let group = CommandGroup.lookBack
  static let words = Synopsis.predicate
  static let options: [Option] =
    [
      .json, Option("--all", nil, "every step after which it became true or false"),
      Option(
        "--from", .point,
        "only steps after this point (default: 0); --from 11-03 begins with 11-04"),
      Option(
        "--at", .point,
        "whether it holds there; exit code 1 if not", excludes: ["--all", "--from"]),
      Option("--on", .day, "with --at: pretend today is DAY", needs: ["--at"]),
    ] + Option.whatIf
  static let help = HelpText(PackageResources.when_txt)

  let invocation: Invocation

  func run() throws(Failure) -> ExitStatus {
    let predicate = try reader.predicate(arguments.phrase)
    if arguments.has("--at") { return try testPredicate(predicate) }

    var watch = PredicateWatch(predicate)
    let (flips, loaded) = try flips(of: &watch, predicate)
    if isJSON {
      printJSON(of: PredicateFlips(predicate, flips))
    } else {
      for line in try lines(flips, of: predicate, loaded) { print(line) }
    }

    if !flips.isEmpty { return .done }
    if arguments.has("-q") { return .failed }
    let start = arguments.value("--from").map { " after \($0)" } ?? ""
    throw .notFound("\(quoted(predicate.text)) was never true\(start)")
  }

  /// Prints whether the predicate is true at the point of `--at`, and returns the result as the
  /// exit code.
  private func testPredicate(_ predicate: Predicate) throws(Failure) -> ExitStatus {
    let loaded = try reader.loadAtPoint()
    if let error = predicate.firstUnknown(among: loaded.ledger.facts.definedHabits) { throw error }
    let test = PredicateTest(predicate, in: loaded.ledger, event: loaded.event)
    if isJSON {
      printJSON(of: test)
    } else {
      let day = loaded.ledger.today.map { " on \($0)" } ?? ""
      print("\(test.holds)\(day): \(predicate.comparedValues(in: loaded.ledger))")
    }
    return test.holds ? .done : .failed
  }

  private func flips(
    of watch: inout PredicateWatch, _ predicate: Predicate
  ) throws(Failure) -> ([StreakFlip], LoadedLedger) {
    let from = try words.point("--from") ?? .position(0)
    var flips: [StreakFlip] = []
    let isAll = arguments.has("--all")
    var walk = try reader.walk(wanting: isJSON ? [] : .locations)
    let isReached = try walk.advance(to: from)
    // After the first match, reading continues only until every habit of the predicate is known to
    // exist.
    while isAll || flips.isEmpty || !predicate.knowsHabits(of: walk.ledger), try walk.nextStep() {
      guard isAll || flips.isEmpty else { continue }
      if let flip = watch.flip(after: walk.lines, in: &walk.ledger) { flips.append(flip) }
    }
    let loaded = try walk.end()
    if let error = predicate.firstUnknown(among: loaded.ledger.facts.definedHabits) { throw error }
    if !isReached { try reader.check(from, reached: loaded) }
    return (flips, loaded)
  }

  private func lines(
    _ flips: [StreakFlip], of predicate: Predicate, _ loaded: LoadedLedger
  ) throws(Failure) -> [String] {
    try reader.reportAhead(flips.map(\.recorded))
    guard let stream = loaded.stream else { return [] }
    let positions = flips.map { stream.batch(around: $0.position).lowerBound...$0.position }
    let habits = loaded.ledger.facts.withMembers(Set(predicate.mentions.map(\.habit)))
    let width = positions.map { StepText.shown($0).count }.max() ?? 0

    var rows: [String] = []
    for (flip, positions) in zip(flips, positions) {
      var lines: [StepLine] = []
      try stream.eachEvent(at: Array(positions)) { lines.append(StepLine($1, at: $0)) }
      guard lines.last?.item.event != nil else { continue }

      let step = StepText(lines, loaded.ledger, stream, about: habits)
      let clock = loaded.ledger.facts.wallClock(at: flip.position)
      let written = reader.time(of: lines[lines.count - 1])
      let time = RecordedTime(written, by: clock, about: step.day)
      let sign = flip.holds ? style.paint("holds", .green) : style.paint("ended", .grey)
      let writer =
        stream.hasSeveralSegments ? stream.writer(at: flip.position).map(Escaping.visible) : nil
      var row = TableRow()
      row.add(StepText.shown(positions), width: width, isRight: true)
      row.add(arguments.has("--all") ? sign : "")
      row.add(time.text)
      row.add(Escaping.visible(step.says))
      row.add(style.paint(Event.shortID(flip.event), .grey))
      row.add(writer ?? "")
      row.add(flip.found)
      rows.append(row.text)
    }
    return rows
  }
}
