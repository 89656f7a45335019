import Foundation

/// Commands and their output in a document: lines that begin with `$ `, and the lines after each.
package struct Transcript {
  package struct Step {
    package let command: String
    package let output: String
  }

  package let steps: [Step]

  /// Parses a transcript; if `fenced`, only its ```console blocks.
  package init(_ text: String, fenced: Bool = false) {
    var steps: [Step] = []
    var command: String?
    var output = ""
    var isInside = !fenced
    func finish() {
      if let command { steps.append(Step(command: command, output: output)) }
      command = nil
      output = ""
    }
    for line in text.split(separator: "\n", omittingEmptySubsequences: false) {
      if fenced, line.hasPrefix("```") {
        finish()
        isInside = line == "```console"
      } else if isInside, line.hasPrefix("$ ") {
        finish()
        command = String(line.dropFirst(2))
      } else if isInside, command != nil {
        output += line + "\n"
      }
    }
    finish()
    self.steps = steps
  }

  /// Runs `streaks …` or `echo TEXT | streaks …`, with optional `NAME=VALUE` before `streaks`.
  package static func run(_ command: String, on events: String, now: String, seed: Int) -> String {
    var input = ""
    var line = command
    if command.hasPrefix("echo "), let pipe = command.range(of: " | ") {
      input =
        TemporaryLedger.words(String(command[..<pipe.lowerBound])).dropFirst().joined(
          separator: " ") + "\n"
      line = String(command[pipe.upperBound...])
    }
    var words = TemporaryLedger.words(line)[...]
    var variables: [String: String] = [:]
    while let word = words.first, word != "streaks", let sign = word.firstIndex(of: "=") {
      variables[String(word[..<sign])] = String(word[word.index(after: sign)...])
      words.removeFirst()
    }
    return TemporaryLedger.run(
      Array(words.dropFirst()), input: input, events: events, now: now, seed: UInt64(seed),
      variables: variables
    ).screen
  }

  /// Returns the first line that differs from the recording, and the command that records it.
  package static func difference(_ screen: String, _ recorded: String, recordable: Bool = true)
    -> String
  {
    let (new, old) = (
      screen.trimmingCharacters(in: .newlines).components(separatedBy: "\n"),
      recorded.trimmingCharacters(in: .newlines).components(separatedBy: "\n")
    )
    let line = zip(new, old).prefix { $0 == $1 }.count
    let (now, before) = (line < new.count ? new[line] : "", line < old.count ? old[line] : "")
    let command = "RECORD=1 swift test --filter TranscriptTests"
    return "line \(line + 1) is \"\(now)\", not \"\(before)\""
      + (recordable ? "; \(command) records it" : "")
  }

  package static func agree(_ a: String, _ b: String) -> Bool {
    a.trimmingCharacters(in: .newlines) == b.trimmingCharacters(in: .newlines)
  }
}
