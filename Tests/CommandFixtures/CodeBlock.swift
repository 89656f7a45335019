package struct CodeBlock: Sendable {
  /// The `##` heading.
  package let section: String
  /// The `###` heading below it, if there is one.
  package let part: String?
  package let language: String
  package let text: String

  package static func all(in document: String) throws -> [CodeBlock] {
    var blocks: [CodeBlock] = []
    var section = ""
    var part: String?
    var open: (language: String, lines: [Substring])?
    for line in try Repository.text(document).split(
      separator: "\n", omittingEmptySubsequences: false)
    {
      if let block = open {
        if line == "```" {
          let text = block.lines.map { $0 + "\n" }.joined()
          blocks.append(
            CodeBlock(section: section, part: part, language: block.language, text: text))
          open = nil
        } else {
          open = (block.language, block.lines + [line])
        }
      } else if line.hasPrefix("```") {
        open = (String(line.dropFirst(3)), [])
      } else if line.hasPrefix("## ") {
        (section, part) = (String(line.dropFirst(3)), nil)
      } else if line.hasPrefix("### ") {
        part = String(line.dropFirst(4))
      }
    }
    return blocks
  }
}
