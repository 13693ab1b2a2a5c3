# SPDX-License-Identifier: GPL-3.0-or-later
"""Bringing a cluster up, taking it down, and doing the latter when its owner is gone."""
import os
import re
import select
import shutil
import signal
import subprocess
import sys
from pathlib import Path

from . import hosts, network, slurm
from .base import (HERE, Cluster, Interruption, Problem, alive, identity, kill, machine_lock, names,
                   spawn, undisturbed)

SKIP = 77
TOOLS = ("ip", "tc", "unshare", "nsenter", "ssh", "ssh-keygen", "sshd", "findmnt")


def why_impossible(with_slurm=False):
    """One line saying why no cluster can be made here; empty when one can."""
    if os.geteuid() != 0:
        return "the test cluster needs root, for namespaces and addresses; run the tests as root"
    missing = [tool for tool in TOOLS if not shutil.which(tool)]
    if with_slurm:
        missing += [tool for tool in slurm.TOOLS if not shutil.which(tool)]
    if missing:
        return f"the test cluster needs {', '.join(missing)}; run packaging/install-packages test"
    # Its other end lies in a namespace that ends with the trial: it goes even if this is interrupted.
    cable = f"sbc-{os.urandom(4).hex()}"
    trials = (
        ("new namespaces", ["unshare", "--net", "--uts", "--ipc", "--mount", "--pid", "--fork",
                            "sh", "-c", "mount -t tmpfs none /mnt && mount -t proc proc /mnt"
                            " && mount -t sysfs -o ro sysfs /mnt"]),
        ("a network bridge", ["unshare", "--net", "ip", "link", "add", "b0", "type", "bridge"]),
        ("a network cable (veth)", ["unshare", "--net", "ip", "link", "add", "end", "type", "veth",
                                    "peer", "name", cable, "netns", str(os.getpid())]),
    )
    for what, command in trials:
        done = subprocess.run(command, capture_output=True, text=True, check=False)
        if done.returncode != 0:
            words = done.stderr.strip().splitlines() or ["it gave no reason"]
            return f"the test cluster needs {what}, which this system does not allow: {words[-1]}"
    return ""


def up(options):
    """Starts a cluster and returns it; where that is impossible says why and returns None."""
    for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
        signal.signal(number, Interruption.on_signal)
    reason = why_impossible(options.slurm)
    if reason:
        print(reason)
        return None
    with machine_lock():
        sweep()
    cluster = Cluster(options.name or f"{os.getpid()}-{os.urandom(3).hex()}")
    if not re.fullmatch(r"[\w.-]+", cluster.name):
        raise Problem(f"'{cluster.name}' is no name for a cluster; use letters, digits, . _ and -")
    if not re.fullmatch(r"[a-z][a-z0-9-]{0,9}", options.prefix):
        raise Problem(f"'{options.prefix}' cannot begin host names; use up to 10 of a-z, 0-9, -")
    made = False
    try:
        with undisturbed():
            make_folder(cluster)
            made = True
        build(cluster, options)
    except BaseException:
        if made:
            down(cluster.name)
        raise
    return cluster


def make_folder(cluster):
    try:
        cluster.folder.mkdir(mode=0o755)
    except FileExistsError:
        raise Problem(f"a cluster '{cluster.name}' exists already ({cluster.folder});"
                      f" end it with 'cluster down {cluster.name}'") from None


def build(cluster, options):
    shared = [Path(path).absolute() for path in options.shared]
    if options.slurm and not shared:
        shared = [cluster.folder / "shared"]
        shared[0].mkdir()
    for path in [*shared, *map(Path, options.read_only)]:
        if not path.is_dir():
            raise Problem(f"{path} is no folder, so hosts cannot share it")
    cluster.data["shared"] = [str(path) for path in shared]
    cluster.data["read_only"] = [str(Path(path).absolute()) for path in options.read_only]
    cluster.data["own_usr"] = options.own_usr
    cluster.save()
    if options.owner:
        with undisturbed():
            cluster.data["watcher"] = spawn(HERE / "cluster", "watch", cluster.name, options.owner,
                                            log=cluster.folder / "watcher.log")
            cluster.data["owner"] = identity(options.owner)
            cluster.save()
    with machine_lock():
        network.start_switch(cluster)
    prefix = cluster.data["subnet"].removesuffix("0/24")
    for number in range(1, options.hosts + 1):
        cluster.data["hosts"][f"{options.prefix}{number}"] = {"address": f"{prefix}{number}"}
    hosts.prepare(cluster)
    if options.slurm:
        slurm.prepare(cluster)
    start(cluster, cluster.hosts)


def start(cluster, names):
    hosts.start(cluster, names)
    if cluster.data.get("delay"):
        network.delay(cluster, cluster.data["delay"])
    slurm.start_daemons(cluster, names)
    slurm.wait_for_nodes(cluster, names)


def down(name):
    """Removes all of a cluster; nothing to remove is fine."""
    try:
        cluster = Cluster.load(name)
    except Problem:
        shutil.rmtree(Cluster(name).folder, ignore_errors=True)
        return
    data = cluster.data
    if data.get("watcher", {}).get("pid") != os.getpid():
        kill(data.get("watcher"))
    hosts.crash(cluster, cluster.hosts)
    kill(data.get("munged"), signal.SIGTERM)
    kill(data.get("delay_line"))
    network.stop_switch(cluster)
    # Safe although hosts had folders bound into it: those were bound in namespaces now gone.
    # Errors: another `down` may be at it, too.
    shutil.rmtree(cluster.folder, ignore_errors=True)
    if cluster.folder.exists():
        raise Problem(f"{cluster.folder} could not be removed")


def sweep():
    """Removes clusters whose owner and watcher were both killed. What cannot be removed, or went
    meanwhile because somebody else removed it, does not keep a new cluster from coming up."""
    for name in names():
        try:
            data = Cluster.load(name).data
            if data.get("owner") and not alive(data["owner"]) and not alive(data.get("watcher")):
                down(name)
        except Problem as problem:
            print(f"cluster: left as it is: {problem}", file=sys.stderr)


def watch(name, owner):
    """Waits for the owner's end, however it came, then takes the cluster down."""
    try:
        file = os.pidfd_open(owner)
    except ProcessLookupError:
        file = None
    if file is not None:
        select.select([file], [], [])
    try:
        down(name)
    except Problem as problem:
        print(problem, file=sys.stderr)
        return 1
    return 0
