/// The fold of composites, whose days depend on the verdicts of their members (domain.md, "Habits
/// and rules").
///
///     a                        entries xx.x     verdicts ggmg
///     b, one day in two        entries x.x.     verdicts grgr
///     c, all of a and b        codes good, good, defaultOutcome, good
///
/// On the third day, `a` is missed (`m`), so `c` isn't good and has the code `defaultOutcome`. On
/// the second and fourth day, `b` rests (`r`), but a resting member doesn't prevent a good day.
extension Fold {
  /// Returns the outcomes of `habit` on `days` as codes; the habit must be a composite under at
  /// least one definition.
  ///
  /// `futureDays` contains the results of members from today on, by the index of the member.
  func codes(
    of habit: Int, on days: ClosedRange<Day>, futureDays: [Int: DayRow<ClosedDay>] = [:]
  ) -> DayRow<DayCode> {
    var cache: [UnfoldedDays: DayRow<DayCode>] = [:]
    return codes(of: habit, on: days, futureDays: futureDays, cache: &cache)
  }

  /// The key under which the computed days of a member are cached.
  ///
  /// Several composites may contain the same member. The cache saves computing its days again for
  /// each.
  private struct UnfoldedDays: Hashable {
    let habit: Int
    let days: ClosedRange<Day>
  }

  private func codes(
    of habit: Int, on days: ClosedRange<Day>, futureDays: [Int: DayRow<ClosedDay>],
    cache: inout [UnfoldedDays: DayRow<DayCode>]
  ) -> DayRow<DayCode> {
    if let codes = cache[UnfoldedDays(habit: habit, days: days)] { return codes }

    var codes: [DayCode] = []
    var day = days.lowerBound
    while day <= days.upperBound {
      let interval = habits[habit].definitions.interval(from: day)
      let part = day...min(interval.days.upperBound, days.upperBound)

      if interval.definition.isComposite {
        var summaries = [MemberSummary](repeating: MemberSummary(), count: part.count)
        for member in interval.definition.members {
          if isUndefinedOrCircular(member, in: habit) {
            for offset in summaries.indices { summaries[offset].add(.notGood) }
          } else {
            addVerdicts(
              of: member, on: part, futureDays: futureDays, cache: &cache, to: &summaries)
          }
        }
        for summary in summaries { codes.append(summary.code(under: interval.definition)) }
      } else {
        for offset in 0..<part.count {
          codes.append(habits[habit].code(on: part.lowerBound + offset, under: interval.definition))
        }
      }

      day = part.upperBound.next
    }

    let row = DayRow(codes, from: days.lowerBound, empty: .defaultOutcome)
    cache[UnfoldedDays(habit: habit, days: days)] = row
    return row
  }

  /// Adds the verdicts of `member` on `days` to `summaries`, which has one element per day.
  private func addVerdicts(
    of member: Int, on days: ClosedRange<Day>, futureDays: [Int: DayRow<ClosedDay>],
    cache: inout [UnfoldedDays: DayRow<DayCode>], to summaries: inout [MemberSummary]
  ) {
    let firstDay = habits[member].firstDay ?? Day.last.next
    if days.lowerBound < firstDay {
      let unfolded = days.lowerBound...min(days.upperBound, firstDay.previous)
      let codes =
        habits[member].definitions.isEverComposite
        ? codes(of: member, on: unfolded, futureDays: futureDays, cache: &cache) : nil
      habits[member].eachVerdictBeforeFirstDay(on: unfolded, codes: codes) { day, verdict in
        summaries[day - days.lowerBound].add(verdict)
      }
    }

    guard firstDay <= days.upperBound else { return }
    let folded = max(days.lowerBound, firstDay)...days.upperBound
    let row = futureDays[member]?.slice(folded) ?? habits[member].closedDays.slice(folded)
    var offset = folded.lowerBound - days.lowerBound
    for day in row {
      summaries[offset].add(MemberVerdict(day.record.verdict))
      offset += 1
    }
  }

  /// Returns the verdict of a member's closed day, as composites use it.
  func memberVerdict(of member: Int, on day: Day) -> MemberVerdict {
    if let firstDay = habits[member].firstDay, firstDay <= day {
      return MemberVerdict(habits[member].closedDays[day].record.verdict)
    }
    let interval = habits[member].definitions.interval(from: day)
    return MemberVerdict(beforeFirstDay: input(of: member, on: day), under: interval.definition)
  }

  /// Whether `member` is undefined, or contains `composite` in turn.
  ///
  /// Such a member counts as missed. Only definitions that are in force on some day are considered.
  func isUndefinedOrCircular(_ member: Int, in composite: Int) -> Bool {
    !habits[member].isDefined || hierarchy.circularMembers(of: composite).contains(member)
  }
}
