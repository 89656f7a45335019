import Foundation
import Streaks
import SwiftUI

/// A list of the habits that aren't retired: a tap logs, and a button undoes the last tap.
struct HabitsScreen: View {
  let folder: StreakFolder
  @State private var model: StreakModel<[Streak]>
  @State private var message: String?

  init(folder: StreakFolder) {
    self.folder = folder
    _model = State(
      initialValue: StreakModel(folder) { ledger in
        ledger.streaks.filter { ![.off, .retired].contains($0.status) }
      })
  }

  var body: some View {
    List {
      // A `Streak` is identified by its habit.
      ForEach(model.value ?? []) { streak in
        Button {
          Task { await log(streak) }
        } label: {
          HStack {
            Text(title(of: streak))
            Spacer()
            Text("\(streak.current)")
          }
        }
        .accessibilityLabel(description(of: streak))
      }
      if let message { Text(message) }
      if let problem = model.problem { Text(problem.localizedDescription) }
      Button("Undo") { Task { await undo() } }
    }
    .task { await prepareAndFollow() }
  }

  private func title(of streak: Streak) -> String {
    [streak.icon, streak.name].compactMap { $0?.string }.joined(separator: " ")
  }

  private func description(of streak: Streak) -> String {
    "\(streak.name), \(streak.current) in a row, today \(streak.status.rawValue)"
  }

  private func prepareAndFollow() async {
    do {
      try await folder.open(orCreate: [Habit(preset: "meditation")], timeZone: .current)
    } catch {
      message = error.localizedDescription
    }
    await model.follow()
  }

  private func log(_ streak: Streak) async {
    do {
      // A real screen asks for the measure that the habit's rule needs.
      try await folder.append(.entry(streak.habit, minutes: 12))
      message = nil
    } catch {
      message = error.localizedDescription
    }
  }

  private func undo() async {
    do {
      let undone = try await folder.undo()
      message = "Undone: \(undone.events.count) lines"
    } catch {
      message = error.localizedDescription
    }
  }
}
