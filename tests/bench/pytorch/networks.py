# SPDX-License-Identifier: GPL-3.0-or-later
"""The networks of the comparison, written in PyTorch as the engine builds them.

A module has the same parameter names, shapes and order of axes as the engine's network, so that
weights written by `bench_train --dump` can be loaded by name. NETWORKS maps the name of a network
to its factory; `Workload` is all that the programs beside this file need of one.
"""

from dataclasses import dataclass
from typing import Callable

import torch
from torch import nn
from torch.nn import functional as F


@dataclass
class Workload:
    """One network with synthetic input: model, batch, mean loss and the optimizer both sides use."""

    model: nn.Module
    batch: dict  # name -> tensor, as the engine names them in a dump
    loss: Callable  # loss(model, batch) -> scalar, the mean over the samples
    optimizer: Callable  # optimizer(parameters) -> torch.optim.Optimizer
    channels_last: bool = False
    from_engine: Callable = dict  # batch of a dump -> batch of the loss above


def sgd(parameters):
    return torch.optim.SGD(parameters, lr=0.01, momentum=0.9, weight_decay=1e-4, fused=True)


def adam(parameters):
    return torch.optim.Adam(parameters, lr=1e-4, fused=True)


# --- residual networks: He et al. 2015, arXiv 1512.03385 ---


class ConvNorm(nn.Module):
    """Convolution and batch norm, `conv` and `bn`."""

    def __init__(self, channels_in, channels_out, kernel, stride):
        super().__init__()
        self.conv = nn.Conv2d(channels_in, channels_out, kernel, stride, kernel // 2, bias=False)
        self.bn = nn.BatchNorm2d(channels_out)

    def forward(self, x):
        return self.bn(self.conv(x))


class Block(nn.Module):
    """One residual block; a projection shortcut, or option A (strided copy, zero channels)."""

    def __init__(self, channels_in, width, stride, bottleneck):
        super().__init__()
        channels_out = width * (4 if bottleneck else 1)
        self.stride, self.missing = stride, channels_out - channels_in
        changes = stride != 1 or self.missing != 0
        self.shortcut = ConvNorm(channels_in, channels_out, 1, stride) if bottleneck and changes else None
        if bottleneck:  # v1.5: the 3x3 convolution has the stride
            plan = [(channels_in, width, 1, 1), (width, width, 3, stride), (width, channels_out, 1, 1)]
        else:
            plan = [(channels_in, width, 3, stride), (width, channels_out, 3, 1)]
        self.depth = len(plan)
        for i, (a, b, kernel, s) in enumerate(plan, 1):
            setattr(self, f"conv{i}", nn.Conv2d(a, b, kernel, s, kernel // 2, bias=False))
            setattr(self, f"bn{i}", nn.BatchNorm2d(b))

    def forward(self, x):
        if self.shortcut is not None:
            shortcut = self.shortcut(x)
        elif self.missing:
            shortcut = F.pad(x[:, :, :: self.stride, :: self.stride], (0, 0, 0, 0, 0, self.missing))
        else:
            shortcut = x
        for i in range(1, self.depth):
            x = F.relu(getattr(self, f"bn{i}")(getattr(self, f"conv{i}")(x)), inplace=True)
        x = getattr(self, f"bn{self.depth}")(getattr(self, f"conv{self.depth}")(x))
        return F.relu(x + shortcut, inplace=True)


class ResNet(nn.Module):
    def __init__(self, blocks, widths, classes, imagenet):
        super().__init__()
        self.stem = ConvNorm(3, widths[0], 7 if imagenet else 3, 2 if imagenet else 1)
        self.pool = nn.MaxPool2d(3, 2, 1) if imagenet else nn.Identity()
        channels, self.stages = widths[0], len(blocks)
        for s, (count, width) in enumerate(zip(blocks, widths), 1):
            stage = nn.Module()
            for i in range(1, count + 1):
                stride = 2 if s > 1 and i == 1 else 1
                setattr(stage, f"block{i}", Block(channels, width, stride, bottleneck=imagenet))
                channels = width * (4 if imagenet else 1)
            setattr(self, f"stage{s}", stage)
        self.classifier = nn.Linear(channels, classes)

    def forward(self, x):
        x = self.pool(F.relu(self.stem(x), inplace=True))
        for s in range(1, self.stages + 1):
            for block in getattr(self, f"stage{s}").children():
                x = block(x)
        return self.classifier(x.mean((2, 3)))


def image_loss(model, batch):
    return F.cross_entropy(model(batch["images"]), batch["labels"])


def images_from_engine(batch):
    return {**batch, "images": batch["images"].permute(0, 3, 1, 2)}  # the engine's are NHWC


def resnet(blocks, widths, classes, size, imagenet):
    def make(samples, dropout=True):
        model = ResNet(blocks, widths, classes, imagenet)
        batch = {
            "images": torch.randn(samples, 3, size, size),
            "labels": torch.randint(0, 10, (samples,)),
        }
        return Workload(model, batch, image_loss, sgd, True, images_from_engine)

    return make


NETWORKS = {
    "resnet20": resnet([3, 3, 3], [16, 32, 64], 10, 32, False),
    "resnet50": resnet([3, 4, 6, 3], [64, 128, 256, 512], 1000, 224, True),
}

#: Samples per step in the table of ratios.
BATCHES = {"resnet20": 128, "resnet50": 16}
