import EventLog
import Inspection
import StreakDomain

/// What the page of `serve` shows besides the numbers.
///
/// These are the habits with today's status and the words for it, the conditions of the
/// achievements, and the meanings of the signs of days. With them, the cards of the page say what
/// `show` says, and its achievements what `why` says. Nothing else asks for it.
struct ServedCards: Command {
  static let name = ShowCommand.name
  static let group = ShowCommand.group
  static let words: Synopsis = ""
  static let options: [Option] = [.json]
  static let help = ShowCommand.help

  let invocation: Invocation

  func run() throws(Failure) -> ExitStatus {
    let ledger = try reader.loadToday().ledger
    let cards = ledger.habits.filter { !$0.isWithdrawn }.map { ServedCard($0) }
    var conditions: JSONValue.Members = [:]
    for key in Achievements(of: ledger).all.map(\.key) {
      conditions[Text(key)] = .text(AchievementText.condition(key, ledger))
    }
    printJSON([
      "cards": JSONValue(of: cards, omitsNil: true), "conditions": .object(conditions),
      "meanings": Verdict.meanings,
    ])
    return .done
  }
}

/// The status of a habit today.
private struct ServedCard: Encodable {
  let habit: String
  /// The status of today: usually the group of `show`.
  ///
  /// It is `kept` for a day within its limit, `saved` if a joker saved the day, and `off` or
  /// `retired` for such a habit.
  let status: String
  let badge: String
  let jokers: String
  /// The last day of an excuse and its reason, such as `excused through tomorrow · flu`.
  let excuse: String?
  /// The progress of a number of times a week or month, such as `2 of 3 this week`.
  let quota: String?

  init(_ habit: HabitView) {
    let line = HabitLine(habit)
    let state = line.state
    self.habit = habit.id

    switch line.group {
    case _ where line.isKept:
      status = "kept"
      badge = HabitLine.keptTitle
    case _ where line.word == HabitLine.savedTitle:
      status = "saved"
      badge = line.word
    case .aside:
      status = state.status == .off ? "off" : "retired"
      badge = state.status == .off ? "" : line.word
    case .resting:
      status = line.group.rawValue
      badge = "rests today"
    case .due, .free, .done, .excused, .over, .beginning:
      status = line.group.rawValue
      badge = line.group.title
    }

    jokers = line.jokers
    excuse = line.group == .excused ? line.remarks.first : nil
    quota = state.quota.flatMap { quota in
      guard let today = habit.today else { return nil }
      // A habit that has not begun asks for nothing yet.
      let period = habit.quotaPeriod?.rawValue ?? ""
      if habit.firstDay == nil { return "0 of \(quota.times) this \(period)" }
      return habit.clauses(of: quota, on: today, isDone: state.status == .done).first
    }
  }
}
