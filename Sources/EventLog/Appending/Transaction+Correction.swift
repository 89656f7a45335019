import StreakDomain

/// A today that some clock moved too far, and what takes it back (event-format.md, "Appending").
extension Transaction {
  /// The failure if today lies more than a day ahead of now, so that nothing but a correction may be appended.
  func dayAhead() throws(Failure) -> Failure? {
    guard !options.isForced, !options.correctsDay, let zone = options.zone ?? fold.zone,
      let date = clock(in: zone)?.day(of: options.now)
    else { return nil }
    guard let today = fold.today, today > date.next, let id = fold.todaysEvent,
      let known = fold.position(of: id)
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

  /// Refuses a correction of a today that is not ahead, or to another day than now; records what does not fit into its
  /// line before it.
  mutating func correctDay(_ draft: Draft, to day: Day) throws(Failure) {
    let zone = draft.zone ?? options.zone ?? fold.zone ?? options.machineZone
    guard let date = clock(in: zone)?.day(of: options.now), let today = fold.today else {
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
    for part in fold.movers(beyond: day).lines.dropLast() {
      let correction = Payload.dayCorrected(to: day, moved: part, reason: reason)
      try recordAutomatic(correction, day, zone)
    }
  }
}

extension [String] {
  /// So many ids of a `day.corrected` as there is room for in a line, in as many lines as that takes.
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
  /// The day that a correction is for, unless its caller says another.
  var correctedDay: Day? { if case .dayCorrected(let to, _, _) = self { to } else { nil } }
}
