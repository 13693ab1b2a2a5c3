#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Training speed and memory of the engine beside PyTorch's.

Both train the same network on the same machine, in turn (A B A B ...), every block in a process of
its own, pinned to the same cores, with the same number of threads. Prints medians over the blocks,
their spread, and the ratio of samples/s: above 1 the engine is faster. "cpu" is the ratio of the
samples per second of processor time, which other programs on the machine disturb less; it means
little with more than one thread, where waiting threads spin. PyTorch's memory allocator is told to
keep freed memory (MALLOC_... below), without which it is about a tenth slower.
"""

import argparse
import datetime
import json
import os
import platform
import statistics
import subprocess
import sys
from pathlib import Path

import environment

KEEP_MEMORY = {"MALLOC_MMAP_THRESHOLD_": str(1 << 32), "MALLOC_TRIM_THRESHOLD_": str(1 << 33)}
#: Timed steps of a block, so that it takes some seconds.
STEPS = {"resnet50": 4}


def block(command, cores, threads):
    """Runs one timed block pinned to `cores`; returns its JSON line."""
    variables = {**os.environ, **KEEP_MEMORY, "OMP_NUM_THREADS": str(threads)}
    done = subprocess.run(
        [str(part) for part in command],
        env=variables,
        preexec_fn=lambda: os.sched_setaffinity(0, cores),
        stdout=subprocess.PIPE,
        text=True,
        check=True,
    )
    return json.loads(done.stdout.splitlines()[-1])


def measure(engine, network, batch, precision, threads, rounds):
    """Blocks of both programs, alternating: (engine blocks, PyTorch blocks)."""
    cores = sorted(os.sched_getaffinity(0))[-threads:]
    arguments = ["--network", network, "--batch", batch, "--precision", precision]
    arguments += ["--threads", threads, "--steps", STEPS.get(network, 12)]
    script = Path(__file__).with_name("train_block.py")
    ours, torchs = [], []
    for _ in range(rounds):
        ours.append(block([engine, *arguments], cores, threads))
        torchs.append(block([sys.executable, script, *arguments], cores, threads))
    return ours, torchs


def middle(blocks, key):
    return statistics.median(b[key] for b in blocks)


def spread(blocks, key):
    """(largest - smallest) / median."""
    values = [b[key] for b in blocks]
    return (max(values) - min(values)) / statistics.median(values)


def row(network, batch, precision, threads, ours, torchs):
    """One row of the table, as it goes into the JSON."""
    speed, memory = "samplesPerSecond", "stepMiB"
    return {
        "network": network,
        "batch": batch,
        "precision": precision,
        "threads": threads,
        "engineSamplesPerSecond": middle(ours, speed),
        "engineSpread": spread(ours, speed),
        "torchSamplesPerSecond": middle(torchs, speed),
        "torchSpread": spread(torchs, speed),
        "ratio": middle(ours, speed) / middle(torchs, speed),
        "cpuRatio": middle(ours, "samplesPerCpuSecond") / middle(torchs, "samplesPerCpuSecond"),
        "engineMiB": middle(ours, memory),
        "torchMiB": middle(torchs, memory),
        "memoryRatio": middle(ours, memory) / middle(torchs, memory),
        "engineBlocks": ours,
        "torchBlocks": torchs,
    }


def print_row(r):
    print(
        f"{r['network']:12} {r['batch']:6} {r['precision']:5} {r['threads']:3} "
        f"{r['engineSamplesPerSecond']:9.1f} ±{50 * r['engineSpread']:3.0f} % "
        f"{r['torchSamplesPerSecond']:9.1f} ±{50 * r['torchSpread']:3.0f} % "
        f"{r['ratio']:6.2f} {r['cpuRatio']:5.2f} "
        f"{r['engineMiB']:7.0f} {r['torchMiB']:7.0f} {r['memoryRatio']:5.2f}",
        flush=True,
    )


def processor():
    for line in Path("/proc/cpuinfo").read_text().splitlines():
        if line.startswith("model name"):
            return line.partition(":")[2].strip()
    return platform.machine()


def main():
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    environment.add_arguments(parser)
    parser.add_argument("--network", nargs="*", help="default: all")
    parser.add_argument("--batch", type=int, help="samples per step (default: the network's)")
    parser.add_argument("--precision", nargs="*", default=["fp32", "bf16"])
    parser.add_argument("--threads", nargs="*", type=int, default=[1, 2])
    parser.add_argument("--rounds", type=int, default=3, help="blocks of each program (default: 3)")
    parser.add_argument("--json", type=Path, help="write everything measured to this file")
    args = parser.parse_args()
    environment.ensure_torch(args.venv)
    engine = environment.engine_program(args.engine)
    from networks import BATCHES, NETWORKS

    rows = []
    print(
        f"{'network':12} {'batch':>6} {'':5} {'thr':>3} {'engine/s':>9} {'':6} {'PyTorch/s':>9} "
        f"{'':6} {'ratio':>6} {'cpu':>5} {'MiB':>7} {'PyTorch':>7} ratio"
    )
    for network in args.network or NETWORKS:
        batch = args.batch or BATCHES[network]
        for precision in args.precision:
            for threads in args.threads:
                blocks = measure(engine, network, batch, precision, threads, args.rounds)
                rows.append(row(network, batch, precision, threads, *blocks))
                print_row(rows[-1])
    programs = {rows[0]["engineBlocks"][0]["program"], rows[0]["torchBlocks"][0]["program"]}
    print(f"{' and '.join(sorted(programs))}; {processor()}; {datetime.date.today()}")
    if args.json:
        machine = {"processor": processor(), "system": platform.platform(), "cores": os.cpu_count()}
        record = {"date": str(datetime.date.today()), "machine": machine, "rows": rows}
        args.json.write_text(json.dumps(record, indent=1) + "\n")


if __name__ == "__main__":
    main()
