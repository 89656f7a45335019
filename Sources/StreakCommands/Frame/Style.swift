import EventLog
import StreakDomain

/// Colour for a terminal as far as it has any; nothing where output is piped or `NO_COLOR` is set.
package struct Style {
  let depth: Depth

  /// How many colours a terminal has.
  package enum Depth {
    case none, sixteen, millions
  }

  package init(_ depth: Depth) {
    self.depth = depth
  }

  /// The style that `--color` asks for, by what the terminal says of itself.
  init(_ choice: Choice, isTerminal: Bool, environment: [String: String]) {
    let terminal = environment["TERM", default: ""]
    let isPlain = terminal.isEmpty || terminal == "dumb" || !environment["NO_COLOR", default: ""].isEmpty
    // The console has sixteen, whatever the session before it announced.
    let announced =
      terminal != "linux" && ["truecolor", "24bit"].contains(environment["COLORTERM", default: ""])
    switch choice {
    case .never: depth = .none
    case .auto where !isTerminal || isPlain: depth = .none
    case .auto, .always: depth = announced || terminal.ends(with: "-direct") ? .millions : .sixteen
    }
  }

  /// What `--color` takes.
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

  /// Text in a colour of its own, where the terminal has as many.
  func paint(
    _ text: String, _ colour: (red: Int, green: Int, blue: Int), else plain: Colour
  ) -> String {
    guard case .millions = depth else { return paint(text, plain) }
    return "\u{1B}[38;2;\(colour.red);\(colour.green);\(colour.blue)m\(text)\u{1B}[0m"
  }

  /// Text filled with spaces to a number of terminal columns.
  package static func padded(_ text: String, _ width: Int) -> String {
    text + String(repeating: " ", count: max(0, width - Layout.columns(of: text)))
  }
}
