// swift-tools-version: 6.3
import PackageDescription

let package = Package(
  name: "StreakLedger",
  platforms: [.macOS(.v15)],
  products: [
    .library(name: "Streaks", targets: ["Streaks"]),
    .executable(name: "streaks", targets: ["StreaksTool"]),
    .executable(name: "streaks-bench", targets: ["StreaksBench"]),
  ],
  targets: [
    .target(name: "StreakDomain"),
    .target(
      name: "EventLog", dependencies: ["StreakDomain"], resources: [.embedInCode("Schema/event.schema.json")]),
    .target(name: "Replay", dependencies: ["StreakDomain"]),
    .target(name: "Streaks", dependencies: ["StreakDomain", "EventLog", "Replay"]),
    .target(name: "ReportPage", dependencies: ["EventLog"], resources: [.embedInCode("Page")]),
    .target(name: "Imports", dependencies: ["StreakDomain", "EventLog"]),
    .target(
      name: "StreakCommands",
      dependencies: ["StreakDomain", "EventLog", "Replay", "Streaks", "ReportPage", "Imports"]),
    .executableTarget(name: "StreaksTool", dependencies: ["StreakCommands"]),
    .executableTarget(name: "StreaksBench", dependencies: ["StreakCommands", "EventLog", "StreakDomain"]),
    .target(
      name: "TestSupport", dependencies: ["StreakDomain", "EventLog", "StreakCommands"],
      path: "Tests/TestSupport"),
    .target(
      name: "Fuzzing", dependencies: ["StreakDomain", "EventLog", "Replay", "StreakCommands", "TestSupport"],
      path: "Tests/Fuzzing"),
    .testTarget(name: "FuzzingTests", dependencies: ["Fuzzing", "EventLog", "TestSupport"]),
    .testTarget(name: "StreaksTests", dependencies: ["Streaks", "StreakCommands", "TestSupport"]),
    .testTarget(name: "StreakDomainTests", dependencies: ["StreakDomain", "TestSupport"]),
    .testTarget(
      name: "EventLogTests", dependencies: ["EventLog", "StreakDomain", "StreakCommands", "TestSupport"]),
    .testTarget(
      name: "ImportsTests",
      dependencies: ["Imports", "StreakCommands", "EventLog", "StreakDomain", "TestSupport"]),
    .testTarget(name: "ReplayTests", dependencies: ["Replay", "EventLog", "StreakDomain", "TestSupport"]),
    .testTarget(
      name: "StreakCommandsTests",
      dependencies: ["StreakCommands", "Replay", "EventLog", "StreakDomain", "TestSupport", "StreaksTool"]),
  ],
  swiftLanguageModes: [.v6]
)

// The fuzzer's own program links libFuzzer, so only `.ci/fuzz` asks for it.
if Context.environment["STREAKS_FUZZ"] != nil {
  package.targets += [
    .systemLibrary(name: "LibFuzzer", path: "Tests/LibFuzzer"),
    .executableTarget(name: "Fuzzer", dependencies: ["Fuzzing", "LibFuzzer"], path: "Tests/Fuzzer"),
  ]
}

for target in package.targets where target.type != .system {
  target.swiftSettings = [
    .treatAllWarnings(as: .error),
    .strictMemorySafety(),
    .enableUpcomingFeature("ExistentialAny"),
    .enableUpcomingFeature("InternalImportsByDefault"),
    .enableUpcomingFeature("MemberImportVisibility"),
    .enableUpcomingFeature("NonisolatedNonsendingByDefault"),
    .enableUpcomingFeature("InferIsolatedConformances"),
    .enableUpcomingFeature("ImmutableWeakCaptures"),
  ]
}
