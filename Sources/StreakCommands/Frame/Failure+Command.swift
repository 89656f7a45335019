import EventLog
package import StreakDomain
import TimeZones

extension Failure {
  package static func usage(_ says: Sentence) -> Failure { Failure(.usage, says) }

  package static func notFound(_ says: Sentence) -> Failure { Failure(.notFound, says) }

  static func refused(_ says: Sentence) -> Failure { Failure(.refused, says) }

  static func missingZone(_ zone: String) -> Failure {
    Failure(
      .missingZone,
      "the time zone \(quoted(zone)) is unknown to this machine\(Zones.nearest(to: zone))")
  }

  var status: ExitStatus { kind.status }
}

/// The JSON that `--json` prints on standard error (recipes.md, "As JSON").
extension Failure {
  var document: JSONValue { .document(["error": problem]) }

  var problem: JSONValue {
    let start = "streaks: "
    var problem: JSONValue.Members = [
      "kind": .text(kind.rawValue), "status": .whole(Int(status.rawValue)),
      "says": .text(
        message.begins(with: start) ? String(message.droppingBytes(start.utf8.count)) : message),
    ]
    // A draft made by a command has no source file.
    if let place, place.line > 0 {
      problem["file"] = .text(place.file)
      problem["line"] = .whole(place.line)
      problem["column"] = .whole(place.column)
    }
    if !says.nearest.isEmpty { problem["nearest"] = .texts(says.nearest) }
    return .object(problem)
  }
}
