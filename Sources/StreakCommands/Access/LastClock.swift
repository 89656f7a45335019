import EventLog
import StreakDomain

extension EventStream {
  /// The zone at the end of the stream and when days begin then; repeated events say nothing new.
  func lastClock() throws(Failure) -> (zone: String?, start: ClockTime) {
    var zone: String?
    var start = ClockTime.midnight
    var known: Set<Spelling> = []
    var events = StoredEvents(stream: self)
    while let event = try events.next() {
      switch event.payload {
      case .ledgerOpened(_, let own) where known.insert(event.id.spelling).inserted:
        zone = event.zone
        start = own ?? start
      case .dayChanged where known.insert(event.id.spelling).inserted: zone = event.zone
      default: break
      }
    }
    return (zone, start)
  }
}
