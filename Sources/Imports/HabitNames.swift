import EventLog
package import StreakDomain

/// The habits that the options `--habit` assign to the names in an imported file.
package struct GivenNames: Sendable {
  /// The ids of habits, keyed by their names in the file (`--habit NAME=HABIT`).
  package var habits: [Text: String] = [:]
  /// The id of the habit for a file that contains only one habit (`--habit HABIT`).
  package var single: String?

  package init() {}
}

extension Facts {
  /// Returns the definition of `habit` in force on `day`.
  ///
  /// Before the first definition, it is the one in force today.
  func definition(of habit: String, forRecordsOf day: Day) -> Habit? {
    definition(of: habit, on: day) ?? definition(of: habit)
  }

  /// Returns the ids of the habits whose id or name equals `name`, ignoring case and equating
  /// spaces, `-` and `_`.
  package func habits(named name: Text) -> [String] {
    let plain = HabitName.plain(name.string)
    let exact = definedHabits.filter { Text($0) == name }
    if !exact.isEmpty { return exact }
    return definedHabits.filter { id in
      HabitName.plain(id) == plain
        || definition(of: id)?.name.map { HabitName.plain($0.string) } == plain
    }
  }
}

/// The conversions of a habit's name in another program to an id, and to a form for comparison.
package enum HabitName {
  /// Converts a name such as `Wake up early` to `wake_up_early`.
  static func plain(_ name: String) -> String {
    name.trimmed.rewriting { $0 == " " || $0 == "-" ? "_" : $0.properties.lowercaseMapping }
  }

  /// Returns an id for a name, such as `activite_velo`, or `nil` if a letter of the name has no
  /// Latin form.
  package static func id(_ name: String) -> String? {
    var id = ""
    for scalar in plain(name).unicodeScalars {
      if scalar.isASCII {
        if Syntax.isHabit("a\(scalar)") { id.unicodeScalars.append(scalar) }
      } else if scalar.properties.isAlphabetic {
        guard let letter = latin(scalar) else { return nil }
        id += letter
      }
    }
    let trimmed = String(Substring(id.utf8.drop { $0 == UInt8(ascii: "_") }))
    return Syntax.isHabit(trimmed) ? trimmed : nil
  }

  /// Returns the base letter according to the scalar's Unicode name, such as `o` for `ö`, or `nil`
  /// if there is none.
  private static func latin(_ scalar: Unicode.Scalar) -> String? {
    let name = scalar.properties.name ?? ""
    for start in ["LATIN SMALL LETTER ", "LATIN SMALL LIGATURE "] where name.begins(with: start) {
      let letter = String(name.droppingBytes(start.utf8.count).parts(at: " ")[0])
      return letter == "SHARP" ? "ss" : letter == "DOTLESS" ? "i" : letter.asciiLowercased
    }
    return nil
  }
}
