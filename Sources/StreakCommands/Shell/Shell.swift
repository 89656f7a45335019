import EventLog
import StreakDomain

enum Shell: String, CaseIterable {
  case bash, zsh, fish

  var script: String {
    switch self {
    case .bash:
      """
      _streaks() {
        local IFS=$'\\n' candidate
        COMPREPLY=()
        while read -r candidate; do
          printf -v candidate %q "${candidate%%$'\\t'*}"
          COMPREPLY+=("$candidate")
        done < <("${COMP_WORDS[0]}" complete "${COMP_WORDS[@]:1:COMP_CWORD}" 2>/dev/null)
      }
      complete -o default -F _streaks streaks
      """
    case .zsh:
      """
      #compdef streaks
      _streaks() {
        local -a candidates
        local line
        for line in "${(@f)$("${words[1]}" complete "${(@)words[2,CURRENT]}" 2>/dev/null)}"; do
          [[ -n $line ]] && candidates+=(\
      "${${${line%%$'\\t'*}//\\\\/\\\\\\\\}//:/\\\\:}:${line#*$'\\t'}")
        done
        if (( $#candidates )); then _describe streaks candidates; else _files; fi
      }
      if [[ ${funcstack[1]} == _streaks ]]; then _streaks "$@"; else compdef _streaks streaks; fi
      """
    case .fish:
      """
      complete -c streaks -f -n 'test (count (streaks complete (commandline -opc)[2..] \
      (commandline -ct))) -gt 0' \\
        -a '(streaks complete (commandline -opc)[2..] (commandline -ct))'
      """
    }
  }

  var advice: String {
    switch self {
    case .bash: "eval \"$(streaks completions bash)\" in ~/.bashrc"
    case .zsh: "eval \"$(streaks completions zsh)\" in ~/.zshrc, after compinit"
    case .fish: "streaks completions fish > ~/.config/fish/completions/streaks.fish"
    }
  }
}

extension Command {
  static let completions = Command(
    name: "completions", group: .developers,
    words: Synopsis("SHELL", oneOf: Shell.allCases.map(\.rawValue)),
    summary: "completion scripts for bash, zsh and fish",
    options: [],
    details: Shell.allCases.map { "  " + $0.advice },
    example: Example(
      line: "streaks completions bash",
      answer: [
        "_streaks() {",
        "  local IFS=$'\\n' candidate",
        "…",
      ]), isForPeople: false
  ) { invocation throws(Failure) in
    invocation.print(try invocation.kind(at: 0, of: Shell.self).script)
    return .done
  }
}
