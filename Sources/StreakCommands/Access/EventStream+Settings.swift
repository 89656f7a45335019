import EventLog
import StreakDomain

extension EventStream {
  /// What the stream says of itself to its end; nothing is folded.
  func lastSettings() throws(Failure) -> StreamSettings {
    var settings = StreamSettings()
    var known: Set<String> = []
    var events = StoredEvents(stream: self)
    while let event = try events.next() {
      // Repeated events say nothing new.
      if known.insert(event.id).inserted { settings.note(event) }
    }
    return settings
  }
}
