/// What a line in canonical form says, except when it was recorded and whether its batch continues.
///
/// Two lines with the same fact are the same event, and no JSON has to be read to see it.
struct LineFact: Equatable {
  private let head: ArraySlice<UInt8>
  private let rest: ArraySlice<UInt8>

  private static let recorded = Array(",\"recorded\":\"".utf8)
  private static let time = "2025-11-02T19:00:00.000000Z".utf8.count

  /// Nil where the line does not say when it was recorded.
  init?(_ line: ArraySlice<UInt8>) {
    let count = LineFact.recorded.count
    // No text can hold this, because a quote in a text follows a backslash.
    guard
      let found = line.indices.first(where: {
        line[$0] == LineFact.recorded[0] && line[$0...].starts(with: LineFact.recorded)
      }), found + count + LineFact.time < line.endIndex
    else { return nil }
    head = line[..<found]
    let rest = line[(found + count + LineFact.time)...]
    let more = EventEncoder.followed.first { rest.suffix($0.count).elementsEqual($0) }
    self.rest = more.map { rest.dropLast($0.count + 1) } ?? rest.dropLast()
  }
}
