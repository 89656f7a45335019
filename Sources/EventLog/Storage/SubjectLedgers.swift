package import StreakDomain

/// Ledgers of several subjects folded from one stream; the owner's is always there, and has the stream for all.
package struct SubjectLedgers: Sendable {
  private var own: LedgerFold
  /// Each has its own events only, and the stream only while it is at work.
  private var others: [String: LedgerFold] = [:]

  /// Ledgers of the owner and of these subjects, with room for `capacity` events; events of others are passed over.
  package init(_ subjects: Set<String?>, capacity: Int = 0) {
    own = LedgerFold(Ledger(capacity: capacity))
    for subject in subjects {
      if let subject { others[subject] = LedgerFold(Ledger(subject: subject)) }
    }
  }

  /// Of every subject; nil before the first `ledger.opened` or `day.changed`.
  package var zone: String? { own.zone }
  package var owner: String? { own.owner }
  /// When days begin, of every subject.
  package var dayStart: ClockTime { own.dayStart }
  /// The owner's own today.
  package var today: Day? { own.today }

  /// The names of the stream, which facts must be read with.
  var names: SymbolTable {
    get { own.names }
    _modify { yield &own.names }
  }

  /// How many events the stream has so far, of any subject.
  package var position: Int { own.position }

  /// Where the event of an id is in the stream, from 1.
  func position(of key: EventKey) -> Int? { own.position(of: key) }

  /// Where the event with this id is in the stream, from 1; nil where there is none.
  package func position(of id: String) -> Int? {
    EventKey.find(id, names: own.names).flatMap { own.position(of: $0) }
  }

  func key(at position: Int) -> EventKey { own.index.key(at: position) }

  /// The id of the event at a position, from 1.
  package func id(at position: Int) -> String { own.index.key(at: position).text(own.names) }

  /// Folds an event into the ledger of its subject.
  package mutating func apply(_ event: Event) {
    // The owner's ledger sees every event: it knows which names are the owner's, and counts them all.
    guard own.apply(event) == nil, isOther(event.subject) else { return }
    with(event.subject) { $0.join(event) }
  }

  /// Folds an entry into the ledger of its subject, by its fact.
  mutating func apply(_ entry: EntryFact, id: EventKey, second: Int32, subject: String?) {
    guard own.apply(entry, id: id, second: second, subject: subject) == nil, isOther(subject) else { return }
    with(subject) { $0.join(entry, id: id, second: second, subject: subject) }
  }

  /// Whether a subject has a ledger here beside the owner's.
  private func isOther(_ subject: String?) -> Bool {
    guard let subject, subject != owner else { return false }
    return others[subject] != nil
  }

  /// Lends the stream to the ledger of a subject; the owner's name and none at all are the same, and the ledger of a
  /// subject that no room was made for is empty.
  @discardableResult
  private mutating func with<R>(_ subject: String?, _ body: (inout LedgerFold) -> R) -> R {
    guard let subject, subject != owner else { return body(&own) }
    guard var fold = others.removeValue(forKey: subject) else {
      var empty = LedgerFold(Ledger(subject: subject))
      return own.lendStream(to: &empty, body)
    }
    defer { others[subject] = fold }
    return own.lendStream(to: &fold, body)
  }

  /// The ledger of a subject.
  package mutating func ledger(of subject: String?) -> Ledger { with(subject) { $0.settled } }

  /// A subject's own today, and the event that set it.
  package mutating func today(of subject: String?) -> Day? { with(subject) { $0.today } }
  mutating func todaysEvent(of subject: String?) -> String? { with(subject) { $0.todaysEvent } }

  /// Whether a subject has a habit of this name.
  mutating func isDefined(_ habit: String, by subject: String?) -> Bool {
    with(subject) { $0.place(of: habit) != nil }
  }

  /// The events that move a subject's today beyond a day, in the order of the stream.
  package mutating func movers(of subject: String?, beyond day: Day) -> [String] {
    with(subject) { $0.movers(beyond: day) }
  }

  /// Why its subject's ledger would refuse an event on append, or nil.
  package mutating func refusal(of event: Event) -> Failure? { with(event.subject) { $0.refusal(of: event) } }
}
