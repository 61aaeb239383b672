# Completion of lode for fish; written by: lode completion fish
function __lode_complete
    set -l words (commandline -opc)
    set -l typed (commandline -ct)
    set -l program (string replace -r '^~' $HOME -- $words[1])
    set -e words[1]
    set -l lines (_LODE_COMPLETE=fish command $program $words "$typed" 2>/dev/null </dev/null)
    set -l kind $lines[1]
    set -e lines[1]
    switch "$kind"
        case file
            __fish_complete_path (string replace -r '^-[^=]*=' '' -- "$typed")
        case dir
            __fish_complete_directories (string replace -r '^-[^=]*=' '' -- "$typed")
        case '*'
            string join \n -- $lines
    end
end
complete --command lode --no-files --keep-order --arguments '(__lode_complete)'
