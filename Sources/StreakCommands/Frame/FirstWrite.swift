import EventLog

/// The first time that a machine writes a ledger which another one began.
extension Invocation {
  /// Whether it is, and nobody has named the segment to write, so that both would write the same.
  ///
  /// `.lock` is made by the first writer and comes along in no clone; nothing else is kept to know it by. `append` is run
  /// by programs and web servers, to which nothing is said.
  var isFirstHereAsMain: Bool {
    guard command != "append", arguments.value("--writer") == nil, variable("STREAKS_WRITER") == nil,
      FileStamp(folder + "/.lock", followsLinks: false) == nil,
      let segment = FileStamp("\(folder)/\(writer).jsonl", followsLinks: false)
    else { return false }
    return segment.size > 0
  }

  func warnOfWriter() {
    warn(
      "\(writer).jsonl was begun on another machine. So that no two write one file, give this one a name: "
        + "`export STREAKS_WRITER=laptop`")
  }
}
