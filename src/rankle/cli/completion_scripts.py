"""What shells are told, so that they ask this program what a line can go on with.

Each script hands over the line up to the cursor as it was typed, and gets a line for each offer: its kind
(`plain`, `file` or `dir`), the text, and what it is. For `plain` the text is the whole word; for files and
folders it is what stands before their name and is none of it, as `--output=` is, and then comes what of the
name is there.
"""

from typing import Final

from rankle.core.product import NAME

SEPARATOR: Final = "\x1f"
"""Stands between the three; not a tab, since shells take several of those, with nothing between, as one."""
_BASH: Final = """\
_PROGRAM_completion() {
    local kind value what wants_files="" program="${1/#\\~\\//$HOME/}" line="${COMP_LINE:0:COMP_POINT}"
    COMPREPLY=()
    while IFS=$'\\x1f' read -r kind value what; do
        case $kind in
            plain) COMPREPLY+=("$value"); [[ $value == *[:/] ]] && compopt -o nospace ;;
            file) wants_files=yes ;;
            dir) compopt -o dirnames ;;
        esac
    done < <("$program" completion bash --line "$line" --breaks "$COMP_WORDBREAKS" 2>/dev/null)
    [[ -z $wants_files ]] && return
    if [[ ${#COMPREPLY[@]} -eq 0 ]]; then
        compopt -o default
        return
    fi
    compopt -o filenames
    while IFS= read -r value; do COMPREPLY+=("$value"); done < <(compgen -f -- "$2")
}
complete -o nosort -F _PROGRAM_completion PROGRAM
"""
_ZSH: Final = """\
#compdef PROGRAM

_PROGRAM_completion() {
    local kind value what found=1
    local program=${(Q)words[1]} line="${(j: :)words[1,CURRENT-1]} $IPREFIX$QIPREFIX$PREFIX"
    local -a described alone
    program=${program/#\\~\\//$HOME/}
    while IFS=$'\\x1f' read -r kind value what; do
        case $kind in
            plain)
                if [[ -n $what ]]; then described+=("${value//:/\\\\:}:$what"); else alone+=("$value"); fi ;;
            dir) compset -p ${#value}; _path_files -/ && found=0 ;;
            file) compset -p ${#value}; _path_files -f && found=0 ;;
        esac
    done < <("$program" completion zsh --line "$line" 2>/dev/null)
    (( $#described )) && _describe -V PROGRAM described -U && found=0
    (( $#alone )) && compadd -U -V PROGRAM -a alone && found=0
    return found
}

if [[ $funcstack[1] == _PROGRAM ]]; then  # a file of $fpath, which is the function itself, called each time
    _PROGRAM_completion "$@"
else
    (( $+functions[compdef] )) || { autoload -Uz compinit && compinit -i }
    compdef _PROGRAM_completion PROGRAM
fi
"""
_FISH: Final = """\
function _PROGRAM_completion
    set -l program (commandline -opc)[1]
    string match -q '*=*' -- $program; and set program PROGRAM
    set program (string replace -r '^~/' "$HOME/" -- $program)
    set -l line (commandline -cp | string collect)
    $program completion fish --line $line 2>/dev/null | while read -d \\x1f -l kind value what
        switch $kind
            case plain
                printf '%s\\t%s\\n' $value $what
            case dir file
                set -l paths (__fish_complete_path "$what")
                test $kind = dir; and set paths (__fish_complete_directories "$what" '')
                printf '%s\\n' $value$paths
        end
    end
end
complete --command PROGRAM --erase
complete --command PROGRAM --no-files --keep-order --arguments '(_PROGRAM_completion)'
"""
SCRIPTS: Final = {
    shell: script.replace("PROGRAM", NAME)
    for shell, script in (("bash", _BASH), ("zsh", _ZSH), ("fish", _FISH))
}
"""By the name of the shell."""
