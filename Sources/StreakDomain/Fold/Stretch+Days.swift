/// The days of a stretch, each by its place from 0; all O(1) but for schedules by week or month, which take O(those).
extension DayMap<Stretch>.Slot {
  /// The last day of the stretch.
  var through: Day { day + (Int(value.count) - 1) }

  /// The record of a day by its place.
  func record(_ place: Int) -> DayRecord {
    guard place > 0 else { return value.first }
    var record = value.first
    switch value.pace {
    case .single, .still: break
    case .graced: record.misses += Int32(place)
    case .resting:
      if value.rhythm.isCounting {
        let most = max(Int(record.rested), value.rhythm.allowance(on: day))
        record.rested = UInt16(min(Int(record.rested) + place, most))
      }
    case .scheduled: schedule(&record, place)
    case .growing: grow(&record, place)
    case .scheduledGrowing:
      record.verdict = value.rhythm.passesOver(day + place) ? .rest : .good
      grow(&record, place)
    }
    if value.pace != .resting, value.pace != .scheduled, record.rested > 0 {
      record.rested = carried(record.rested, to: place)
    }
    return record
  }

  var last: DayRecord { record(Int(value.count) - 1) }

  private func schedule(_ record: inout DayRecord, _ place: Int) {
    record.verdict = value.outcome.verdictAlone
    guard value.rhythm.period != nil else {
      if value.rhythm.passesOver(day + place) { record.verdict = .rest }
      return
    }
    let rested = value.rhythm.restDays(on: day + place, since: day, with: record.rested)
    if rested.after > rested.before { record.verdict = .rest }
    record.rested = UInt16(rested.after)
  }

  private func grow(_ record: inout DayRecord, _ place: Int) {
    record.run += Int32(value.grown(place))
    record.jokers = []
    guard value.every > 0 else { return }
    record.held = held(place)
    guard record.verdict != .rest, record.run % value.every == 0 else { return }
    record.jokers = held(place - 1) < value.cap ? .earned : .forfeited
  }

  /// What is carried of rest days that no later day adds to.
  private func carried(_ rested: UInt16, to place: Int) -> UInt16 {
    guard let period = value.rhythm.period else { return rested }
    return period.days(around: day + place).lowerBound > day ? 0 : rested
  }

  /// How many of the days after the first, up to one, are the last of so many that earn a joker.
  private func earningDays(_ place: Int) -> Int {
    guard value.every > 0, value.isGrowing else { return 0 }
    let run = value.first.run
    return Int((run + Int32(value.grown(place))) / value.every - run / value.every)
  }

  /// A cap that was lowered takes nothing away.
  private func held(_ place: Int) -> UInt16 {
    let held = value.first.held
    return held >= value.cap ? held : UInt16(min(Int(value.cap), Int(held) + earningDays(place)))
  }

  /// The verdict of a day, and the last place up to which it stays the same.
  func verdict(_ place: Int) -> (verdict: Verdict, through: Int) {
    guard value.pace == .scheduled || value.pace == .scheduledGrowing else {
      return (value.first.verdict, Int(value.count) - 1)
    }
    let verdict = record(place).verdict
    var through = place
    while through + 1 < Int(value.count), record(through + 1).verdict == verdict { through += 1 }
    return (verdict, through)
  }

  /// The place of the last good or restarted day.
  var lastGood: Int? {
    let isScheduled = value.pace == .scheduled || value.pace == .scheduledGrowing
    let asked = isScheduled ? value.outcome.verdictAlone : value.first.verdict
    guard !value.isEarly, asked.isGood else { return nil }
    return (0..<Int(value.count)).last { record($0).verdict.isGood }
  }

  /// The same with more days at its end, which are counted in.
  func extended(by days: Int, into tally: inout DayTally) -> DayMap<Stretch>.Slot {
    var longer = self
    longer.value.count += Int32(days)
    longer.count(Int(value.count)..<Int(longer.value.count), into: &tally, 1)
    return longer
  }

  /// Counts its days in; `sign` -1 takes them out again.
  func count(into tally: inout DayTally, _ sign: Int) { count(0..<Int(value.count), into: &tally, sign) }

  /// Counts some of its days in by their places.
  private func count(_ places: Range<Int>, into tally: inout DayTally, _ sign: Int) {
    guard !value.isEarly, !places.isEmpty else { return }
    if places.lowerBound == 0 {
      tally.count(value.first, sign)
      return count(1..<places.upperBound, into: &tally, sign)
    }
    if places.count == 1 { return tally.count(record(places.lowerBound), sign) }
    switch value.pace {
    case .single, .still, .growing, .graced, .resting:
      tally.count(value.first.verdict, days: sign * places.count)
    case .scheduled, .scheduledGrowing:
      let days = day + places.lowerBound...day + (places.upperBound - 1)
      let rests = value.rhythm.letGo(days, since: day, with: value.first.rested)
      tally.count(.rest, days: sign * rests)
      tally.count(value.outcome.verdictAlone, days: sign * (places.count - rests))
    }
    guard value.every > 0, value.isGrowing else { return }
    let (low, high) = (places.lowerBound - 1, places.upperBound - 1)
    let earned = Int(held(high)) - Int(held(low))
    tally.countJokers(earned: earned, forfeited: earningDays(high) - earningDays(low) - earned, sign)
  }

  /// The places, ascending, of days on which jokers were earned, forfeited, spent or taken, from one on.
  func placesWithJokers(from place: Int) -> [Int] {
    var places: [Int] = []
    if place == 0, !value.first.jokers.isEmpty || value.first.penalised > 0 { places.append(0) }
    guard value.every > 0, value.isGrowing else { return places }
    let done = Int(value.first.run) + value.grown(max(place, 1) - 1)
    let every = Int(value.every)
    var run = (done / every + 1) * every
    while run <= Int(value.first.run) + value.grown(Int(value.count) - 1) {
      places.append(value.place(ofRun: run))
      run += every
    }
    return places
  }
}
