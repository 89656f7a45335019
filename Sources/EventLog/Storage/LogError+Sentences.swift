import StreakDomain

extension LogError {
  /// What is wrong, where, and what to do; one or more lines.
  package var message: String {
    switch self {
    case .noLedger(let folder, let remains):
      "streaks: there is no ledger at \(quoted(folder))\(remains.says); "
        + "make one with `streaks init`, or name another with --events"
    case .evicted(let folder, let segments):
      "streaks: \(Remains.files(segments)) in \(quoted(folder)) may have been evicted by a sync program; bring the "
        + "files back, or begin a new ledger there with --force"
    case .shortSegment(let short):
      "streaks: \(short.says), so nothing is appended to it: bring the file back, continue in another segment with "
        + "--writer NAME, "
        + "or give up what is missing with --force"
    case .badLine(let place, let text, let problem):
      LogError.excerpt(place, text, problem.sentence(in: place.file))
    case .refused(let place, let text, let refusal): LogError.excerpt(place, text, refusal.sentence)
    case .conflict(let place, let text, let id, let first):
      LogError.excerpt(
        place, text,
        "the id \(quoted(id)) is taken by a different event at \(first); "
          + "give this one another id, or leave the id out")
    case .wrongPosition(let expected, let actual):
      "streaks: expected \(expected) events, and the ledger has \(actual); re-read it and decide again"
    case .objected(let place?, let objection) where place.line > 0: "\(place): \(objection.says)"
    case .objected(_, let objection): "streaks: \(objection.says)"
    case .busy(let lock, let seconds):
      "streaks: another program has been writing for \(seconds) s (\(lock)); try again, or wait longer with --wait"
    case .clockAhead(let ahead):
      "\(ahead.place): \(ahead.says). If that clock was wrong, take it back with `streaks undo` or "
        + "`streaks day --correct`; if this device's clock is wrong, set it, or go on with --force"
    case .noTimeLeft(let place, let recorded):
      "\(place): recorded \(recorded) leaves no time for a later event; "
        + "take that segment out of the folder: its clock was wrong"
    case .notWritten(let error): "streaks: nothing was written: \(error)"
    case .ownedElsewhere(let error, let owner):
      "streaks: \(LogError.owned(error, owner)); "
        + (error.path.ends(with: "/.lock")
          ? "`chmod a+r` on it lets others lock it, too" : "write another segment with --writer NAME")
    case .unknownOutcome(let error):
      "streaks: \(error); whether the events are on the disk is unknown. "
        + "Check with `streaks verify` and `streaks replay` before you try again with the same ids"
    case .system(let error): "streaks: \(error)"
    case .badWriter(let name):
      "streaks: \(quoted(name)) cannot name a segment; a writer is a file name of A-Z a-z 0-9 . _ -"
    case .unnamedWriter(let writer, let segments):
      "streaks: the ledger has \(segments) segments, and \(writer).jsonl would be another under a name that nobody gave: "
        + "name the one to write with STREAKS_WRITER or --writer (`streaks help files`)"
    case .changedPast(let place, let change):
      (place.line > 0 ? "\(place)" : "streaks: \(Escaping.visible(place.file))") + ": \(change.sentence); "
        + "restore the file, or begin again after `start`"
    case .tooManySegments(let count):
      "streaks: the ledger has \(count) segments, and a cursor covers at most \(Cursor.mostSegments); "
        + "merge segments, or read without cursors (`streaks timeline --json`)"
    }
  }

  /// What was not written, and whose it is.
  package static func owned(_ error: SystemError, _ owner: String) -> String {
    "nothing was written: \(error); it belongs to \(quoted(owner))"
  }

  /// Place, sentence, and the line with a mark under the column.
  package static func excerpt(_ place: Place, _ text: String, _ sentence: String) -> String {
    guard place.line > 0 else { return "streaks \(place.file): \(sentence)" }
    return "\(place): \(sentence)" + (text.isEmpty ? "" : "\n" + Excerpt.marked(text, at: place.column - 1))
  }
}

extension DayAhead {
  /// Which event moved the day, and when it was recorded.
  package var says: String {
    "today is \(today) since this event, recorded \(recorded), and the date of now is \(date)"
  }
}

extension PastChange {
  /// What a consumer had of the segment, and what there is.
  package var sentence: String {
    switch self {
    case .short(let lines, let delivered):
      "the cursor has \(counted(delivered, "line")) of this segment, and there \(lines == 1 ? "is" : "are") \(lines)"
    case .otherEvent: "this line is not the event that the cursor has there"
    case .missing(let lines, let isEvicted):
      "a segment of which the cursor has \(counted(lines, "line")) is missing"
        + (isEvicted ? "; a sync program evicted it" : "")
    }
  }
}

extension ShortSegment {
  /// What is missing and who saw it, in one line.
  package var says: String { "\(Escaping.visible(path)) \(finding)" }

  /// What is missing and who saw it, for a finding, which names the file itself.
  package var finding: String {
    let by = "\(Escaping.visible(place.file)):\(place.line)"
    let count = counted(seen.lines, "line")
    var says: String
    switch lines {
    case nil: says = "is missing: \(by) saw \(count) of it"
    case let lines? where lines < seen.lines:
      says = "is short: \(seen.lines - lines) of the \(count) that \(by) saw are missing"
    default: says = "is another file than before: its line \(seen.lines) is not the event that \(by) saw"
    }
    if isEvicted { says += "; a sync program evicted it" }
    return says
  }
}

extension Remains {
  /// What to know of a folder that is no ledger.
  package var says: String {
    var says = ""
    if !away.isEmpty { says += "; \(Remains.files(away)) may have been evicted by a sync program" }
    if !torn.isEmpty { says += "; \(Remains.files(torn)) contains only a torn end" }
    return says
  }

  /// The file names of segments.
  package static func files(_ segments: [String]) -> String {
    segments.map { Escaping.visible($0) + ".jsonl" }.joined(separator: ", ")
  }
}

extension Refusal {
  /// What is wrong and what would be right.
  package var sentence: String {
    switch self {
    case .unknownHabit(let habit, let known):
      "no habit \(quoted(habit)) is defined" + Nearest.hint(habit, among: known)
        + (Forms.isHabit(habit) ? "; a new one is made with `streaks define \(habit)`" : "")
    case .unknownMember(let member, let habit, let known):
      "\"rule.of\" of \(quoted(habit)) names \(quoted(member)), which is not defined"
        + Nearest.hint(member, among: known) + "; define \(quoted(member)) first"
    case .circularMember(let member, let habit):
      "\"rule.of\" of \(quoted(habit)) names \(quoted(member)), which leads back to it; leave it out"
    case .entryForComposite(let habit, let members):
      "\(quoted(habit)) follows from \(members.joined(separator: ", ")); log one of those instead"
    case .missingMeasure(let habit, let rule, let needs):
      "\(quoted(habit)) has the rule \(quoted(rule)), so an entry needs \(needs)"
    case .unknownLevel(let level, let habit, let known):
      "\"level\" is \(quoted(level)), which \(quoted(habit)) does not have; it knows "
        + known.map(Escaping.visible).joined(separator: ", ") + Nearest.hint(level, among: known)
    case .levelDisagrees(let level, let drinks, let band):
      "\"level\" is \(quoted(level)), but \(drinks) drinks are \(band.map(quoted) ?? "in no level"); leave one out"
    case .unknownOutcome(let outcome, let field, let known):
      "\"\(field)\" names \(quoted(outcome)), which is not an outcome; use one of "
        + known.joined(separator: ", ") + Nearest.hint(outcome, among: known)
    case .unknownEntry(let id): "there is no entry with the id \(quoted(id)) to delete"
    case .entryDeletedBefore(let id): "the entry \(quoted(id)) is deleted already"
    case .unknownExcuse(let id): "there is no excuse with the id \(quoted(id)) to withdraw"
    case .excuseWithdrawnBefore(let id): "the excuse \(quoted(id)) is withdrawn already"
    case .excuseOfZone(let id, let span):
      "\(quoted(id)) excuses \(span.lowerBound), a date that never was; that cannot be withdrawn"
    case .dayNotChanged(let to, let today): "\"to\" is \(to), not after today, \(today)"
    case .dayIsNotTo(let day, let to):
      "\"day\" is \(day) and \"to\" is \(to); of day.changed and day.corrected both are the new day"
    case .movesNoDay(let id): "\"moved\" names \(quoted(id)), which is no event that moves today"
    case .movesNotBeyond(let id, let to):
      "\"moved\" names \(quoted(id)), which does not move today beyond \(to)"
    case .notAhead(let today, let date) where today <= date:
      "today is \(today), which is not after the date of now, \(date); there is nothing to correct"
    case .notAhead(_, let date): "\"to\" must be the date of now, \(date), or the day before"
    case .retiredBefore(let habit, let after): "\(quoted(habit)) is retired already, after \(after)"
    case .afterRetirement(let habit, let after, let day):
      "\(quoted(habit)) is retired after \(after), so \(day) takes no entry; define it again first"
    case .inTheFuture(let at, let now): "\"at\" is \(at), more than 5 minutes after now, \(now)"
    case .dayAfterItsTime(let day, let localDay, let dayStart):
      "\"day\" is \(day), after the local day of \"at\", \(localDay)"
        + (dayStart == .midnight ? "" : " (days begin at \(dayStart))")
        + "; it can be that day or an earlier one, and of a new definition of a known habit up to 366 days later"
    case .beyondTheCalendar(let at):
      "\(at) is outside the supported range, 1900-01-01 to 2199-12-31"
    case .notOpened: "a new ledger begins with ledger.opened; `streaks init` writes it"
    case .notGrouped(let subject):
      "the events of \(subject.map(quoted) ?? "the owner") ended before; --grouped needs each subject's events together"
    case .unknownCelebration(let key, let pending):
      "\"celebration\" is \(quoted(key)), and no celebration has or had that key"
        + Nearest.hint(key, among: pending)
        + (pending.isEmpty ? "" : "; pending are " + pending.prefix(5).joined(separator: ", "))
    case .overLimit(.habits, let habit, _):
      "\(quoted(habit)) would exceed \(Limit.habits.most) habits, the most of a ledger"
    case .overLimit(.depth, let habit, _):
      "\(quoted(habit)) would be nested more than \(Limit.depth.most) composites deep"
    case .overLimit(.above, let habit, _):
      "\(quoted(habit)) would exceed \(Limit.above.most) composites above one habit"
    case .overLimit(let limit, let habit, let count):
      "\(quoted(habit)) has \(count) \(limit.rawValue), and \(limit.most) are the most"
    case .noLevel(let drinks, let habit): "\(drinks) drinks are in no level of \(quoted(habit))"
    case .unknownZone(let zone, let nearest):
      "\"zone\" is \(quoted(zone)), which is no known time zone\(nearest)"
    }
  }
}

extension Refusal {
  /// The sentence without what only a command line can do, for servers and apps.
  package var plainSentence: String {
    switch self {
    case .unknownHabit(let habit, let known):
      "no habit \(quoted(habit)) is defined" + Nearest.hint(habit, among: known)
        + "; a new one is made with a habit.defined"
    case .notOpened: "a new ledger begins with ledger.opened"
    default: sentence
    }
  }
}
