# SPDX-License-Identifier: GPL-3.0-or-later
"""What every part of the cluster needs: running commands, process identity, the saved state."""
import contextlib
import fcntl
import json
import os
import signal
import subprocess
import tempfile
import time
from pathlib import Path

LOCK = "/run/scalebench-cluster.lock"
HERE = Path(__file__).resolve().parent.parent


class Problem(Exception):
    """One sentence for the person who ran the command."""


def run(*command, text_in=None, check=True):
    """Runs a command to its end and returns its stdout; a failure says what it said."""
    done = subprocess.run([str(part) for part in command], input=text_in, capture_output=True,
                          text=True, check=False)
    if check and done.returncode != 0:
        words = (done.stderr or done.stdout).strip().replace("\n", "; ")
        raise Problem(f"'{' '.join(map(str, command))}' failed ({done.returncode}): {words}")
    return done.stdout


class Interruption:
    """What a signal does: it ends this command at once, or after what must not be cut in two."""
    held = 0
    number = None

    @classmethod
    def on_signal(cls, number, _frame):
        cls.number = number
        if not cls.held:
            cls.end()

    @classmethod
    def end(cls):
        raise Problem(f"interrupted by signal {cls.number}")


@contextlib.contextmanager
def undisturbed():
    """Something is made and then noted: without the note nobody would remove it."""
    Interruption.held += 1
    try:
        yield
    finally:
        Interruption.held -= 1
    if Interruption.number and not Interruption.held:
        Interruption.end()


def spawn(*command, log):
    """Starts a process that outlives this command, in its own session and with closed stdin. To be
    noted at once: undisturbed()."""
    with open(log, "ab") as out:
        child = subprocess.Popen([str(part) for part in command], stdin=subprocess.DEVNULL,
                                 stdout=out, stderr=out, start_new_session=True, cwd="/")
    return identity(child.pid)


def identity(pid):
    """A pid with its start time: a pid alone may have passed to another process."""
    try:
        fields = Path(f"/proc/{pid}/stat").read_text().rsplit(")", 1)[1].split()
    except (OSError, IndexError):
        return {"pid": pid, "start": 0}
    return {"pid": pid, "start": int(fields[19]), "zombie": fields[0] == "Z"}


def alive(process):
    if not process:
        return False
    now = identity(process["pid"])
    return now["start"] == process["start"] != 0 and not now["zombie"]


def kill(process, number=signal.SIGKILL):
    if alive(process):
        with contextlib.suppress(ProcessLookupError):
            os.kill(process["pid"], number)


def wait_until(condition, seconds, what):
    """`seconds`: more than it takes on an idle machine. A busy one gets ten times as much."""
    begin = time.monotonic()
    while not condition():
        if time.monotonic() > begin + 10 * seconds:
            raise Problem(f"{what} (waited {10 * seconds} s)")
        time.sleep(0.01)


@contextlib.contextmanager
def machine_lock():
    """One cluster at a time chooses its subnet on this machine, whoever runs it."""
    with open(LOCK, "w") as file:
        fcntl.flock(file, fcntl.LOCK_EX)
        yield


def state_folder(name):
    return Path(tempfile.gettempdir()) / f"scalebench-cluster-{name}"


def names():
    """Names of the clusters that have a state folder here."""
    folders = Path(tempfile.gettempdir()).glob("scalebench-cluster-*/cluster.json")
    return sorted(folder.parent.name.removeprefix("scalebench-cluster-") for folder in folders)


class Cluster:
    """A cluster's saved description (cluster.json in its state folder). Saved after each step that
    makes something, so that `down` also removes what an interrupted `up` left."""

    def __init__(self, name):
        self.name = name
        self.folder = state_folder(name)
        self.data = {"name": name, "hosts": {}, "shared": [], "read_only": []}

    @classmethod
    def load(cls, name):
        cluster = cls(name)
        try:
            cluster.data = json.loads((cluster.folder / "cluster.json").read_text())
        except (OSError, ValueError):
            raise Problem(f"there is no cluster '{name}' ({cluster.folder} holds none);"
                          " start it with 'cluster up'") from None
        return cluster

    @classmethod
    def choose(cls, name):
        """The named cluster; without a name the only one that is up."""
        name = name or os.environ.get("SCALEBENCH_CLUSTER")
        if not name:
            known = names()
            if len(known) != 1:
                raise Problem(f"{len(known)} clusters are up ({', '.join(known) or 'none'});"
                              " say which with --name or SCALEBENCH_CLUSTER")
            name = known[0]
        return cls.load(name)

    def save(self):
        new = self.folder / "cluster.json.new"
        new.write_text(json.dumps(self.data, indent=1))
        new.rename(self.folder / "cluster.json")

    @property
    def hosts(self):
        return list(self.data["hosts"])

    def host(self, name):
        if name not in self.data["hosts"]:
            raise Problem(f"cluster '{self.name}' has no host '{name}'; it has"
                          f" {', '.join(self.hosts)}")
        return self.data["hosts"][name]

    def address(self, name):
        if name == "workstation":
            return self.data["workstation"]
        return self.host(name)["address"]

    def host_folder(self, name):
        return self.folder / "hosts" / name

    def ssh_config(self):
        return self.folder / "ssh_config"

    def known_hosts(self):
        return self.folder / "known_hosts"

    def key(self):
        return self.folder / "id_ed25519"

    def environment(self):
        """What a program needs to use the cluster; the names are documented in README.md."""
        values = {
            "SCALEBENCH_CLUSTER": self.name,
            "CLUSTER_STATE": str(self.folder),
            "CLUSTER_SSH_CONFIG": str(self.ssh_config()),
            "CLUSTER_KNOWN_HOSTS": str(self.known_hosts()),
            "CLUSTER_KEY": str(self.key()),
            "CLUSTER_BIN": str(self.folder / "bin"),
            "CLUSTER_HOSTS": self.hosts,
            "CLUSTER_ADDRESSES": [self.address(host) for host in self.hosts],
            "CLUSTER_SUBNET": self.data.get("subnet", ""),
            "CLUSTER_WORKSTATION": self.data.get("workstation", ""),
            "CLUSTER_LOGIN": self.hosts[0] if self.hosts else "",
            "CLUSTER_HOSTFILE": str(self.folder / "hostfile"),
            "CLUSTER_SHARED": self.data["shared"],
        }
        if "slurm_conf" in self.data:
            values["SLURM_CONF"] = self.data["slurm_conf"]
        return values
