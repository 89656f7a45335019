package import EventLog
public import StreakDomain

/// The answer of a command that writes, or of the service to a POST, as JSON.
public struct WriteAnswer: Codable, Hashable, Sendable {
  /// The results of the events, or `nil` if there was no event to write.
  public let results: [EventResult]?
  /// The changed fields of the definition, from `define`, or `nil` from other commands.
  public let changes: [DefinitionFieldChange]?
  /// The ledger's today, from `day`, or `nil` from other commands.
  public let today: Day?
  /// Whether `day` wrote an event, or `nil` from other commands.
  public let changed: Bool?
  /// The ids of events on later days or with a time in the future, which `day --correct` leaves.
  ///
  /// It is `nil` from other commands.
  public let later: [String]?
  /// The state after the write, if a request to the service has `Prefer: return=representation`.
  ///
  /// Otherwise it is `nil`.
  public let streaks: LedgerState?

  package init(
    _ results: [EventResult]?, changes: [DefinitionFieldChange]? = nil, today: Day? = nil,
    changed: Bool? = nil, later: [String]? = nil
  ) {
    self.results = results
    self.changes = changes
    self.today = today
    self.changed = changed
    self.later = later
    streaks = nil
  }

  public func encode(to encoder: any Encoder) throws {
    var members = encoder.container(keyedBy: CodingKeys.self)
    if let results { try members.encode(results, forKey: .results) }
    if let changes { try members.encode(changes, forKey: .changes) }
    if let later { try members.encode(later, forKey: .later) }
    if let streaks { try members.encode(streaks, forKey: .streaks) }
    guard let changed else { return }
    try members.encode(changed, forKey: .changed)
    try members.encode(today, forKey: .today)
  }
}

/// The result of one event that was to be written; as JSON, also a line of `streaks append`.
public struct EventResult: Codable, Hashable, Sendable {
  /// The event's id, or `nil` for an event that wasn't written and has none.
  public let id: String?
  /// The event's position in the stream, from 1, or `nil` if it wasn't written.
  public let position: Int?
  public let status: Status
  private var deleted: Bool?
  /// The id of the entry that replaced the event, or `nil` if none did.
  ///
  /// Only an event that was already in the ledger can have been replaced.
  public private(set) var replaced: String?
  /// The number of the line, from `append --each`, or `nil` from other commands.
  public package(set) var line: Int?
  /// The reason why `append --each` refused the line, or `nil` if it didn't.
  public let problem: ReportedError?

  /// Whether the event doesn't count, because it was deleted or withdrawn after it had been
  /// recorded.
  public var isDeleted: Bool { deleted ?? false }

  /// The fate of an event that was to be written.
  public enum Status: String, CaseIterable, Codable, Sendable {
    /// The event is new.
    case recorded
    /// The ledger already contained the event.
    case exists
    /// The event was skipped, because only the program writes events of its type.
    case dropped
    /// The event can't be recorded, and `problem` is the reason.
    case refused
    /// The ledger was busy or couldn't be written.
    case notWritten
    /// It is unknown whether the event was written.
    case unknown
  }

  package init(
    _ id: String?, at position: Int? = nil, _ status: Status, problem: ReportedError? = nil
  ) {
    self.id = id
    self.position = position
    self.status = status
    self.problem = problem
  }

  package init(_ result: AppendResult) {
    let status: Status =
      switch result.status {
      case .recorded: .recorded
      case .exists: .exists
      case .dropped: .dropped
      }
    self.init(
      result.id.isEmpty ? nil : result.id, at: result.position > 0 ? result.position : nil, status)
    deleted = result.isDeleted ? true : nil
    replaced = result.replacement
  }

  /// The result as JSON, which is made without an encoder, because a large append prints many.
  package var json: JSONValue {
    let wasJudged = [.recorded, .exists, .dropped].contains(status)
    var members: [JSONValue.Member] = []
    if let deleted { members.append(("deleted", .bool(deleted))) }
    if wasJudged || id != nil { members.append(("id", .text(id))) }
    if let line { members.append(("line", .whole(line))) }
    if wasJudged { members.append(("position", position.map { .whole($0) } ?? .null)) }
    if let problem { members.append(("problem", JSONValue(of: problem, omitsNil: true))) }
    if let replaced { members.append(("replaced", .text(replaced))) }
    members.append(("status", .text(status.rawValue)))
    return .object(inOrder: members)
  }

  public func encode(to encoder: any Encoder) throws { try json.encode(to: encoder) }
}

/// A field of a definition as text before and after a change.
public struct DefinitionFieldChange: Codable, Hashable, Sendable {
  /// The name of the field, such as `rule`.
  public let field: String
  /// The text before the change, or `nil` if the definition is new or didn't have the field.
  public let before: String?
  /// The text after the change, or `nil` if the definition doesn't have the field.
  public let after: String?

  package init(field: String, before: String?, after: String?) {
    self.field = field
    self.before = before
    self.after = after
  }
}

/// The error that a command with `--json` prints on standard error.
public struct ErrorDocument: Codable, Hashable, Sendable {
  public let error: ReportedError

  package init(_ error: ReportedError) { self.error = error }
}

/// A reported error: its kind, what is wrong, and where.
public struct ReportedError: Codable, Hashable, Sendable {
  /// The kind, such as `not-found`.
  public let kind: String
  /// The exit code of the command.
  public let status: Int
  /// The sentence for people.
  public let says: String
  /// The file with the fault, or `nil` if the error has no location.
  public let file: String?
  /// The number of the line with the fault, from 1.
  public let line: Int?
  /// The column of the fault in bytes, from 1.
  public let column: Int?
  /// The names that are similar to an unknown one, or `nil` if there are none.
  public let nearest: [String]?

  package init(_ failure: Failure, status: Int) {
    let start = "streaks: "
    let message = failure.message
    kind = failure.kind.rawValue
    self.status = status
    says = message.begins(with: start) ? String(message.droppingBytes(start.utf8.count)) : message
    // A draft made by a command has no source file.
    let place = failure.place.flatMap { $0.line > 0 ? $0 : nil }
    file = place?.file
    line = place?.line
    column = place?.column
    nearest = failure.says.nearest.isEmpty ? nil : failure.says.nearest
  }
}

/// The answer of the service to a request that failed, a problem of RFC 9457.
public struct ServiceProblem: Codable, Hashable, Sendable {
  /// The type, such as `urn:problem-type:streaks:no-ledger`, or `about:blank`.
  public let type: String
  public let title: String
  /// The HTTP status.
  public let status: Int
  /// The sentence for people.
  public let detail: String
  /// The path of the request.
  public let instance: String
  /// The line of the fault in the body, from 1, or `nil` if the fault isn't in the body.
  public let line: Int?
  /// The column of the fault in bytes, from 1.
  public let column: Int?

  package init(
    _ type: String, _ title: String, status: Int, _ detail: String, at path: String,
    in place: Place?
  ) {
    self.type = type
    self.title = title
    self.status = status
    self.detail = detail
    instance = path
    line = place?.line
    column = place?.column
  }
}
