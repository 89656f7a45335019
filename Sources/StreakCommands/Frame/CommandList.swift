import StreakDomain

/// The list of all commands: a new command needs a line here.
package enum CommandList {
  /// Returns all commands in the order of the help; the caller passes `serve`, because its module
  /// depends on this one.
  package static func all(with serve: any Command.Type) -> [any Command.Type] {
    [
      show, LogCommand.self, DefineCommand.self, HabitsCommand.self, EntriesCommand.self,
      DeleteCommand.self, UndoCommand.self, ExcuseCommand.self, calendar, CelebrateCommand.self,
      RemindCommand.self, DayCommand.self,
      InitCommand.self, WhyCommand.self, timeline, replay, DiffCommand.self, WhenCommand.self,
      ReportCommand.self, ExportCommand.self, audit, VerifyCommand.self, RedactCommand.self, append,
      ImportCommand.self, FoldCommand.self,
      serve, CompletionsCommand.self,
    ]
  }

  /// The commands of the short help, which must fit on a screen of 24 lines.
  static let everyday: [any Command.Type] = [
    ShowCommand.self, LogCommand.self, UndoCommand.self, ExcuseCommand.self, CalendarCommand.self,
    EntriesCommand.self, WhyCommand.self, DefineCommand.self, HabitsCommand.self, InitCommand.self,
    CelebrateCommand.self, RemindCommand.self, DayCommand.self,
  ]

  // The commands that answer requests over HTTP.
  package static let show: any Command.Type = ShowCommand.self
  package static let cards: any Command.Type = ServedCards.self
  package static let calendar: any Command.Type = CalendarCommand.self
  package static let audit: any Command.Type = AuditCommand.self
  package static let replay: any Command.Type = ReplayCommand.self
  package static let report: any Command.Type = ServedReport.self
  package static let reportSteps: any Command.Type = ReportSteps.self
  package static let timeline: any Command.Type = TimelineCommand.self
  package static let append: any Command.Type = AppendCommand.self
  package static let entries: any Command.Type = EntriesCommand.self
  package static let habits: any Command.Type = HabitsCommand.self
  package static let excuse: any Command.Type = ExcuseCommand.self
  package static let undo: any Command.Type = UndoCommand.self
  package static let define: any Command.Type = DefineCommand.self
  /// The options of `define` that change a habit, without dashes.
  package static let definitionFields =
    DefineCommand.fields.map { String($0.name.droppingBytes(2)) } + ["on", "retire"]
}
