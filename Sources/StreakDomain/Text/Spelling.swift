/// A text as the bytes it is written with: the one way in which texts are compared, sorted and looked up.
///
/// Swift calls strings equal that Unicode does: `é` as one scalar and as two, the kelvin sign and `K`. A ledger is
/// bytes, and two texts that look alike there are two. Comparing with a word of the program's own is the same either
/// way, as long as that word is ASCII without `K`, the semicolon and the grave accent, which Unicode has twice.
package struct Spelling: Hashable, Comparable, Sendable {
  package let text: String

  package init(_ text: String) {
    self.text = text
  }

  package static func == (a: Spelling, b: Spelling) -> Bool {
    let (one, other) = (a.text.utf8, b.text.utf8)
    return one.count == other.count && one.elementsEqual(other)
  }

  package static func < (a: Spelling, b: Spelling) -> Bool {
    a.text.utf8.lexicographicallyPrecedes(b.text.utf8)
  }

  package func hash(into hasher: inout Hasher) {
    // Equal bytes are equal strings; that others hash alike costs a comparison, and this is the quickest.
    hasher.combine(text)
  }
}

/// What has a spelling: a text, and none, one or many of them.
package protocol Spellable: Sendable {
  associatedtype Spelt: Hashable
  var spelling: Spelt { get }
}

extension String: Spellable {
  package var spelling: Spelling { Spelling(self) }
}

extension Substring: Spellable {
  package var spelling: Spelling { Spelling(String(self)) }
}

extension Optional: Spellable where Wrapped: Spellable {
  // No key paths here: in a generic type each use makes a new one.
  package var spelling: Wrapped.Spelt? { map { $0.spelling } }
}

extension Array: Spellable where Element: Spellable {
  package var spelling: [Element.Spelt] { map { $0.spelling } }
}

/// A property whose text is compared by its bytes wherever the type that has it is compared.
@propertyWrapper
package struct Spelled<Value: Spellable>: Hashable, Sendable {
  package var wrappedValue: Value

  package init(wrappedValue: Value) {
    self.wrappedValue = wrappedValue
  }

  package static func == (a: Spelled, b: Spelled) -> Bool {
    a.wrappedValue.spelling == b.wrappedValue.spelling
  }

  package func hash(into hasher: inout Hasher) { hasher.combine(wrappedValue.spelling) }
}

extension Sequence<String> {
  /// Whether one of the texts is written so.
  package func has(_ text: String) -> Bool { contains { $0.spelling == text.spelling } }
}
