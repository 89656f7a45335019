public import Observation

/// A value of a folder's ledger for a view, which is drawn again when it changes.
///
/// It needs no framework but Observation; SwiftUI, and whatever else observes, sees each new value.
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
  /// The latest value; nil until the ledger was read.
  public private(set) var value: Value?
  /// Why the ledger cannot be read now; nil once it can be again.
  public private(set) var problem: StreakError?
  @ObservationIgnored private let values: StreakValues<Value>

  /// A model of values, which follows them from ``follow()`` on.
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
