# SPDX-License-Identifier: GPL-3.0-or-later
"""Ways to break a host, each with its undo."""
import shlex
import shutil

from . import hosts, network
from .base import Problem, wait_until


def filter_rule(cluster, name, on, chain, *rule):
    """Sets or removes one firewall rule in a host; setting it twice leaves one."""
    if not shutil.which("iptables"):
        raise Problem("iptables is not installed; install it to block traffic in the test cluster")
    space = cluster.host(name)["init"]
    remove = f"iptables -w -D {chain} {shlex.join(rule)} 2>/dev/null && echo removed"
    while network.in_network(space, "sh", "-c", remove, check=False):
        pass
    if on:
        network.in_network(space, "iptables", "-w", "-I", chain, *rule)


def drop(cluster, name, on):
    """ssh to the host hangs: what arrives at its port 22 vanishes."""
    filter_rule(cluster, name, on, "INPUT", "-p", "tcp", "--dport", "22", "-j", "DROP")


def firewall(cluster, source, target, mode):
    """Connections opened by source to target: dropped, rejected or let through again; `cut` drops
    everything between the two, also of open connections. Either may be `workstation`, whose own
    rules are never touched."""
    cluster.address(source), cluster.address(target)
    if source == target == "workstation":
        raise Problem("a firewall needs at least one host")
    if source == "workstation":
        name, chain, match = target, "INPUT", ("-s", cluster.address(source))
        back = ("OUTPUT", "-d", cluster.address(source))
    else:
        name, chain, match = source, "OUTPUT", ("-d", cluster.address(target))
        back = ("INPUT", "-s", cluster.address(target))
    new = ("-p", "tcp", "--syn")
    filter_rule(cluster, name, mode == "drop", chain, *match, *new, "-j", "DROP")
    filter_rule(cluster, name, mode == "reject", chain, *match, *new, "-j", "REJECT",
                "--reject-with", "tcp-reset")
    filter_rule(cluster, name, mode == "cut", chain, *match, "-j", "DROP")
    filter_rule(cluster, name, mode == "cut", *back, "-j", "DROP")


def refuse(cluster, name, on):
    """The ssh server stops listening (connection refused); open sessions stay."""
    if on:
        # Closing is not instant: wait until the port refuses.
        hosts.run_inside(cluster, name, "sh", "-c",
                         '[ ! -e /run/sshd.pid ] || kill "$(cat /run/sshd.pid)"')
        wait_until(lambda: not hosts.answers(cluster.address(name)), 5,
                   f"the ssh server of {name} still listens")
    elif not hosts.answers(cluster.address(name)):
        hosts.run_inside(cluster, name, "/usr/sbin/sshd", "-f", "/cluster/sshd_config", "-E",
                         "/var/log/sshd.log")
        hosts.wait_for_ssh(cluster, name)


def set_known(path, name, line):
    kept = [old for old in path.read_text().splitlines(keepends=True)
            if old.split(",", 1)[0] != name]
    path.write_text("".join(kept) + line)


def forget_key(cluster, name):
    """The user has never met this host: its key is in no line of the user's known_hosts."""
    cluster.host(name)
    set_known(cluster.known_hosts(), name, "")


def learn_key(cluster, name):
    """Undo of forget_key and change_key: the user and all hosts know the host's present key."""
    line = hosts.known_line(cluster, name)
    set_known(cluster.known_hosts(), name, line)
    for other in cluster.hosts:
        set_known(cluster.host_folder(other) / "disk/root/.ssh/known_hosts", name, line)


def change_key(cluster, name):
    """The host shows a new key; everyone still knows the old one."""
    cluster.host(name)
    hosts.make_keys([cluster.host_folder(name) / "etc/host_key"])
    refuse(cluster, name, True)
    refuse(cluster, name, False)


def allow(cluster, name, on):
    """Whether the host accepts the cluster's key."""
    cluster.host(name)
    key = cluster.key().with_suffix(".pub").read_text() if on else ""
    (cluster.host_folder(name) / "etc/authorized_keys").write_text(key)


def in_host(folder):
    return "/root" + folder[1:] if folder.startswith("~") else folder


def small_disk(cluster, name, folder, size):
    """A tiny file system at a folder of the host (size as for tmpfs: 4m); 'off' removes it."""
    target = in_host(folder)
    if size == "off":
        hosts.run_inside(cluster, name, "umount", target)
    else:
        hosts.run_inside(cluster, name, "mkdir", "-p", target)
        hosts.run_inside(cluster, name, "mount", "-t", "tmpfs", "-o", f"size={size}", "small-disk",
                         target)


def fill_disk(cluster, name, folder, on):
    """Fills a small disk to its last byte. Only a small disk: others are this machine's own."""
    target = in_host(folder)
    if hosts.run_inside(cluster, name, "findmnt", "-n", "-o", "SOURCE", "-T", target,
                        check=False).strip() != "small-disk":
        raise Problem(f"{folder} on {name} is no small disk; make one with 'cluster small-disk'")
    hosts.run_inside(cluster, name, "rm", "-f", f"{target}/.filler")
    if on:
        hosts.run_inside(cluster, name, "dd", "if=/dev/zero", f"of={target}/.filler", "bs=4k",
                         check=False)
