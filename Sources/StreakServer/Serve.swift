import EventLog
package import StreakCommands
import StreakDomain

extension Command {
  /// Creates the command `serve`.
  ///
  /// `run` serves a socket until the process is asked to end; if that fails, it returns an error message.
  package static func serve(_ run: @escaping @Sendable (SocketService) -> String?) -> Command {
    Command(
      name: "serve", group: .scripts, words: "--socket PATH",
      summary: "answer web requests over SCGI, keeping ledgers in memory",
      options: [
        Option("--socket", .other("PATH"), "the socket to create, which the web server connects to"),
        Option("--root", .folder, "the folder of all ledgers (default: STREAKS_ROOT)"),
        Option(
          "--requests", .count(1...1024, of: "requests"),
          "how many requests are answered at the same time (default: 64)"),
        Option(
          "--memory", .count(1...1 << 20, of: "MiB"),
          "how many MiB folded ledgers may take, and requests again (default: 256)"),
      ],
      details: [
        "Runs on, and answers what nginx (scgi_pass), lighttpd and Apache send to its socket. REMOTE_USER, the login that",
        "the web server has checked, says whose ledger it is: the folder of that name below --root. For a folded",
        "ledger, only what was appended since is read, by any writer.",
        "A login has at most half of the requests and of the memory, so that others are answered, too; GET /healthz always is, and",
        "GET /metrics, which is for requests without a login.",
        "The events of a request are on the disk before its answer. SIGTERM ends it after the requests that have begun;",
        "connections for changes are closed, and clients return with their cursor.",
        "The socket's folder must be this user's; the socket's mode is 0660, so the web server's user needs the group.",
        "STREAKS_MAX_BODY limits the bytes of a body (1048576), STREAKS_WAIT the seconds to wait for another process",
        "that writes (5), STREAKS_WRITER the segment (the machine's own). docs/http.md has configurations and a unit.",
        "",
      ]
        + Route.all.map { route in
          "  " + Style.padded(route.method, 6) + Style.padded(route.pattern, 30) + route.summary
        } + ["", "  streaks serve --socket /run/streaks/socket --root /srv/streaks"],
      example: Example(
        line: "streaks serve --socket socket --root . & sleep 1; kill $!",
        answer: [
          "streaks: serving …"
        ]), takesCommon: false, isForPeople: false
    ) { invocation throws(Failure) in
      guard let path = invocation.arguments.value("--socket"), !path.isEmpty else {
        throw .usage("serve needs --socket PATH; see `streaks help serve`")
      }
      guard let folder = invocation.arguments.value("--root") ?? invocation.variable("STREAKS_ROOT") else {
        throw .usage("serve needs --root DIR, the folder of all ledgers, or STREAKS_ROOT")
      }
      let root = SystemDisk.resolved(folder)
      do throws(SystemError) { _ = try SystemDisk().names(in: root) } catch { throw .system(error) }
      let requests = invocation.arguments.count("--requests") ?? 64
      let memory = invocation.arguments.count("--memory") ?? 256
      let server = Server(
        root: root, invocation.context.environment, memory: memory << 20, requests: requests)
      do throws(Problem) { try server.check() } catch { throw .usage(Sentence(error.detail)) }
      let failure = run(
        SocketService(
          path: path, requests: requests,
          greeting: "streaks: serving \(root) at \(path), \(counted(requests, "request")) at once\n",
          server: server))
      if let failure { throw Failure(.system, Sentence(failure)) }
      return .done
    }
  }
}
