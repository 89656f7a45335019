package import StreakDomain

/// Why a line is no valid event; facts only, the sentences are in `LineProblem+Sentences.swift`.
package enum LineProblem: Error, Equatable, Sendable {
  case notUTF8
  case notJSON(expected: String)
  /// What git leaves where two sides changed one place of a text.
  case conflictMarker
  case blankLine
  case tooLong
  case tooDeep
  case duplicateKey(String)
  case missingField(String, type: String)
  case wrongType(field: String, expected: String, found: String)
  case badForm(field: String, value: String, form: String)
  case outOfRange(field: String, value: String, range: String)
  /// `known` are the fields that may be there; of a part of a definition the field is its path. One that
  /// `isStored` may be of a newer program.
  case unknownField(String, type: EventType, known: [String], isStored: Bool)
  case unknownType(String)
  case newerVersion(type: String, version: Int)
  case badDefinition(field: String, reason: String)
  case recordedNotIncreasing(recorded: String, previous: String)
  case reusedID(String, first: String)
}

/// A problem and the column of the line where it is, from 1, in bytes.
package struct LineError: Error, Equatable, Sendable {
  package let column: Int
  package let problem: LineProblem

  package init(column: Int, problem: LineProblem) {
    self.column = column
    self.problem = problem
  }
}

extension LineProblem {
  /// Whether a newer program may read what this one does not.
  package var isWrittenByNewer: Bool {
    switch self {
    case .unknownField, .unknownType, .newerVersion: true
    default: false
    }
  }
}
