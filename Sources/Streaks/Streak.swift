import StreakDomain

/// The state of a habit.
///
/// ```swift
/// if let streak = ledger.streak(of: "noalc"), streak.ifMissed == .breaks {
///   print("\(streak.current) days are at stake")
/// }
/// ```
///
/// ## Topics
/// ### The run
/// - ``current``
/// - ``start``
/// - ``best``
/// - ``longest``
/// - ``lastGood``
/// ### Today
/// - ``status``
/// - ``ifMissed``
/// - ``safeThrough``
/// - ``quota``
/// - ``progress-swift.property``
/// ### Sums
/// - ``jokers``
/// - ``days``
/// - ``totals``
public struct Streak: Codable, Hashable, Sendable {
  /// The habit's id.
  public let habit: String
  /// The habit's name; its id where it has none.
  public let name: String
  /// The sign to show before the name.
  public let icon: String?
  /// The run after today, in days.
  public let current: Int
  /// The first day of the run; nil where there is none.
  public let start: Day?
  /// The longest run by what is known today, in days.
  public let best: Int
  /// The longest run that there ever was after any event, in days; it never falls.
  public let longest: Int
  /// The latest day that was good or restarted.
  public let lastGood: Day?
  /// What there is to do today.
  public let status: Status
  /// What today brings if nothing more is logged.
  public let ifMissed: IfMissed
  /// The last day on which the run lives if nothing more is logged.
  public let safeThrough: Day?
  /// Jokers held, earned and gone.
  public let jokers: Jokers
  /// Of a habit that is asked for so many times a week or month, how far it has come in this one.
  public let quota: Quota?
  /// Of a habit that adds something up, how far today is, or this week or month.
  public let progress: Progress?
  /// How many days came out as each verdict.
  public let days: [Verdict: Int]
  /// Sums over the standing entries.
  public let totals: Totals

  /// What there is to do today.
  public enum Status: String, Codable, CaseIterable, Sendable {
    /// The habit counts no streak.
    case off
    /// The habit was given up.
    case retired
    /// There was no good day yet.
    case new
    /// The schedule does not ask for today.
    case rest
    /// A missed day is being forgiven: today decides over the run.
    case grace
    /// Today is asked for and not done.
    case due
    /// Today is done.
    case done
    /// There is no run.
    case broken

    init(_ status: HabitState.Status) {
      switch status {
      case .off: self = .off
      case .retired: self = .retired
      case .new: self = .new
      case .rest: self = .rest
      case .grace: self = .grace
      case .due: self = .due
      case .done: self = .done
      case .broken: self = .broken
      }
    }
  }

  /// What today brings if nothing more is logged.
  public enum IfMissed: String, Codable, CaseIterable, Sendable {
    /// There is no run to lose.
    case none
    /// The run goes on.
    case safe
    /// Today becomes a rest day.
    case rests
    /// A joker is spent.
    case heals
    /// A day of grace is used.
    case graced
    /// The run ends.
    case breaks

    init(_ ifMissed: HabitState.IfMissed) {
      switch ifMissed {
      case .none: self = .none
      case .safe: self = .safe
      case .rests: self = .rests
      case .heals: self = .heals
      case .graced: self = .graced
      case .breaks: self = .breaks
      }
    }
  }

  /// Jokers, by what became of them.
  public struct Jokers: Codable, Hashable, Sendable {
    /// There now.
    public let held: Int
    /// Earned by runs, the forfeited ones not among them.
    public let earned: Int
    /// Spent to save a day.
    public let spent: Int
    /// Lost as soon as they were earned, because as many were held as may be.
    public let forfeited: Int
    /// Taken by a bad outcome, as the rule's penalty says.
    public let penalised: Int
  }

  /// A week or month of so many times.
  public struct Quota: Codable, Hashable, Sendable {
    /// Days asked for.
    public let times: Int
    /// Days that came out good, healed or restarted.
    public let good: Int
    /// Rest days left.
    public let rests: Int
    /// The last day of the week or month.
    public let through: Day
  }

  /// The sum of today, or so far of its week or month.
  public struct Progress: Codable, Hashable, Sendable {
    /// What it comes to.
    public let total: Double
    /// What is asked for; nil where nothing is.
    public let atLeast: Double?
    /// The most that there may be; nil where there may be any.
    public let atMost: Double?
    /// The days that are added up.
    public let per: Span
    /// The last of them.
    public let through: Day

    /// Days that are added up.
    public enum Span: String, Codable, Sendable {
      case day, week, month
    }
  }

  /// Sums over the standing entries.
  public struct Totals: Codable, Hashable, Sendable {
    /// How many there are.
    public let entries: Int
    /// Minutes, to a thousandth.
    public let minutes: Double
    /// Kilometres, to a thousandth.
    public let km: Double
    /// Sets.
    public let sets: Int
    /// Drinks.
    public let drinks: Int
    /// Amounts in whatever unit the entries had, to a thousandth.
    public let amount: Double
    /// Entries that say whether they were completed.
    public let played: Int
    /// Entries that say they were completed.
    public let completed: Int
  }

  init(_ state: HabitState) {
    habit = state.habit
    name = state.name.string
    icon = state.icon?.string
    current = state.current
    start = state.start.map { Day($0) }
    best = state.best
    longest = state.longest
    lastGood = state.lastGood.map { Day($0) }
    status = Status(state.status)
    ifMissed = IfMissed(state.ifMissed)
    safeThrough = state.safeThrough.map { Day($0) }
    jokers = Jokers(
      held: state.jokers.held, earned: state.jokers.earned, spent: state.jokers.spent,
      forfeited: state.jokers.forfeited, penalised: state.jokers.penalised)
    quota = state.quota.map {
      Quota(times: $0.times, good: $0.good, rests: $0.rests, through: Day($0.through))
    }
    progress = state.progress.map {
      Progress(
        total: Double($0.total), atLeast: $0.atLeast.map { Double($0) }, atMost: $0.atMost.map { Double($0) },
        per: Progress.Span(rawValue: $0.per) ?? .day, through: Day($0.through))
    }
    days = Dictionary(
      uniqueKeysWithValues: StreakDomain.Verdict.allCases.map { (Verdict($0), state.days[$0]) })
    let totals = state.totals
    self.totals = Totals(
      entries: totals.entries, minutes: Double(totals.minutes), km: Double(totals.km), sets: totals.sets,
      drinks: totals.drinks, amount: Double(totals.amount), played: totals.played,
      completed: totals.completed)
  }
}

extension Double {
  init(_ number: Thousandths) {
    self = Double(number.count) / 1000
  }
}

extension Thousandths {
  /// The nearest one; far out of every range where there is none.
  init(_ number: Double) {
    let count = (number * 1000).rounded()
    self.init(count: count.magnitude < 1e15 ? Int64(count) : 1_000_000_000_000_000)
  }
}
