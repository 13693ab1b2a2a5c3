# SPDX-License-Identifier: GPL-3.0-or-later
"""One timed block of training in PyTorch, in a process of its own: the counterpart of bench_train.

Prints one JSON line with the keys that bench_train prints. Eager mode with the fastest standard
choices: channels_last for images, bf16 autocast, fused optimizer, gradients set to None.
"""

import argparse
import json
import re
import statistics
import time
from pathlib import Path

import torch

from networks import NETWORKS


def memory_mib(field):
    """VmRSS or VmHWM of this process."""
    for line in Path("/proc/self/status").read_text().splitlines():
        if line.startswith(field + ":"):
            return int(line.split()[1]) / 1024
    raise RuntimeError(f"no {field} in /proc/self/status")


def reset_peak():
    Path("/proc/self/clear_refs").write_text("5")


def prepare(work, channels_last):
    """Moves model and images to the layout PyTorch is fastest with."""
    if channels_last:
        work.model.to(memory_format=torch.channels_last)
        work.batch["images"] = work.batch["images"].contiguous(memory_format=torch.channels_last)


def step(work, optimizer, precision, device):
    optimizer.zero_grad(set_to_none=True)
    with torch.autocast(device, dtype=torch.bfloat16, enabled=precision == "bf16"):
        loss = work.loss(work.model, work.batch)
    loss.backward()
    optimizer.step()
    return loss.item()


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--network", choices=sorted(NETWORKS), required=True)
    parser.add_argument("--batch", type=int, required=True)
    parser.add_argument("--precision", choices=["fp32", "bf16"], required=True)
    parser.add_argument("--device", choices=["cpu", "cuda"], default="cpu")
    parser.add_argument("--threads", type=int, default=1)
    parser.add_argument("--warmup", type=int, default=3)
    parser.add_argument("--steps", type=int, default=10)
    args = parser.parse_args()

    torch.set_num_threads(args.threads)
    torch.manual_seed(1)
    torch.set_default_device(args.device)
    torch.backends.cudnn.allow_tf32 = False  # the engine's fp32 is fp32
    torch.backends.cudnn.benchmark = True
    reset_peak()
    before = memory_mib("VmRSS")
    work = NETWORKS[args.network](args.batch)
    prepare(work, work.channels_last)
    work.model.train()
    optimizer = work.optimizer(work.model.parameters())
    for _ in range(args.warmup):
        loss = step(work, optimizer, args.precision, args.device)
    wall, cpu = [], []
    for _ in range(args.steps):
        wall_start, cpu_start = time.perf_counter(), time.process_time()
        loss = step(work, optimizer, args.precision, args.device)
        wall.append(time.perf_counter() - wall_start)
        cpu.append(time.process_time() - cpu_start)
    peak = memory_mib("VmHWM")
    if args.device == "cuda":
        where = f"{torch.cuda.get_device_name()}, cuDNN {torch.backends.cudnn.version()}"
    else:
        library = re.search(r"MKL-DNN v([0-9.]+)", torch.__config__.show())
        where = f"oneDNN {library[1] if library else 'none'}, {torch.backends.cpu.get_cpu_capability()}"
    print(
        json.dumps(
            {
                "program": f"pytorch {torch.__version__} ({where})",
                "network": args.network,
                "batch": args.batch,
                "precision": args.precision,
                "threads": args.threads,
                "steps": args.steps,
                "samplesPerSecond": args.batch / statistics.median(wall),
                "samplesPerSecondBest": args.batch / min(wall),
                "samplesPerCpuSecond": args.batch / statistics.median(cpu),
                "peakMiB": peak,
                "stepMiB": peak - before,
                "loss": loss,
            }
        )
    )


if __name__ == "__main__":
    main()
