# SPDX-License-Identifier: GPL-3.0-or-later
# Runs on a login node, which need not have anything of ours: asks each host with ssh, some at a
# time, and prints what each says between marker lines. Sent to the stdin of `sh -s` behind lines
# that set R_HOSTS (names without blanks), R_PARALLEL, R_LIMIT (seconds for a host) and R_PROBE (a
# script for the host's `sh -s`).
relay() {
    dir=$(mktemp -d "${TMPDIR:-/tmp}/scalebench-check.XXXXXX") || { echo '@relay-failed'; return; }
    trap 'rm -rf "$dir"' EXIT
    trap 'exit 1' HUP INT TERM
    printf '%s\n' "$R_PROBE" >"$dir/probe"
    cat >"$dir/ask" <<'ASK'
host=$2
cd "$1" || exit 1
stamp() { t=$(date +%s%N); case $t in *[!0-9]*) t=$(date +%s) ;; esac; echo "$t"; }
limit=
command -v timeout >/dev/null 2>&1 && limit="timeout $3"
begin=$(stamp)
case $host in
localhost | 127.0.0.1) $limit sh -s ;;
*) $limit ssh -T -x -o BatchMode=yes -o StrictHostKeyChecking=yes -o ConnectTimeout=5 \
    -o ControlMaster=no -o ServerAliveInterval=5 -- "$host" sh -s ;;
esac <probe >"out.$host" 2>"err.$host"
code=$?
echo "$code $begin $(stamp)" >"code.$host"
ASK
    echo '@relay-begin'
    # Only to be shown; a name service that hangs must not hold up the check.
    limit=
    command -v timeout >/dev/null 2>&1 && limit='timeout 4'
    $limit getent hosts $R_HOSTS 2>/dev/null | sed -e 's/^/@address /'
    printf '%s\n' $R_HOSTS | xargs -n 1 -P "$R_PARALLEL" sh -c 'exec sh "$0/ask" "$0" "$2" "$1"' "$dir" "$R_LIMIT"
    for host in $R_HOSTS; do
        echo "@host $host"
        { read -r codes <"$dir/code.$host" && echo "@code $codes"; } 2>/dev/null
        sed -e 's/^/ /' "$dir/out.$host" 2>/dev/null
        sed -e 's/^/!/' "$dir/err.$host" 2>/dev/null
    done
    echo '@relay-end'
}
relay
