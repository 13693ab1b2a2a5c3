# SPDX-License-Identifier: GPL-3.0-or-later
"""The cluster's network: a bridge in a namespace of its own (the switch), one cable to each host
and one to this machine (the workstation). As everything but the workstation's cable end lives in
namespaces held by processes, the kernel removes all of it when those processes end; and this
machine's own firewall rules never see traffic between hosts."""
import ipaddress
import json
import os
from pathlib import Path

from .base import HERE, Problem, alive, kill, run, spawn, undisturbed, wait_until


def free_subnet(taken):
    """The first 10.78-99.x.0/24 that no address and no route of this machine touches, nor one of
    `taken`."""
    used = list(taken)
    for entry in json.loads(run("ip", "-j", "-4", "addr") or "[]"):
        for info in entry.get("addr_info", []):
            used.append(ipaddress.ip_network(f"{info['local']}/{info['prefixlen']}", strict=False))
    for route in json.loads(run("ip", "-j", "-4", "route") or "[]"):
        if route["dst"] != "default":
            used.append(ipaddress.ip_network(route["dst"], strict=False))
    for second in range(78, 100):
        for third in range(256):
            candidate = ipaddress.ip_network(f"10.{second}.{third}.0/24")
            if not any(candidate.overlaps(other) for other in used):
                return candidate
    raise Problem("no free subnet in 10.78.0.0-10.99.255.0 on this machine")


def in_network(process, *command, text_in=None, check=True):
    return run("nsenter", "-t", process["pid"], "-n", *command, text_in=text_in, check=check)


def lay_cable(pid):
    """One from this machine to the switch; its subnet and its name, which say the same. Whoever
    shares this network but not this file system has another lock, and may be the first."""
    taken = []
    while True:
        subnet = free_subnet(taken)
        _, second, third, _ = str(subnet.network_address).split(".")
        cable = f"sbc{second}x{third}"
        try:
            run("ip", "link", "add", cable, "type", "veth", "peer", "name", "uplink", "netns", pid)
            return subnet, cable
        except Problem as problem:
            if "File exists" not in str(problem):
                raise
            taken.append(subnet)


def device_index(name):
    """The kernel's number of a network device of this machine, which no later one gets; None: there
    is no such device."""
    try:
        return int(Path(f"/sys/class/net/{name}/ifindex").read_text())
    except OSError:
        return None


def start_switch(cluster):
    """Makes the switch and plugs this machine in. The caller holds the machine's lock: the address
    set here is what keeps the next cluster from choosing the same subnet."""
    with undisturbed():
        switch = spawn("unshare", "--net", "sleep", "infinity", log=cluster.folder / "switch.log")
        cluster.data.update(switch=switch)
        cluster.save()
    own = os.readlink("/proc/self/ns/net")
    pid = switch["pid"]
    wait_until(lambda: not alive(switch) or os.readlink(f"/proc/{pid}/ns/net") != own, 20,
               "the switch's network namespace did not come up")
    subnet, cable = lay_cable(pid)
    cluster.data.update(subnet=str(subnet), workstation=str(subnet[254]), cable=cable,
                        cable_index=device_index(cable))
    cluster.save()
    run("ip", "addr", "add", f"{subnet[254]}/24", "dev", cable)
    run("ip", "link", "set", cable, "up")
    in_network(switch, "ip", "-batch", "-", text_in="link add bridge type bridge\n"
               "link set bridge up\nlink set uplink master bridge up\n")


def devices(space):
    lines = in_network(space, "ip", "-br", "link").splitlines()
    return [line.split()[0].split("@")[0] for line in lines]


def plug(cluster, name):
    """The cable from the switch to a host. The hardware address stays the same over a restart, or
    the others would send to the old one until their caches expire."""
    host = cluster.host(name)
    switch = cluster.data["switch"]
    mac = "02:5b:" + ":".join(f"{int(part):02x}" for part in host["address"].split("."))
    # The cable of a host that crashed goes a moment after the host.
    wait_until(lambda: name not in devices(switch), 5, f"the old cable of {name} is still there")
    in_network(switch, "ip", "-batch", "-", text_in=f"link add {name} type veth peer name eth0 "
               f"address {mac} netns {host['init']['pid']}\nlink set {name} master bridge up\n")
    in_network(host["init"], "ip", "-batch", "-", text_in="link set lo up\n"
               f"addr add {host['address']}/24 dev eth0\nlink set eth0 up\n")


def set_link(cluster, name, up):
    cluster.host(name)
    in_network(cluster.data["switch"], "ip", "link", "set", name, "up" if up else "down")
    if up:
        forget_neighbours(cluster)


def forget_neighbours(cluster):
    """Whoever was asked for while a cable was down is unreachable for seconds more ("No route to
    host"), which no test waits for."""
    run("ip", "neigh", "flush", "dev", cluster.data["cable"])
    present = devices(cluster.data["switch"])
    for name in cluster.hosts:
        if name in present:
            in_network(cluster.host(name)["init"], "ip", "neigh", "flush", "dev", "eth0")


def shape(cluster, rate):
    """Limits each cable in both directions to `rate` (as tc writes it: 1gbit); 'off' unlimits."""
    switch = cluster.data["switch"]
    for name in cluster.hosts:
        for place, device in ((switch, name), (cluster.host(name)["init"], "eth0")):
            if rate == "off":
                in_network(place, "tc", "qdisc", "del", "dev", device, "root", check=False)
            else:
                in_network(place, "tc", "qdisc", "replace", "dev", device, "root", "tbf", "rate",
                           rate, "burst", "128kb", "latency", "50ms")


def delay(cluster, microseconds):
    """Makes each host's cable long: frames take half the time to the switch and half from it. The
    cable then ends at a delay line instead of the bridge. 0 undoes."""
    switch = cluster.data["switch"]
    kill(cluster.data.get("delay_line"))
    wait_until(lambda: not alive(cluster.data.get("delay_line")), 5, "the delay line does not end")
    present = devices(switch)
    cables = [name for name in cluster.hosts if name in present]
    commands = [f"link del d-{name}" for name in cables if f"d-{name}" in present]
    for name in cables:
        commands += [f"link set {name} master bridge"] if not microseconds else [
            f"link set {name} nomaster", f"link add d-{name} type veth peer name b-{name}",
            f"link set b-{name} master bridge up", f"link set d-{name} up"]
    in_network(switch, "ip", "-batch", "-", text_in="\n".join(commands) + "\n")
    cluster.data.update(delay=microseconds, delay_line=None)
    if microseconds:
        words = cluster.folder / "delay-line.log"
        words.unlink(missing_ok=True)
        with undisturbed():
            line = spawn("nsenter", "-t", switch["pid"], "-n", HERE / "delay-line",
                         microseconds // 2, *(f"{name}=d-{name}" for name in cables), log=words)
            cluster.data["delay_line"] = line
            cluster.save()
        wait_until(lambda: "ready" in words.read_text() or not alive(line), 5,
                   "the delay line does not start")
        if not alive(line):
            raise Problem(f"the delay line ended: {words.read_text().strip()}")
    cluster.save()


def stop_switch(cluster):
    """The cable goes first: without a switch the kernel removes it, and a device of its name may be
    another cluster's."""
    cable = cluster.data.get("cable")

    def is_there():
        return cable and device_index(cable) == cluster.data.get("cable_index") is not None

    if is_there():
        run("ip", "link", "del", cable, check=False)
    switch = cluster.data.get("switch")
    kill(switch)
    wait_until(lambda: not alive(switch), 5, "the switch does not end")
    wait_until(lambda: not is_there(), 5, f"the network device {cable} is still there")
