/// The shells that words can be completed in. Each script asks the program what a word can become, so that
/// nothing of the commands is written down twice.
public enum CompletionScript: String, Sendable, CaseIterable {
    case bash, zsh, fish

    public var text: String {
        switch self {
        case .bash:
            #"""
            # bash completion for pdefaults
            _pdefaults() {
                local line word=${COMP_WORDS[COMP_CWORD]}
                COMPREPLY=()
                while IFS= read -r line; do
                    if [[ $line == :files ]]; then
                        compopt -o filenames 2>/dev/null
                        while IFS= read -r line; do COMPREPLY+=("$line"); done < <(compgen -f -- "$word")
                    else
                        COMPREPLY+=("$(printf %q "${line%%$'\t'*}")")
                    fi
                done < <("$1" complete bash "${COMP_WORDS[@]:1:COMP_CWORD}" 2>/dev/null)
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
                for line in "${(@f)$("${words[1]}" complete zsh "${(@Q)words[2,CURRENT]}" 2>/dev/null)}"; do
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
            function __pdefaults_complete
                set -l words (commandline -opc)
                set -l lines ($words[1] complete fish $words[2..-1] (commandline -ct) 2>/dev/null)
                if test "$lines" = :files
                    __fish_complete_path (commandline -ct)
                else
                    printf '%s\n' $lines
                end
            end
            complete -c pdefaults -f -a '(__pdefaults_complete)'

            """#
        }
    }

    /// The words as the program would get them. In bash they come as they were typed, quotes and all.
    public func words(_ typed: [String]) -> [String] {
        guard self == .bash else { return typed }
        return typed.map { word in
            // The word under the cursor may lack its second quotation mark.
            for end in ["", "'", "\""] {
                if let words = try? shellWords(word + end), words.count <= 1 { return words.first ?? "" }
            }
            return word
        }
    }
}
