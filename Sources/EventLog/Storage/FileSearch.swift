package import StreakDomain

package enum FileSearch {
  package static func files(in folder: String) throws(Failure) -> [String] {
    let disk = SystemDisk()
    return try reading { () throws(SystemError) in
      var files: [String] = []
      for name in try disk.names(in: folder).sorted(by: { Text($0) < Text($1) }) {
        let path = "\(folder)/\(name)"
        if !EventStream.isSegment(name), try disk.stamp(of: path) != nil { files.append(path) }
      }
      return files
    }
  }

  package static func holds(
    _ path: String, anyOf contents: [[UInt8]]
  ) throws(Failure) -> Bool {
    let patterns = contents.map { BytePattern($0) }
    let overlap = max(0, (contents.map(\.count).max() ?? 0) - 1)
    var rest: [UInt8] = []
    var isFound = false
    try JSONLines.pieces(of: path, on: SystemDisk()) { piece in
      rest += piece
      isFound = isFound || patterns.contains { $0.first(in: rest) != nil }
      rest = Array(rest.suffix(overlap))
    }
    return isFound
  }
}
