package import StreakDomain

/// A line of a segment with its texts.
package struct TextLine: Sendable {
  package let number: Int
  package let offset: Int
  package let bytes: [UInt8]
  package let event: Event
  package let texts: [LineTexts.Found]

  package func content(of text: LineTexts.Found) -> [UInt8] { Array(bytes[text.content]) }
}

extension EventStream {
  /// Calls `body` with each event of a segment whose id and bytes `wants` accepts.
  package func eachLine(
    of segment: Text, where wants: (_ id: String?, _ line: [UInt8]) -> Bool,
    _ body: (TextLine) -> Void
  ) throws(Failure) {
    guard let reader = readers.first(where: { $0.name == segment }) else { return }
    var cutter = LineCutter()
    var (number, offset) = (0, 0)
    func take(_ line: LineCutter.Line) {
      number += 1
      guard let fields = try? LineFields(line.bytes) else { return }
      let id = (try? fields.optional(.id, .id)) ?? nil
      guard wants(id, line.bytes), let event = try? EventDecoder.event(line.bytes) else { return }
      body(
        TextLine(
          number: number, offset: offset, bytes: line.bytes, event: event, texts: LineTexts(fields).found))
    }
    try JSONLines.pieces(of: reader.path, limit: reader.size, on: options.disk) { piece in
      var rest = piece[...]
      while let line = cutter.next(&rest) {
        take(line)
        offset += line.count + 1
      }
    }
    if let line = cutter.end() { take(line) }
  }
}
