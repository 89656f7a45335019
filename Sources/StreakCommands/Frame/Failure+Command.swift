import EventLog
import Inspection
package import StreakDomain

extension Failure {
  package static func usage(_ says: Sentence) -> Failure { Failure(.usage, says) }

  static func missingPoint(_ says: Sentence) -> Failure {
    Failure(.usage, says, detail: .missingPoint)
  }

  package static func notFound(_ says: Sentence) -> Failure { Failure(.notFound, says) }

  static func refused(_ says: Sentence) -> Failure { Failure(.refused, says) }

  /// The failure of a command for entries, whose argument `word` names another event.
  static func notAnEntry(_ word: String, _ event: Event, _ ledger: Ledger) -> Failure {
    let description = Escaping.visible(EventText(ledger: ledger).text(of: event))
    return .refused(
      "\(quoted(word)) is not an entry: \(description); `streaks undo` undoes other events")
  }

  static func missingZone(_ zone: String) -> Failure {
    Failure(
      .missingZone,
      "the time zone \(quoted(zone)) is unknown to this machine\(Zones.nearest(to: zone))")
  }

  var status: ExitStatus { kind.status }
}

/// The JSON that `--json` prints on standard error (recipes.md, "As JSON").
extension Failure {
  var document: JSONValue { .document(.init(of: ErrorDocument(problem), omitsNil: true)) }

  var problem: ReportedError { ReportedError(self, status: Int(status.rawValue)) }
}
