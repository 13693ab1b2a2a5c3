# SPDX-License-Identifier: GPL-3.0-or-later
# Installs the bundle that comes on stdin. A folder appears under its final name only when all its
# files are there and verified; the link "current" is switched after that.
#   install.sh install FOLDER NAME CONTENT SHA256 REMOVE ID <archive
#   install.sh switch FOLDER NAME
#   install.sh remove FOLDER NAME        removes other versions that nothing runs from
say() { printf '%s=%s\n' "$1" "$2"; }

fail() {
    say state "$1"
    say message "$2"
    exit 1
}

# What tar, cat and others said, to a state.
fail_with() {
    case $2 in
    *'o space left'* | *uota*) fail full "$2" ;;
    *) fail "$1" "$2" ;;
    esac
}

switch_to() {
    [ "$(readlink "$engine/current")" != "$name" ] || return 0
    new=$engine/.current.$$
    rm -f "$new"
    ln -s "$name" "$new" || fail not_writable "the link $engine/current could not be made"
    # rename(2) where mv can: nobody ever finds no "current".
    mv -fT "$new" "$engine/current" 2>/dev/null || { ln -sfn "$name" "$engine/current" && rm -f "$new"; } ||
        fail not_writable "the link $engine/current could not be made"
}

remove_others() {
    running=$(ls -l /proc/[0-9]*/exe 2>/dev/null)
    for other in "$engine"/*/; do
        other=${other%/}
        base=${other##*/}
        [ "$base" != "$name" ] && [ "$base" != current ] && [ ! -L "$other" ] || continue
        grep -q '"scalebench.bundle"' "$other/manifest.json" 2>/dev/null || continue
        case $running in *"-> $other/"*) say kept "$base"; continue ;; esac
        rm -rf "$other" && say removed "$base"
    done
    find "$engine" -maxdepth 1 -name '.part.*' -mmin +120 -exec rm -rf {} + 2>/dev/null
}

install_archive() {
    umask 022
    part=$(mktemp -d "$engine/.part.XXXXXX" 2>&1) || fail_with not_writable "$part"
    trap 'rm -rf "$part" "$engine/.deploy/install.$id.sh" "$engine/.deploy/$id"' EXIT
    trap 'exit 1' HUP INT TERM
    said=$( (cat >"$part/archive") 2>&1) || fail_with broken "$said"
    [ "$(sha256sum <"$part/archive")" = "$sha256  -" ] || fail damaged "the archive arrived damaged"
    mkdir "$part/tree"
    said=$(tar -xzf "$part/archive" -C "$part/tree" --no-same-owner 2>&1) || fail_with broken "$said"
    rm -f "$part/archive"
    set -- "$part/tree"/*
    [ $# = 1 ] && [ -d "$1" ] && [ ! -L "$1" ] || fail broken "the archive does not hold one folder"
    grep -q "^ \"content_id\": \"$content\"" "$1/manifest.json" || fail damaged "the archive holds another version"
    said=$( (cd "$1" && ./verify) 2>&1) || case $said in
        *'too old'* | *'no GNU C library'*) fail glibc "$said" ;;
        *) fail_with damaged "$said" ;;
    esac
    # A folder of that name was found damaged before.
    [ ! -e "$engine/$name" ] || mv "$engine/$name" "$part/damaged" || fail not_writable "$engine/$name"
    mv "$1" "$engine/$name" || [ -x "$engine/$name/verify" ] || fail not_writable "$engine/$name"
    switch_to
    say state installed
}

task=$1
engine=$2/engine
name=$3
content=${4:-}
sha256=${5:-}
remove=${6:-}
id=${7:-}
LC_ALL=C
export LC_ALL
case $task in
install)
    echo '@scalebench-begin'
    (install_archive) && { [ -z "$remove" ] || remove_others; }
    echo '@scalebench-end'
    ;;
switch) switch_to ;;
remove) remove_others ;;
esac
