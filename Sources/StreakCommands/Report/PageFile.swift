import EventLog
import Inspection
import StreakDomain

extension Invocation {
  /// Throws with `--guest`, or if `path` is a segment or, without `--force`, an existing file that isn't a report.
  func checkPage(at path: String) throws(Failure) {
    guard path != "-" else { return }
    guard !isGuest else {
      throw .usage("a guest writes nothing, and \(command) writes a file; - as FILE prints the page")
    }
    let parent = SystemDisk.resolved(FolderPath.parent(of: path))
    guard !path.ends(with: ".jsonl") || Text(parent) != Text(SystemDisk.resolved(folder)) else {
      throw .usage("\(quoted(path)) is a segment of the ledger; name another file")
    }
    do throws(SystemError) {
      let head = try ForeignFile(path).next().prefix(256)
      let mark = Array(#"data-made-by="streaks report""#.utf8)
      if arguments.has("--force") || BytePattern(mark).first(in: Array(head)) != nil { return }
    } catch {
      if error.isNotFound { return }
      throw .system(error)
    }
    throw .usage(
      "\(quoted(path)) exists and is not a report; name another file, or give --force to replace it")
  }

  func writePage(_ page: [UInt8], to path: String, about: String) throws(Failure) {
    guard path != "-" else { return context.output(page) }
    var random = context.random
    let draft = path + "." + String(random.next(), radix: 16) + ".part"
    let disk = SystemDisk()
    do throws(SystemError) {
      let file = try File(draft, .create, on: disk)
      try file.append(page[...])
      try file.sync()
      try disk.rename(draft, to: path)
      try disk.syncFolder(FolderPath.parent(of: path))
    } catch {
      try? disk.remove(draft)
      throw .system(error)
    }
    print("\(path): \(about), \(page.count / 1000) kB")
  }

  /// Returns the explanations of each habit's run and jokers held, unless there is nothing to explain.
  ///
  /// Each explanation is a list: the habit, the field, and lines of a ledger position to link to (or null) and a text.
  func pageChains(today: Day?) throws(Failure) -> [JSON] {
    let ledger = try chainLedger(at: .end, today: today)
    let fields = ledger.loaded.ledger.definedHabits.flatMap { habit in
      [HabitField.current, .held].map { StateField.habit(habit, $0) }
    }
    var shown: [JSON] = []
    for document in try ledger.chains(of: fields, showsNames: true) {
      guard case .habit(let habit, let field) = document.chain.field else { continue }
      // A run of 0 is explained only if the habit had a run before.
      let hadRun = field == .current && ledger.loaded.ledger.state(of: habit).map { $0.longest > 0 } ?? false
      guard hadRun || document.chain.value.description != "0" else { continue }
      let lines = document.lines(showsAll: false).map { line in
        let text = [line.step?.day.description, line.step?.says, line.means].compactMap(\.self)
        return JSON.list([
          line.step?.position.map { .whole($0) } ?? .null, .text(text.joined(separator: " · ")),
        ])
      }
      shown.append(.list([.text(habit), .text(field.rawValue), .list(lines)]))
    }
    return shown
  }
}
