import Foundation
package import StreakCommands
import StreakDomain

package struct Output: Equatable {
  package let text: String
  package let errors: String
  package let status: ExitStatus

  package init(text: String, errors: String, status: ExitStatus) {
    self.text = text
    self.errors = errors
    self.status = status
  }

  /// Both streams as they appear in a terminal.
  package var screen: String {
    text + errors + (status == .done ? "" : "[exit \(status.rawValue)]\n")
  }

  /// The lines of the text, each to be read as a JSON document.
  package var lines: [Output] {
    text.split(separator: "\n").map { Output(text: String($0), errors: "", status: .done) }
  }

  /// The member of the printed JSON at a path such as `habits.noalc.jokers.held`, or `nil` if there
  /// is none.
  ///
  /// An item of a list is named by its index, or by its `habit`, `key`, `day` or `event`. Lists of
  /// strings are joined by spaces.
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
