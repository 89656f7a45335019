import Foundation

/// The segments of a new ledger, to which lines are dealt in turns.
struct NewSegments {
  private let files: [FileHandle]
  private var pending: [[UInt8]]
  private var next = 0
  private var bytes = 0

  init(_ count: Int, in folder: String) throws {
    files = try (0..<count).map { segment in
      let path = "\(folder)/\(segment == 0 ? "main" : "s\(segment)").jsonl"
      _ = FileManager.default.createFile(atPath: path, contents: nil)
      guard let file = FileHandle(forWritingAtPath: path) else { throw BenchError("cannot write \(path)") }
      return file
    }
    pending = [[UInt8]](repeating: [], count: count)
  }

  mutating func add(_ line: [UInt8]) throws {
    pending[next] += line
    if pending[next].count > 1 << 20 { try write(next) }
    next = (next + 1) % files.count
  }

  /// How many bytes they have together.
  mutating func close() throws -> Int {
    for segment in files.indices {
      try write(segment)
      try files[segment].close()
    }
    return bytes
  }

  private mutating func write(_ segment: Int) throws {
    try files[segment].write(contentsOf: Data(pending[segment]))
    bytes += pending[segment].count
    pending[segment].removeAll(keepingCapacity: true)
  }
}
