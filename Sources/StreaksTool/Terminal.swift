import Foundation

/// What the terminal says of itself.
enum Terminal {
  /// How many columns it has; nil where standard output is none.
  static var width: Int? {
    guard isatty(STDOUT_FILENO) == 1 else { return nil }
    var size = winsize()
    // Unsafe only as the call writes into the value, which lives until it returns.
    guard unsafe ioctl(STDOUT_FILENO, UInt(TIOCGWINSZ), &size) == 0, size.ws_col > 0 else { return nil }
    return Int(size.ws_col)
  }
}
