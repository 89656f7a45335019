import CommandFixtures
import Foundation

/// The contents of the page of `report`, as read by Tests/Fixtures/page/use.js.
struct ShownPage: Decodable {
  let at: Int
  let title: String
  /// The number, zone and id of the event.
  let place: String
  let event: String
  let told: [String]
  let isFolded: Bool
  let headline: [String]
  let due: String
  let notDue: String
  let since: String?
  /// Each card's icon, name, run, jokers, status of today, remark and bar.
  let cards: [[String]]
  /// The cards' texts for a week or month, each with its bar.
  let sums: [String]
  /// The names of the marked cards with their CSS classes.
  let marked: [String]
  /// The index of the selected card, or -1.
  let chosen: Int
  let detail: String
  let habit: String?
  let chain: Chain
  let book: [String]
  /// The hints of the book and the achievements that they can be scrolled.
  let more: [String]
  let achievements: [String]
  let experience: String
  /// The titles of year, month, day and trend.
  let titles: [String]
  /// The years with a button; the selected one has a star.
  let years: [String]
  let trend: [String]
  let month: [String]
  let marks: [String]
  let rings: [String]
  let year: [String]
  let day: [[String]]
  /// The name and entry ids of each habit on the day, once expanded.
  let ids: [[String]]
  let state: String
  let isPlaying: Bool
  let focus: String?
  let scrolledTo: String?
  /// The status and the connection of a page that follows the ledger.
  let live: Live?
  let today: String
  let elements: [String]

  /// The events behind the selected habit's numbers.
  struct Chain: Decodable {
    /// The title, or `nil` if there is no number to explain.
    let title: String?
    let note: String
    let positions: [Int]
    let lines: [String]
  }

  struct Live: Decodable {
    let sign: String
    /// The number of reloads, and the state saved for them.
    let opened: Int
    let kept: String?
    let urls: [String]
  }

  /// Performs the actions on a page, and returns its contents at each `show`.
  static func after(_ actions: [String], on page: String) throws -> [ShownPage] {
    try Node.lines([Repository.root + "/Tests/Fixtures/page/use.js"] + actions, input: page).map {
      try JSONDecoder().decode(ShownPage.self, from: Data($0.utf8))
    }
  }

  /// Returns the page at each step, each time with another habit selected.
  static func at(_ steps: [Int], of page: String) throws -> [ShownPage] {
    try after(["unfold ids-part"] + steps.flatMap { ["at \($0)", "card \($0)", "show"] }, on: page)
  }
}
