public import Observation

/// An observable value that is computed from a folder's ledger, for a view that shows the value.
///
/// The model depends only on Observation, so it works with SwiftUI and with any other observer.
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
  /// The latest value, or `nil` as long as the ledger hasn't been read.
  public private(set) var value: Value?
  /// The error of the last attempt to read the ledger, or `nil` if the attempt succeeded.
  public private(set) var problem: StreakError?
  @ObservationIgnored private let folder: StreakFolder
  @ObservationIgnored private let read: @Sendable (StreakLedger) -> Value

  /// Creates a model of the value that the function `value` computes from the ledger.
  ///
  /// The model is updated only while ``follow()`` runs.
  public init(_ folder: StreakFolder, value: @escaping @Sendable (StreakLedger) -> Value) {
    self.folder = folder
    read = value
  }

  /// Updates the model whenever the value changes, until the task is cancelled.
  public func follow() async {
    for await reading in folder.values(of: read) {
      switch reading {
      case .success(let value):
        self.value = value
        problem = nil
      case .failure(let error): problem = error
      }
    }
  }
}
