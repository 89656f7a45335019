package import StreakDomain

/// The measures that a rule needs in an entry, and the refusal of entries without them.
extension Rule {
  private func lack(in entry: Entry) -> (needs: String, says: String)? {
    switch kind {
    case .minutes:
      entry.minutes == nil ? ("minutes", "counts minutes; say how many, such as 12m") : nil
    case .level(let levels):
      entry.level == nil && entry.drinks == nil
        ? (
          "level or drinks",
          "needs a level (\(levels.names.strings.joined(separator: ", "))) or drinks, such as 2drinks"
        ) : nil
    case .completed: entry.completed == nil ? ("completed", "is either completed or failed; say which") : nil
    case .sum(let sum): entry.has(sum.of) ? nil : (sum.of.rawValue, sum.question)
    case .activity(let thresholds): entry.lack(under: thresholds)
    case .any, .never, .all, .either: nil
    }
  }

  package func missing(in entry: Entry) -> String? { lack(in: entry)?.says }

  func refusal(of entry: Entry) -> Failure? {
    if isComposite {
      return Failure(
        .doesNotFit, "\(quoted(entry.habit)) follows from \(members.joined(separator: ", "))",
        remedy: "log one of those instead")
    }
    if let lack = lack(in: entry) {
      return Failure(
        traits.looksAtActivities ? .nothingToCount : .missingMeasure,
        "\(quoted(entry.habit)) has the rule \(quoted(name.rawValue)), so an entry needs \(lack.needs)")
    }
    return levels.names.isEmpty ? nil : levels.refusal(of: entry)
  }
}

extension Levels {
  fileprivate func refusal(of entry: Entry) -> Failure? {
    if let level = entry.level, !names.contains(level) {
      return Failure(
        .doesNotFit,
        "\"level\" is \(quoted(level)), which \(quoted(entry.habit)) does not have\(Nearest.hint(level.string, among: names.strings))",
        remedy: "it knows " + names.strings.map(Escaping.visible).joined(separator: ", "))
    }
    guard let drinks = entry.drinks else { return nil }
    guard let band = band(of: drinks) else {
      return Failure(
        .doesNotFit, "\(drinks) drinks are in no level of \(quoted(entry.habit))",
        remedy: "define its levels again, the last one open")
    }
    guard let level = entry.level, level != band.name else { return nil }
    return Failure(
      .doesNotFit, "\"level\" is \(quoted(level)), but \(drinks) drinks are \(quoted(band.name))",
      remedy: "leave one out")
  }
}

extension Sum {
  fileprivate var question: String {
    let unit = of == .minutes ? "m" : self.unit?.string ?? (of == .amount ? "" : of.rawValue)
    let bound = atLeast ?? atMost ?? Thousandths(20)
    let example = "\(bound)" + Unit.name(unit, of: bound)
    return "counts \(self.unit?.string ?? of.rawValue); say how many, such as \(example)"
  }
}

extension Entry {
  /// Returns the measures of which this entry needs one, or `nil` if it is acceptable.
  ///
  /// If some threshold has no measures, entries without measures are accepted, because the habit also serves
  /// as a diary.
  fileprivate func lack(under thresholds: [ActivityThreshold]) -> (needs: String, says: String)? {
    guard minutes == nil, km == nil, sets == nil, !thresholds.contains(where: { $0.measures == Measures() })
    else {
      return nil
    }
    let own = thresholds.first { $0.activity == activity } ?? thresholds.first { $0.activity == "*" }
    let asked: [(measure: Measure, least: Thousandths)] = [
      (.sets, own?.measures.sets), (.minutes, own?.measures.minutes), (.km, own?.measures.km),
    ].compactMap { measure, least in least.map { (measure, $0) } }
    guard let first = asked.first else { return nil }
    let names = asked.map(\.measure.rawValue).joined(separator: " or ")
    let example = "\(first.least)\(first.measure.bareUnit ?? "")"
    return (names, "counts \(names); say how many, such as \(example)")
  }
}
