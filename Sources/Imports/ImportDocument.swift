import EventLog
public import Inspection

/// The report of an import, as `streaks import --json` prints it.
public struct ImportDocument: Codable, Sendable {
  /// The format of the file, such as `csv`.
  public let kind: String
  public let file: String
  /// Whether nothing was written.
  public let isDryRun: Bool
  /// Whether `streaks undo` can take the import back.
  public let isUndoable: Bool
  /// The numbers of records, without the ids of the events.
  public let summary: ImportSummary
  /// The results of the events, also of definitions; of a dry run each is only an id.
  public let events: [EventResult]
  /// The skipped records, from `--verbose`, or `nil` without that option.
  public let lines: [LeftOut]?
  /// The changes that the import would make, or `nil` if it wasn't a dry run.
  public let impact: LedgerDifference?

  private enum CodingKeys: String, CodingKey {
    case kind, file, isDryRun = "dryRun", isUndoable = "undoable", events, lines, impact
  }

  package init(
    of plan: ImportPlan, _ kind: String, _ file: String, isDryRun: Bool, _ events: [EventResult],
    _ impact: LedgerDifference?
  ) {
    self.kind = kind
    self.file = file
    self.isDryRun = isDryRun
    summary = plan.summary
    isUndoable = !isDryRun && summary.imported + summary.takenBack + summary.defined.count > 0
    self.events = events
    lines = plan.keepsLines ? plan.leftOut : nil
    self.impact = impact
  }

  public init(from decoder: any Decoder) throws {
    let members = try decoder.container(keyedBy: CodingKeys.self)
    kind = try members.decode(String.self, forKey: .kind)
    file = try members.decode(String.self, forKey: .file)
    isDryRun = try members.decode(Bool.self, forKey: .isDryRun)
    isUndoable = try members.decode(Bool.self, forKey: .isUndoable)
    summary = try ImportSummary(from: decoder)
    events =
      isDryRun
      ? try members.decode([String].self, forKey: .events).map { EventResult($0, .recorded) }
      : try members.decode([EventResult].self, forKey: .events)
    lines = try members.decodeIfPresent([LeftOut].self, forKey: .lines)
    impact = try members.decodeIfPresent(LedgerDifference.self, forKey: .impact)
  }

  public func encode(to encoder: any Encoder) throws {
    try summary.encode(to: encoder)
    var members = encoder.container(keyedBy: CodingKeys.self)
    try members.encode(kind, forKey: .kind)
    try members.encode(file, forKey: .file)
    try members.encode(isDryRun, forKey: .isDryRun)
    try members.encode(isUndoable, forKey: .isUndoable)
    if isDryRun { try members.encode(events.map(\.id), forKey: .events) }
    if !isDryRun { try members.encode(events, forKey: .events) }
    if let lines { try members.encode(lines, forKey: .lines) }
    if let impact {
      try members.encode(JSONValue.document(.init(of: impact)), forKey: .impact)
    }
  }
}
