import EventLog
import StreakDomain

/// The colors of the output; by default, output has no colors if it is piped or `NO_COLOR` is set.
package struct Style {
  private let isColored: Bool
  /// Whether the terminal has 24-bit colors, and not only 16 colors.
  private var hasAllColors = false

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
    hasAllColors =
      isColored && ["truecolor", "24bit"].contains(environment["COLORTERM", default: ""])
  }

  /// The values of `--color`.
  enum Choice: String, CaseIterable {
    case auto, always, never
  }

  /// A color with its ANSI code.
  enum Color: Int {
    case bold = 1
    case red = 31
    case green, yellow, blue
    case grey = 90
  }

  /// Paints text in `color`, or in `rgb`, a color such as `14;191;110`, if the terminal has 24-bit
  /// colors.
  func paint(_ text: String, _ color: Color, rgb: String? = nil) -> String {
    let exact = hasAllColors ? rgb.map { "38;2;\($0)" } : nil
    return isColored ? "\u{1B}[\(exact ?? "\(color.rawValue)")m\(text)\u{1B}[0m" : text
  }

  package static func padded(_ text: String, _ width: Int) -> String {
    width == 0
      ? text : text + String(repeating: " ", count: max(0, width - Layout.columns(of: text)))
  }
}
