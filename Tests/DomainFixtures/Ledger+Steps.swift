package import StreakDomain

/// Folding whole streams: a ledger is settled at the end of each step (domain.md).
extension Ledger {
  /// Creates a settled ledger of `events`, whose today never moves past `cutoff`.
  package init(folding events: some Swift.Sequence<Event>, cutoff: Day? = nil) {
    self.init(cutoff: cutoff)
    fold(events)
  }

  /// Applies `events` and settles the ledger at the end of each step.
  ///
  /// If the last event isn't the end of its step, the ledger is settled there, too: it stops inside
  /// a batch.
  package mutating func fold(_ events: some Swift.Sequence<Event>) {
    var isInsideStep = false

    for event in events {
      apply(event)
      isInsideStep = event.more
      if !isInsideStep { settle() }
    }

    if isInsideStep { settle() }
  }

  /// Applies `event` and settles the ledger, even if the event isn't the end of its step.
  package mutating func fold(_ event: Event) { fold(CollectionOfOne(event)) }

  /// Returns a copy of the ledger that stops here, which can be inside a batch.
  package func stopped() -> Ledger {
    var copy = self
    copy.settle()
    return copy
  }
}

extension Swift.Sequence<Event> {
  /// The events of the stream: the lines without the copies of earlier events, which have no
  /// effect and no position.
  package var withoutCopies: [Event] {
    var ids: Set<String> = []
    return filter { ids.insert($0.id).inserted }
  }
}

extension [Event] {
  /// The steps of the stream; the last one ends with the last line, even if that line has `more`.
  package var steps: [[Event]] {
    var steps: [[Event]] = []
    var isInsideStep = false

    for line in self {
      if isInsideStep { steps[steps.count - 1].append(line) } else { steps.append([line]) }
      isInsideStep = line.more
    }

    return steps
  }

  /// The events as one batch, which is one step: all but the last have `more`.
  package var asBatch: [Event] {
    enumerated().map { index, event in
      var line = event
      line.more = index < count - 1
      return line
    }
  }
}
