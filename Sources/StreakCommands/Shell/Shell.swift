import EventLog
import StreakDomain

/// A shell whose command lines can be completed, with the script that it reads.
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
}

/// The command that prints a script for a shell.
struct CompletionsCommand: Command {
  static let name = "completions"
  static let group = CommandGroup.developers
  static let words = Synopsis("SHELL", oneOf: Shell.allCases.map(\.rawValue))
  static let options: [Option] = []
  static let help = HelpText(PackageResources.completions_txt)
  static func isForPeople(_ arguments: Arguments) -> Bool { false }

  let invocation: Invocation

  func run() throws(Failure) -> ExitStatus {
    print(try kind(at: 0, of: Shell.self).script)
    return .done
  }
}
