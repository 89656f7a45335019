/// What people write, as the bytes it is written with: names, notes, icons, units, levels, outcomes, file names.
///
/// Swift calls strings equal that Unicode does: `é` as one scalar and as two, the kelvin sign and `K`. A ledger is
/// bytes, and two texts that look alike there are two: they are compared, sorted and looked up by their UTF-8.
///
/// A `String` will do for what is ASCII by its form and checked where it is read, event ids, habits, digests and zones,
/// and for the program's own words: no other string equals one of them but by the kelvin sign, which no form takes.
package struct Text: Hashable, Comparable, Sendable {
  package let string: String

  package init(_ string: String) {
    self.string = string
  }

  package init(_ part: Substring) {
    self.init(String(part))
  }

  package static func == (a: Text, b: Text) -> Bool {
    let (one, other) = (a.string.utf8, b.string.utf8)
    return one.count == other.count && one.elementsEqual(other)
  }

  package static func < (a: Text, b: Text) -> Bool {
    a.string.utf8.lexicographicallyPrecedes(b.string.utf8)
  }

  package func hash(into hasher: inout Hasher) {
    // Equal bytes are equal strings; that others hash alike costs a comparison, and this is the quickest.
    hasher.combine(string)
  }
}

extension Text: ExpressibleByStringInterpolation, CustomStringConvertible {
  package init(stringLiteral string: String) { self.init(string) }

  package var description: String { string }

  package var isEmpty: Bool { string.isEmpty }

  /// The text with ASCII letters made small.
  package var asciiLowercased: Text { Text(string.asciiLowercased) }
}

extension Sequence<Text> {
  package var strings: [String] { map(\.string) }
}
