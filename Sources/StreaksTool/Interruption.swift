import Foundation
import Synchronization

/// Control-C taken as a wish to end: who follows the log stops between two looks, and not within one.
enum Interruption {
  private static let isAsked = Atomic(false)

  /// Waits; false as soon as the user has asked to end.
  ///
  /// Before the first wait Control-C ends a command as ever.
  static func waits(milliseconds: UInt32) -> Bool {
    signal(SIGINT) { _ in Interruption.isAsked.store(true, ordering: .relaxed) }
    // The signal cuts the sleep short.
    if !isAsked.load(ordering: .relaxed) { usleep(milliseconds * 1000) }
    return !isAsked.load(ordering: .relaxed)
  }
}
