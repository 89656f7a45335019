/// A list without duplicates, which finds the index of each element; the steps of a page refer to
/// elements by index.
package struct Numbering<Thing: Hashable> {
  package private(set) var things: [Thing] = []
  private var numbers: [Thing: Int] = [:]

  package init() {}

  package mutating func number(of thing: Thing) -> Int {
    if let number = numbers[thing] { return number }
    numbers[thing] = things.count
    things.append(thing)
    return things.count - 1
  }
}
