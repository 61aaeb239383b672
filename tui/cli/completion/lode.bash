# Completion of lode for bash; written by: lode completion bash
_lode_complete() {
    local kind= line command="${1/#\~/$HOME}"
    COMPREPLY=()
    while IFS= read -r line; do
        if [[ -z $kind ]]; then kind=$line; else COMPREPLY+=("$line"); fi
    done < <(_LODE_COMPLETE=bash COMP_LINE="$COMP_LINE" COMP_POINT="$COMP_POINT" COMP_TYPE="$COMP_TYPE" \
        COMP_WORDBREAKS="$COMP_WORDBREAKS" command "$command" 2>/dev/null </dev/null)
    case $kind in
        file) compopt -o filenames -o default 2>/dev/null ;;
        dir) compopt -o filenames -o dirnames 2>/dev/null ;;
        open) compopt -o nospace 2>/dev/null ;;
    esac
}
complete -o nosort -F _lode_complete lode 2>/dev/null || complete -F _lode_complete lode
