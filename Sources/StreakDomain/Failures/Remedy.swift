/// The way to fix a problem, in the words of the surface that shows it.
package enum Remedy: Equatable, Sendable {
  /// A remedy in words that suit the program, the service and the library.
  case words(String)
  /// A remedy of the program alone, in words that name its commands or options.
  case program(String)

  // MARK: The ledger

  case openLedger
  case makeLedger
  /// The ledger is still at `today`, and `date` can be begun.
  case beginDay(today: Day, date: Day)
  case correctDay
  case readAgain

  // MARK: Habits, entries and excuses

  case define(habit: String)
  case resume(habit: String)
  case findEntry
  case findExcuse

  // MARK: Lines and segments

  case giveOtherID
  case fillInFields
  case skipUnknownType
  /// A newer program is needed; `isStored` is true if the line is in a segment.
  case update(isStored: Bool)
  case skipUnknownField
  case keepUnknownField
  case restoreOrSkip
  /// The two sides of a conflict that Git left can be kept by the shell commands `script`.
  case keepBothSides(script: String)
  case restoreSegment
  case restoreForCursor
  case restoreOrBegin

  // MARK: Writing

  /// The folder has many segments, so the one to write must be named.
  case nameWriter
  case nameOtherWriter
  /// The segment belongs to another user of the system.
  case useOtherWriter
  case retry
  case checkOutcome

  /// A place that shows failures: the program, an HTTP response, or an app.
  package enum Surface: Sendable {
    case program, service, library
  }

  /// Returns the words for `surface`, or `nil` if there is nothing that it offers.
  package func words(for surface: Surface) -> String? {
    switch surface {
    case .program: programWords
    case .service: serviceWords
    case .library: libraryWords
    }
  }

  private var programWords: String? {
    switch self {
    case .words(let words), .program(let words): words
    case .openLedger: "`streaks init` writes it"
    case .makeLedger: "make one with `streaks init`, or name another with --events"
    case .beginDay(let today, let date):
      "the ledger is still at \(today); `streaks day` begins \(date)"
    case .correctDay:
      """
      if the clock was wrong then, `streaks day --correct` moves the day back; if it is wrong now, \
      set it, or go on with --force
      """
    case .readAgain: "re-read it and decide again"

    case .define(let habit): Remedy.definition(of: habit)
    case .resume(let habit): "`streaks define \(habit)` resumes it"
    case .findEntry: "`streaks entries` lists the entries"
    case .findExcuse: "`streaks excuse` lists the excuses"

    case .giveOtherID: "give this one another id, or leave the id out"
    case .fillInFields: "`streaks append FILE` fills in id, at, recorded, day and zone"
    case .skipUnknownType: "--skip leaves such lines out"
    case .update(let isStored): isStored ? "update it, or use --skip" : "update it"
    case .skipUnknownField: "if a newer program wrote it, update this one, or use --skip"
    case .keepUnknownField: "--lenient keeps others"
    case .restoreOrSkip: "restore the segment from a backup, or skip such lines with --skip"
    case .keepBothSides(let script): script
    case .restoreSegment:
      """
      bring the file back, continue in another segment with --writer NAME, or accept the loss of \
      what is missing with --force
      """
    case .restoreForCursor: "restore the file, or begin again after `start`"
    case .restoreOrBegin: "bring the files back, or begin a new ledger there with --force"

    case .nameWriter:
      "name the one to write with STREAKS_WRITER or --writer (`streaks help files`)"
    case .nameOtherWriter: nil
    case .useOtherWriter: "write another segment with --writer NAME"
    case .retry: "try again, or wait longer with --wait"
    case .checkOutcome:
      "run `streaks verify`, then try again with the same ids: what is recorded is not doubled"
    }
  }

  private static func definition(of habit: String) -> String? {
    guard Syntax.isHabit(habit) else { return nil }
    let hasPreset = Preset(rawValue: habit) != nil
    return hasPreset
      ? "`streaks define \(habit)`, from the preset, makes one"
      : "`streaks define \(habit) --any`, or with another rule, makes one"
  }

  private var serviceWords: String? {
    switch self {
    case .words(let words): words
    case .beginDay(let today, let date):
      "the ledger is still at \(today); a day.changed begins \(date)"
    case .readAgain, .giveOtherID: programWords
    case .define: "a new one is made with a habit.defined"
    case .resume: "a habit.defined resumes it"
    case .program, .openLedger, .makeLedger, .correctDay, .findEntry, .findExcuse, .fillInFields,
      .skipUnknownType, .update, .skipUnknownField, .keepUnknownField, .restoreOrSkip,
      .keepBothSides, .restoreSegment, .restoreForCursor, .restoreOrBegin,
      .nameWriter, .nameOtherWriter, .useOtherWriter, .retry, .checkOutcome:
      nil
    }
  }

  /// The words for a person who uses an app; `StreakError.Kind` tells the developer what to call.
  private var libraryWords: String? {
    switch self {
    case .words(let words): words
    case .correctDay: "check the date of this device"
    case .giveOtherID: "give this one another id"
    case .restoreSegment, .restoreForCursor, .restoreOrBegin: "restore the file"
    case .retry: "try again"
    case .checkOutcome: "check what was recorded before you try again"
    case .program, .openLedger, .makeLedger, .beginDay, .readAgain, .define, .resume, .findEntry,
      .findExcuse,
      .fillInFields, .skipUnknownType, .update, .skipUnknownField, .keepUnknownField,
      .restoreOrSkip, .keepBothSides, .nameWriter, .nameOtherWriter, .useOtherWriter:
      nil
    }
  }
}

extension Remedy: ExpressibleByStringInterpolation {
  package init(stringLiteral words: String) { self = .words(words) }
}
