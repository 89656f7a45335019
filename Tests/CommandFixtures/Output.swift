import Foundation
import StreakCommands
package import StreakDomain

/// What one command printed and how it ended.
package struct Output: Equatable {
  package let text: String
  package let errors: String
  package let status: ExitStatus

  package init(text: String, errors: String, status: ExitStatus) {
    self.text = text
    self.errors = errors
    self.status = status
  }

  /// Both, as a person at a terminal sees them.
  package var screen: String {
    text + errors + (status == .done ? "" : "[exit \(status.rawValue)]\n")
  }

  /// A member of the JSON document that was printed, by its path: `habits.noalc.jokers.held`.
  ///
  /// An item of a list is named by its place from 0, or by its `habit`, `key`, `day` or `event`. Lists of texts come
  /// joined by spaces; nil where the path leads nowhere.
  package subscript(path: String) -> String? {
    var value = try? JSONSerialization.jsonObject(with: Data(text.utf8))
    for step in path.split(separator: ".").map(String.init) {
      if let members = value as? [String: Any] {
        value = members[step]
      } else if let items = value as? [Any] {
        value =
          Int(step).map { items.indices.contains($0) ? items[$0] : nil }
          ?? items.first { item in
            let members = item as? [String: Any] ?? [:]
            return ["habit", "key", "day", "event"].contains { members[$0] as? String == step }
          }
      } else {
        return nil
      }
    }
    if let texts = value as? [String] { return texts.joined(separator: " ") }
    return value.map { $0 is NSNull ? "null" : "\($0)" }
  }
}
