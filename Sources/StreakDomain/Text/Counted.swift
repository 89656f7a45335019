/// A number of things as people say it: `1 day`, `12 days`, `1 entry`, `3 entries`.
package func counted(_ count: Int, _ noun: String) -> String {
  "\(count) " + (count == 1 ? noun : plural(noun))
}

/// `once`, `twice`, `3 times`.
package func often(_ count: Int) -> String {
  switch count {
  case 1: "once"
  case 2: "twice"
  default: "\(count) times"
  }
}

/// The plural of an English noun that takes `s`, or `ies` for a `y` behind a consonant.
private func plural(_ noun: String) -> String {
  let vowels = ["ay", "ey", "oy", "uy"]
  guard noun.ends(with: "y"), !vowels.contains(where: { noun.ends(with: $0) }) else { return noun + "s" }
  return String(Substring(noun.utf8.dropLast())) + "ies"
}
