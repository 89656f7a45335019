import StreakDomain

/// The events of a ledger in one batch, without what the store put there by itself.
struct UndoBatch {
  /// The positions of those that are the ledger's, ascending.
  private(set) var members: [Int] = []
  /// The positions of the whole batch.
  let all: [Int]
  let segment: Int
  /// What its first event was written by, and what that makes up for.
  private(set) var label: Text?
  private(set) var cause: String?
  /// Whether all of it has a counterpart for sure; a definition may be the first of its habit.
  private(set) var canBeUndone = true

  /// Batches come one after the other by their last events.
  var last: Int { all[all.count - 1] }
  var isUndo: Bool { label == UndoLabel.undo }
  var isLabelled: Bool { label != nil }

  init(all: [Int], segment: Int) { (self.all, self.segment) = (all, segment) }

  /// Adds an event, unless the store put it there.
  mutating func add(_ event: Event, at position: Int) {
    if event.payload.staysTrue, event.payload.type != .dayCorrected || UndoLabel.isOn(event) { return }
    if members.isEmpty, UndoLabel.isOn(event) { (label, cause) = (event.by, event.cause) }
    members.append(position)
    if !event.payload.hasCounterpart { canBeUndone = false }
  }

  /// Takes a day that began in another zone, and nothing else, for the command of somebody.
  mutating func addMove(at position: Int) {
    members.append(position)
    canBeUndone = false
  }
}
