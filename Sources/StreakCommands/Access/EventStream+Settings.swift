import EventLog
import StreakDomain

extension EventStream {
  func lastSettings() throws(Failure) -> StreamSettings {
    var settings = StreamSettings()
    var known: Set<String> = []
    var events = StoredEvents(stream: self)
    while let event = try events.next() {
      if known.insert(event.id).inserted { settings.note(event) }
    }
    return settings
  }
}
