extension Command {
  static let cgi = Command(
    name: "cgi", group: .scripts, words: "", summary: "answer one web request, run by a web server",
    options: [],
    details: [
      "A CGI program (RFC 3875): the request is in variables that the web server sets, its body on standard input.",
      "REMOTE_USER, the login that the server has checked, says whose ledger it is: the folder of that",
      "name below STREAKS_ROOT. It takes no option, because a server may pass a client's text as arguments; called by",
      "the name streaks.cgi the program is this command, whatever its arguments.",
      "STREAKS_MAX_BODY limits the bytes of a body (1048576), STREAKS_WAIT the seconds to wait for another request",
      "that writes (5), STREAKS_WRITER the segment (the machine's own). docs/http.md has the rest, and a server's",
      "configuration.",
      "",
      "  GET   /v1/streaks  /v1/streaks/HABIT  /v1/streaks/HABIT/calendar  /v1/audit/HABIT  /v1/state",
      "  POST  /v1/events", "",
      "  REMOTE_USER=ana STREAKS_ROOT=/srv/streaks PATH_INFO=/v1/streaks REQUEST_METHOD=GET streaks cgi",
    ],
    example: Example(
      line: "REQUEST_METHOD=GET PATH_INFO=/v1/streaks streaks cgi",
      answer: [
        "Status: 401 Unauthorized",
        "Content-Type: application/problem+json",
        "…",
      ]), takesCommon: false, isForPeople: false
  ) { invocation throws(CommandError) in
    let request = Request(invocation.context.environment)
    guard !request.method.isEmpty else {
      throw .usage("cgi is run by a web server, which sets REQUEST_METHOD; see `streaks help cgi`")
    }
    var context = invocation.context
    context.sharesCores = true
    let response = Service(request: request, context: context).response()
    invocation.context.output(response.bytes(withBody: request.method != "HEAD"))
    return .done
  }
}
