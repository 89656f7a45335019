import Foundation
import Fuzzing
import LibFuzzer

/// The target that the environment names; it is static because a C function pointer cannot capture
/// it.
enum Chosen {
  static let target = ProcessInfo.processInfo.environment["STREAKS_FUZZ"].flatMap(FuzzTarget.init)
}

guard Chosen.target != nil else {
  print(
    "STREAKS_FUZZ must name one of \(FuzzTarget.allCases.map(\.rawValue).joined(separator: ", "))")
  exit(2)
}

var count = CommandLine.argc
var arguments: UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>? = unsafe CommandLine.unsafeArgv
let status = unsafe LLVMFuzzerRunDriver(&count, &arguments) { bytes, count in
  let input = unsafe Array(UnsafeBufferPointer(start: bytes, count: count))
  do throws(Finding) { try Chosen.target?.check(input) } catch { fatalError("\(error)") }
  return 0
}
exit(status)
