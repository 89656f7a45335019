package import StreakDomain

/// A JSON value inside an event, with its path, such as `rule.atLeast`, for error messages.
package struct FieldValue {
  let path: String
  let value: JSONValue

  package init(_ path: String, _ value: JSONValue) {
    self.path = path
    self.value = value
  }

  func bad(_ reason: Sentence) -> Failure {
    Failure(.badForm, column: value.column, "\(quoted(path)) \(reason)")
  }

  func members() throws(Failure) -> Members { try Members(value, path) }

  package func text() throws(Failure) -> String {
    guard case .text(let text) = value.kind else {
      throw bad("must be text, not \(value.kindName)")
    }
    return text
  }

  func name<Name: CaseIterable & RawRepresentable<String>>(_ names: Name.Type) throws(Failure)
    -> Name
  {
    let text = try text()
    let allowed = names.allCases.map(\.rawValue)
    guard let name = names.allCases.first(where: { $0.rawValue == text }) else {
      let list = allowed.joined(separator: ", ")
      let hint = Nearest.hint(text, among: allowed)
      throw bad("is \(quoted(text)); it must be one of \(list)\(hint)")
    }
    return name
  }

  /// Returns the items of the list, or throws that the value must be `form`, such as `a list`.
  func items(_ form: Sentence) throws(Failure) -> [FieldValue] {
    guard case .list(let items) = value.kind else { throw bad("must be \(form)") }
    return items.map { FieldValue(path, $0) }
  }

  func texts() throws(Failure) -> [String] {
    let form: Sentence = "a list of names"
    return try items(form).map { (item) throws(Failure) in
      guard case .text(let text) = item.value.kind else { throw bad("must be \(form)") }
      return text
    }
  }

  func habits() throws(Failure) -> [String] {
    let habits = try texts()
    guard !habits.isEmpty else { throw bad("must name at least one habit") }
    for habit in habits where !Syntax.isHabit(habit) {
      throw bad("names \(quoted(habit)); a habit is \(Syntax.habit)")
    }
    return habits
  }

  func whole(_ range: ClosedRange<Int>) throws(Failure) -> Int {
    let number = try number()
    guard let whole = number.whole(in: range) else {
      throw bad("is \(number); it must be a whole number from \(range.words)")
    }
    return whole
  }

  func measure(_ limit: Int) throws(Failure) -> Thousandths {
    let number = try number()
    guard number >= .zero, number <= Thousandths(limit) else {
      throw bad("is \(number); it must be a number from 0 to \(limit)")
    }
    return number
  }

  private func number() throws(Failure) -> Thousandths {
    guard case .number(let text) = value.kind else {
      throw bad("must be a number, not \(value.kindName)")
    }
    guard let number = Thousandths(json: text) else {
      throw bad("is \(text); at most 3 decimals are kept")
    }
    return number
  }
}

/// The members of a JSON object inside an event, with the object's path for error messages.
struct Members {
  private let path: String
  private let value: JSONValue
  let all: [(key: Text, value: FieldValue)]

  init(_ value: JSONValue, _ path: String) throws(Failure) {
    guard case .object(let members) = value.kind else {
      throw FieldValue(path, value).bad("must be an object, not \(value.kindName)")
    }
    self.path = path
    self.value = value
    all = members.map { ($0.key, FieldValue("\(path).\($0.key)", $0.value)) }
  }

  subscript(key: Text) -> FieldValue? { all.first { $0.key == key }?.value }

  func required(_ key: Text) throws(Failure) -> FieldValue {
    guard let field = self[key] else {
      let near = Nearest.names(to: key.string, among: all.map(\.key.string)).first
      throw FieldValue(path, value).bad(
        "needs \(quoted(key))" + (near.map { "; it has \(quoted($0))" } ?? ""))
    }
    return field
  }

  func bad(_ key: Text, _ reason: Sentence) -> Failure {
    (self[key] ?? FieldValue("\(path).\(key)", value)).bad(reason)
  }
}
