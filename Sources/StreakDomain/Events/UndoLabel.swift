/// What `undo` writes its events by, so that it never takes one of its own for a command.
package enum UndoLabel {
  package static let undo = Event.undoLabel
  package static let redo = "streaks-redo"

  /// Whether an event makes up for another one, or takes that back.
  package static func isOn(_ event: Event) -> Bool {
    event.by.spelling == undo.spelling || event.by.spelling == redo.spelling
  }
}
