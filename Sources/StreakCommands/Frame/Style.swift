import EventLog
import StreakDomain

/// Colour for a terminal, nothing where output is piped or `NO_COLOR` is set.
struct Style {
  let isColoured: Bool

  enum Colour: String {
    case green = "38;2;14;191;110"
    case grey = "38;2;140;140;140"
    case yellow = "38;2;222;165;20"
    case red = "38;2;214;69;65"
    case blue = "38;2;70;130;220"
    case bold = "1"
  }

  func paint(_ text: String, _ colour: Colour) -> String { paint(text, code: colour.rawValue) }

  /// The colour of a level of drinks, which a calendar shows beside the sign of the verdict.
  func paint(_ text: String, _ level: DrinkLevel) -> String {
    paint(text, code: "38;2;\(level.colour.red);\(level.colour.green);\(level.colour.blue)")
  }

  private func paint(_ text: String, code: String) -> String {
    isColoured ? "\u{1B}[\(code)m\(text)\u{1B}[0m" : text
  }

  /// Text filled with spaces to a number of terminal columns.
  static func padded(_ text: String, _ width: Int) -> String {
    text + String(repeating: " ", count: max(0, width - Escaping.columns(of: text)))
  }
}
