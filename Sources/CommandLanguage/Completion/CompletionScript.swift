/// The shells for which completion is supported.
///
/// Each script asks the program for the completions, so the commands are declared in one place only.
public enum CompletionScript: String, Sendable, CaseIterable {
    case bash, zsh, fish

    /// The script, which the shell sources.
    public var text: String {
        switch self {
        case .bash:
            #"""
            # bash completion for pdefaults
            _pdefaults() {
                local line rest=$COMP_LINE word=${COMP_WORDS[COMP_CWORD]} words=() begun i
                # Bash breaks words at : and = too, and replaces only the part after them.
                for ((i = 0; i <= COMP_CWORD; i++)); do
                    if [[ $i -gt 0 && $rest != [[:blank:]]* ]]; then
                        words[-1]+=${COMP_WORDS[i]}
                    else
                        words+=("${COMP_WORDS[i]}")
                    fi
                    rest=${rest#"${rest%%[![:blank:]]*}"}
                    rest=${rest#"${COMP_WORDS[i]}"}
                done
                begun=${words[-1]%"${word##*[:=]}"}
                COMPREPLY=()
                while IFS= read -r line; do
                    if [[ $line == :files ]]; then
                        compopt -o default
                        return
                    fi
                    line=${line%%$'\t'*}
                    case ${words[-1]} in
                        \'*) [[ $line == *\'* ]] || COMPREPLY+=("$line") ;;
                        \"*) COMPREPLY+=("$(sed 's/[\\"$`]/\\&/g' <<<"$line")") ;;
                        *)
                            line=$(printf %q "$line")
                            COMPREPLY+=("${line#"$begun"}")
                            ;;
                    esac
                done < <("$1" complete bash "${words[@]:1}" 2>/dev/null)
            }
            complete -F _pdefaults pdefaults

            """#
        case .zsh:
            #"""
            #compdef pdefaults
            # zsh completion for pdefaults
            _pdefaults() {
                local line word effect
                local -a found
                for line in "${(@f)$("${words[1]}" complete zsh "${(@)words[2,CURRENT]}" 2>/dev/null)}"; do
                    if [[ $line == :files ]]; then
                        _files
                        return
                    elif [[ -n $line ]]; then
                        word=${line%%$'\t'*} effect=
                        [[ $line == *$'\t'* ]] && effect=:${line#*$'\t'}
                        found+=("${word//:/\\:}$effect")
                    fi
                done
                _describe -t words word found
            }
            if [[ $funcstack[1] == _pdefaults ]]; then _pdefaults "$@"; else compdef _pdefaults pdefaults; fi

            """#
        case .fish:
            #"""
            # fish completion for pdefaults
            function __pdefaults_lines
                set -l words (commandline -opc)
                $words[1] complete fish $words[2..-1] (commandline -ct) 2>/dev/null
            end
            complete -c pdefaults -f
            complete -c pdefaults -n '__pdefaults_lines | string match -q :files' -F
            complete -c pdefaults -a '(__pdefaults_lines | string match -v :files)'

            """#
        }
    }

    /// Returns the words as the shell would pass them to the program.
    ///
    /// - Parameter typed: The words as they were typed, with quotes.
    public static func words(_ typed: [String]) -> [String] {
        typed.map { word in
            // The word under the cursor might lack its closing quotation mark.
            for end in ["", "'", "\""] {
                if let words = try? shellWords(word + end), words.count <= 1 { return words.first ?? "" }
            }
            return word
        }
    }
}
