import HealthReading
import Testing

struct EmptyInstructionsTests {
  private func blanked(_ text: String, in pieces: [Int]) -> String {
    var instructions = EmptyInstructions()
    var rest = Array(text.utf8)[...]
    var whole: [UInt8] = []
    for size in pieces where !rest.isEmpty {
      whole += instructions.blank(Array(rest.prefix(size)))
      rest = rest.dropFirst(size)
    }
    if !rest.isEmpty { whole += instructions.blank(Array(rest)) }
    return String(decoding: whole + instructions.blank([]), as: UTF8.self)
  }

  @Test(arguments: [
    ("<a><?pi?><b/></a>", "<a>      <b/></a>"), ("<?a?><?b?>", "          "), ("<?é?>", "      "),
    ("<?xml version=\"1.0\"?><a/>", "<?xml version=\"1.0\"?><a/>"), ("<??>", "<??>"), ("<?pi ?>", "<?pi ?>"),
    ("<?pi x?>", "<?pi x?>"), ("<?pi", "<?pi"), ("<?pi?", "<?pi?"), ("a<", "a<"), ("<", "<"),
    ("<?a>?>", "<?a>?>"), ("<<?a?>?>", "<     ?>"), ("what? <b>?>", "what? <b>?>"),
  ])
  func `they are blanks, wherever a file is cut into pieces`(text: String, wanted: String) {
    let length = text.utf8.count
    #expect(blanked(text, in: []) == wanted)
    for first in 1...length {
      for second in 1...length {
        #expect(blanked(text, in: [first, second]) == wanted, "\(first) \(second)")
      }
    }
    #expect(blanked(text, in: Array(repeating: 1, count: length)) == wanted)
  }

  @Test func `a long name is no name, and holds nothing up`() {
    let text = "<?" + String(repeating: "x", count: 300) + "?>"
    for size in [1, 7, 100, 255, 256, 257, 400] {
      #expect(blanked(text, in: Array(repeating: size, count: 400)) == text)
    }
  }
}
