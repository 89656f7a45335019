/// The bytes of a segment; where there are many segments, its file is open only while it is read.
struct SegmentBytes {
  let path: String
  /// The file that was opened first.
  let stamp: FileStamp
  let disk: any Disk
  let kept: File?

  /// The file, opened again where it was not kept.
  func file() throws(SystemError) -> File {
    if let kept { return kept }
    let file = try File(path, .read, on: disk)
    guard try file.stamp().isSameFile(as: stamp) else { throw .changedMeanwhile(path) }
    return file
  }
}

/// What one of so many segments may take: their number must not meet a limit of the system, nor fill the memory.
struct Room {
  /// Whether its file stays open: then it is read to its end whatever becomes of its name.
  let keepsOpen: Bool
  /// How many bytes are decoded at once.
  let chunk: Int

  init(segments: Int, pieceBytes: Int) {
    keepsOpen = segments <= 64
    chunk = min(pieceBytes, max(1 << 15, (1 << 25) / max(1, segments)))
  }
}
