import EventLog
package import StreakCommands
package import StreakDomain

/// The parts of the process that `serve` needs: sockets, threads and signals.
package protocol ServerProcess: SendableMetatype {
  /// Listens at the Unix socket `path`, or else at `port`, and has `server` answer until the
  /// process is asked to end.
  ///
  /// Once it listens it prints `greeting`. It returns a failure if it can't listen.
  static func run(_ server: Server, at path: String?, port: Int, greeting: String) -> Failure?
}

/// The command that answers web requests.
package struct ServeCommand<Process: ServerProcess>: Command {
  package static var name: String { "serve" }
  package static var group: CommandGroup { .scripts }
  package static var options: [Option] {
    [
      Option("--events", .folder, "the ledger's folder (default: STREAKS_EVENTS, else events)"),
      Option(
        "--port",
        .form("N", mustBe: "a port, 1 to 65535") { Int($0).map((1...65_535).contains) ?? false },
        "the port to listen at (default: \(defaultPort))"),
      Option(
        "--socket", .other("PATH"),
        "listen at this Unix socket instead, for a web server that asks for logins",
        excludes: ["--events", "--port"]),
      Option(
        "--root", .folder, "the folder with a ledger for each login", excludes: ["--events"],
        needs: ["--socket"]),
      Option(
        "--memory", .count(1...1 << 20, of: "MiB"),
        "how many MiB folded ledgers may take (default: 256)"),
    ]
  }
  package static var help: HelpText {
    HelpText(PackageResources.serve_txt, inserting: ["routes": routes])
  }
  package static var takesCommonOptions: Bool { false }
  package static func isForPeople(_ arguments: Arguments) -> Bool { false }

  private static var defaultPort: Int { 7873 }

  private static var routes: String {
    Route.all.map { route in
      TableRow.text(indent: 2, (route.method, 4), (route.pattern, 28), (route.summary, 0))
    }.joined(separator: "\n")
  }

  package let invocation: Invocation

  package init(invocation: Invocation) { self.invocation = invocation }

  package func run() throws(Failure) -> ExitStatus {
    let arguments = invocation.arguments
    let path = arguments.value("--socket")
    let port = arguments.count("--port") ?? Self.defaultPort
    let ledgers = try ledgers(at: path)
    if let writer = invocation.variable("STREAKS_WRITER"), !Syntax.isWriter(writer) {
      throw .badWriter(writer)
    }

    let server = Server(ledgers, memory: (arguments.count("--memory") ?? 256) << 20)
    let greeting =
      switch ledgers {
      case .one: "streaks: serving \(invocation.folder) at http://127.0.0.1:\(port)\n"
      case .eachLogin(let root): "streaks: serving \(root) at \(path ?? "")\n"
      }
    if let failure = Process.run(server, at: path, port: port, greeting: greeting) {
      throw failure
    }
    return .done
  }

  /// Returns the ledgers to serve: of each login at a Unix socket, or else the one of this user.
  private func ledgers(at path: String?) throws(Failure) -> Server.Ledgers {
    guard let path else {
      _ = try EventStream(folder: invocation.folder)
      return .one(folder: SystemDisk.resolved(invocation.folder))
    }
    guard !path.isEmpty, let folder = invocation.arguments.value("--root") else {
      throw .usage("serve --socket PATH needs --root DIR, the folder with a ledger for each login")
    }
    let root = SystemDisk.resolved(folder)
    do throws(SystemError) { _ = try SystemDisk().names(in: root) } catch { throw .system(error) }
    return .eachLogin(root: root)
  }
}
