#compdef lode
# Completion of lode for zsh; written by: lode completion zsh
_lode() {
    local kind line
    local -a lines values shown end
    lines=("${(@f)$(_LODE_COMPLETE=zsh command ${~words[1]} "${(@Q)words[2,CURRENT-1]}" "${(Q)PREFIX}" 2>/dev/null </dev/null)}")
    kind=$lines[1]
    shift lines
    case $kind in
        file|dir)
            [[ $PREFIX == -*=* ]] && compset -P '*='
            if [[ $kind == dir ]]; then _files -/; else _files; fi
            return ;;
        open) end=(-S '') ;;
    esac
    for line in $lines; do
        values+=("${line%%$'\t'*}")
        [[ $line == *$'\t'* ]] && shown+=("${line%%$'\t'*}  -- ${line#*$'\t'}") || shown+=("$line")
    done
    (( $#values )) || return 1
    if [[ "$lines" == *$'\t'* ]]; then
        compadd -U -V lode "${end[@]}" -l -d shown -a values
    else
        compadd -U -V lode "${end[@]}" -a values
    fi
}
if [[ $zsh_eval_context[-1] == loadautofunc ]]; then
    _lode "$@"
else
    (( $+functions[compdef] )) || { autoload -Uz compinit && compinit }
    compdef _lode lode
fi
