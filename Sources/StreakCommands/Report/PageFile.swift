import EventLog
import StreakDomain

/// The file that a page is written to.
extension Invocation {
  /// Refuses to write over a file that no `report` made, and over the log in any case.
  func checkPage(_ path: String) throws(CommandError) {
    guard path != "-" else { return }
    let parent = SystemDisk.resolved(FolderPath.parent(of: path))
    guard !path.ends(with: ".jsonl") || parent.spelling != SystemDisk.resolved(folder).spelling else {
      throw .usage("\(quoted(path)) is a segment of the ledger; name another file")
    }
    do throws(LogError) {
      var bytes: [UInt8] = []
      try JSONLines.pieces(of: path, limit: 256) { bytes += $0 }
      let mark = Array(#"data-made-by="streaks report""#.utf8)
      let head = bytes.prefix(256)
      if arguments.has("--force") || head.indices.contains(where: { head[$0...].starts(with: mark) }) {
        return
      }
    } catch {
      if case .system(let failure) = error, failure.isNotFound { return }
      throw .log(error)
    }
    throw .usage(
      "\(quoted(path)) is there and is no report; name another file, or give --force to replace it")
  }

  /// Writes a page, or prints it where its path is `-`.
  func write(_ page: [UInt8], to path: String, about: String) throws(CommandError) {
    guard path != "-" else { return context.output(page) }
    guard !isGuest else {
      throw .usage("a guest writes nothing, and \(command) writes a file; - as FILE prints the page")
    }
    var random = context.random
    let draft = path + "." + String(random.next(), radix: 16) + ".part"
    do throws(SystemError) { try WholeFile.write(page, to: path, by: draft) } catch {
      throw .log(.system(error))
    }
    print("\(path): \(about), \(page.count / 1000) kB")
  }
}
