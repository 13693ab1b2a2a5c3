# SPDX-License-Identifier: GPL-3.0-or-later
# What a host has: KEY=VALUE lines between two marker lines, since login scripts may print text
# before. Sent to the stdin of `sh -s` behind lines that set P_FOLDER, P_MPI, P_DATA and P_SLURM
# (launcher/src/remote/probe.cpp). POSIX sh; few processes, for hundreds of hosts are asked at once.
# Changes nothing on the host but a test file that it removes.
probe() {
    LC_ALL=C
    export LC_ALL
    echo '@scalebench-begin'
    say begin "$(stamp)"
    step=shell;     say step $step; probe_shell
    step=engine;    say step $step; probe_engine
    step=mpi;       say step $step; probe_mpi
    step=gpus;      say step $step; probe_gpus
    step=interface; say step $step; probe_interface
    step=busy;      say step $step; probe_busy
    step=disk;      say step $step; probe_disk
    if [ -n "$P_DATA" ]; then say step data; probe_data; fi
    if [ -n "$P_SLURM" ]; then say step slurm; probe_slurm; fi
    say end "$(stamp)"
    echo '@scalebench-end'
}

say() { printf '%s=%s\n' "$1" "$2"; }

have() { command -v "$1" >/dev/null 2>&1; }

# Nanoseconds where date knows them, else seconds.
stamp() {
    t=$(date +%s%N)
    case $t in *[!0-9]*) t=$(date +%s) ;; esac
    echo "$t"
}

# Runs a command for so many seconds at most.
limit() {
    if have timeout; then
        timeout "$@"
    else
        shift
        "$@"
    fi </dev/null
}

# Prefixes each line; the last one tells the exit code.
lines_of() {
    key=$1
    shift
    { limit "$@" 2>&1; echo "@exit $?"; } | sed -e "s/^/$key=/"
}

# ~ stands for the home folder, as in the settings of the target machine.
full() {
    case $1 in
    '~') echo "$HOME" ;;
    '~/'*) printf '%s/%s\n' "$HOME" "${1#??}" ;;
    *) printf '%s\n' "$1" ;;
    esac
}

first_line() { [ -r "$1" ] && IFS= read -r line <"$1" && printf '%s\n' "$line"; }

probe_shell() {
    say user "$(id -un 2>/dev/null)"
    say home "$HOME"
    say path "$PATH"
    say ssh "${SSH_CONNECTION:-}"
    say hostname "$(first_line /proc/sys/kernel/hostname)"
    say system "$(uname -srm)"
    for tool in tar gzip sha256sum sed sort mkdir mv ln rm readlink; do
        have "$tool" || say tool_missing "$tool"
    done
    cores=$(nproc 2>/dev/null) || cores=$(grep -c '^processor' /proc/cpuinfo)
    say cores "$cores"
    # Of the whole host: a core with several processors is in the list once.
    say physical_cores "$(sort -u /sys/devices/system/cpu/cpu[0-9]*/topology/thread_siblings_list 2>/dev/null | grep -c .)"
    say quota "$(first_line /sys/fs/cgroup/cpu.max)"
    # Of a container, by control groups of version 2 or 1.
    say memory_limit "$(first_line /sys/fs/cgroup/memory.max || first_line /sys/fs/cgroup/memory/memory.limit_in_bytes)"
    while IFS= read -r line; do
        case $line in
        'model name'*)
            say cpu "${line#*: }"
            break
            ;;
        esac
    done </proc/cpuinfo
    while read -r name kib rest; do
        case $name in
        MemTotal:) say memory_kib "$kib" ;;
        MemAvailable:) say available_kib "$kib" ;;
        esac
    done </proc/meminfo
    [ ! -r /etc/os-release ] || while IFS= read -r line; do
        case $line in PRETTY_NAME=*) say os "${line#*=}" ;; esac
    done </etc/os-release
}

probe_engine() {
    folder=$(full "$P_FOLDER")
    engine=$folder/engine/current
    say folder "$folder"
    if [ -n "$P_ENGINE" ]; then
        say engine "$P_ENGINE"
        lines_of probe 8 "$P_ENGINE" --probe
        return
    fi
    if [ ! -e "$engine/bin/scalebench-engine" ]; then
        [ ! -L "$engine" ] || say engine_broken "$(readlink "$engine")"
        return
    fi
    say engine "$(readlink "$engine" || echo "$engine")"
    if [ ! -x "$engine/bin/scalebench-engine" ]; then
        say engine_not_executable 1
        return
    fi
    sed -n -e 's/^ "\([a-z_]*\)": "\([^"]*\)",*$/manifest_\1=\2/p' -e '/^ "libraries"/q' \
        "$engine/manifest.json" 2>/dev/null
    lines_of probe 8 "$engine/bin/scalebench-engine" --probe
}

probe_mpi() {
    # The daemon is orted in Open MPI 4.1, prted in 5.0.
    say mpi_in_path "$(command -v orted || command -v prted)"
    if [ -n "$P_MPI" ]; then
        prefix=$(full "$P_MPI")
    else
        prefix=$engine
        [ -x "$prefix/bin/mpirun" ] || return
    fi
    [ ! -x "$prefix/bin/orted" ] || say mpi_daemon orted
    [ ! -x "$prefix/bin/prted" ] || say mpi_daemon prted
    [ -x "$prefix/bin/orted" ] || [ -x "$prefix/bin/prted" ] || return
    say mpi_prefix "$prefix"
    if [ -x "$prefix/bin/mpirun" ]; then
        lines_of mpi 8 "$prefix/bin/mpirun" --version
    fi
}

probe_gpus() {
    for device in /sys/bus/pci/devices/*; do
        [ "$(first_line "$device/vendor")" = 0x10de ] || continue
        case $(first_line "$device/class") in 0x03*) say gpu_pci "${device##*/}" ;; esac
    done
    if [ -r /proc/driver/nvidia/version ]; then
        say driver "$(first_line /proc/driver/nvidia/version)"
        [ -r /dev/nvidiactl ] || say driver_no_rights 1
    fi
    have nvidia-smi || return 0
    lines_of gpu 8 nvidia-smi --query-gpu=name,memory.total,driver_version,compute_mode \
        --format=csv,noheader,nounits
    lines_of gpu_process 8 nvidia-smi --query-compute-apps=pid,process_name,used_memory \
        --format=csv,noheader,nounits
}

probe_interface() {
    for ip in ip /sbin/ip /usr/sbin/ip; do
        have $ip && break
        ip=
    done
    if [ -n "$ip" ]; then
        $ip -o addr show up 2>/dev/null | while read -r n name family address rest; do
            case $family in inet | inet6) say address "$name $address" ;; esac
        done
    else
        for address in $(hostname -I 2>/dev/null); do say address "? $address"; done
    fi
    for device in /sys/class/net/*; do say interface "${device##*/}"; done
}

probe_busy() {
    say load "$(first_line /proc/loadavg)"
    for process in /proc/[0-9]*; do
        { IFS= read -r name <"$process/comm"; } 2>/dev/null || continue
        case $name in scalebench-engi*) [ ! -O "$process" ] || say leftover "${process##*/}" ;; esac
    done
}

# KiB free where a path lies, and whether a file of 1 MiB really fits there (quota, read-only).
space_at() {
    df -Pk "$2" 2>/dev/null | while read -r device size used free rest; do
        case $free in *[!0-9]*) ;; *) say "$1_free_kib" "$free"; say "$1_size_kib" "$size"; say "$1_device" "$device" ;; esac
    done
    test_file=$2/.scalebench-check.$$
    if ! answer=$(exec 2>&1; dd if=/dev/zero of="$test_file" bs=65536 count=16); then
        case $answer in
        *'o space left'*) say "$1_error" full ;;
        *'uota'*) say "$1_error" quota ;;
        *'ead-only'*) say "$1_error" read_only ;;
        *) say "$1_error" no_right ;;
        esac
    fi
    rm -f "$test_file" 2>/dev/null
}

probe_disk() {
    place=$folder
    while [ ! -e "$place" ] && [ "$place" != / ] && [ -n "$place" ]; do
        case $place in */*) place=${place%/*} ;; *) place= ;; esac
    done
    : "${place:=/}"
    say disk_place "$place"
    if [ -d "$place" ]; then
        space_at disk "$place"
    else
        say disk_error not_a_folder
    fi
    space_at tmp "${TMPDIR:-/tmp}"
    if [ -d /dev/shm ]; then
        df -Pk /dev/shm 2>/dev/null | while read -r device size used free rest; do
            case $free in *[!0-9]*) ;; *) say shm_free_kib "$free"; say shm_size_kib "$size" ;; esac
        done
        [ -w /dev/shm ] || say shm_error no_right
    fi
}

probe_data() {
    data=$(full "$P_DATA")
    say data "$data"
    if [ ! -e "$data" ]; then
        say data_error missing
    elif [ ! -r "$data" ]; then
        say data_error no_right
    else
        count=$(limit 6 sh -c 'find -L "$1" -type f -exec ls -lnd {} + 2>/dev/null &&
            echo @all' sh "$data" | awk '/^@all$/ { all = 1 } /^-/ { n++; bytes += $5 }
            END { if (all) printf "%d %.0f", n, bytes }')
        say data_count "$count"
    fi
}

# A cluster without a readable slurm.conf lets every command wait for a minute.
probe_slurm() {
    say sbatch "$(command -v sbatch)"
    have sbatch || return 0
    partitions=$(limit 5 scontrol show partition -o 2>&1; echo "@exit $?")
    printf '%s\n' "$partitions" | sed -e 's/^/partition=/'
    case $partitions in *'@exit 0') ;; *) return 0 ;; esac
    lines_of node 5 sinfo -h -o '%P|%T|%D|%c|%m|%G'
    lines_of account 5 sacctmgr -nP show associations "user=$(id -un)" format=account
    say folder_kind "$(stat -f -c %T "$place" 2>/dev/null)"
}

probe
