import EventLog
import StreakDomain

/// The colors of a terminal.
///
/// By default there are none if output is piped or `NO_COLOR` is set.
package struct Style {
  let depth: Depth

  package enum Depth {
    case none, sixteen, millions
  }

  package init(_ depth: Depth) {
    self.depth = depth
  }

  init(_ choice: Choice, isTerminal: Bool, environment: [String: String]) {
    let terminal = environment["TERM", default: ""]
    let isPlain = terminal.isEmpty || terminal == "dumb" || !environment["NO_COLOR", default: ""].isEmpty
    // The Linux console has only 16 colors, regardless of COLORTERM.
    let announced =
      terminal != "linux" && ["truecolor", "24bit"].contains(environment["COLORTERM", default: ""])
    switch choice {
    case .never: depth = .none
    case .auto where !isTerminal || isPlain: depth = .none
    case .auto, .always: depth = announced || terminal.ends(with: "-direct") ? .millions : .sixteen
    }
  }

  enum Choice: String, CaseIterable {
    case auto, always, never
  }

  enum Colour {
    case green, grey, yellow, red, blue, bold

    fileprivate var codes: (sixteen: String, millions: String) {
      switch self {
      case .green: ("32", "38;2;14;191;110")
      case .grey: ("90", "38;2;140;140;140")
      case .yellow: ("33", "38;2;222;165;20")
      case .red: ("31", "38;2;214;69;65")
      case .blue: ("34", "38;2;70;130;220")
      case .bold: ("1", "1")
      }
    }
  }

  func paint(_ text: String, _ colour: Colour) -> String {
    switch depth {
    case .none: text
    case .sixteen: "\u{1B}[\(colour.codes.sixteen)m\(text)\u{1B}[0m"
    case .millions: "\u{1B}[\(colour.codes.millions)m\(text)\u{1B}[0m"
    }
  }

  /// Paints text in a 24-bit color, or in `plain` if the terminal has fewer colors.
  func paint(
    _ text: String, _ colour: (red: Int, green: Int, blue: Int), else plain: Colour
  ) -> String {
    guard case .millions = depth else { return paint(text, plain) }
    return "\u{1B}[38;2;\(colour.red);\(colour.green);\(colour.blue)m\(text)\u{1B}[0m"
  }

  package static func padded(_ text: String, _ width: Int) -> String {
    let missing = width - Layout.columns(of: text)
    return missing > 0 ? text + String(repeating: " ", count: missing) : text
  }
}
