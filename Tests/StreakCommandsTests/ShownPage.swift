import CommandFixtures
import Foundation

/// What the page of `report` shows at a place of its slider, as Tests/Fixtures/page/use.js reads it.
struct ShownPage: Decodable {
  let at: Int
  let title: String
  /// The event's number, zone and id.
  let place: String
  let event: String
  let told: [String]
  let isFolded: Bool
  /// The phrases that the bar has room for one after the other.
  let headline: [String]
  let due: String
  let notDue: String
  let since: String?
  /// Of each card icon, name, run, jokers held, the word for today, a remark, and the words of its bar.
  let cards: [[String]]
  /// What the cards say of a week or month, each with its bar.
  let sums: [String]
  /// The cards with a mark, by name, with their classes.
  let marked: [String]
  /// The place of the chosen card; -1 for none.
  let chosen: Int
  let detail: String
  /// The id of the chosen habit.
  let habit: String?
  let chain: Chain
  let book: [String]
  /// What the lists of the book and of achievements say of scrolling.
  let more: [String]
  let achievements: [String]
  let experience: String
  /// The titles of year, month, day and trend.
  let titles: [String]
  /// The years with a button, the one that is shown with a star.
  let years: [String]
  let trend: [String]
  let month: [String]
  /// The days of the month with a mark.
  let marks: [String]
  let rings: [String]
  let year: [String]
  let day: [[String]]
  /// Of each habit with entries on the day its name and their ids, once unfolded.
  let ids: [[String]]
  let state: String
  let isPlaying: Bool
  let focus: String?
  let scrolledTo: String?
  /// What a page that follows says of that, and where it connected to.
  let live: Live?
  let today: String
  /// The names of all elements there are.
  let elements: [String]

  /// The events behind the chosen habit's numbers.
  struct Chain: Decodable {
    /// Nil where there is no number to explain.
    let title: String?
    let note: String
    let positions: [Int]
    let lines: [String]
  }

  struct Live: Decodable {
    let sign: String
    /// How often the page was opened anew, and what it keeps for that.
    let opened: Int
    let kept: String?
    let urls: [String]
  }

  /// Uses a page, and looks at it each time an action is `show`.
  static func after(_ actions: [String], on page: String) throws -> [ShownPage] {
    try Node.lines([Repository.root + "/Tests/Fixtures/page/use.js"] + actions, input: page).map {
      try JSONDecoder().decode(ShownPage.self, from: Data($0.utf8))
    }
  }

  /// The page at each of these steps, each time with another habit chosen.
  static func at(_ steps: [Int], of page: String) throws -> [ShownPage] {
    try after(["unfold ids-part"] + steps.flatMap { ["at \($0)", "card \($0)", "show"] }, on: page)
  }
}
