import EventLog
package import StreakCommands
package import StreakDomain
package import StreakServer

/// The parts of the process that `serve` needs: sockets, threads and signals.
package protocol ServerProcess: SendableMetatype {
  /// The id of the process, by which it knows that `LISTEN_FDS` is for it.
  static var identifier: String { get }

  /// The figures of the process until now.
  static var usage: ProcessUsage { get }

  /// Returns a clock of the processor time of the calling thread, which any thread can read.
  static func threadClock() -> @Sendable () -> Duration

  /// Listens at `address`, and has `server` answer until the process is asked to end, or until
  /// nobody was connected for `idle`.
  ///
  /// Once it listens it prints `greeting`. It returns a failure if it can't listen, or if a request
  /// took too long.
  static func run(
    _ server: Server, at address: ListeningAddress, idle: Duration?, greeting: String
  ) -> Failure?
}

/// The socket at which clients connect.
package enum ListeningAddress: Sendable, CustomStringConvertible {
  /// A port of this machine, which other machines can't reach.
  case port(Int)
  /// A Unix socket that the process makes.
  case path(String)
  /// A listening socket that the process was started with.
  case descriptor(Int32)

  package var description: String {
    switch self {
    case .port(let port): "http://127.0.0.1:\(port)"
    case .path(let path): path
    case .descriptor(let number): "descriptor \(number)"
    }
  }
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
        excludes: ["--port", "--fd"], needs: ["--login"]),
      Option(
        "--fd", .count(3...1023, of: "an open socket"),
        "listen at this socket, which another program opened (default: that of LISTEN_FDS)",
        excludes: ["--port"], needs: ["--login"]),
      Option(
        "--login",
        .form("NAME", mustBe: "1 to 64 of a-z 0-9 . _ -, the first a letter or digit") {
          isLogin($0)
        },
        "the login whose ledger this is; requests with another Remote-User are refused"),
      Option(
        "--idle", .count(1...1 << 20, of: "seconds"),
        "end when nobody was connected for so many seconds"),
      Option("--quiet", nil, "print no line for each request"),
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

  /// Whether the name is one that the configurations of the web servers accept, too.
  private static func isLogin(_ name: String) -> Bool {
    Syntax.isWriter(name) && name == name.asciiLowercased && !name.begins(with: "_")
  }

  package let invocation: Invocation

  package init(invocation: Invocation) { self.invocation = invocation }

  package func run() throws(Failure) -> ExitStatus {
    let address = try address()
    let login = invocation.arguments.value("--login")
    if case .port = address, login != nil {
      throw .usage("--login needs --socket, --fd or the variable LISTEN_FDS")
    }

    let folder = SystemDisk.resolved(invocation.folder)
    let server = Server(
      folder: folder, login: login, isQuiet: invocation.arguments.has("--quiet"),
      usage: { Process.usage }, threadClock: { Process.threadClock() })
    let idle = invocation.arguments.count("--idle").map { Duration.seconds($0) }
    let greeting = "streaks: serving \(invocation.folder) at \(address)\n"
    if let failure = Process.run(server, at: address, idle: idle, greeting: greeting) {
      throw failure
    }
    return .done
  }

  private func address() throws(Failure) -> ListeningAddress {
    let arguments = invocation.arguments
    if let path = arguments.value("--socket") {
      guard !path.isEmpty else { throw .usage("--socket needs the path of a Unix socket") }
      return .path(path)
    }
    if let number = arguments.count("--fd") { return .descriptor(Int32(number)) }
    if let port = arguments.count("--port") { return .port(port) }

    // Socket activation (sd_listen_fds(3)): the first socket is descriptor 3.
    if let count = invocation.variable("LISTEN_FDS"),
      invocation.variable("LISTEN_PID") == Process.identifier
    {
      guard count == "1" else {
        throw .usage("LISTEN_FDS is \(quoted(count)); one socket is needed")
      }
      guard arguments.has("--login") else {
        throw .usage("at the socket of LISTEN_FDS serve needs --login NAME")
      }
      return .descriptor(3)
    }
    return .port(Self.defaultPort)
  }
}
