import EventLog
package import StreakCommands
package import StreakDomain
import StreakServer

/// The command that answers web requests.
package struct ServeCommand: Command {
  package static let name = "serve"
  package static let group = CommandGroup.scripts
  package static let options = [
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
  package static let help = HelpText(PackageResources.serve_txt, inserting: ["routes": routes])
  package static let takesCommonOptions = false
  package static func isForPeople(_ arguments: Arguments) -> Bool { false }

  private static let defaultPort = 7873

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

    let server = Server(
      folder: SystemDisk.resolved(invocation.folder), login: login,
      isQuiet: invocation.arguments.has("--quiet"), usage: { System.usage },
      threadClock: System.threadClock)
    let environment = invocation.context.environment
    let sockets = SocketServer(server) { MainProcess.context([], environment) { _ in } }
    try sockets.run(
      at: address, idle: invocation.arguments.count("--idle").map { .seconds($0) },
      greeting: "streaks: serving \(invocation.folder) at \(address)\n")
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
      invocation.variable("LISTEN_PID") == System.processID
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
