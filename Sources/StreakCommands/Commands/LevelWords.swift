import EventLog
import StreakDomain

enum LevelWords {
  private static let example = "--levels calm:0-1,some:2-4,much:5- --good calm"

  /// Returns the rule given by `--levels` and `--good`; `base` supplies what is missing.
  static func rule(_ arguments: Arguments, from base: Levels) throws(Failure) -> Rule.Kind {
    let bands = try arguments.value("--levels").map(bands) ?? base.bands
    guard !bands.isEmpty else { throw .usage("--good needs levels to choose from, such as \(example)") }
    let names = bands.map(\.name)
    guard let text = arguments.value("--good") else {
      guard !base.good.isEmpty, base.good.allSatisfy(names.contains) else {
        throw .usage("say which levels make a good day, such as --good \(names[0])")
      }
      return .level(Levels(bands, good: base.good))
    }
    let good = text.parts(at: ",").map { Text($0.trimmed) }
    for name in good where !names.contains(name) {
      throw .usage(
        "--good names \(quoted(name)), which is no level; the levels are \(names.strings.joined(separator: ", "))\(Nearest.hint(name.string, among: names.strings))"
      )
    }
    return .level(Levels(bands, good: good))
  }

  private static func bands(_ text: String) throws(Failure) -> [Level] {
    var bands: [Level] = []
    for part in text.parts(at: ",").map({ String($0).trimmed }) {
      let band = try band(part)
      guard !bands.map(\.name).contains(band.name) else {
        throw .usage("--levels names \(quoted(band.name)) twice")
      }
      bands.append(band)
    }
    var next: Int? = 0
    for band in bands.sorted(by: { $0.low < $1.low }) {
      guard let first = next, band.low == first else {
        let instead = next.map { "; it must begin at \($0)" } ?? ", and the one before it has no end"
        throw .usage(
          "--levels must cover 0 drinks and up without gap or overlap: \(quoted(band.name)) begins at "
            + "\(band.low)\(instead)")
      }
      next = band.high.map { $0 + 1 }
    }
    return bands
  }

  /// Parses `calm:0-1`, `some:2` or `much:5-`.
  private static func band(_ part: String) throws(Failure) -> Level {
    let cut = part.utf8.lastIndex(of: UInt8(ascii: ":"))
    let name = cut.map { String(part[..<$0]).trimmed } ?? ""
    let range = cut.map { String(part[part.utf8.index(after: $0)...]) } ?? part
    let ends = range.parts(at: "-").map(String.init)
    let high = ends.count == 2 && !ends[1].isEmpty ? Int(ends[1]) : Int(ends[0])
    guard !name.isEmpty, ends.count <= 2, let low = Int(ends[0]), let high, (0...100).contains(low),
      (low...100).contains(max(low, high)), low <= high
    else {
      throw .usage(
        "--levels has \(quoted(part)); a level is a name and its drinks, 0 to 100, such as \(example)")
    }
    guard !name.holds(":") else {
      throw .usage("--levels has \(quoted(part)); levels are parted by commas, such as \(example)")
    }
    guard Forms.isPrintable(name), !Level.reserved.contains(Text(name)) else {
      throw .usage(
        "--levels cannot call a level \(quoted(name)); \(Level.reserved.strings.joined(separator: ", ")) are taken"
      )
    }
    return Level(name: Text(name), low: low, high: ends.count == 2 && ends[1].isEmpty ? nil : high)
  }
}
