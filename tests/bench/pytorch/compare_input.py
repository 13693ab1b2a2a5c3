#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Pictures per second of the input pipeline beside torchvision's loader with as many workers.

Both read the same folder of JPEGs, cut a random piece out (area 0.05 to 1), resize it to 224, mirror
half and normalise. Without --folder 256 pictures of 500x375 with the spectrum of photographs are
made. The two take turns; the median of the rounds counts. Needs torch, torchvision and Pillow.
"""

import argparse
import json
import statistics
import subprocess
import tempfile
import time
from pathlib import Path

BATCH = 64


def make_pictures(folder, count=256):
    """Noise whose amplitude falls with the frequency, as that of photographs does."""
    import numpy
    from PIL import Image

    random = numpy.random.default_rng(1)
    y, x = numpy.ogrid[:375, :500]
    frequency = numpy.hypot(numpy.minimum(y, 375 - y) / 375, numpy.minimum(x, 500 - x) / 500)
    falling = 1 / numpy.maximum(frequency, 1 / 500)
    for i in range(count):
        planes = []
        for _ in range(3):
            noise = numpy.fft.fft2(random.standard_normal((375, 500))) * falling
            plane = numpy.fft.ifft2(noise).real
            planes.append(numpy.clip(128 + 50 * plane / plane.std(), 0, 255))
        part = "val" if i % 8 == 7 else "train"
        path = folder / part / f"class{i % 2}" / f"{i}.jpg"
        path.parent.mkdir(parents=True, exist_ok=True)
        Image.fromarray(numpy.stack(planes, 2).astype("uint8")).save(path, quality=90)


def torchvision_rate(folder, workers, seconds):
    import torch
    from torchvision import datasets, transforms

    torch.set_num_threads(1)
    change = transforms.Compose([
        transforms.RandomResizedCrop(224, scale=(0.05, 1.0)),
        transforms.RandomHorizontalFlip(),
        transforms.ToTensor(),
        transforms.Normalize([0.485, 0.456, 0.406], [0.229, 0.224, 0.225]),
    ])
    data = datasets.ImageFolder(folder / "train", change)
    loader = torch.utils.data.DataLoader(data, batch_size=BATCH, shuffle=True, num_workers=workers,
                                         persistent_workers=True, drop_last=True)
    for _ in loader:  # workers start
        pass
    pictures, start = 0, time.monotonic()
    while time.monotonic() - start < seconds:
        for images, _ in loader:
            pictures += len(images)
    return pictures / (time.monotonic() - start)


def engine_rate(program, folder, workers, seconds):
    said = subprocess.run([program, folder, "224", str(seconds), str(workers)], check=True,
                          capture_output=True, text=True)
    return json.loads(said.stdout)["pictures_per_s"]


def newest(pattern):
    top = Path(__file__).resolve().parents[3]
    return str(max(top.glob(pattern), key=lambda path: path.stat().st_mtime))


def main():
    parser = argparse.ArgumentParser(description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--engine", help="the bench_input program (default: the newest in build/)")
    parser.add_argument("--folder", type=Path, help="with train/<class>/*.jpg and val/<class>/*.jpg")
    parser.add_argument("--workers", type=int, nargs="+", default=[1, 2])
    parser.add_argument("--seconds", type=float, default=5)
    parser.add_argument("--rounds", type=int, default=3)
    args = parser.parse_args()
    program = args.engine or newest("build/*/bin/bench_input")
    with tempfile.TemporaryDirectory() as made:
        folder = args.folder or Path(made)
        if not args.folder:
            make_pictures(folder)
        print("workers   engine/s  torchvision/s  ratio")
        for workers in args.workers:
            ours, theirs = [], []
            for _ in range(args.rounds):
                ours.append(engine_rate(program, folder, workers, args.seconds))
                theirs.append(torchvision_rate(folder, workers, args.seconds))
            a, b = statistics.median(ours), statistics.median(theirs)
            print(f"{workers:7d} {a:10.1f} {b:14.1f} {a / b:6.2f}")


if __name__ == "__main__":
    main()
