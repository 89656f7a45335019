// A stand-in for the parts of SwiftUI that docs/HabitsScreen.swift uses, so that the types of the
// screen are checked on Linux, too. It has SwiftUI's declarations, and does nothing.

@MainActor @preconcurrency public protocol View {
  associatedtype Body: View
  @ViewBuilder var body: Body { get }
}

extension Never: View { public var body: Never { return fatalError("a stand-in") } }

/// A view without content.
public protocol Leaf: View where Body == Never {}
extension Leaf { public var body: Never { return fatalError("a stand-in") } }

@resultBuilder @MainActor public struct ViewBuilder {
  public static func buildBlock<each Part: View>(
    _ parts: repeat each Part
  ) -> Group<(repeat each Part)> { Group() }

  public static func buildOptional<Part: View>(_ part: Part?) -> Group<Part> { Group() }
}

public struct Group<Content>: Leaf {}
public struct Spacer: Leaf { public init() {} }
public struct Text: Leaf { public init(_ text: some StringProtocol) {} }
public struct List<Content: View>: Leaf { public init(@ViewBuilder content: () -> Content) {} }
public struct HStack<Content: View>: Leaf { public init(@ViewBuilder content: () -> Content) {} }

public struct ForEach<Items: RandomAccessCollection, Content: View>: Leaf where Items.Element: Identifiable {
  public init(_ items: Items, @ViewBuilder content: @escaping (Items.Element) -> Content) {}
}

public struct Button<Label: View>: Leaf {
  public init(action: @escaping @MainActor () -> Void, @ViewBuilder label: () -> Label) {}
}

extension Button where Label == Text {
  public init(_ title: some StringProtocol, action: @escaping @MainActor () -> Void) {}
}

extension View {
  public func accessibilityLabel(_ text: some StringProtocol) -> some View { self }
  public func task(_ action: @escaping @MainActor @Sendable () async -> Void) -> some View { self }
}

@propertyWrapper public struct State<Value> {
  private final class Box {
    var value: Value
    init(_ value: Value) { self.value = value }
  }

  private let box: Box

  public init(initialValue: Value) { box = Box(initialValue) }
  public init(wrappedValue: Value) { box = Box(wrappedValue) }
  public var wrappedValue: Value {
    get { box.value }
    nonmutating set { box.value = newValue }
  }
}
