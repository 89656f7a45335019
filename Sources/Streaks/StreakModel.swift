public import Observation

/// A value of a folder's ledger for a view, which is redrawn when the value changes.
///
/// It depends only on Observation, so SwiftUI and any other observer sees each new value.
///
/// ```swift
/// struct Flame: View {
///   @State var model = StreakModel(folder) { $0.streak(of: "noalc") }
///
///   var body: some View {
///     VStack {
///       Text("\(model.value??.current ?? 0) days")
///       if let problem = model.problem { Text(problem.description) }
///     }
///     .task { await model.follow() }
///   }
/// }
/// ```
@MainActor @Observable
public final class StreakModel<Value: Equatable & Sendable> {
  /// The latest value, or `nil` until the ledger has been read.
  public private(set) var value: Value?
  /// The reason why the ledger cannot be read, or `nil` if it can.
  public private(set) var problem: StreakError?
  @ObservationIgnored private let folder: StreakFolder
  @ObservationIgnored private let read: @Sendable (StreakLedger) -> Value

  /// Creates a model of the value that `value` computes, which follows the folder once ``follow()`` is called.
  public init(_ folder: StreakFolder, value: @escaping @Sendable (StreakLedger) -> Value) {
    (self.folder, read) = (folder, value)
  }

  /// Follows the folder until the task is cancelled.
  public func follow() async {
    for await reading in folder.values(of: read) {
      switch reading {
      case .success(let value): (self.value, problem) = (value, nil)
      case .failure(let error): problem = error
      }
    }
  }
}
