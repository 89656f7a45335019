extension Entry {
  /// What was measured, in words: `steady`, `5.2 km, 31 min running`, `20 pages`; empty where nothing was.
  ///
  /// The unit is of what an amount counts. Its texts are those of the log, not escaped.
  package func measureWords(unit: String?) -> String {
    let measures = [
      amount.map { "\($0)" + (unit.map { " " + Unit.name($0, of: amount) } ?? "") },
      sets.map { counted($0, "set") },
      km.map { "\($0) km" }, minutes.map { "\($0) min" }, drinks.map { counted($0, "drink") },
    ].compactMap { $0 }.joined(separator: ", ")
    return [
      [level, measures.isEmpty ? nil : measures].compactMap { $0 }.joined(separator: ", "), activity ?? "",
      completed.map { $0 ? "completed" : "failed" } ?? "", value ?? "",
    ].filter { !$0.isEmpty }.joined(separator: " ")
  }

  /// What was measured and noted, without the habit: `20 pages, “on the train”`.
  package func notedWords(unit: String?) -> String {
    [measureWords(unit: unit), note.map { $0.isEmpty ? "" : "“\($0)”" } ?? ""].filter { !$0.isEmpty }
      .joined(separator: ", ")
  }

  /// The habit, what was measured and the note: `reading 20 pages, “on the train”`.
  package func words(unit: String?) -> String {
    [habit, notedWords(unit: unit)].filter { !$0.isEmpty }.joined(separator: " ")
  }
}

/// A unit as a person named it, most often in the plural.
enum Unit {
  /// The unit of an amount: `1 cup` of the unit `cups`, and any other as it is.
  static func name(_ unit: String, of amount: Thousandths?) -> String {
    guard amount == Thousandths(1), unit.utf8.count > 3, unit.ends(with: "s"), !unit.ends(with: "ss") else {
      return unit
    }
    // Glasses, boxes and batches lose two letters.
    let stems = ["sses", "xes", "ches", "shes", "zes"]
    return String(Substring(unit.utf8.dropLast(stems.contains { unit.ends(with: $0) } ? 2 : 1)))
  }
}
