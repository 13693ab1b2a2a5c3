# SPDX-License-Identifier: GPL-3.0-or-later
"""A host of the cluster: its namespaces, its files and its ssh server."""
import os
import shlex
import shutil
import socket
import subprocess
from pathlib import Path

from . import network
from .base import HERE, Problem, alive, identity, kill, run, spawn, undisturbed, wait_until

SERVICES = ("sshd", "slurmd", "slurmctld", "slurmscriptd")
NAMESPACES = ("net", "uts", "ipc", "mount", "pid")
# A remote Open MPI refuses root unless told twice; the hosts' only user is root.
MPI_AS_ROOT = {"OMPI_ALLOW_RUN_AS_ROOT": "1", "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM": "1"}

# The default key exchange (sntrup761) computes 50 ms for each of the many connections.
SSHD_CONFIG = """HostKey /cluster/host_key
KexAlgorithms curve25519-sha256
AuthorizedKeysFile /cluster/authorized_keys
PasswordAuthentication no
KbdInteractiveAuthentication no
PermitRootLogin prohibit-password
UsePAM no
StrictModes no
PrintMotd no
MaxStartups 100
MaxSessions 100
PidFile /run/sshd.pid
Subsystem sftp internal-sftp
SetEnv """ + " ".join(f"{name}={value}" for name, value in MPI_AS_ROOT.items()) + "\n"


def make_keys(paths):
    """New keys, side by side: each costs some 10 ms."""
    makers = []
    with undisturbed():  # they would write into a folder that is being removed
        for path in paths:
            path.unlink(missing_ok=True)
            makers.append(subprocess.Popen(["ssh-keygen", "-q", "-t", "ed25519", "-N", "", "-C",
                                            path.parent.name, "-f", path]))
        if any([maker.wait() for maker in makers]):
            raise Problem("ssh-keygen could not make the cluster's keys")


def known_line(cluster, name):
    cluster.host(name)
    key = (cluster.host_folder(name) / "etc/host_key.pub").read_text().split()[:2]
    return f"{name},{cluster.address(name)} {' '.join(key)}\n"


def prepare(cluster):
    """Writes all that the hosts and their user read: keys, ssh settings, name tables, disks.
    A host's disk is a plain folder bound into that host alone: it outlives a crash."""
    folder = cluster.folder
    for name in cluster.hosts:
        for part in ("etc", "mount", "disk/root/.ssh", "disk/home", "disk/var"):
            (cluster.host_folder(name) / part).mkdir(parents=True)
        (cluster.host_folder(name) / "disk/root/.ssh").chmod(0o700)
    make_keys([cluster.key(), *(cluster.host_folder(n) / "etc/host_key" for n in cluster.hosts)])
    known = "".join(known_line(cluster, name) for name in cluster.hosts)
    table = "127.0.0.1 localhost\n" + "".join(
        f"{cluster.address(name)} {name}\n" for name in [*cluster.hosts, "workstation"])
    cluster.known_hosts().write_text(known)
    cluster.ssh_config().write_text(ssh_settings(cluster, cluster.key(), cluster.known_hosts()))
    (folder / "hostfile").write_text("".join(f"{name} slots=1\n" for name in cluster.hosts))
    (folder / "bin").mkdir()
    for tool in ("ssh", "scp", "sftp"):
        write_program(folder / "bin" / tool,
                      f'exec {shutil.which(tool)} -F {cluster.ssh_config()} "$@"')
    for name in cluster.hosts:
        etc, ssh = cluster.host_folder(name) / "etc", cluster.host_folder(name) / "disk/root/.ssh"
        (etc / "hosts").write_text(table)
        (etc / "hostname").write_text(name + "\n")
        (etc / "sshd_config").write_text(SSHD_CONFIG)
        shutil.copy(cluster.key().with_suffix(".pub"), etc / "authorized_keys")
        shutil.copy(cluster.key(), ssh / "id_ed25519")
        (ssh / "known_hosts").write_text(known)
        (ssh / "config").write_text(
            ssh_settings(cluster, "/root/.ssh/id_ed25519", "/root/.ssh/known_hosts"))


def write_program(path, line):
    path.write_text(f"#!/bin/sh\n{line}\n")
    path.chmod(0o755)


def ssh_settings(cluster, key, known_hosts):
    lines = [f"Host {name}\n  HostName {cluster.address(name)}\n" for name in cluster.hosts]
    pattern = " ".join(cluster.hosts) + " " + cluster.data["subnet"].removesuffix("0/24") + "*"
    lines.append(f"Host {pattern}\n  User root\n  IdentityFile {key}\n  IdentitiesOnly yes\n"
                 f"  IdentityAgent none\n  UserKnownHostsFile {known_hosts}\n"
                 "  GlobalKnownHostsFile /dev/null\n  UpdateHostKeys no\n"
                 "  StrictHostKeyChecking yes\n  LogLevel INFO\n")
    return "".join(lines)


def launch(cluster, name):
    """Starts a host's namespaces and its first process; `plug` and `wait_for_ssh` follow."""
    folder, host = cluster.host_folder(name), cluster.host(name)
    command = ["unshare", *(f"--{kind}" for kind in NAMESPACES), "--fork", "--kill-child",
               HERE / "host-init", name, folder,
               "own" if cluster.data.get("own_usr") else "ro"]
    shared = [*cluster.data["shared"], *filter(None, [cluster.data.get("slurm_folder")])]
    command += [f"rw:{path}" for path in shared]
    command += [f"ro:{path}" for path in cluster.data["read_only"]]
    with undisturbed():
        host["outer"] = spawn(*command, log=folder / "log")
        host.pop("init", None)
        cluster.save()


def first_process(host):
    """The host's process 1 as this machine sees it: the only child of the process that made it."""
    pid = host.get("outer", {}).get("pid")
    try:
        children = Path(f"/proc/{pid}/task/{pid}/children").read_text().split()
    except OSError:
        children = []
    return identity(int(children[0])) if children and alive(host["outer"]) else None


def adopt(cluster, name):
    """Learns the pid of a launched host's first process, which is what one enters it by."""
    host = cluster.host(name)

    def found():
        if not alive(host["outer"]):
            raise Problem(f"host {name} did not start: {log_words(cluster, name)}")
        host["init"] = first_process(host)
        return host["init"]

    wait_until(found, 20, f"host {name} did not start")
    cluster.save()
    # Tests enter hosts hundreds of times, and Python takes longer to start than what they do there.
    write_program(cluster.folder / "bin" / f"in-{name}",
                  f'exec {shlex.join(inside(cluster, name, []))} "$@"')


def log_words(cluster, name):
    words = (cluster.host_folder(name) / "log").read_text().strip().splitlines()
    return "; ".join(words[-3:]) or "it said nothing"


def answers(address, port=22):
    with socket.socket() as probe:
        probe.settimeout(1)
        return probe.connect_ex((address, port)) == 0


def wait_for_ssh(cluster, name):
    host = cluster.host(name)

    def ready():
        if not alive(host["init"]):
            raise Problem(f"host {name} ended while starting: {log_words(cluster, name)}")
        return answers(host["address"])

    wait_until(ready, 20, f"the ssh server of {name} does not answer at {host['address']};"
               f" see {cluster.host_folder(name) / 'log'}")


def start(cluster, names):
    """Starts hosts side by side."""
    for name in names:
        if alive(cluster.host(name).get("init")):
            raise Problem(f"host {name} is already running")
    for name in names:
        launch(cluster, name)
    for name in names:
        adopt(cluster, name)
        network.plug(cluster, name)
    for name in names:
        wait_for_ssh(cluster, name)


def crash(cluster, names):
    """Ends all processes of hosts at once, as the kernel does for a pid namespace whose first
    process dies. Their connections close; pull the link first for a host that falls silent."""
    hosts = [cluster.host(name) for name in names]
    for name in names:
        (cluster.folder / "bin" / f"in-{name}").unlink(missing_ok=True)
    for host in hosts:
        # First the child: its parent then collects it and ends by itself.
        kill(host.get("init") or first_process(host) or host.get("outer"))
    for name, host in zip(names, hosts):
        wait_until(lambda h=host: not alive(h.get("init")) and not alive(h.get("outer")), 10,
                   f"processes of host {name} are still there")


def inside(cluster, name, command):
    """The command line that runs `command` in a host, in its home folder, with few variables."""
    host = cluster.host(name)
    if not alive(host.get("init")):
        raise Problem(f"host {name} is not running; start it with 'cluster start {name}'")
    environment = {"HOME": "/root", "USER": "root", "LANG": "C.UTF-8", **MPI_AS_ROOT,
                   "PATH": "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin",
                   "TERM": os.environ.get("TERM", "dumb")}
    return ["nsenter", "-t", str(host["init"]["pid"]), "-m", "-u", "-i", "-n", "-p", "--", "env",
            "-i", *(f"{key}={value}" for key, value in environment.items()),
            "sh", "-c", 'cd && exec "$@"', "sh", *command]


def run_inside(cluster, name, *command, check=True):
    return run(*inside(cluster, name, command), check=check)


def processes(cluster, name, with_services=False):
    """(pid, command line) of a host's processes, without the host's own services."""
    init = cluster.host(name).get("init")
    if not alive(init):
        return []
    found = []
    space = os.readlink(f"/proc/{init['pid']}/ns/pid")
    for entry in os.listdir("/proc"):
        if not entry.isdigit() or int(entry) == init["pid"]:
            continue
        try:
            if os.readlink(f"/proc/{entry}/ns/pid") != space:
                continue
            line = Path(f"/proc/{entry}/cmdline").read_bytes().replace(b"\0", b" ").decode().strip()
            comm = Path(f"/proc/{entry}/comm").read_text().strip()
        except OSError:
            continue
        service = comm in SERVICES or line == "sleep infinity"
        if with_services or not service:
            found.append((int(entry), line or f"[{comm}]"))
    return found
