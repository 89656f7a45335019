import StreakDomain

/// Corrections of a today that a wrong clock set too late (event-format.md, "Appending").
extension Transaction {
  /// Returns a failure if today is more than a day after now, so that only corrections are allowed.
  func dayAhead() throws(Failure) -> Failure? {
    guard !options.isForced, !options.correctsDay, let zone = options.zone ?? ledger.zone,
      let date = clock(in: zone)?.day(of: options.now)
    else { return nil }
    guard let today = ledger.today, today > date.next, let id = ledger.todaysEvent,
      let known = ledger.position(of: id)
    else { return nil }
    let place =
      known <= start
      ? try stream.place(at: known) : Place(file: "log", line: known, column: 1)
    return Failure(
      .clockAhead,
      "today is \(today) since this event, recorded \(try event(at: known).recorded), and the date of now is \(date)",
      remedy:
        "if that clock was wrong, take it back with `streaks undo` or `streaks day --correct`; if this "
        + "device's clock is wrong, set it, or go on with --force",
      at: place)
  }

  /// Refuses a correction if today isn't after now or `day` isn't the date of now or the day before.
  ///
  /// If the correction has more ids than fit into a line, it records additional corrections first.
  mutating func correctDay(_ draft: Draft, to day: Day) throws(Failure) {
    let zone = draft.zone ?? options.zone ?? ledger.zone ?? options.machineZone
    guard let date = clock(in: zone)?.day(of: options.now), let today = ledger.today else {
      return
    }
    guard today > date, day == date || day == date.previous else {
      throw draft.fails(
        Failure(
          .untimely,
          today <= date
            ? "today is \(today), which is not after the date of now, \(date); there is nothing to correct"
            : "\"to\" must be the date of now, \(date), or the day before"))
    }
    guard case .dayCorrected(_, let moved, let reason) = draft.event.payload, moved.isEmpty else { return }
    for part in ledger.movers(beyond: day).lines.dropLast() {
      let correction = Payload.dayCorrected(to: day, moved: part, reason: reason)
      try recordAutomatic(correction, day, zone)
    }
  }
}

extension [String] {
  /// The ids of a `day.corrected`, divided so that each part fits into one line.
  package var lines: [[String]] {
    var lines: [[String]] = []
    var bytes = 0
    for id in self {
      bytes -= id.utf8.count + 3
      if bytes < 0 {
        lines.append([])
        bytes = LineLimits.bytes - 6000
      }
      lines[lines.count - 1].append(id)
    }
    return lines
  }
}

extension Payload {
  var correctedDay: Day? { if case .dayCorrected(let to, _, _) = self { to } else { nil } }
}
