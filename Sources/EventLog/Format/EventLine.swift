/// The line of an event in its segment, which is one JSON object.
package struct EventLine: Hashable, Sendable {
  /// The line in UTF-8, without the newline.
  package let bytes: [UInt8]

  package init(_ line: [UInt8]) {
    let isEnded = line.last == UInt8(ascii: "\n")
    bytes = isEnded ? line.dropLast() : line
  }
}
