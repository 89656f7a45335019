package import StreakDomain

extension LogWriter {
  /// Begins a ledger of one segment with events that stood in another, each for itself; `recorded` is moved on where
  /// two had the same.
  package static func begin(
    _ events: [Event], in folder: String, writer: String
  ) throws(Failure) {
    let log = try LogWriter(folder: folder, writer: writer, wait: 5, makesFolder: true)
    var events = events
    for index in events.indices.dropFirst() where events[index].recorded <= events[index - 1].recorded {
      events[index].recorded = events[index - 1].recorded + 1
    }
    var batch = BatchLines()
    for var event in events {
      // Of texts that are gone nothing needs to be said here.
      if case .eventRedacted = event.payload { continue }
      // The segments that were seen then are none of this ledger.
      if case .dayChanged(let to, let seal, _) = event.payload {
        event.payload = .dayChanged(to: to, seal: seal)
      }
      batch.add(EventEncoder.line(event, more: false), of: event)
    }
    try log.commit(batch, to: nil, ReadSet(), isJoined: false)
  }
}
