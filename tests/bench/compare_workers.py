#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""What training together costs: N workers of one run beside N runs of one worker at the same time.

Both ways train the same network with the same batch for each worker and the same threads, on the same
cores, in turn, so that they share caches, memory and clocks alike. Prints for every round

    what both train a second (all workers together; all epochs but the last, without the first step), in
        what the workload's batch counts: samples, or tokens;
    "ratio": the former over the latter, 1 if training together cost nothing;
    "waiting": what of that ratio would be left if the runs of one only waited for one another after
        each step. Below 1 where something else takes time from one worker, then from the other.

and at the end their medians. What "ratio" has less than "waiting" went to summing gradients; on a busy
machine look at medians of many rounds only, as the two come from different minutes.

`build/check/bin/scalebench` is the program unless --scalebench names another. Every argument that this
script does not know goes to `scalebench run`, for example

    tests/bench/compare_workers.py resnet --batch 64 --precision bf16 --overlap
"""

import argparse
import contextlib
import json
import os
import shutil
import statistics
import subprocess
import sys
import tempfile
from pathlib import Path


@contextlib.contextmanager
def run(scalebench, folder, arguments, cores):
    """One run in a library of its own, which does not outlive the block."""
    folder.mkdir()
    places = {f"XDG_{kind}_HOME": str(folder / kind) for kind in ("DATA", "CONFIG", "CACHE")}
    process = subprocess.Popen(
        [scalebench, "run", *arguments],
        env={**os.environ, **places, "SCALEBENCH_MACHINE_LOCKS": "off"},
        preexec_fn=lambda: os.sched_setaffinity(0, cores),
        stdout=subprocess.DEVNULL,
        stderr=subprocess.PIPE,
        text=True,
    )
    try:
        yield process
    finally:
        if process.poll() is None:
            process.terminate()  # it ends its workers
        process.wait()


def step_times(process, folder, epochs):
    """Seconds of the steps of the first epochs but the very first, as the run's stream has them."""
    errors = process.communicate()[1]
    if process.returncode != 0:
        sys.exit(f"{errors}compare_workers: {' '.join(process.args)} ended with {process.returncode}.")
    times = []
    for stream in folder.glob("DATA/**/result_0.txt"):
        for line in stream.read_text().splitlines():
            record = json.loads(line[line.index("{") :])
            if record["key"] == "step" and record["value"]["epoch"] <= epochs:
                times.append(record["value"]["step_ms"] / 1000)
    if len(times) < 2:
        sys.exit(f"compare_workers: fewer than two steps in the first epochs below {folder}.")
    return times[1:]


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("workload")
    parser.add_argument("--workers", type=int, default=2)
    parser.add_argument("--threads", type=int, default=1, help="of each worker")
    parser.add_argument("--batch", type=int, default=128, help="of each worker")
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument(
        "--epochs", type=int, default=2, help="more for short ones; in the last, runs end one by one"
    )
    parser.add_argument("--scalebench", default="build/check/bin/scalebench")
    args, others = parser.parse_known_args()
    if args.epochs < 2:
        parser.error("the last epoch does not count: --epochs takes 2 or more")
    usable = sorted(os.sched_getaffinity(0))
    if args.workers * args.threads > len(usable):
        parser.error(f"{args.workers} x {args.threads} threads need more than {len(usable)} processors")

    if not shutil.which(args.scalebench):
        parser.error(f"no program {args.scalebench} here: build it, run this from the repository, or name it")

    common = [args.workload, "--threads", str(args.threads), "--batch", str(args.batch)]
    common += ["--batch-policy", "weak", "--epochs", str(args.epochs), "--target", "none"]
    common += ["--checkpoint-every", "0", *others]
    used = usable[-args.workers * args.threads :]
    ratios, waits = [], []
    for number in range(args.rounds):
        with tempfile.TemporaryDirectory() as name:
            place = Path(name)
            workers = [*common, "--workers", str(args.workers)]
            with run(args.scalebench, place / "all", workers, used) as process:
                together = step_times(process, place / "all", args.epochs - 1)
            with contextlib.ExitStack() as runs:
                started = []
                for i in range(args.workers):
                    folder, cores = place / str(i), used[i * args.threads : (i + 1) * args.threads]
                    one = run(args.scalebench, folder, [*common, "--workers", "1"], cores)
                    started.append((runs.enter_context(one), folder))
                apart = [step_times(*each, args.epochs - 1) for each in started]
        rate = args.batch * args.workers / statistics.mean(together)
        rates = sum(args.batch / statistics.mean(times) for times in apart)
        waiting = args.batch * args.workers / statistics.mean(max(each) for each in zip(*apart))
        ratios.append(rate / rates)
        waits.append(waiting / rates)
        print(
            f"round {number + 1}: {args.workers} workers {rate:.1f}/s, {args.workers} runs of one "
            f"{rates:.1f}/s; ratio {ratios[-1]:.3f}, waiting {waits[-1]:.3f}",
            flush=True,
        )
    print(f"medians: ratio {statistics.median(ratios):.3f}, waiting {statistics.median(waits):.3f}")


if __name__ == "__main__":
    main()
