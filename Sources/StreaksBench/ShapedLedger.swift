import EventLog
import Foundation
import StreakDomain
import TestSupport

/// A ledger of one of the suite's shapes, perhaps dealt to several segments.
struct ShapedLedger: Equatable {
  private enum Segments: Equatable {
    case one, dealt(to: Int), copied
  }

  static let plain = ShapedLedger(.plain, .one, name: Shape.plain.rawValue)
  static let all =
    Shape.allCases.map { ShapedLedger($0, .one, name: $0.rawValue) } + [
      ShapedLedger(.plain, .dealt(to: 100), name: "segments100"),
      ShapedLedger(.plain, .dealt(to: 900), name: "segments900"),
      ShapedLedger(.plain, .copied, name: "copied"),
    ]

  let name: String
  let shape: Shape
  private let segments: Segments

  private init(_ shape: Shape, _ segments: Segments, name: String) {
    self.shape = shape
    self.segments = segments
    self.name = name
  }

  init?(_ name: String) {
    guard let known = ShapedLedger.all.first(where: { $0.name == name }) else { return nil }
    self = known
  }

  /// A habit that minutes can be logged for: the first that is no composite.
  var habit: String {
    for case .habitDefined(let definition) in shape.events(100).map(\.payload)
    where !definition.rule.isComposite { return definition.habit }
    return "h0"
  }

  /// Writes the segments, of about so many lines together; a copy comes on top.
  func write(lines: Int, into folder: String) throws {
    var events = shape.events(lines)
    // Some shapes take "so many" for something else; with fewer lines, a program's start would weigh more.
    if events.count < lines { events = shape.events(lines * lines / events.count) }
    let bytes = events.map { EventEncoder.line($0) }
    switch segments {
    case .one: try write(bytes, to: "\(folder)/main.jsonl")
    case .copied:
      for name in ["main", "copy"] { try write(bytes, to: "\(folder)/\(name).jsonl") }
    case .dealt(let count):
      for segment in 0..<count {
        let own = stride(from: segment, to: bytes.count, by: count).map { bytes[$0] }
        try write(own, to: "\(folder)/\(segment == 0 ? "main" : "s\(segment)").jsonl")
      }
    }
  }

  private func write(_ lines: [[UInt8]], to path: String) throws {
    try Data(lines.joined()).write(to: URL(fileURLWithPath: path))
  }
}
