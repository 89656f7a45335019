import CommandFixtures
import DomainFixtures
import EventLog
import StreakDomain

/// Segments on a simulated disk, written as text: `a1+b5 c7` is a batch of the events `a1` and
/// `b5`, and a batch of `c7`.
///
/// The number of an event is the time at which it was recorded. `a1@5` is an event with the id `a1`
/// that was recorded at 5, and `a1@5!` has other contents than `a1`. A line `x` is unreadable JSON,
/// and `#` is no JSON.
struct NotedSegments {
  let disk = SimulatedDisk(seed: 1)

  init(_ segments: KeyValuePairs<String, String> = [:]) throws {
    try disk.makeFolder("events")
    for (name, text) in segments {
      disk.put(NotedSegments.lines(text), at: "events/\(name).jsonl")
    }
  }

  func append(_ text: String, to segment: String) throws {
    let file = try disk.open("events/\(segment).jsonl", .append)
    let bytes = NotedSegments.lines(text)
    let count = try file.write(bytes[...], at: 0)
    precondition(count == bytes.count)
  }

  func options(
    skips: Bool = false, without omitted: Set<String> = [], supposing supposed: [SupposedEvent] = []
  ) -> ReadingOptions {
    var options = ReadingOptions()
    options.disk = disk
    options.skipsUnreadable = skips
    options.omitted = omitted
    options.supposed = supposed
    return options
  }

  func stream(_ options: ReadingOptions? = nil) throws -> EventStream {
    try EventStream(folder: "events", options: options ?? self.options())
  }

  func deliveries(after cursor: Cursor = Cursor()) throws -> Deliveries {
    try Deliveries(folder: "events", after: cursor, options: options())
  }

  /// Returns all lines of the stream as text, with a bar before each step.
  func lines(_ options: ReadingOptions? = nil) throws -> String {
    var stream = try stream(options)
    var names = SymbolTable()
    var item = StreamItem()
    var text = ""
    while try stream.next(&item, names: &names) {
      text += (item.beginsStep ? "| " : "") + item.id.text(names) + " "
    }
    return text
  }

  static func time(_ number: Int) -> Instant {
    Instant(microseconds: 1_700_000_000_000_000 + Int64(number))
  }

  /// Returns the event of a word such as `a1@5!`.
  static func event(_ word: String, more: Bool = false) -> Event {
    let parts = word.filter { $0 != "!" }.split(separator: "@")
    let number = parts[parts.count - 1].drop { !$0.isNumber }
    var entry = Entry(habit: "meditation")
    entry.minutes = word.hasSuffix("!") ? 20 : 10

    var sequence = Sequence()
    var event = sequence.event(.entryLogged(entry), on: Day(unchecked: 20_000), id: "\(parts[0])")
    event.recorded = time(Int(number) ?? 0)
    event.more = more
    return event
  }

  func bytes(_ text: String) -> [UInt8] { NotedSegments.lines(text) }

  private static func lines(_ text: String) -> [UInt8] {
    var bytes: [UInt8] = []
    for batch in text.split(separator: " ") {
      let words = batch.split(separator: "+")
      for (index, word) in words.enumerated() {
        let more = index < words.count - 1
        switch word {
        case "x": bytes += Array((more ? "{\"more\":true,\"y\":1}\n" : "{\"y\":1}\n").utf8)
        case "#": bytes += Array((more ? "#\"more\":true}\n" : "#\n").utf8)
        default: bytes += EventEncoder.line(event(String(word), more: more))
        }
      }
    }
    return bytes
  }
}
