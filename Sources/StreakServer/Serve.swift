import EventLog
package import StreakCommands
package import StreakDomain

extension Command {
  private static let port = 7873

  /// Creates the command `serve`; `run` listens at the Unix socket `path`, or else at `port`.
  ///
  /// Once it listens it prints `greeting`, and serves until the process is asked to end. It returns
  /// a failure if it can't listen.
  package static func serve(
    _ run:
      @escaping @Sendable (Server, _ path: String?, _ port: Int, _ greeting: String) -> Failure?
  ) -> Command {
    Command(
      name: "serve", group: .scripts, words: "",
      summary: "show the ledger in a browser, and answer web requests",
      options: [
        Option("--events", .folder, "the ledger's folder (default: STREAKS_EVENTS, else events)"),
        Option(
          "--port",
          .form("N", mustBe: "a port, 1 to 65535") { Int($0).map((1...65_535).contains) ?? false },
          "the port to listen at (default: \(port))"),
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
      ],
      details: [
        """
        Runs on until Control-C or SIGTERM. Without --socket it is for this machine only: open the \
        address that it
        """,
        """
        prints, and the page follows each new step of any program. Pages of other origins can \
        read or write nothing.
        """,
        """
        With --socket it answers a web server such as Caddy or nginx (docs/http.md), which sets \
        the header Remote-User:
        """,
        """
        each login has its own ledger below --root. The socket's folder must be this user's; the \
        socket's mode is 0660.
        """,
        """
        The events of a request are on the disk before its answer. STREAKS_WRITER names the \
        segment to write.
        """,
        "",
      ]
        + Route.all.map { route in
          TableRow.text(indent: 2, (route.method, 4), (route.pattern, 28), (route.summary, 0))
        } + [
          "", "  streaks serve", "  streaks serve --socket /run/streaks/socket --root /srv/streaks",
        ],
      example: Example(
        line: "streaks serve --port 7874 & sleep 1; kill $!",
        answer: ["streaks: serving events at http://127.0.0.1:7874"]), takesCommon: false,
      isForPeople: false
    ) { invocation throws(Failure) in
      let arguments = invocation.arguments
      let (path, port) = (arguments.value("--socket"), arguments.count("--port") ?? Command.port)
      let ledgers: Server.Ledgers
      let greeting: String
      if let path {
        guard !path.isEmpty, let folder = arguments.value("--root") else {
          throw .usage(
            "serve --socket PATH needs --root DIR, the folder with a ledger for each login")
        }
        let root = SystemDisk.resolved(folder)
        do throws(SystemError) { _ = try SystemDisk().names(in: root) } catch {
          throw .system(error)
        }
        ledgers = .eachLogin(root: root)
        greeting = "streaks: serving \(root) at \(path)"
      } else {
        let folder = invocation.folder
        _ = try EventStream(folder: folder)
        ledgers = .one(folder: SystemDisk.resolved(folder))
        greeting = "streaks: serving \(folder) at http://127.0.0.1:\(port)"
      }
      if let writer = invocation.variable("STREAKS_WRITER"), !Syntax.isWriter(writer) {
        throw .badWriter(writer)
      }
      let server = Server(ledgers, memory: (arguments.count("--memory") ?? 256) << 20)
      if let failure = run(server, path, port, greeting + "\n") { throw failure }
      return .done
    }
  }
}
