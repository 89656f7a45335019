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
    text + String(repeating: " ", count: max(0, width - columns(of: text)))
  }

  /// How many columns a terminal gives the text; pictures and East Asian letters take two.
  static func columns(of text: String) -> Int {
    if text.utf8.allSatisfy({ $0 < 0x80 }) { return text.utf8.count }
    return text.reduce(0) { sum, character in
      guard let scalar = character.unicodeScalars.first else { return sum }
      let isWide =
        scalar.properties.isEmojiPresentation || (0x1100...0x115F).contains(scalar.value)
        || (0x2E80...0xA4CF).contains(scalar.value) || (0xAC00...0xD7A3).contains(scalar.value)
        || (0xF900...0xFAFF).contains(scalar.value) || (0xFF00...0xFF60).contains(scalar.value)
        || character.unicodeScalars.contains { $0.value == 0xFE0F }
      return sum + (isWide ? 2 : 1)
    }
  }
}
