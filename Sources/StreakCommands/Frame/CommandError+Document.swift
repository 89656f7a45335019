import EventLog
import Imports
import Replay
import StreakDomain

/// An error as the document that `--json` prints on standard error (errors.md, "As JSON").
extension CommandError {
  var document: JSON { .object(["format": .whole(1), "error": problem]) }

  /// What the document says of the error.
  var problem: JSON {
    var error: JSON.Members = [
      "kind": .text(kind), "status": .whole(Int(status.rawValue)), "says": .text(says),
    ]
    // A draft that a command made is in no file.
    if let place, place.line > 0 {
      error["file"] = .text(place.file)
      error["line"] = .whole(place.line)
      error["column"] = .whole(place.column)
    }
    if !nearest.isEmpty { error["nearest"] = .texts(nearest) }
    return .object(error)
  }

  /// The message without the program's name.
  private var says: String {
    let start = "streaks: "
    return message.begins(with: start) ? String(message.droppingBytes(start.utf8.count)) : message
  }

  /// The name of the error, as docs/errors.md has it.
  private var kind: String {
    switch self {
    case .usage: "usage"
    case .notFound: "not-found"
    case .refused: "refused"
    case .unknownZone: "unknown-zone"
    case .notServed: "not-served"
    case .predicate: "bad-predicate"
    case .log(.badLine(_, _, let problem)): problem.name.rawValue
    case .log(.refused(_, _, let refusal)): CommandError.name(of: refusal)
    case .log(let error): CommandError.name(of: error)
    case .imports(let error): CommandError.name(of: error)
    }
  }

  private var place: Place? {
    switch self {
    case .usage, .notFound, .refused, .unknownZone, .notServed, .predicate: nil
    case .imports(let error): error.place
    case .log(.badLine(let place, _, _)), .log(.refused(let place, _, _)),
      .log(.conflict(let place, _, _, _)),
      .log(.noTimeLeft(let place, _)), .log(.changedPast(let place, _)):
      place
    case .log(.clockAhead(let ahead)): ahead.place
    case .log(.objected(let place, _)): place
    case .log: nil
    }
  }

  private var nearest: [String] { Nearest.names(hintedAt: message) }

  /// The name of an enum's case with hyphens: `notUTF8` is `not-utf8`.
  private static func name(of value: Any) -> String {
    let name = Mirror(reflecting: value).children.first?.label ?? "\(value)"
    var out: [UInt8] = []
    var wasSmall = false
    for byte in name.utf8 {
      let isCapital = (65...90).contains(byte)
      if isCapital, wasSmall { out.append(UInt8(ascii: "-")) }
      out.append(isCapital ? byte | 0x20 : byte)
      wasSmall = !isCapital
    }
    return String(decoding: out, as: UTF8.self)
  }
}
