import EventLog
import StreakDomain

extension Command {
  static let mergeFile = Command(
    name: "merge-file", group: .scripts, words: "BASE OURS THEIRS PATH",
    summary: "a git merge driver: keeps both sides where two machines wrote one segment",
    options: [],
    details: [
      "git runs it for the lines `*.jsonl -text merge=streaks` of .gitattributes, which init writes, once a clone knows it:",
      "",
      "  git config merge.streaks.driver '\(GitFiles.driver)'",
      "",
      "OURS stays as it is, byte for byte. THEIRS becomes a segment beside PATH, whole; its name has the first 8 hex digits",
      "of the SHA-256 of its first line that differs. Where one side only extends the other, the longer one is taken.",
      "git does not add the new file: `git add` it and commit, before you push. docs/sync.md has a hook that does.",
      "It is refused, with exit 1 and OURS unchanged, if a side is no segment, has changed what both had, or reuses",
      "an id of the other.", "",
      "  streaks merge-file base.jsonl ours.jsonl theirs.jsonl events/main.jsonl",
    ],
    example: Example(
      line: "streaks merge-file base.jsonl ours.jsonl theirs.jsonl events/main.jsonl",
      answer: [
        "streaks: two machines wrote events/main.jsonl; ours stays, and theirs is events/main…"
      ], setup: .sides), takesCommon: false
  ) { invocation throws(CommandError) in
    let words = invocation.arguments.positionals
    let path = words[3]
    guard path.parts(at: "/").last.map({ EventStream.isSegment(String($0)) }) ?? false else {
      throw .usage("\(quoted(path)) is no segment; those end in .jsonl and begin with no dot")
    }
    if let file = words.dropLast().first(where: { FileStamp($0, followsLinks: true) == nil }) {
      throw .usage("there is no file \(quoted(file))")
    }
    let outcome: SegmentMerge.Outcome
    do throws(LogError) {
      outcome = try SegmentMerge(base: words[0], ours: words[1], theirs: words[2], path: path).write()
    } catch { throw .log(error) }
    if case .beside(let file) = outcome {
      let file = Escaping.visible(file)
      invocation.warn(
        "streaks: two machines wrote \(Escaping.visible(path)); ours stays, and theirs is \(file) now. git does not add "
          + "that file, which may be the only copy of its lines: `git add \(file)` and commit it before you push"
      )
    }
    return .done
  }
}
