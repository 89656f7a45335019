package import StreakDomain

extension EventStream {
  package func place(of item: StreamItem) -> Place {
    guard item.segment < readers.count else { return supposed[item.offset].place }
    return Place(file: readers[item.segment].path, line: item.line, column: 1)
  }

  /// Returns the line of the event in `item` as it is stored, without redacted texts.
  package func line(of item: StreamItem) throws(Failure) -> EventLine {
    guard item.segment < readers.count else {
      return EventLine(item.event.map { EventEncoder.line($0) } ?? [])
    }
    let line = try readers[item.segment].line(at: item.offset)
    guard !redactions.isEmpty else { return EventLine(line) }

    let event = try event(in: line) { place(of: item) }
    let redacted = redactions.applied(to: event)
    return redacted == event ? EventLine(line) : EventLine(EventEncoder.line(redacted))
  }

  /// Decodes a line that was read before; `place` returns its source location for errors.
  private func event(
    in line: [UInt8], place: () throws(Failure) -> Place
  ) throws(Failure) -> Event {
    do throws(Failure) { return try EventDecoder.event(line) } catch {
      throw error.at(try place(), String(decoding: line, as: UTF8.self))
    }
  }

  /// Returns the name of the segment that contains the event, or `nil` for a hypothetical event.
  package func writer(of item: StreamItem) -> Text? {
    item.segment < readers.count ? readers[item.segment].name : nil
  }

  /// Returns the name of the segment with the event at `position`, or `nil` if it is hypothetical;
  /// needs `keepsLocations`.
  package func writer(at position: Int) -> Text? {
    let segment = locations[position].segment
    return segment < readers.count ? readers[segment].name : nil
  }

  func isSupposed(_ item: StreamItem) -> Bool { item.segment == readers.count }

  /// Whether `item` is a copy of the event at `position`.
  ///
  /// Throws if both are in one segment, or if one is hypothetical.
  package func isCopy(
    _ item: StreamItem, of position: Int, names: SymbolTable
  ) throws(Failure) -> Bool {
    let place = place(of: item)
    let id = item.id.text(names)
    let isSupposed = options.supposed.contains { $0.event.id == id }
    let text = item.segment == readers.count ? [] : try readers[item.segment].line(at: item.offset)

    guard isMerging, !isSupposed else {
      throw .reused(id, first: "position \(position)", at: place, text)
    }
    let location = locations[position]
    guard location.segment != item.segment else {
      throw .reused(id, first: "\(try self.place(at: position))", at: place, text)
    }
    let first = try readers[location.segment].line(at: location.offset)
    return first == text || Event.isSameFact(first, text)
  }

  /// Returns the text fields that were redacted in the line of the event at `position`.
  func redactedFields(at position: Int) throws(Failure) -> Set<TextField> {
    let location = locations[position]
    guard location.segment < readers.count else { return [] }
    return RedactableTexts(try readers[location.segment].line(at: location.offset)).redacted
  }

  /// Calls `body` with the events at `positions`, in that order and without redacted texts;
  /// requires `keepsLocations`.
  package func eachEvent(at positions: [Int], _ body: (Int, Event) -> Void) throws(Failure) {
    let redactions = readers.count > 1 ? try storedRedactions() : Redactions()
    for position in positions { body(position, redactions.applied(to: try event(at: position))) }
  }

  func event(at position: Int) throws(Failure) -> Event {
    let location = locations[position]
    guard location.segment < readers.count else { return supposed[location.offset].event }
    let line = try readers[location.segment].line(at: location.offset)
    return try event(in: line) { () throws(Failure) in try place(at: position) }
  }

  package func place(at position: Int) throws(Failure) -> Place {
    let location = locations[position]
    guard location.segment < readers.count else { return supposed[location.offset].place }
    let reader = readers[location.segment]
    return Place(
      file: reader.path, line: try reader.number(ofLineAt: location.offset), column: 1)
  }

  /// Returns the path of the segment with the event at `position`, and the event's offset there;
  /// `nil` for a hypothetical event.
  func line(at position: Int) -> (path: String, offset: Int)? {
    let location = locations[position]
    guard location.segment < readers.count else { return nil }
    return (readers[location.segment].path, location.offset)
  }
}

/// Functions that find the events of a batch by their positions; they require `keepsLocations`.
extension EventStream {
  /// Returns the positions of all events in the batch that contains the event at `position`, in
  /// ascending order.
  package func batch(around position: Int) -> ClosedRange<Int> {
    var first = position
    while first > 1, !locations[first].beginsStep { first -= 1 }

    var last = position
    while last < locations.count, !locations[last + 1].beginsStep { last += 1 }
    return first...last
  }

  /// Returns the position of the last event of a segment among the first `position` events, or
  /// `nil` if there is none.
  func position(in segment: Int, upTo position: Int) -> Int? {
    (1..<max(1, position + 1)).last { locations[$0].segment == segment }
  }

  /// Returns the position of the last event of the last step that begins by `time`, or 0 if none
  /// does.
  func position(upTo time: Instant) throws(Failure) -> Int {
    var low = 0
    var high = locations.count
    while low < high {
      let step = batch(around: (low + high + 1) / 2)
      if try event(at: step.lowerBound).recorded <= time {
        low = step.upperBound
      } else {
        high = step.lowerBound - 1
      }
    }
    return low
  }
}
