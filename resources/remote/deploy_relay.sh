# SPDX-License-Identifier: GPL-3.0-or-later
# Runs on a login node that has the bundle installed: brings it to the hosts behind it that do not
# share its folder. Sent to `sh -s` behind lines that set R_HOSTS, R_PARALLEL, R_LIMIT, R_PREPARE
# (deploy_prepare.sh with its settings), R_FOLDER (the login node's folder, whole path), R_NAME,
# R_CONTENT and R_REMOVE.
relay() {
    dir=$(mktemp -d "${TMPDIR:-/tmp}/scalebench-deploy.XXXXXX") || { echo '@relay-failed'; return; }
    trap 'rm -rf "$dir"' EXIT
    trap 'exit 1' HUP INT TERM
    printf '%s\n' "$R_PREPARE" >"$dir/prepare"
    cat >"$dir/ask" <<'ASK'
# ask DIR LIMIT HOST: what a host says to the script "prepare"
cd "$1" || exit 1
limit=
command -v timeout >/dev/null 2>&1 && limit="timeout $2"
$limit ssh -T -x -o BatchMode=yes -o StrictHostKeyChecking=yes -o ConnectTimeout=5 \
    -o ControlMaster=no -- "$3" sh -s <prepare >"out.$3" 2>"err.$3"
echo "$? 0 0" >"code.$3"
ASK
    cat >"$dir/send" <<'SEND'
# send DIR LIMIT HOST: the archive, to the installer that "prepare" has left on the host
cd "$1" || exit 1
limit=
command -v timeout >/dev/null 2>&1 && limit="timeout $2"
folder=$(sed -n -e 's/^folder=//p' "out.$3" | sed -e "s/'/'\\\\''/g")
id=$(sed -n -e 's/^id=//p' "out.$3")
$limit ssh -T -x -o BatchMode=yes -o StrictHostKeyChecking=yes -o ConnectTimeout=5 \
    -o ControlMaster=no -- "$3" "sh '$folder/engine/.deploy/install.$id.sh' install '$folder' \
    $R_NAME $R_CONTENT $sum '$R_REMOVE' $id" <archive >"out.$3" 2>"err.$3"
echo "$? 0 0" >"code.$3"
SEND
    export R_NAME R_CONTENT R_REMOVE
    printf '%s\n' $R_HOSTS | xargs -n 1 -P "$R_PARALLEL" sh "$dir/ask" "$dir" "$R_LIMIT"
    wanted=
    for host in $R_HOSTS; do
        ! grep -q '^state=wanted$' "$dir/out.$host" 2>/dev/null || wanted="$wanted $host"
    done
    echo '@relay-begin'
    if [ -n "$wanted" ]; then
        if said=$( (cd "$R_FOLDER/engine" && tar -cf - "$R_NAME" | gzip -1 >"$dir/archive") 2>&1); then
            sum=$(sha256sum <"$dir/archive")
            sum=${sum%% *}
            export sum
            printf '%s\n' $wanted | xargs -n 1 -P 4 sh "$dir/send" "$dir" "$R_LIMIT"
        else
            echo "@relay-disk $said"
        fi
    fi
    for host in $R_HOSTS; do
        echo "@host $host"
        { read -r codes <"$dir/code.$host" && echo "@code $codes"; } 2>/dev/null
        sed -e 's/^/ /' "$dir/out.$host" 2>/dev/null
        sed -e 's/^/!/' "$dir/err.$host" 2>/dev/null
    done
    echo '@relay-end'
}
relay
