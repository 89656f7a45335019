import EventLog
import StreakDomain

extension EventStream {
  /// The zone at the end of the stream and when days begin then; repeated events say nothing new.
  func lastClock() throws(Failure) -> (zone: String?, start: ClockTime) {
    var stream = self
    var names = SymbolTable()
    var item = StreamItem()
    var zone: String?
    var start = ClockTime.midnight
    var known: Set<EventKey> = []
    while try stream.next(&item, names: &names) {
      guard let event = item.event else { continue }
      switch event.payload {
      case .ledgerOpened(_, let own) where known.insert(item.id).inserted:
        zone = event.zone
        start = own ?? start
      case .dayChanged where known.insert(item.id).inserted: zone = event.zone
      default: break
      }
    }
    return (zone, start)
  }
}
