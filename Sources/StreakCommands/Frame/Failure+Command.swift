import EventLog
package import StreakDomain

/// Why a command stopped before the log or an import refused it.
extension Failure {
  package static func usage(_ says: Sentence) -> Failure { Failure(.usage, says) }

  package static func notFound(_ says: Sentence) -> Failure { Failure(.notFound, says) }

  /// What an event may not say, found before the store would.
  static func refused(_ says: Sentence) -> Failure { Failure(.refused, says) }

  /// A zone that this machine does not know, by which a time or a day was to be read.
  static func missingZone(_ zone: String) -> Failure {
    Failure(
      .missingZone, "the time zone \(quoted(zone)) is unknown to this machine\(Zones.nearest(to: zone))")
  }

  var status: ExitStatus { kind.row.exit }
}

/// A failure as the document that `--json` prints on standard error (errors.md, "As JSON").
extension Failure {
  var document: JSON { .object(["format": .whole(1), "error": problem]) }

  /// What the document says of the failure.
  var problem: JSON {
    let start = "streaks: "
    var problem: JSON.Members = [
      "kind": .text(kind.rawValue), "status": .whole(Int(status.rawValue)),
      "says": .text(message.begins(with: start) ? String(message.droppingBytes(start.utf8.count)) : message),
    ]
    // A draft that a command made is in no file.
    if let place, place.line > 0 {
      problem["file"] = .text(place.file)
      problem["line"] = .whole(place.line)
      problem["column"] = .whole(place.column)
    }
    if !says.nearest.isEmpty { problem["nearest"] = .texts(says.nearest) }
    return .object(problem)
  }
}
