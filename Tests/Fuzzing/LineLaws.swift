import EventLog
import StreakDomain
import TestSupport

/// The laws of a segment's lines.
enum LineLaws {
  static func check(_ input: [UInt8]) throws(Finding) {
    try demand(
      !LineDecoding.compare(input).contains(.differ), "the fast road reads what the slow one does not")
    for line in input.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false) {
      try check(line: Array(line))
    }
  }

  private static func check(line: [UInt8]) throws(Finding) {
    try demand(LineDecoding.agreesWithJSON(line), "the fields are not the members that the JSON reader reads")
    let decoded = Result { () throws(LineError) in try LineDecoding.event(line) }
    let event: Event
    switch decoded {
    case .success(let read): event = read
    case .failure(let error):
      try demand((1...line.count + 1).contains(error.column), "column \(error.column) is not in the line")
      try demand(!error.problem.sentence.isEmpty, "an error without a sentence")
      return
    }
    try checkTexts(of: line)
    let canonical = EventEncoder.line(event)
    let text = Array(canonical.dropLast())
    try demand(!text.contains(UInt8(ascii: "\n")), "a canonical line is more than one line")
    // Escapes can make a line longer than it was given; then append refuses it.
    guard text.count <= LineLimits.bytes else { return }
    let again = Result { () throws(LineError) in try LineDecoding.event(text) }
    guard case .success(let second) = again else { throw Finding("the canonical line is refused: \(again)") }
    try demand(second == event, "the canonical line is another event")
    try demand(EventEncoder.line(second) == canonical, "the canonical line's canonical line is another")
    try demand(!LineDecoding.compare(canonical).contains(.differ), "the roads differ on the canonical line")
    try checkAppending(text, as: event)
  }

  /// A reader of nothing but texts finds the same ones, and the same digest of the line with and without them.
  private static func checkTexts(of line: [UInt8]) throws(Finding) {
    let plain = PlainDigest.texts(of: line)
    let found = TextPlaces(line).texts
    try demand(
      plain.map(\.field) == found.map(\.field.rawValue) && plain.map(\.range) == found.map(\.range),
      "the texts are not where a plain reader finds them")
    func tail(_ line: [UInt8]) -> String {
      var check = SealCheck("", Redactions(), all: Redactions())
      check.update(line[...])
      return check.finish().head.tail
    }
    // The one line that begins a span of its own.
    guard BytePattern("day.changed").first(in: line) == nil else { return }
    try demand(tail(line) == PlainDigest.of(lines: [line]), "the digest is not the one of the contract")
  }

  /// What a segment holds can be given to `append` too, if it keeps what nobody knows.
  private static func checkAppending(_ line: [UInt8], as event: Event) throws(Finding) {
    let draft = Result { () throws(LogError) in
      try Draft(line: line, file: "-", number: 1, isLenient: true)
    }
    guard case .success(let draft) = draft else { throw Finding("append refuses a canonical line: \(draft)") }
    let isSame =
      draft.id == event.id && draft.at == event.at && draft.day == event.day && draft.zone == event.zone
    try demand(isSame, "append reads another envelope")
  }
}
