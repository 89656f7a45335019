import Foundation
import TestSupport

/// What the page of `report` shows at a place of its slider, as Tests/Fixtures/page/use.js reads it.
struct ShownPage: Decodable {
  let at: Int
  let event: String
  let told: String
  let since: String?
  /// Of each card icon, name, run, jokers, remarks.
  let cards: [[String]]
  /// The place of the chosen card; -1 for none.
  let chosen: Int
  let book: [String]
  let achievements: [String]
  let experience: String
  let month: [String]
  let rings: [String]
  let year: [String]
  let day: [[String]]
  let state: String
  let isPlaying: Bool
  let focus: String?
  /// The names of all elements there are.
  let elements: [String]

  /// Uses a page, and looks at it each time an action is `show`.
  static func after(_ actions: [String], on page: String) throws -> [ShownPage] {
    try Node.lines([Repository.root + "/Tests/Fixtures/page/use.js"] + actions, input: page).map {
      try JSONDecoder().decode(ShownPage.self, from: Data($0.utf8))
    }
  }

  /// The page at each of these steps, each time with another habit chosen.
  static func at(_ steps: [Int], of page: String) throws -> [ShownPage] {
    try after(steps.flatMap { ["at \($0)", "card \($0)", "show"] }, on: page)
  }
}
