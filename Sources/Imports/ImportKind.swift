import EventLog
package import StreakDomain

/// A format that can be imported; its name is what an import writes into the field `by`.
package enum ImportKind: String, CaseIterable {
  case appleHealth = "apple-health"
  case csv, loop

  /// Returns the import that wrote the event according to its field `by`, or `nil` if none did.
  ///
  /// An import from the Health app adds the source of the record after a colon.
  package init?(by writer: Text?) {
    guard let name = writer?.string.parts(at: ":").first else { return nil }
    self.init(rawValue: String(name))
  }

  package var appName: String {
    switch self {
    case .appleHealth: "Apple Health"
    case .csv: "a table"
    case .loop: "Loop"
    }
  }

  /// Whether a folder can be imported, and not only a file.
  package var readsFolders: Bool { self == .loop }

  /// The name as the field `by`.
  var writer: Text { Text(rawValue) }
}
