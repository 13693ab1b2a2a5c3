# SPDX-License-Identifier: GPL-3.0-or-later
# Before a bundle is sent to a host: is it there already, whole, and is there room for it? Sent to
# the stdin of `sh -s` behind lines that set D_FOLDER, D_NAME (folder name of this version),
# D_CONTENT (its content_id), D_KIB (room needed), D_MACHINE (uname -m), D_TOKEN and D_INDEX (to
# notice folders that several hosts share; empty: not noticed), D_REMOVE (1: remove other versions)
# and D_INSTALL (install.sh). Prints KEY=VALUE lines between markers.
prepare() {
    LC_ALL=C
    export LC_ALL
    echo '@scalebench-begin'
    case $D_FOLDER in
    '~') folder=$HOME ;;
    '~/'*) folder=$HOME/${D_FOLDER#??} ;;
    *) folder=$D_FOLDER ;;
    esac
    say folder "$folder"
    say machine "$(uname -m)"
    [ "$(uname -m)" = "$D_MACHINE" ] || { say state other_machine; return; }
    if ! answer=$(mkdir -p "$folder/engine/.deploy" 2>&1); then
        say state not_writable
        say message "$answer"
        return
    fi
    for seen in "$folder/engine/.deploy/$D_TOKEN".*; do
        [ ! -e "$seen" ] || say shares "${seen##*.}"
    done
    there=$folder/engine/$D_NAME
    # The link is switched only behind a verified folder, also by an earlier deployment that was
    # interrupted between the two.
    if is_content "$there" && may_run "$there" && (cd "$there" && ./verify) >/dev/null 2>&1; then
        if [ "$(readlink "$folder/engine/current")" != "$D_NAME" ]; then
            say switched 1
            printf '%s\n' "$D_INSTALL" | sh -s switch "$folder" "$D_NAME" 2>&1 | said
        fi
        [ -z "$D_REMOVE" ] || printf '%s\n' "$D_INSTALL" | sh -s remove "$folder" "$D_NAME" 2>&1 | said
        say state unchanged
        return
    fi
    free=$(df -Pk "$folder/engine" | sed -n -e '$s/^.* \([0-9][0-9]*\)  *[0-9-]*%.*$/\1/p')
    say free_kib "$free"
    if [ -n "$free" ] && [ "$free" -lt "$D_KIB" ]; then
        say state full
        return
    fi
    id=$D_TOKEN.${D_INDEX:-$(uname -n)-$$}
    say id "$id"
    find "$folder/engine/.deploy" -type f -mmin +120 -exec rm -f {} + 2>/dev/null
    if ! answer=$({ : >"$folder/engine/.deploy/$id" &&
        printf '%s\n' "$D_INSTALL" >"$folder/engine/.deploy/install.$id.sh"; } 2>&1); then
        case $answer in *'o space left'* | *uota*) say state full ;; *) say state not_writable ;; esac
        say message "$answer"
        return
    fi
    say state wanted
}

say() { printf '%s=%s\n' "$1" "$2"; }
said() { sed -e 's/^\([a-z]*=\)/\1/' -e '/^[a-z]*=/!s/^/message=/'; }
may_run() {
    for program in "$1"/bin/*; do
        [ -x "$program" ] || return 1
    done
}
is_content() { [ -x "$1/verify" ] && grep -q "^ \"content_id\": \"$D_CONTENT\"" "$1/manifest.json" 2>/dev/null; }

prepare
echo '@scalebench-end'
