import Inspection
import StreakDomain

/// What `verify --against` compares with: heads or a pin, told apart by what the file says.
struct KeptFile {
  private(set) var heads: KeptHeads?
  private(set) var pin: Pin?

  /// Reads a file; one that is neither is refused.
  init(_ file: String, _ invocation: Invocation) throws(Failure) {
    let bytes = try invocation.context.input(file)
    if bytes.starts(with: Array("streaks-pin".utf8)) {
      pin = try Pinning(invocation: invocation).read(bytes, of: file)
    } else {
      heads = try KeptHeads(bytes, of: file)
    }
  }
}
