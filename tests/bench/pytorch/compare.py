#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Training speed and memory of the engine beside PyTorch's.

Both train the same network on the same machine, in turn (A B A B ...), every block in a process of
its own, pinned to the same cores, with the same number of threads. Prints medians over the blocks,
their spread, and the ratio of samples/s: above 1 the engine is faster. "cpu" columns count samples per
second of processor time, which other programs on the machine disturb less; they mean little with more
than one thread, where waiting threads spin. PyTorch's memory allocator is told to keep freed memory
(MALLOC_... below), without which it is about a tenth slower. --isa avx2 holds both programs and their
libraries to what a processor without AVX-512 has. --quick takes one block of each and few steps, one
thread, as warm as the others: under 15 minutes on a machine that is not busy. --slow-core keeps one of
the cores busy half of the time, for both programs alike: what a small core among fast ones, another
program or a hypervisor does to threads that wait for one another. --beside N has N other programs compute
on the same cores meanwhile, as a compiler does. "handover": with several threads, the
nanoseconds that a line of memory took from the first core to the last and back, before and after the
engine's blocks. A hypervisor may move its processors between last-level caches, which takes five times
as long and up to a quarter of the speed of both programs: compare rows whose figures are alike.
"""

import argparse
import contextlib
import datetime
import json
import os
import platform
import statistics
import subprocess
import sys
import time
from pathlib import Path

import environment

KEEP_MEMORY = {"MALLOC_MMAP_THRESHOLD_": str(1 << 32), "MALLOC_TRIM_THRESHOLD_": str(1 << 33)}
#: Timed steps of a block, so that it takes some seconds.
STEPS = {"resnet50": 4, "ssd": 4}
#: Untimed steps before: PyTorch's second step may still take four times as long as its fourth (NCF in
#: fp32: 5.2, 2.8, 0.73, 0.76 s), as memory is taken from the system and zeroed.
WARMUP = 3
#: What --quick compares: (network, batch).
QUICK = {
    "resnet20": 128,
    "resnet50": 8,
    "ssd": 2,
    "transformer256": 16,
    "bert_mini128": 16,
    "lstm512": 32,
    "lstm1024": 32,
    "gnmt": 16,
    "ncf": 65536,
    "ncf_sparse": 65536,
    "dlrm": 2048,
}
#: For both programs alike: ours, oneDNN's, PyTorch's own loops, MKL's.
ISA = {
    "native": {},
    "avx2": {
        "SCALEBENCH_MAX_CPU_ISA": "avx2",
        "ONEDNN_MAX_CPU_ISA": "AVX2",
        "ATEN_CPU_CAPABILITY": "avx2",
        "MKL_ENABLE_INSTRUCTIONS": "AVX2",
    },
}


#: 200 us of work, then as long a sleep; the system wakes it some 60 us late.
HALF_BUSY = """
import time
while True:
    end = time.perf_counter() + 200e-6
    while time.perf_counter() < end:
        pass
    time.sleep(140e-6)
"""


def block_cores(threads):
    """The cores that blocks run on, rising."""
    return sorted(os.sched_getaffinity(0))[-threads:]


@contextlib.contextmanager
def others(args, threads):
    """What computes on the cores of the blocks: on the first of them half of the time, on all of them."""
    cores = block_cores(threads)
    wanted = [("while True: pass", cores)] * args.beside
    if args.slow_core:
        wanted.append((HALF_BUSY, cores[:1]))
    processes = [
        subprocess.Popen(
            [sys.executable, "-c", program], preexec_fn=lambda on=on: os.sched_setaffinity(0, on)
        )
        for program, on in wanted
    ]
    try:
        yield
    finally:
        for process in processes:
            process.kill()
            process.wait()


def block(command, cores, threads, args):
    """Runs one timed block pinned to `cores`; returns its JSON line."""
    variables = {**os.environ, **KEEP_MEMORY, **ISA[args.isa], "OMP_NUM_THREADS": str(threads)}
    if args.slow_core:
        variables["OMP_PROC_BIND"] = "true"  # one thread a core, or they would take turns
    done = subprocess.run(
        [str(part) for part in command],
        env=variables,
        preexec_fn=lambda: os.sched_setaffinity(0, cores),
        stdout=subprocess.PIPE,
        text=True,
        check=True,
    )
    return json.loads(done.stdout.splitlines()[-1])


def measure(engine, network, batch, precision, threads, args):
    """Blocks of both programs, alternating: (engine blocks, PyTorch blocks)."""
    cores = block_cores(threads)
    arguments = ["--network", network, "--batch", batch, "--precision", precision]
    steps = 3 if args.quick else STEPS.get(network, 12)
    arguments += ["--threads", threads, "--steps", steps, "--warmup", WARMUP]
    script = Path(__file__).with_name("train_block.py")
    ours, torchs = [], []
    for _ in range(1 if args.quick else args.rounds):
        ours.append(block([engine, *arguments], cores, threads, args))
        torchs.append(block([sys.executable, script, *arguments], cores, threads, args))
    return ours, torchs


def middle(blocks, key):
    return statistics.median(b[key] for b in blocks)


def spread(blocks, key):
    """(largest - smallest) / median."""
    values = [b[key] for b in blocks]
    return (max(values) - min(values)) / statistics.median(values)


def handover(blocks):
    """Least and most of all blocks in ns, or nothing where it was not measured."""
    times = [ns for b in blocks for ns in b["handoverNs"] if ns > 0]
    return [min(times), max(times)] if times else []


def row(network, batch, precision, threads, ours, torchs):
    """One row of the table, as it goes into the JSON."""
    speed, cpu, memory = "samplesPerSecond", "samplesPerCpuSecond", "stepMiB"
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
        "engineSamplesPerCpuSecond": middle(ours, cpu),
        "torchSamplesPerCpuSecond": middle(torchs, cpu),
        "cpuRatio": middle(ours, cpu) / middle(torchs, cpu),
        "engineMiB": middle(ours, memory),
        "torchMiB": middle(torchs, memory),
        "memoryRatio": middle(ours, memory) / middle(torchs, memory),
        "handoverNs": handover(ours),
        "engineBlocks": ours,
        "torchBlocks": torchs,
    }


def handover_text(r):
    return " to ".join(f"{ns:.0f}" for ns in r["handoverNs"])


def print_row(r):
    print(
        f"{r['network']:12} {r['batch']:6} {r['precision']:5} {r['threads']:3} "
        f"{r['engineSamplesPerSecond']:9.1f} ±{50 * r['engineSpread']:3.0f} % "
        f"{r['torchSamplesPerSecond']:9.1f} ±{50 * r['torchSpread']:3.0f} % "
        f"{r['ratio']:6.2f} {r['engineSamplesPerCpuSecond']:9.1f} "
        f"{r['torchSamplesPerCpuSecond']:9.1f} {r['cpuRatio']:5.2f} "
        f"{r['engineMiB']:7.0f} {r['torchMiB']:7.0f} {r['memoryRatio']:5.2f} {handover_text(r)}",
        flush=True,
    )


def processor():
    for line in Path("/proc/cpuinfo").read_text().splitlines():
        if line.startswith("model name"):
            return line.partition(":")[2].strip()
    return platform.machine()


def others_load():
    """(processor seconds of all programs, stolen ones) since the start, from /proc/stat."""
    ticks = [int(word) for word in Path("/proc/stat").read_text().split("\n")[0].split()[1:9]]
    per_second = os.sysconf("SC_CLK_TCK")
    return sum(ticks[i] for i in (0, 1, 2, 5, 6)) / per_second, ticks[7] / per_second


def load_sentence(before, after, seconds):
    busy, stolen = ((b - a) / seconds for a, b in zip(before, after))
    return (
        f"{busy:.2f} of {os.cpu_count()} processors were busy, with what is measured here and all else; "
        f"{stolen:.2f} stolen"
    )


def markdown(rows, closing):
    """The table for resources/docs/performance.md."""
    lines = [
        "| network | batch | precision | threads | engine/s | PyTorch/s | ratio | engine per cpu s "
        "| PyTorch per cpu s | ratio | MiB | PyTorch's | handover, ns |",
        "|" + "---|" * 13,
    ]
    for r in rows:
        lines.append(
            f"| {r['network']} | {r['batch']} | {r['precision']} | {r['threads']} "
            f"| {r['engineSamplesPerSecond']:.1f} | {r['torchSamplesPerSecond']:.1f} | {r['ratio']:.2f} "
            f"| {r['engineSamplesPerCpuSecond']:.1f} | {r['torchSamplesPerCpuSecond']:.1f} "
            f"| **{r['cpuRatio']:.2f}** | {r['engineMiB']:.0f} | {r['torchMiB']:.0f} | {handover_text(r)} |"
        )
    return "\n".join([*lines, "", closing, ""])


def main():
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    environment.add_arguments(parser)
    parser.add_argument("--network", nargs="*", help="default: all")
    parser.add_argument("--batch", type=int, help="samples per step (default: the network's)")
    parser.add_argument("--precision", nargs="*", default=["fp32", "bf16"])
    parser.add_argument("--threads", nargs="*", type=int, default=None, help="default: 1 2")
    parser.add_argument("--quick", action="store_true", help="one block each, few steps, 1 thread")
    parser.add_argument("--isa", choices=sorted(ISA), default="native")
    parser.add_argument("--slow-core", action="store_true", help="one core is busy half of the time")
    parser.add_argument("--beside", type=int, default=0, metavar="N", help="N others compute too")
    parser.add_argument("--markdown", type=Path, help="write the table to this file")
    parser.add_argument("--rounds", type=int, default=3, help="blocks of each program (default: 3)")
    parser.add_argument("--json", type=Path, help="write everything measured to this file")
    args = parser.parse_args()
    environment.ensure_torch(args.venv)
    engine = environment.engine_program(args.engine)
    from networks import BATCHES, NETWORKS

    rows = []
    before, start = others_load(), time.monotonic()
    print(
        f"{'network':12} {'batch':>6} {'':5} {'thr':>3} {'engine/s':>9} {'':6} {'PyTorch/s':>9} "
        f"{'':6} {'ratio':>6} {'per cpu s':>9} {'PyTorch':>9} {'ratio':>5} {'MiB':>7} "
        f"{'PyTorch':>7} ratio handover"
    )
    for network in args.network or (QUICK if args.quick else NETWORKS):
        batch = args.batch or (QUICK if args.quick else {}).get(network, BATCHES[network])
        for precision in args.precision:
            for threads in args.threads or ([1] if args.quick else [1, 2]):
                with others(args, threads):
                    blocks = measure(engine, network, batch, precision, threads, args)
                rows.append(row(network, batch, precision, threads, *blocks))
                print_row(rows[-1])
    programs = {rows[0]["engineBlocks"][0]["program"], rows[0]["torchBlocks"][0]["program"]}
    took = time.monotonic() - start
    closing = (
        f"{' and '.join(sorted(programs))}; {processor()}, {args.isa}"
        f"{', one core half busy' if args.slow_core else ''}"
        f"{f', beside {args.beside} others' if args.beside else ''}; {datetime.date.today()}; "
        f"{took / 60:.0f} minutes, {load_sentence(before, others_load(), took)}"
    )
    print(closing)
    if args.markdown:
        args.markdown.write_text(markdown(rows, closing))
    if args.json:
        machine = {"processor": processor(), "system": platform.platform(), "cores": os.cpu_count()}
        record = {"date": str(datetime.date.today()), "machine": machine, "rows": rows}
        args.json.write_text(json.dumps(record, indent=1) + "\n")


if __name__ == "__main__":
    main()
