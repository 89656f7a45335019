package import EventLog
package import StreakDomain

/// A line on standard error that shows how far long work is, such as
/// `checking seals: 120 of 240 MB`.
///
/// The line appears after a second, and changes at most ten times a second. `erase` removes it
/// before anything else is printed, and at the end of the command.
package final class ProgressLine {
  /// The number of microseconds before the line appears.
  private static let delay: Int64 = 1_000_000
  /// The minimum number of microseconds between two changes of the line.
  private static let interval: Int64 = 100_000

  private let columns: Int
  private let clock: () -> Instant
  private let write: (String) -> Void
  /// The time from which the line may change again.
  private var nextChange: Instant
  /// The work that was done when the clock was last read.
  private var checked = 0
  /// The number of columns that the visible line takes; 0 if no line is visible.
  private var shownColumns = 0

  /// Creates a line for a terminal of `columns`, on which `write` prints.
  package init(columns: Int, clock: @escaping () -> Instant, write: @escaping (String) -> Void) {
    self.columns = columns
    self.clock = clock
    self.write = write
    nextChange = clock() + ProgressLine.delay
  }

  /// Shows that `done` of `total` units of `part` are done; `total` is 0 if it is unknown.
  ///
  /// A call for each line costs little, because the clock is read only after some work.
  package func update(_ part: WorkPart, _ done: Int, of total: Int) {
    // The next part, or a second pass, begins with less work done.
    let isDue = done < checked || done >= checked + part.unit.step
    guard isDue else { return }
    checked = done

    let now = clock()
    guard now >= nextChange else { return }
    nextChange = now + ProgressLine.interval
    show("\(part.words): \(part.unit.amount(done, of: total))")
  }

  /// Removes the visible line, so that something else can be printed.
  package func erase() {
    guard shownColumns > 0 else { return }
    write("\r" + String(repeating: " ", count: shownColumns) + "\r")
    shownColumns = 0
  }

  /// Replaces the visible line by the ASCII text `line`, which is cut off at the terminal's width.
  private func show(_ line: String) {
    // After a character in the last column, some terminals move to the next line.
    let bytes = line.utf8.prefix(max(0, columns - 1))
    let former = max(0, shownColumns - bytes.count)
    write("\r" + String(Substring(bytes)) + String(repeating: " ", count: former))
    shownColumns = max(shownColumns, bytes.count)
  }
}

extension WorkPart.Unit {
  /// The amount of work after which the clock is read again.
  fileprivate var step: Int { self == .bytes ? 1 << 18 : 1 << 8 }

  /// Returns the amount of work in words, such as `120 of 240 MB`.
  fileprivate func amount(_ done: Int, of total: Int) -> String {
    var size = 1
    var name = rawValue
    if self == .bytes {
      let isSmall = max(done, total) < 10_000_000
      size = isSmall ? 1000 : 1_000_000
      name = isSmall ? "kB" : "MB"
    }

    guard total > 0 else { return "\(done / size) \(name)" }
    return "\(min(done, total) / size) of \(total / size) \(name)"
  }
}
