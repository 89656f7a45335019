/// Access to the bytes of a segment; if there are many segments, the file is open only during each
/// read.
struct SegmentBytes {
  let path: String
  let stamp: FileStamp
  let disk: any Disk
  let kept: File?

  func file() throws(SystemError) -> File {
    if let kept { return kept }
    let file = try File(path, .read, on: disk)
    guard try file.stamp().isSameFile(as: stamp) else { throw .changedMeanwhile(path) }
    return file
  }
}
