package import StreakDomain

extension EventStream {
  package func place(of item: StreamItem) -> Place {
    guard item.segment < readers.count else {
      return options.supposed.first { $0.event.id == item.event?.id }?.place
        ?? Place(file: "a supposed event", line: item.line, column: 1)
    }
    return Place(file: readers[item.segment].path, line: item.line, column: 1)
  }

  /// Returns the line of the event in `item` as it is stored, without redacted texts.
  package func line(of item: StreamItem) throws(Failure) -> EventLine {
    guard item.segment < readers.count else {
      return EventLine(item.event.map { EventEncoder.line($0) } ?? [])
    }
    let line = try readers[item.segment].line(at: item.offset)
    guard !redactions.isEmpty, case let event = try event(in: line, of: item) else {
      return EventLine(line)
    }
    let redacted = redactions.applied(to: event)
    return redacted == event ? EventLine(line) : EventLine(EventEncoder.line(redacted))
  }

  private func event(in line: [UInt8], of item: StreamItem) throws(Failure) -> Event {
    do throws(Failure) { return try EventDecoder.event(line) } catch {
      throw error.at(place(of: item), String(decoding: line, as: UTF8.self))
    }
  }

  /// Returns the name of the segment that contains the event, or `nil` for a hypothetical event.
  package func writer(of item: StreamItem) -> Text? {
    item.segment < readers.count ? readers[item.segment].name : nil
  }

  /// Returns the name of the segment with the event at `position`, or `nil` if it is hypothetical;
  /// needs `keepsPlaces`.
  package func writer(at position: Int) -> Text? {
    let segment = whereabouts(of: position).segment
    return segment < readers.count ? readers[segment].name : nil
  }

  package func isSupposed(_ item: StreamItem) -> Bool { item.segment == readers.count }

  /// Stores the location of the event in `item`, so that a later event with the same id can be
  /// compared with it.
  package mutating func keepPlace(of item: StreamItem) {
    guard isMerging || keepsPlaces else { return }
    let beginsStep = isStepNew || item.beginsStep
    isStepNew = false
    places.append(EventLocation(of: item, beginsStep: beginsStep))
  }

  /// Skips an event that equals the event at `position`, or adds an event with only the same id to
  /// `reusedIDs`.
  ///
  /// Throws if both events are in the same segment; with `--skip`, the line is added to `repeats`
  /// instead.
  package mutating func passRepeat(of position: Int, _ item: StreamItem, names: SymbolTable)
    throws(Failure)
  {
    if item.beginsStep { isStepNew = true }
    do throws(Failure) {
      guard try !isCopy(item, of: position, names: names) else { return }
      reusedIDs.append(
        ReusedID(
          id: item.id.text(names), position: position, segment: readers[item.segment].name,
          line: item.line))
    } catch {
      guard options.skipsUnreadable, error.kind == .reusedID, !isSupposed(item) else { throw error }
      repeats.append(SkippedLine(segment: readers[item.segment].name, failure: error))
    }
  }

  /// Whether `item` is a copy of the event at `position`; throws if both are in one segment, or if
  /// one is hypothetical.
  package mutating func isCopy(
    _ item: StreamItem, of position: Int, names: SymbolTable
  ) throws(Failure) -> Bool {
    let here = place(of: item)
    let id = item.id.text(names)
    let isSupposed = options.supposed.contains { $0.event.id == id }
    let text = item.segment == readers.count ? [] : try readers[item.segment].line(at: item.offset)
    guard isMerging, !isSupposed else {
      throw .reused(id, first: "position \(position)", at: here, text)
    }
    let (segment, offset) = whereabouts(of: position)
    guard segment != item.segment else {
      throw .reused(id, first: "\(try place(at: position))", at: here, text)
    }
    let first = try readers[segment].line(at: offset)
    return first == text || Event.isSameFact(first, text)
  }

  /// Returns the text fields that were redacted in the line of the event at `position`.
  func redactedFields(at position: Int) throws(Failure) -> Set<TextField> {
    let (segment, offset) = whereabouts(of: position)
    return segment < readers.count ? LineTexts(try readers[segment].line(at: offset)).redacted : []
  }

  /// Calls `body` with the events at `positions`, in that order and without redacted texts;
  /// requires `keepsPlaces`.
  package func eachEvent(at positions: [Int], _ body: (Int, Event) -> Void) throws(Failure) {
    let redactions = readers.count > 1 ? try storedRedactions() : Redactions()
    for position in positions { body(position, redactions.applied(to: try event(at: position))) }
  }

  func event(at position: Int) throws(Failure) -> Event {
    let (segment, offset) = whereabouts(of: position)
    guard segment < readers.count else { return taken[offset].event }
    let line = try readers[segment].line(at: offset)
    do throws(Failure) { return try EventDecoder.event(line) } catch {
      throw error.at(try place(at: position), String(decoding: line, as: UTF8.self))
    }
  }

  package func place(at position: Int) throws(Failure) -> Place {
    let (segment, offset) = whereabouts(of: position)
    guard segment < readers.count else { return taken[offset].place }
    return Place(
      file: readers[segment].path, line: try readers[segment].number(ofLineAt: offset), column: 1)
  }

  func whereabouts(of position: Int) -> (segment: Int, offset: Int) {
    let location = places[position - 1]
    return (location.segment, location.offset)
  }

  func line(at position: Int) -> (path: String, offset: Int)? {
    let (segment, offset) = whereabouts(of: position)
    return segment < readers.count ? (readers[segment].path, offset) : nil
  }
}

/// Functions that find the events of a batch by their positions; they require `keepsPlaces`.
extension EventStream {
  /// Returns the positions of all events in the batch that contains the event at `position`, in
  /// ascending order.
  package func batch(around position: Int) -> ClosedRange<Int> {
    var first = position
    while first > 1, !places[first - 1].beginsStep { first -= 1 }

    var last = position
    while last < places.count, !places[last].beginsStep { last += 1 }
    return first...last
  }

  package func position(in segment: Int, upTo position: Int) -> Int? {
    places.prefix(max(0, position)).lastIndex { $0.segment == segment }.map { $0 + 1 }
  }

  /// Returns the index of the segment with the event at `position`; for a hypothetical event, the
  /// number of segments.
  package func segment(at position: Int) -> Int { whereabouts(of: position).segment }
}

/// The segment and the offset of an event, and whether the event is the first one of its step that
/// counts; packed, because there is one for each event.
struct EventLocation: BitwiseCopyable, Sendable {
  private static let stepFlag: UInt64 = 1 << 63
  private static let offsetBits: UInt64 = 40

  private let packed: UInt64

  init(of item: StreamItem, beginsStep: Bool) {
    let flag = beginsStep ? EventLocation.stepFlag : 0
    packed = flag | UInt64(item.segment) << EventLocation.offsetBits | UInt64(item.offset)
  }

  var beginsStep: Bool { packed & EventLocation.stepFlag != 0 }

  var segment: Int { Int((packed & ~EventLocation.stepFlag) >> EventLocation.offsetBits) }

  var offset: Int { Int(packed & (1 << EventLocation.offsetBits - 1)) }
}
