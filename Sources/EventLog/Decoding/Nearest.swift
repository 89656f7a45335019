/// The known names nearest to an unknown one.
package enum Nearest {
  /// Up to three names within a third of the name's length in edits, nearest first.
  package static func names(to name: String, among known: [String]) -> [String] {
    let wanted = Array(name.lowercased().unicodeScalars.prefix(64))
    let limit = max(1, wanted.count / 3)
    let scored = known.compactMap { candidate -> (Int, String)? in
      let letters = Array(candidate.lowercased().unicodeScalars.prefix(64))
      let isPrefix = !wanted.isEmpty && letters.starts(with: wanted)
      let distance = isPrefix ? 0 : edits(wanted, letters)
      return distance <= limit ? (distance, candidate) : nil
    }
    return scored.sorted { ($0.0, $0.1) < ($1.0, $1.1) }.prefix(3).map(\.1)
  }

  /// ` (did you mean "noalc"?)`, or nothing.
  package static func hint(_ name: String, among known: [String]) -> String {
    let near = names(to: name, among: known)
    return near.isEmpty ? "" : " (did you mean \(near.map(quoted).joined(separator: " or "))?)"
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
