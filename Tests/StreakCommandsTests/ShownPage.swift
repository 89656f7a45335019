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
  let sums: [String]
  /// The names of the marked cards with their CSS classes.
  let marked: [String]
  let chosen: Int
  let detail: String
  let habit: String?
  let chain: Chain
  let book: [String]
  let more: [String]
  let achievements: [String]
  let experience: String
  let titles: [String]
  /// The years with a button; the selected one has a star.
  let years: [String]
  let trend: [String]
  let month: [String]
  let marks: [String]
  let rings: [String]
  let year: [String]
  let day: [[String]]
  let ids: [[String]]
  let state: String
  let isPlaying: Bool
  let focus: String?
  let scrolledTo: String?
  let today: String
  let elements: [String]

  struct Chain: Decodable {
    /// The title, or `nil` if there is no number to explain.
    let title: String?
    let note: String
    let positions: [Int]
    let lines: [String]
  }

  /// Performs the actions on a page, and returns its contents at each `show`.
  static func after(_ actions: [String], on page: String) throws -> [ShownPage] {
    try Node.lines([Repository.root + "/Tests/Fixtures/page/use.js"] + actions, input: page).map {
      try JSONDecoder().decode(ShownPage.self, from: Data($0.utf8))
    }
  }

  static func at(_ steps: [Int], of page: String) throws -> [ShownPage] {
    try after(["unfold ids-part"] + steps.flatMap { ["at \($0)", "card \($0)", "show"] }, on: page)
  }
}
