import EventLog
import StreakDomain

/// The 16 colors of a terminal.
///
/// By default there are none if output is piped or `NO_COLOR` is set.
package struct Style {
  private let isColored: Bool

  package init(isColored: Bool) { self.isColored = isColored }

  init(_ choice: Choice, isTerminal: Bool, environment: [String: String]) {
    let isPlain =
      ["", "dumb"].contains(environment["TERM", default: ""])
      || !environment["NO_COLOR", default: ""].isEmpty
    switch choice {
    case .never: isColored = false
    case .auto: isColored = isTerminal && !isPlain
    case .always: isColored = true
    }
  }

  enum Choice: String, CaseIterable {
    case auto, always, never
  }

  /// A color with its ANSI code.
  enum Colour: Int {
    case bold = 1
    case red = 31
    case green, yellow, blue
    case grey = 90
  }

  func paint(_ text: String, _ colour: Colour) -> String {
    isColored ? "\u{1B}[\(colour.rawValue)m\(text)\u{1B}[0m" : text
  }

  package static func padded(_ text: String, _ width: Int) -> String {
    text + String(repeating: " ", count: max(0, width - Layout.columns(of: text)))
  }
}
