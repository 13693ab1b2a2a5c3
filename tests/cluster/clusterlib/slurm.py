# SPDX-License-Identifier: GPL-3.0-or-later
"""Slurm on the hosts of a cluster: the controller on the first host, a node on each. Its folder is
shared by all hosts and this machine, so that sbatch works in all of them. One munge daemon serves
all through its socket in that folder; it runs outside the hosts, as it must outlive each."""
import os
import re
import stat
import subprocess

from . import hosts
from .base import Problem, alive, run, spawn, undisturbed, wait_until

TOOLS = ("munged", "slurmctld", "slurmd", "sbatch")

SETTINGS = """ClusterName=test
SlurmctldHost={controller}({address})
SlurmUser=root
SlurmdUser=root
AuthType=auth/munge
AuthInfo=socket={folder}/munge/socket
StateSaveLocation={folder}/state
SlurmdSpoolDir=/var/spool/slurmd
SlurmctldPidFile=/run/slurmctld.pid
SlurmdPidFile=/run/slurmd.pid
SlurmctldLogFile={folder}/log/slurmctld.log
SlurmdLogFile={folder}/log/slurmd.%n.log
ProctrackType=proctrack/linuxproc
TaskPlugin=task/none
JobAcctGatherType=jobacct_gather/linux
JobAcctGatherParams=OverMemoryKill
JobAcctGatherFrequency=task=1
AccountingStorageType=accounting_storage/none
SelectType=select/cons_tres
SelectTypeParameters=CR_Core_Memory
DefMemPerCPU=8000
SchedulerParameters=batch_sched_delay=0,sched_interval=2,sched_min_interval=0
SlurmdParameters=config_overrides
PreemptType=preempt/partition_prio
PreemptMode=CANCEL
ReturnToService=2
SlurmdTimeout=30
KillWait=5
MinJobAge=300
GresTypes=gpu
NodeName=DEFAULT CPUs=2 RealMemory=64000 Gres=gpu:2
{nodes}
PartitionName=DEFAULT Nodes={names} State=UP PriorityTier=1
PartitionName=all Default=YES MaxTime=1:00:00
PartitionName=short MaxTime=1
PartitionName=urgent MaxTime=1:00:00 PriorityTier=10 PreemptMode=OFF
"""


def prepare(cluster):
    folder = cluster.folder / "slurm"
    for part in ("munge", "state", "log"):
        (folder / part).mkdir(parents=True)
    for number in (0, 1):
        # The GPUs a job asks for: Slurm only wants to see device files.
        os.mknod(folder / f"gpu{number}", stat.S_IFCHR | 0o666, os.makedev(1, 5))
    nodes = "\n".join(f"NodeName={name} NodeAddr={cluster.address(name)}" for name in cluster.hosts)
    controller = cluster.hosts[0]
    (folder / "slurm.conf").write_text(SETTINGS.format(
        controller=controller, address=cluster.address(controller), folder=folder, nodes=nodes,
        names=",".join(cluster.hosts)))
    (folder / "gres.conf").write_text(f"Name=gpu File={folder}/gpu[0-1]\n")
    (folder / "cgroup.conf").write_text("CgroupPlugin=cgroup/v1\nCgroupAutomount=no\n")
    for name in cluster.hosts:
        settings = cluster.host_folder(name) / "etc/slurm"
        settings.mkdir()
        for file in ("slurm.conf", "gres.conf", "cgroup.conf"):
            (settings / file).symlink_to(folder / file)
    cluster.data["slurm_folder"] = str(folder)
    cluster.data["slurm_conf"] = str(folder / "slurm.conf")
    start_munge(cluster, folder / "munge")


def start_munge(cluster, folder):
    key = folder / "key"
    key.touch(mode=0o600)
    key.write_bytes(os.urandom(128))
    with undisturbed():
        cluster.data["munged"] = spawn(
            "munged", "--foreground", f"--key-file={key}", f"--socket={folder}/socket",
            f"--pid-file={folder}/pid", f"--log-file={folder}/log", f"--seed-file={folder}/seed",
            log=folder / "words")
        cluster.save()


def start_daemons(cluster, names):
    """Slurm's daemons on hosts that have just started."""
    if "slurm_conf" not in cluster.data:
        return
    for name in names:
        if name == cluster.hosts[0]:
            hosts.run_inside(cluster, name, "slurmctld")
        hosts.run_inside(cluster, name, "slurmd")


def wait_for_nodes(cluster, names):
    """Until Slurm knows that these nodes are there; not without its controller."""
    if "slurm_conf" not in cluster.data or not alive(cluster.host(cluster.hosts[0]).get("init")):
        return
    environment = dict(os.environ, SLURM_CONF=cluster.data["slurm_conf"])

    def usable():
        done = subprocess.run(["sinfo", "-h", "-N", "-p", "all", "-n", ",".join(names), "-o", "%T"],
                              env=environment, capture_output=True, text=True, check=False)
        states = done.stdout.split()
        return len(states) == len(names) and all(
            re.fullmatch("idle|mixed|allocated|drain(ed|ing)", state) for state in states)

    wait_until(usable, 30, f"Slurm does not see {', '.join(names)}; see {cluster.folder}/slurm/log")


def set_node(cluster, name, state):
    """Takes a node out of service (down ends its jobs, drain lets them end) or back."""
    if "slurm_conf" not in cluster.data:
        raise Problem(f"cluster '{cluster.name}' runs no Slurm; start it with 'up --slurm'")
    settings = f"SLURM_CONF={cluster.data['slurm_conf']}"
    if state == "resume":
        # A node that came back by itself (ReturnToService) refuses to be resumed.
        now = run("env", settings, "sinfo", "-h", "-N", "-p", "all", "-n", name, "-o", "%T")
        if not re.match("down|drain", now):
            return
    reason = [] if state == "resume" else ["Reason=test"]
    run("env", settings, "scontrol", "update", f"NodeName={name}", f"State={state.upper()}",
        *reason)
