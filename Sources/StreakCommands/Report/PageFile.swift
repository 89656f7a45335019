import EventLog
import Inspection
import StreakDomain

extension Invocation {
  /// Throws if the page can't be written to `path`.
  ///
  /// This is the case if its folder is missing, or if it is a segment or another program's file.
  func checkPage(at path: String) throws(Failure) {
    guard path != "-" else { return }
    guard !isGuest else {
      throw .usage("a guest writes nothing, and \(command) writes a file; - as FILE prints the page")
    }
    let parent = FolderPath.parent(of: path)
    do throws(SystemError) { _ = try SystemDisk().names(in: parent) } catch {
      if error.isNotFound {
        throw .system(SystemError(operation: "write into", path: parent, code: error.code))
      }
    }
    guard !path.ends(with: ".jsonl") || Text(SystemDisk.resolved(parent)) != Text(SystemDisk.resolved(folder))
    else { throw .usage("\(quoted(path)) is a segment of the ledger; name another file") }
    do throws(SystemError) {
      let head = try ForeignFile(path).next().prefix(256)
      let mark = Array(#"data-made-by="streaks report""#.utf8)
      if arguments.has("--force") || BytePattern(mark).first(in: Array(head)) != nil { return }
    } catch {
      if error.isNotFound { return }
      throw .system(error)
    }
    throw .usage(
      "\(quoted(path)) is there and is no report; name another file, or give --force to replace it")
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
}

struct PageLine: Hashable {
  let day: Day
  private let action: JokerLine.Action
  private let lot: Int?
  private let held: Int

  init(_ line: JokerLine) {
    (day, action, lot, held) = (line.day, line.action, line.lot?.number, line.held)
  }

  func json(on day: JSON) -> JSON {
    .list([
      day, .whole(JokerLine.Action.allCases.firstIndex(of: action) ?? 0),
      lot.map { .whole($0) } ?? .null, .whole(held),
    ])
  }
}

/// The text of a habit's card on the page.
///
/// A number that equals the value of one of `fields` is replaced by a reference to this field. So cards that differ
/// only in such numbers are equal.
struct PageCard: Hashable {
  static let fields: [HabitField] = [.current, .longest, .entries]

  private let group: HabitLine.Group
  /// The texts of the card in this order: the run, the jokers, today's status, then each remark.
  private let words: [String]
  private let bar: HabitLine.Bar?

  init(_ line: HabitLine) {
    (group, bar) = (line.group, line.bar)
    let numbers = [line.state.current, line.state.longest, line.state.totals.entries].map { "\($0)" }
    let fielded = ([line.run] + line.remarks).map { words -> String in
      guard words.utf8.contains(where: \.isDigit) else { return words }
      let parts = words.parts(at: " ").map { part -> Substring in
        guard let place = numbers.firstIndex(where: { $0 == part }) else { return part }
        // A control character, which can't occur in text, stands for the field.
        return "\(UnicodeScalar(UInt8(place + 1)))"
      }
      return parts.joined(separator: " ")
    }
    words = [fielded[0], line.jokers, line.word] + fielded.dropFirst()
  }

  var json: JSON {
    let bar = bar.map { bar -> [JSON] in
      [.number(bar.done), .number(bar.wanted), .bool(bar.isOver), .text(bar.words)]
    }
    return .list([
      .whole(HabitLine.Group.allCases.firstIndex(of: group) ?? 0),
      .texts(words), bar.map { .list($0) } ?? .null,
    ])
  }
}

package struct PageChain {
  let habit: String
  let field: HabitField
  /// The lines of the explanation, each with the ledger position to which it links, or `nil` if it has no link.
  let lines: [(position: Int?, text: String)]

  func json(_ number: Int) -> JSON {
    .list([
      .whole(number), .text(field.rawValue),
      .list(lines.map { .list([$0.position.map { .whole($0) } ?? .null, .text($0.text)]) }),
    ])
  }
}

extension Invocation {
  /// Returns the explanations of each habit's run and of its jokers held, unless there is nothing to explain.
  func pageChains(today: Day?) throws(Failure) -> [PageChain] {
    let ledger = try chainLedger(at: .end, today: today)
    let fields = ledger.loaded.ledger.definedHabits.flatMap { habit in
      [HabitField.current, .held].map { StateField.habit(habit, $0) }
    }
    var shown: [PageChain] = []
    for document in try ledger.chains(of: fields, showsNames: true) {
      guard case .habit(let habit, let field) = document.chain.field else { continue }
      // A run of 0 is explained only if the habit had a run before.
      let hadRun = field == .current && ledger.loaded.ledger.state(of: habit).map { $0.longest > 0 } ?? false
      guard hadRun || document.chain.value.description != "0" else { continue }
      let lines = document.lines(showsAll: false).map { line in
        let text = [line.step?.day.description, line.step?.says, line.means].compactMap(\.self)
        return (position: line.step?.position, text: text.joined(separator: " · "))
      }
      shown.append(PageChain(habit: habit, field: field, lines: lines))
    }
    return shown
  }
}
