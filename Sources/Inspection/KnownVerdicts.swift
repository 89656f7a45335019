import StreakDomain

/// The verdicts of a habit's days as they were at the last look; what costs is where they differ, not how many days.
struct KnownVerdicts: Sendable {
  /// Ascending; equal consecutive ones are one.
  private var spans: [VerdictSpan] = []

  /// Puts what some days are now in the place of what they were; days that no span has are not folded.
  ///
  /// - Parameters:
  ///   - days: which days.
  ///   - now: their verdicts, ascending.
  ///   - note: is handed the days that differ, ascending, equal consecutive ones at once.
  mutating func replace(
    _ days: ClosedRange<Day>, by now: [VerdictSpan],
    note: (_ days: ClosedRange<Day>, _ before: Verdict?, _ after: Verdict?) -> Void
  ) {
    // The neighbours are included because they may be alike.
    let low = place { $0.end >= days.lowerBound.previous }
    let high = place { $0.start > days.upperBound.next }
    let old = spans[low..<high]
    KnownVerdicts.compare(days, old, now, note)
    if old.count == 1, now.count == 1, let span = old.first, now[0].verdict == span.verdict,
      span.start <= days.lowerBound, now[0].start == days.lowerBound, now[0].end >= span.end
    {
      return spans[low].end = now[0].end
    }
    var new: [VerdictSpan] = []
    if let first = old.first, first.start < days.lowerBound {
      new.append(first.cut(to: first.start...days.lowerBound.previous))
    }
    for span in now { KnownVerdicts.add(span, to: &new) }
    if let last = old.last, last.end > days.upperBound {
      KnownVerdicts.add(last.cut(to: days.upperBound.next...last.end), to: &new)
    }
    spans.replaceSubrange(low..<high, with: new)
  }

  /// Joins a span to the one before where they are alike and nothing is between.
  private static func add(_ span: VerdictSpan, to spans: inout [VerdictSpan]) {
    if let last = spans.last, last.verdict == span.verdict, last.end.next == span.start {
      spans[spans.count - 1].end = span.end
    } else {
      spans.append(span)
    }
  }

  /// The first span that meets a condition, as all after it do; nearly always one of the last.
  private func place(where meets: (VerdictSpan) -> Bool) -> Int {
    if let last = spans.last, !meets(last) { return spans.count }
    return spans.partitioningIndex(where: meets)
  }

  private static func compare(
    _ days: ClosedRange<Day>, _ old: ArraySlice<VerdictSpan>, _ new: [VerdictSpan],
    _ note: (ClosedRange<Day>, Verdict?, Verdict?) -> Void
  ) {
    var (day, first, second) = (days.lowerBound, old.startIndex, 0)
    while day <= days.upperBound {
      while first < old.endIndex, old[first].end < day { first += 1 }
      while second < new.count, new[second].end < day { second += 1 }
      var end = days.upperBound
      let before = look(at: day, first < old.endIndex ? old[first] : nil, &end)
      let after = look(at: day, second < new.count ? new[second] : nil, &end)
      if before?.rawValue != after?.rawValue { note(day...end, before, after) }
      day = end.next
    }
  }

  /// The verdict of a day by the span that does not end before it; `end` is brought to where that may change.
  private static func look(at day: Day, _ span: VerdictSpan?, _ end: inout Day) -> Verdict? {
    guard let span else { return nil }
    if span.start > day {
      end = min(end, span.start.previous)
      return nil
    }
    end = min(end, span.end)
    return span.verdict
  }
}

extension VerdictSpan {
  fileprivate func cut(to days: ClosedRange<Day>) -> VerdictSpan {
    VerdictSpan(start: days.lowerBound, end: days.upperBound, verdict: verdict)
  }
}
