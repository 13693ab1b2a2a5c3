#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Loss and every gradient of one training step, engine against PyTorch, same weights and batch.

bench_train writes weights, batch, loss and gradients. PyTorch loads weights and batch and computes
the same step twice: in float64, which is the truth, and in the precision under test. A gradient
passes when its distance from the truth, |g - truth| / |truth| over the whole tensor, is below the
bound of the precision or no more than twice what PyTorch itself leaves in that precision. Rounding
may move a value across the kink of a ReLU, which changes gradients by far more than rounding does;
so the smallest distance over several seeds counts: an error of the arithmetic shows in all of them.
Exits with 1 when a tensor fails.
"""

import argparse
import math
import subprocess
import sys
import tempfile
from pathlib import Path

import environment

#: Relative distance that always passes. bf16 keeps 8 bits; errors grow with depth.
BOUNDS = {"fp32": 1e-4, "bf16": 2e-2}
SLACK = 2.0
#: Samples; few, because float64 is slow and every activation may meet a kink.
BATCHES = {"resnet9": 4, "resnet18": 4, "resnet20": 2, "resnet50": 4, "lstm512": 2, "lstm1024": 2, "gnmt": 2, "ssd": 2,
           "bert_mini128": 4, "bert_base128": 2}


def distance(a, truth):
    """Relative distance of two tensors or numbers in float64; 0 when both are zero."""
    scale = truth.norm().item()
    difference = (a.double() - truth).norm().item()
    return difference / scale if scale > 0 else (0.0 if difference == 0 else math.inf)


def dense_gradients(tensors):
    """Engine gradients by parameter name; sparse ones (touched rows) spread out."""
    import torch

    gradients = {}
    for name, tensor in tensors.items():
        kind, _, parameter = name.partition(".")
        if kind == "gradient":
            gradients[parameter] = tensor
        elif kind == "rowgradient":
            full = torch.zeros_like(tensors["parameter." + parameter])
            full[tensors["rows." + parameter].long()] = tensor
            gradients[parameter] = full
    return gradients


def torch_step(work, tensors, dtype, autocast):
    """Loss and gradients by name. `work` is used up."""
    import torch

    model = work.model.to(dtype).train()
    state = {n.partition(".")[2]: t.to(dtype) for n, t in tensors.items() if n.startswith("parameter.")}
    expected = dict(model.named_parameters())
    if set(expected) != set(state):
        sys.exit(f"the networks differ: {sorted(set(expected) ^ set(state))}")
    with torch.no_grad():
        for name, parameter in expected.items():
            parameter.copy_(state[name])
    batch = {n.partition(".")[2]: t for n, t in tensors.items() if n.startswith("input.")}
    batch = work.from_engine(batch)
    batch = {n: t.to(dtype) if t.is_floating_point() else t.long() for n, t in batch.items()}
    with torch.autocast("cpu", dtype=torch.bfloat16, enabled=autocast):
        loss = work.loss(model, batch)
    loss.backward()
    gradients = {
        n: (torch.zeros_like(p) if p.grad is None else p.grad.to_dense()) for n, p in expected.items()
    }
    return loss.detach(), gradients


def compare(engine, network, precision, samples, seed):
    """[(name, distance of the engine, distance of PyTorch)]; None when the engine cannot do it."""
    import torch

    from networks import NETWORKS
    from tensor_file import read_tensor_file

    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "step"
        arguments = {"network": network, "batch": samples, "precision": precision, "seed": seed}
        options = [str(text) for k, v in arguments.items() for text in ("--" + k, v)]
        subprocess.run([engine, *options, "--dump", path], check=True, stdout=subprocess.DEVNULL)
        metadata, tensors = read_tensor_file(path)
    if metadata["precision"] != precision:
        return None

    def step(dtype, autocast):
        return torch_step(NETWORKS[network](samples, dropout=False), tensors, dtype, autocast)

    truth_loss, truth = step(torch.float64, False)
    own_loss, own = step(torch.float32, precision == "bf16")
    ours = dense_gradients(tensors)
    loss = torch.tensor(float(metadata["loss"]))
    rows = [("loss", distance(loss, truth_loss), distance(own_loss, truth_loss))]
    return rows + [(n, distance(ours[n], truth[n]), distance(own[n], truth[n])) for n in truth]


def check(engine, network, precision, seeds, show_all):
    """Prints the table of one network; True when all tensors pass."""
    samples = BATCHES.get(network, 8)
    runs = [compare(engine, network, precision, samples, seed) for seed in range(1, seeds + 1)]
    if runs[0] is None:
        print(f"{network} {precision}: the engine computes in fp32 on this processor, skipped")
        return True
    rows = [(r[0][0], min(x[1] for x in r), min(x[2] for x in r)) for r in zip(*runs)]
    failed = {r[0] for r in rows if not r[1] <= max(BOUNDS[precision], SLACK * r[2])}

    print(f"{network}, batch {samples}, {precision}, {seeds} seeds: distance from float64")
    print(f"  {'tensor':44} {'engine':>10} {'PyTorch':>10}")
    worst = sorted(rows, key=lambda r: -r[1])
    for name, ours, own in rows if show_all else worst[:8]:
        print(f"  {name:44} {ours:10.2e} {own:10.2e}{'  FAILED' if name in failed else ''}")
    verdict = f"{len(failed)} FAILED" if failed else "all pass"
    own = max(r[2] for r in rows)
    print(f"  {len(rows)} tensors, largest {worst[0][1]:.2e} (PyTorch: {own:.2e}): {verdict}")
    return not failed


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    environment.add_arguments(parser)
    parser.add_argument("--network", nargs="*", help="default: all")
    parser.add_argument("--precision", nargs="*", choices=sorted(BOUNDS), default=sorted(BOUNDS))
    parser.add_argument("--seeds", type=int, default=3, help="default: %(default)s")
    parser.add_argument("--all", action="store_true", help="every tensor, not only the worst")
    args = parser.parse_args()
    environment.ensure_torch(args.venv)
    engine = environment.engine_program(args.engine)
    from networks import NETWORKS

    results = [
        check(engine, network, precision, args.seeds, args.all)
        for network in args.network or NETWORKS
        for precision in args.precision
    ]
    return 0 if all(results) else 1


if __name__ == "__main__":
    sys.exit(main())
