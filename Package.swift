// swift-tools-version: 6.3
import PackageDescription

/// The log and what it is made of, which nearly everything stands on.
let log: [Target.Dependency] = ["StreakDomain", "EventLog"]
/// What tests of more than the domain stand on: histories, and ledgers in folders with the program
/// run on them.
let fixtures: [Target.Dependency] = ["DomainFixtures", "CommandFixtures"]

let package = Package(
  name: "StreakLedger",
  platforms: [.macOS(.v15), .iOS(.v18)],
  products: [
    .library(name: "Streaks", targets: ["Streaks"]),
    .library(name: "StreaksImports", targets: ["StreaksImports"]),
    .library(name: "StreaksTesting", targets: ["StreaksTesting"]),
    .executable(name: "streaks", targets: ["StreaksTool"]),
  ],
  targets: [
    .target(name: "StreakDomain"),
    .target(
      name: "EventLog", dependencies: ["StreakDomain"],
      resources: [.embedInCode("Format/event.schema.json")]),
    .target(name: "Inspection", dependencies: log),
    .target(name: "Streaks", dependencies: log + ["Inspection"]),
    .target(name: "StreaksTesting", dependencies: ["StreakDomain", "Streaks"]),
    .target(name: "PageFiles"),
    .target(name: "ReportPage", dependencies: ["EventLog", "PageFiles"], exclude: ["Page"]),
    .target(
      name: "DailyPage", dependencies: ["StreakDomain", "EventLog", "PageFiles", "ReportPage"],
      exclude: ["Page"]),
    .target(name: "Imports", dependencies: log + ["Inspection"]),
    .target(name: "StreaksImports", dependencies: log + ["Streaks", "Imports"]),
    .target(
      name: "StreakCommands", dependencies: log + ["Inspection", "ReportPage", "Imports"],
      resources: [.embedInCode("Help"), .embedInCode("Topics")]),
    .target(
      name: "StreakServer",
      dependencies: log + ["StreakCommands", "Inspection", "PageFiles", "ReportPage", "DailyPage"],
      exclude: ["openapi.json"]),
    .target(
      name: "StreaksProcess", dependencies: log + ["StreakCommands", "StreakServer"],
      resources: [.embedInCode("serve.txt")]),
    .executableTarget(name: "StreaksTool", dependencies: ["StreaksProcess"]),
    .target(name: "DomainFixtures", dependencies: ["StreakDomain"], path: "Tests/DomainFixtures"),
    .target(
      name: "CommandFixtures",
      dependencies: log + ["StreakCommands", "StreakServer", "StreaksProcess", "DomainFixtures"],
      path: "Tests/CommandFixtures"),
    .target(
      name: "Fuzzing",
      dependencies: log + ["Inspection", "StreakCommands", "StreakServer"] + fixtures,
      path: "Tests/Fuzzing"),
    .testTarget(name: "FuzzingTests", dependencies: ["Fuzzing", "EventLog"] + fixtures),
    .testTarget(
      name: "StreaksTests",
      dependencies: log + [
        "Streaks", "StreaksImports", "StreaksTesting", "StreakCommands", "StreakServer",
        "StreaksTool",
      ]
        + fixtures),
    .testTarget(name: "StreakDomainTests", dependencies: ["StreakDomain", "DomainFixtures"]),
    .testTarget(
      name: "EventLogTests", dependencies: log + ["Inspection", "StreakCommands"] + fixtures),
    .testTarget(
      name: "ImportsTests",
      dependencies: log + ["Imports", "StreakCommands", "Streaks", "StreaksImports"]
        + fixtures),
    .testTarget(
      name: "InspectionTests", dependencies: log + ["Inspection", "StreakCommands"] + fixtures),
    .testTarget(
      name: "StreakServerTests",
      dependencies: log + ["StreakCommands", "StreakServer", "Inspection", "StreaksTool"]
        + fixtures),
    .testTarget(
      name: "StreakCommandsTests",
      dependencies: log + [
        "StreakCommands", "StreakServer", "Streaks", "Inspection", "StreaksTool",
      ]
        + fixtures
    ),
  ],
  swiftLanguageModes: [.v6],
  cLanguageStandard: .c2x
)

// The fuzzer's own program links libFuzzer, so only `.ci/fuzz` asks for it.
let isFuzzed = Context.environment["STREAKS_FUZZ"] != nil
if isFuzzed {
  package.targets += [
    .systemLibrary(name: "LibFuzzer", path: "Tests/LibFuzzer"),
    .executableTarget(
      name: "Fuzzer", dependencies: ["Fuzzing", "LibFuzzer"], path: "Tests/Fuzzer",
      // The other linker, because this one renames the program's entry beside libFuzzer's own.
      linkerSettings: [.unsafeFlags(["-sanitize=fuzzer", "-use-ld=lld"])]),
  ]
}

// A change of the fold waits for the domain and its laws alone (docs/contributing.md).
if Context.environment["STREAKS_FOLD"] != nil {
  package.products = []
  package.targets.removeAll {
    !["StreakDomain", "DomainFixtures", "StreakDomainTests"].contains($0.name)
  }
}

let features = [
  "ExistentialAny", "InternalImportsByDefault", "MemberImportVisibility",
  "NonisolatedNonsendingByDefault",
  "InferIsolatedConformances", "ImmutableWeakCaptures",
]
for target in package.targets where target.type != .system {
  target.swiftSettings = [.treatAllWarnings(as: .error), .strictMemorySafety()]
  target.swiftSettings? += features.map { .enableUpcomingFeature($0) }
  // A test that fails prints its place itself, so it needs no places for a debugger. And only the
  // laws of the domain, which fold thousands of histories, gain by being optimized. The module of a
  // test is imported by nobody, and to write it early would take a tenth of the test's time.
  if target.type == .test { target.swiftSettings? += [.unsafeFlags(["-gnone"])] }
  if target.type == .test, target.name != "StreakDomainTests" {
    target.swiftSettings? += [.unsafeFlags(["-Onone", "-no-emit-module-separately-wmo"])]
  }
  // What is fuzzed guides the fuzzer, not what checks it.
  if isFuzzed, !["Fuzzer", "Fuzzing", "DomainFixtures", "CommandFixtures"].contains(target.name) {
    target.swiftSettings? += [.unsafeFlags(["-sanitize=fuzzer"])]
  }
}
