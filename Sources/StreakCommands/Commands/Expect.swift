import EventLog
import Inspection
import StreakDomain
import Synchronization

extension Command {
  static let expect = Command(
    name: "expect", group: .check, words: .predicate,
    summary: "record an expectation that verify checks from now on",
    options: [json] + writing,
    details: [
      "Writes it only if it is true; else prints the actual value and exits with 1. `verify` and `replay --check`",
      "evaluate it again on the state just before it, so a file that arrives late, a line changed by hand, or a",
      "program that counts differently is noticed.", "",
      "  streaks expect 'noalc.current == 41 and noalc.jokers.held == 1'",
    ],
    example: Example(
      line: "streaks expect 'noalc.current >= 7'",
      answer: [
        "expected from position 5149 on: noalc.current = 28"
      ])
  ) { invocation throws(Failure) in
    let text = invocation.arguments.phrase
    guard Forms.isPrintable(text), text.utf8.count <= 1024 else {
      throw .usage("an expectation is printable text of at most 1024 bytes, in one line")
    }
    let predicate = try invocation.reader.predicate(text)
    let draft = try invocation.writer.draft(.expectationStated(expects: Text(predicate.text)))
    let found = Mutex("")
    let written = try invocation.writer.write([draft]) { expects, ledger in
      found.withLock { $0 = predicate.found(in: ledger) }
      return ExpectationJudgement.truth(expects, ledger)
    }
    guard let written else { return .done }
    if invocation.isJSON {
      invocation.writer.printDocument(written.results)
    } else if let result = written.results.first {
      let found = result.status == .recorded ? ": " + found.withLock(\.self) : ""
      invocation.print("expected from position \(result.position) on" + found + result.suffix)
      invocation.writer.printClosed(by: written)
    }
    return .done
  }
}
