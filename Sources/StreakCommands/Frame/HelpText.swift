import EventLog
import StreakDomain

/// The text of a page of `streaks help`, from a file such as `Help/delete.txt`.
///
///     delete an entry                           the summary
///
///     The entry stays in the log; …             the details: paragraphs, which are filled again,
///       streaks delete --last                   and indented lines, which stay as they are
///
///     $ streaks delete @5147                    the example: a command line, and its output, of
///     deleted gym 90 min gym of 2025-11-20      which a line that ends with `…` is truncated
///
/// The second line is empty, and the last one ends with a newline. The text is read only when
/// somebody asks for it.
package struct HelpText: Sendable {
  private let file: [UInt8]
  private let insertions: @Sendable () -> [String: String]

  /// Creates a text from the bytes of a file; `insertions` has the texts for names in braces, such
  /// as `presets` for `{presets}`.
  package init(
    _ file: [UInt8],
    inserting insertions: @autoclosure @escaping @Sendable () -> [String: String] = [:]
  ) {
    self.file = file
    self.insertions = insertions
  }

  package var summary: String {
    String(decoding: file.prefix { $0 != UInt8(ascii: "\n") }, as: UTF8.self)
  }

  /// The lines between the summary and the example.
  var details: [String] {
    let details = lines.prefix { !HelpText.isCommandLine($0) }
    return details.lastIndex { !$0.isEmpty }.map { Array(details[...$0]) } ?? []
  }

  /// The command line, after `$ `, and the lines of its output; empty if there is no example.
  package var example: [String] {
    Array(lines.drop { !HelpText.isCommandLine($0) })
  }

  /// The lines after the summary and the empty line below it.
  private var lines: [String] {
    var text = String(decoding: file, as: UTF8.self)
    for (name, insertion) in insertions() {
      text = text.replacingBytes(of: "{\(name)}", with: insertion)
    }
    return text.parts(at: "\n").dropFirst(2).dropLast().map { String($0) }
  }

  private static func isCommandLine(_ line: String) -> Bool { line.begins(with: "$ ") }
}
