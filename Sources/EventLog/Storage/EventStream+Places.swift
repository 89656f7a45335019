package import StreakDomain

extension EventStream {
  package func place(of item: StreamItem) -> Place {
    guard item.segment < readers.count else {
      return options.supposed.first { $0.event.id == item.event?.id }?.place
        ?? Place(file: "a supposed event", line: item.line, column: 1)
    }
    return Place(file: readers[item.segment].path, line: item.line, column: 1)
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
    if isMerging || keepsPlaces { places.append(UInt64(item.segment) << 40 | UInt64(item.offset)) }
  }

  /// Skips an event that equals the event at `position`, or adds an event with only the same id to
  /// `reusedIDs`.
  ///
  /// Throws if both events are in the same segment; with `--skip`, the line is added to `repeats`
  /// instead.
  package mutating func passRepeat(of position: Int, _ item: StreamItem, names: SymbolTable)
    throws(Failure)
  {
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
    (Int(places[position - 1] >> 40), Int(places[position - 1] & 0xFF_FFFF_FFFF))
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
  package func batch(around position: Int) throws(Failure) -> [Int] {
    let segment = whereabouts(of: position).segment
    var positions = [position]
    var first = position
    while let before = self.position(in: segment, upTo: first - 1),
      try isFollowed(before, by: first)
    {
      positions.append(before)
      first = before
    }
    positions.reverse()
    var last = position
    while try isFollowed(last),
      let next = places.indices.dropFirst(last).first(where: {
        whereabouts(of: $0 + 1).segment == segment
      }),
      try isFollowed(last, by: next + 1)
    {
      last = next + 1
      positions.append(last)
    }
    return positions
  }

  package func position(in segment: Int, upTo position: Int) -> Int? {
    places.prefix(max(0, position)).indices.last { whereabouts(of: $0 + 1).segment == segment }.map
    { $0 + 1 }
  }

  /// Returns the index of the segment with the event at `position`; for a hypothetical event, the
  /// number of segments.
  package func segment(at position: Int) -> Int { whereabouts(of: position).segment }

  private func isFollowed(_ position: Int) throws(Failure) -> Bool {
    let (segment, offset) = whereabouts(of: position)
    guard segment < readers.count else { return taken[offset].event.more }
    return isFollowed(try readers[segment].line(at: offset)) ?? false
  }

  /// Whether all events in the segment from `position` up to and excluding `next` have `more`;
  /// skips invalid lines.
  private func isFollowed(_ position: Int, by next: Int) throws(Failure) -> Bool {
    let segment = whereabouts(of: position).segment
    var offset = whereabouts(of: position).offset
    guard segment < readers.count else { return try isFollowed(position) }
    let end = whereabouts(of: next).offset
    while offset < end {
      let line = try readers[segment].line(at: offset)
      if isFollowed(line) == false { return false }
      offset += line.count + 1
    }
    return true
  }

  private func isFollowed(_ line: [UInt8]) -> Bool? {
    do throws(Failure) { return try EventDecoder.event(line).more } catch { return nil }
  }
}
