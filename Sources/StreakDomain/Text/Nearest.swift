/// The known names nearest to an unknown one.
package enum Nearest {
  /// Up to three names within a third of the name's length in edits, nearest first.
  package static func names(to name: String, among known: [String]) -> [String] {
    let wanted = letters(of: name)
    let limit = max(1, wanted.count / 3)
    let scored = known.compactMap { candidate -> (Int, String)? in
      let letters = letters(of: candidate)
      let isPrefix = !wanted.isEmpty && letters.starts(with: wanted)
      if isPrefix || looksTheSame(name, candidate) { return (0, candidate) }
      // Each edit changes the length by one at most.
      guard abs(wanted.count - letters.count) <= limit else { return nil }
      let distance = edits(wanted, letters)
      return distance <= limit ? (distance, candidate) : nil
    }
    return scored.sorted { ($0.0, Text($0.1)) < ($1.0, Text($1.1)) }.prefix(3).map(\.1)
  }

  /// ` (did you mean "noalc"?)` of the only name that may be meant.
  package static func meant(_ name: String) -> Sentence {
    Sentence(" (did you mean \(quoted(name))?)", nearest: [name])
  }

  /// ` (did you mean "noalc"?)`, or nothing.
  package static func hint(_ name: String, among known: [String]) -> Sentence {
    let near = names(to: name, among: known)
    guard let first = near.first else { return "" }
    let meant = "did you mean \(near.map(quoted).joined(separator: " or "))?"
    let same = looksTheSame(name, first) ? " It looks the same and is written with other bytes" : ""
    return Sentence(" (\(meant)\(same))", nearest: near)
  }

  /// The hint of a word that is no habit, which may be several joined by commas.
  package static func habit(_ word: String, among known: [String]) -> Sentence {
    let parts = word.parts(at: ",")
    guard parts.count > 1, parts.allSatisfy({ known.contains(String($0)) }) else {
      return hint(word, among: known)
    }
    return "; habits are not joined by commas"
  }

  /// Whether two texts are one to Unicode, though their bytes differ; only a hint may ask.
  private static func looksTheSame(_ a: String, _ b: String) -> Bool { a == b && Text(a) != Text(b) }

  /// What is compared of a name: its first scalars, each small.
  private static func letters(of name: String) -> [Unicode.Scalar] {
    name.unicodeScalars.prefix(64).flatMap { $0.properties.lowercaseMapping.unicodeScalars }
  }

  /// Insertions, deletions, substitutions and swaps of neighbours that lead from one to the other.
  private static func edits(_ a: [Unicode.Scalar], _ b: [Unicode.Scalar]) -> Int {
    var before = [Int](0...b.count)
    var last = before
    for (i, x) in a.enumerated() {
      var row = [i + 1]
      for (j, y) in b.enumerated() {
        var cost = min(row[j] + 1, last[j + 1] + 1, last[j] + (x == y ? 0 : 1))
        if i > 0, j > 0, x == b[j - 1], a[i - 1] == y { cost = min(cost, before[j - 1] + 1) }
        row.append(cost)
      }
      before = last
      last = row
    }
    return last[b.count]
  }
}
