/// What an activity must reach; any one of the measures is enough, none given is never enough.
///
/// ```swift
/// let rule: Rule = .activity([
///   ActivityThreshold(activity: "running", measures: Measures(minutes: 10, km: 1)),
///   ActivityThreshold(activity: "*", measures: Measures(minutes: 30)),
/// ])
/// ```
public struct ActivityThreshold: Sendable, Equatable {
  /// The activity's name, or `*` for every other.
  public let activity: LedgerText
  /// Any one of these is enough; an activity without any is never enough.
  public let measures: Measures

  /// What an activity must reach.
  public init(activity: LedgerText, measures: Measures) {
    self.activity = activity
    self.measures = measures
  }
}

extension ActivityThreshold {
  /// `running 10 min or 1 km`, `any other never`.
  package var meaning: String {
    let parts = [
      measures.sets.map { Measure.sets.said($0) }, measures.minutes.map { "\($0) min" },
      measures.km.map { "\($0) km" },
    ].compactMap { $0 }
    return (activity == "*" ? "any other" : activity.string) + " "
      + (parts.isEmpty ? "never" : parts.joined(separator: " or "))
  }
}

extension Entry {
  /// The measures that an entry without any lacks to reach what its activity asks for; nil where that is nothing.
  ///
  ///     running  minutes 10, km 1     `running` lacks minutes or km
  ///     *        {}                   `skating` lacks nothing: no number of anything would be enough
  func lack(under thresholds: [ActivityThreshold]) -> (needs: String, says: String)? {
    guard minutes == nil, km == nil, sets == nil else { return nil }
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

/// Thresholds made ready for the fold.
struct ActivityTest: Sendable {
  private var own: [(activity: Symbol, measures: Measures)] = []
  /// For every activity that has none of its own.
  private var others = Measures()

  init(_ thresholds: [ActivityThreshold], names: inout SymbolTable) {
    for threshold in thresholds {
      own.append((names.intern(threshold.activity.string), threshold.measures))
      if threshold.activity == "*" { others = threshold.measures }
    }
  }

  func isReached(by entry: EntryFact) -> Bool {
    entry.measures.reachesOne(of: threshold(of: entry.activity))
  }

  private func threshold(of activity: UInt32) -> Measures {
    guard activity != 0 else { return others }
    for threshold in own where threshold.activity.value == activity - 1 { return threshold.measures }
    return others
  }
}

/// Minutes, kilometres and sets, each optional: a threshold or what an entry brought.
public struct Measures: Sendable, Equatable {
  /// Minutes; nil where there are none, here and below.
  public var minutes: Thousandths?
  /// Kilometres.
  public var km: Thousandths?
  /// Sets.
  public var sets: Thousandths?

  /// Those that are given.
  public init(minutes: Thousandths? = nil, km: Thousandths? = nil, sets: Thousandths? = nil) {
    self.minutes = minutes
    self.km = km
    self.sets = sets
  }

  /// Whether one measure reaches its threshold; a threshold without measures is never reached.
  package func reachesOne(of threshold: Measures) -> Bool {
    reaches(minutes, threshold.minutes) || reaches(km, threshold.km) || reaches(sets, threshold.sets)
  }

  private func reaches(_ measure: Thousandths?, _ threshold: Thousandths?) -> Bool {
    guard let measure, let threshold else { return false }
    return measure >= threshold
  }
}
