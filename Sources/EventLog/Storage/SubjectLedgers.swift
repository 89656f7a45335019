package import StreakDomain

/// Ledgers of several subjects fed from one stream, each with its own events only; the owner's is always there.
package struct SubjectLedgers: Sendable {
  private var own: LedgerFold
  private var others: [String: LedgerFold] = [:]
  /// Of every subject, as the last event left it.
  package private(set) var zone: String?
  package private(set) var owner: String?
  /// The owner's own today.
  var today: Day? { own.today }
  /// When days begin, of every subject.
  package var dayStart: ClockTime { own.dayStart }

  /// The owner's ledger alone, as it was read.
  package init(_ own: Ledger) {
    self.own = LedgerFold(own)
    (zone, owner) = (own.zone, own.owner)
  }

  /// Ledgers of the owner and of these subjects, with room for `capacity` events; events of others are passed over.
  package init(_ subjects: Set<String?>, capacity: Int = 0) {
    own = LedgerFold(Ledger(capacity: capacity))
    for subject in subjects {
      if let subject { others[subject] = LedgerFold(Ledger(subject: subject)) }
    }
  }

  /// A subject's own today, and the event that set it.
  package func today(of subject: String?) -> Day? { fold(of: subject)?.today }
  func todaysEvent(of subject: String?) -> String? { fold(of: subject)?.todaysEvent }

  /// Whether a subject has a habit of this name.
  func isDefined(_ habit: String, by subject: String?) -> Bool { fold(of: subject)?.place(of: habit) != nil }

  /// The events that move a subject's today beyond a day, in the order of the stream.
  package func movers(of subject: String?, beyond day: Day) -> [String] {
    fold(of: subject)?.movers(beyond: day) ?? []
  }

  private func fold(of subject: String?) -> LedgerFold? {
    guard let subject, subject != owner else { return own }
    return others[subject]
  }

  /// The names of the owner's ledger, which facts must be read with.
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
    switch event.payload {
    case .ledgerOpened(let owner, let dayStart):
      zone = event.zone
      if self.owner == nil, let owner { self.owner = owner }
      if let dayStart { for subject in others.keys { others[subject]?.dayStart = dayStart } }
    case .dayChanged: zone = event.zone
    default: break
    }
    // The owner's ledger sees every event: it knows which names are the owner's, and counts them all.
    _ = own.apply(event)
    if let subject = event.subject, subject != owner { _ = others[subject]?.apply(event) }
  }

  /// Folds an entry into the ledger of its subject, by its fact, whose names are the owner's ledger's.
  mutating func apply(_ entry: EntryFact, id: EventKey, second: Int32, subject: String?) {
    _ = own.apply(entry, id: id, second: second, subject: subject)
    guard let subject, subject != owner, var fold = others.removeValue(forKey: subject) else { return }
    var entry = entry
    entry.move(from: own.names, into: &fold.names)
    let id = EventKey(id.text(own.names), names: &fold.names)
    _ = fold.apply(entry, id: id, second: second, subject: subject)
    others[subject] = fold
  }

  /// The ledger of a subject, empty where no room was made for it; the owner's name and none at all are the same.
  package mutating func ledger(of subject: String?) -> Ledger {
    guard let subject, subject != owner else { return own.settled }
    return others[subject]?.settled ?? Ledger(subject: subject)
  }

  /// Why its subject's ledger would refuse an event on append, or nil.
  package mutating func refusal(of event: Event) -> Failure? {
    guard let subject = event.subject, subject != owner else { return own.refusal(of: event) }
    return others[subject]?.refusal(of: event)
  }
}

extension SubjectLedgers: StoredPart {
  package init() { self.init([]) }

  /// Only the owner's ledger is stored.
  package mutating func pass(_ coder: inout StateCoder) {
    coder.part(&own)
    (zone, owner) = (own.zone, own.owner)
  }
}
