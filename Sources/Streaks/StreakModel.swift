public import Observation

/// A value of a folder's ledger for a view, which is redrawn when the value changes.
///
/// It depends only on Observation, so SwiftUI and any other observer sees each new value.
///
/// ```swift
/// struct Flame: View {
///   @State var model = StreakModel(folder.values(of: { $0.streak(of: "noalc") }))
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
  @ObservationIgnored private let values: StreakValues<Value>

  /// Creates a model that follows `values` once ``follow()`` is called.
  public init(_ values: StreakValues<Value>) { self.values = values }

  /// Follows the folder until the task is cancelled.
  public func follow() async {
    for await reading in values {
      switch reading {
      case .success(let value): (self.value, problem) = (value, nil)
      case .failure(let error): problem = error
      }
    }
  }
}
