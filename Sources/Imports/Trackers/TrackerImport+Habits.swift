import EventLog
import Inspection
import StreakDomain

extension TrackerImport {
  /// Plans the definitions of new habits, and updates definitions by earlier imports.
  ///
  /// A definition given by a person is kept, and its differences are reported.
  mutating func define(_ habits: [TrackerHabit], since first: [Text: Day]) {
    for habit in habits {
      guard let name = names.habit(for: habit.name) ?? habit.id else { continue }
      let before = written(habit.name, name)
      let standing = plan.ledger.definition(of: name, on: plan.today)
      let (definition, differences) = habit.definition(of: name)
      var day = first[habit.name] ?? plan.today
      if let last = before.last {
        names.adopt(habit.name, as: name)
        guard case .habitDefined(let own) = last.payload, standing == own else {
          tell(standing, unlike: definition, habit)
          continue
        }
        implied[name] = 0
        if definition == own { continue }
        // The tracker applies its settings to all days, so the definition keeps its first day.
        day = last.day
      } else if let standing {
        if names.habit(for: habit.name) != nil { tell(standing, unlike: definition, habit) }
        continue
      } else {
        names.adopt(habit.name, as: name)
        implied[name] = 0
      }
      plan.define(definition, on: min(day, plan.today), id: before.next, by: Self.writtenBy)
      plan.notes += differences.map { "\(name): \($0)" }
    }
  }

  /// Returns the last imported definition of a habit, and the id for the next one.
  private func written(_ name: Text, _ habit: String) -> (last: ImportPlan.Content?, next: String) {
    var (last, number) = (Optional<ImportPlan.Content>.none, 0)
    while true {
      let id = ImportID.make([Self.writtenBy.string, name.string, habit, "definition", "\(number)"])
      guard plan.ledger.fate(of: id) != .absent else { return (last, id) }
      last = plan.options.written[id] ?? last
      number += 1
    }
  }

  /// Reports the different schedule of a habit that keeps its own definition.
  private mutating func tell(_ standing: Habit?, unlike there: Habit, _ habit: TrackerHabit) {
    guard let standing, standing.schedule != there.schedule else { return }
    plan.notes.append(
      "\(standing.id) keeps its own definition: \(habit.frequency.words) there, here "
        + (standing.schedule?.words ?? "it is asked for every day"))
  }
}
