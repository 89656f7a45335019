import EventLog
public import Foundation
package import StreakDomain

/// The reason why a ledger cannot be read or an event cannot be appended, with a message for
/// people.
///
/// ```swift
/// do throws(StreakError) {
///   try await folder.append(.entry("meditatoin", minutes: 12), now: .now)
/// } catch {
///   guard error.kind == .unknownHabit else { throw error }
///   show(error.sentence)  // no habit "meditatoin" is defined (did you mean "meditation"?) …
///   show(error.nearest)  // ["meditation"]
/// }
/// ```
public struct StreakError: LocalizedError, Hashable, Sendable, CustomStringConvertible {
  /// The kind of the error.
  public let kind: Kind
  /// The problem and its remedy, for a person.
  ///
  /// It has neither the location nor the text of the line, and quoted text of the log is escaped.
  ///
  /// The ``kind`` tells what an app can call. Only mistakes in the app's own calls are described in
  /// its words, such as `isDecimalComma` for a table to import.
  public let sentence: String
  /// The similar names that may be meant, most similar first.
  public let nearest: [String]
  /// The location of the line that caused the error, in a segment or an imported file, or `nil` if
  /// no line did.
  public let place: Place?
  /// The location, the sentence and the text of the line, for developers.
  public let description: String

  /// The text for `localizedDescription`: the problem and its remedy.
  ///
  /// If a line caused the error, its file and its number come first.
  public var errorDescription: String? {
    guard let place else { return sentence }
    return "\(place.file.lastPathComponent), line \(place.line): \(sentence)"
  }

  /// The advice to a person about a line that can't be read, or `nil` for other errors.
  public var recoverySuggestion: String? {
    if kind == .newer {
      return "If a newer version wrote the line, update the app; otherwise restore the file."
    }
    return kind == .damaged ? "Restore the file from a copy." : nil
  }

  /// A location in a segment or an imported file.
  public struct Place: Hashable, Sendable {
    /// The file.
    public let file: URL
    /// The number of the line, from 1.
    public let line: Int
    /// The column in bytes, from 1.
    public let column: Int
  }

  package init(_ kind: Kind, _ sentence: String, nearest: [String] = []) {
    self.kind = kind
    self.sentence = sentence
    self.nearest = nearest
    place = nil
    description = sentence
  }

  package init(_ failure: Failure) {
    // An event that isn't stored yet has no line.
    let place = [failure.place, failure.other].compactMap(\.self).first {
      $0.line > 0 && $0.isInFile
    }
    let isStored = failure.place.map { $0.line > 0 && $0.file.ends(with: ".jsonl") } ?? false
    kind =
      switch failure.kind {
      case .outOfRange where !isStored: .outOfRange
      case let kind where kind.subject == .line && !isStored: .refused
      default: failure.kind.error
      }
    sentence = StreakError.sentence(failure)
    nearest = failure.says.nearest
    self.place = place.map { Place(file: URL(filePath: $0.file), line: $0.line, column: $0.column) }
    description = (place.map { "\($0): " } ?? "") + sentence + failure.excerpt
  }

  private static func sentence(_ failure: Failure) -> String {
    var message = failure.says.libraryText
    switch failure.detail {
    // Only `create` expects a position.
    case .position(let position)?:
      message = "the folder already has a ledger, of \(counted(position, "event"))"
    case .other(let place)? where failure.kind == .conflict && place.line == 0:
      message += " of this batch"
    default: break
    }
    return message + (failure.remedy?.words(for: .library).map { "; " + $0 } ?? "")
  }
}

extension Failure {
  fileprivate var other: Place? { if case .other(let place)? = detail { place } else { nil } }
}
