#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Prints golden_optimizers.h: weights after five steps of PyTorch's own optimizers, and of LARS and
LAMB written from their papers in double precision. Needs torch; the tests need only the header."""

import math

import torch

SHAPES = [(3, 2), (2,)]  # the first decays, the second (a bias) does not
STEPS = 5


def initial(dtype=torch.float64):
    values = [((i * 5) % 9 - 4) / 4.0 for i in range(8)]
    return [torch.tensor(values[:6], dtype=dtype).reshape(3, 2), torch.tensor(values[6:], dtype=dtype)]


def gradients(step, dtype=torch.float64):
    values = [((i * 7 + step * 5) % 11 - 5) / 8.0 for i in range(8)]
    return [torch.tensor(values[:6], dtype=dtype).reshape(3, 2), torch.tensor(values[6:], dtype=dtype)]


def rate(step):
    return 0.1 / (step + 1)


def run(make, decay, clip=0.0):
    params = [torch.nn.Parameter(p) for p in initial()]
    optimizer = make([{"params": params[:1], "weight_decay": decay}, {"params": params[1:], "weight_decay": 0.0}])
    for step in range(STEPS):
        for group in optimizer.param_groups:
            group["lr"] = rate(step)
        for p, g in zip(params, gradients(step)):
            p.grad = g.clone()
        if clip:
            torch.nn.utils.clip_grad_norm_(params, clip)
        optimizer.step()
    return torch.cat([p.detach().flatten() for p in params]).tolist()


def sparse_adam():
    table = torch.nn.Parameter(torch.tensor([((i * 5) % 9 - 4) / 4.0 for i in range(8)], dtype=torch.float64).reshape(4, 2))
    optimizer = torch.optim.SparseAdam([table], lr=0.1, betas=(0.9, 0.999), eps=1e-8)
    for step in range(STEPS):
        rows = [step % 4, (step + 2) % 4]
        rows.sort()
        values = torch.tensor([((i * 7 + step * 5) % 11 - 5) / 8.0 for i in range(4)], dtype=torch.float64).reshape(2, 2)
        table.grad = torch.sparse_coo_tensor([rows], values, (4, 2))
        optimizer.param_groups[0]["lr"] = rate(step)
        optimizer.step()
    return table.detach().flatten().tolist()


def lars(inside):
    params, moments = initial(), [torch.zeros(s, dtype=torch.float64) for s in SHAPES]
    decays = [0.01, 0.0]
    for step in range(STEPS):
        for i, g in enumerate(gradients(step)):
            w, trust = params[i], 1.0
            if i == 0:
                trust = 0.001 * float(w.norm()) / (float(g.norm()) + decays[i] * float(w.norm()))
            direction = trust * (g + decays[i] * w)
            moments[i] = 0.9 * moments[i] + (rate(step) * direction if inside else direction)
            params[i] = w - (moments[i] if inside else rate(step) * moments[i])
    return torch.cat([p.flatten() for p in params]).tolist()


def lamb():
    params = initial()
    m = [torch.zeros(s, dtype=torch.float64) for s in SHAPES]
    v = [torch.zeros(s, dtype=torch.float64) for s in SHAPES]
    decays = [0.01, 0.0]
    for step in range(STEPS):
        grads = gradients(step)
        total = math.sqrt(sum(float((g * g).sum()) for g in grads))
        for i, g in enumerate(grads):
            g = g / max(1.0, total)  # max_grad_norm 1
            m[i] = 0.9 * m[i] + 0.1 * g
            v[i] = 0.999 * v[i] + 0.001 * g * g
            u = (m[i] / (1 - 0.9 ** (step + 1))) / ((v[i] / (1 - 0.999 ** (step + 1))).sqrt() + 1e-6)
            u = u + decays[i] * params[i]
            trust = float(params[i].norm()) / float(u.norm()) if decays[i] else 1.0
            params[i] = params[i] - rate(step) * trust * u
    return torch.cat([p.flatten() for p in params]).tolist()


CASES = [
    ("Sgd", lambda: run(lambda g: torch.optim.SGD(g, lr=0.1), 0.01)),
    ("SgdMomentum", lambda: run(lambda g: torch.optim.SGD(g, lr=0.1, momentum=0.9), 0.01)),
    ("SgdNesterov", lambda: run(lambda g: torch.optim.SGD(g, lr=0.1, momentum=0.9, nesterov=True), 0.01)),
    ("SgdClipped", lambda: run(lambda g: torch.optim.SGD(g, lr=0.1, momentum=0.9), 0.01, clip=0.5)),
    ("Adam", lambda: run(lambda g: torch.optim.Adam(g, lr=0.1), 0.0)),
    ("AdamDecay", lambda: run(lambda g: torch.optim.Adam(g, lr=0.1, betas=(0.25, 0.5), eps=1e-3), 0.1)),
    ("AdamW", lambda: run(lambda g: torch.optim.AdamW(g, lr=0.1), 0.1)),
    ("SparseAdam", sparse_adam),
    ("Lars", lambda: lars(True)),
    ("LarsOutside", lambda: lars(False)),
    ("Lamb", lamb),
]

print("// SPDX-License-Identifier: GPL-3.0-or-later")
print("#pragma once")
print(f"// Made by make_goldens.py with torch {torch.__version__.split('+')[0]}, float64: eight weights after five steps.")
print("// Lars and Lamb come from that script's own double precision versions.")
print("\nnamespace scalebench::test::golden {\n")
for name, make in CASES:
    print(f"inline constexpr double k{name}[8] = {{" + ", ".join(f"{x:.12g}" for x in make()) + "};")
print("\n} // namespace scalebench::test::golden")
