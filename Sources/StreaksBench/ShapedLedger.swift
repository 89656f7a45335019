import EventLog
import Foundation
import StreakDomain
import Workloads

/// A ledger of legal form that may be unusual: lines as other programs write them, histories as hardly anybody has
/// them, many segments.
struct ShapedLedger {
  private enum Source: Equatable {
    case sample(LineForm, SampleStream.Order = .ascending)
    case history(Shape)
  }

  private enum Segments: Equatable {
    case dealt(to: Int)
    case copied
  }

  let name: String
  private let source: Source
  private let segments: Segments

  private init(_ source: Source, _ segments: Segments = .dealt(to: 1), name: String) {
    self.name = name
    self.source = source
    self.segments = segments
  }

  /// The sample ledger as the store writes it: what all others are compared with.
  static let canonical = ShapedLedger(.sample(.canonical), name: LineForm.canonical.rawValue)
  /// The sample ledger in other words.
  static let samples =
    LineForm.allCases.dropFirst().map { ShapedLedger(.sample($0), name: $0.rawValue) } + [
      ShapedLedger(.sample(.canonical), .dealt(to: 16), name: "segments16"),
      ShapedLedger(.sample(.canonical), .copied, name: "copied"),
      ShapedLedger(.sample(.canonical, .shuffled), name: "backdatedOnly"),
      ShapedLedger(.sample(.canonical, .threeHundredYears), name: "threeHundredYears"),
    ]
  static let histories =
    Shape.allCases.map { ShapedLedger(.history($0), name: $0.rawValue) } + [
      ShapedLedger(.history(.plain), .dealt(to: 900), name: "segments900")
    ]

  static let all = [canonical] + samples + histories

  init?(_ name: String) {
    guard let known = ShapedLedger.all.first(where: { $0.name == name }) else { return nil }
    self = known
  }

  /// Whether a dry run of `log` compares books of thousands of lines for each of thousands of habits, which takes
  /// gigabytes.
  var outweighsLog: Bool { source == .history(.centuries) }

  /// A habit that minutes can be logged for: the first that is no composite.
  var habit: String {
    guard case .history(let shape) = source else { return "meditation" }
    for case .habitDefined(let definition) in shape.events(100).map(\.payload)
    where !definition.rule.isComposite { return definition.id }
    return "h0"
  }

  /// Writes the segments, of about so many lines together; a copy comes on top.
  func write(lines: Int, into folder: String) throws {
    let count = if case .dealt(let count) = segments { count } else { 1 }
    var files = try NewSegments(count, in: folder)
    switch source {
    case .sample(let form, let order):
      var (sample, random, number) = (SampleStream(seed: 7, order: order), LoadRandom(seed: 7), 0)
      try sample.each(lines) { event in
        try files.add(form.line(of: event, number, &random))
        number += 1
      }
    case .history(let shape):
      var events = shape.events(lines)
      // Some shapes take "so many" for something else; with fewer lines, a program's start would weigh more.
      if events.count < lines { events = shape.events(lines * lines / events.count) }
      for event in events { try files.add(EventEncoder.line(event)) }
    }
    _ = try files.close()
    if segments == .copied {
      try FileManager.default.copyItem(atPath: "\(folder)/main.jsonl", toPath: "\(folder)/copy.jsonl")
    }
  }
}
