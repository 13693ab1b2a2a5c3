#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Speed of what detectors do, beside torchvision and pycocotools.

Training steps of RetinaNet and Mask R-CNN (ResNet-50, random weights, squares on noise; torchvision's
own transform is given pictures that it need not scale), suppression of boxes, matching of anchors, and
COCO's evaluation of boxes and masks. What both sides compute from the same boxes is compared as well.
Both run in turn, pinned to the same cores, and keep freed memory as in compare.py. torchvision and
pycocotools must be importable (PYTHONPATH).
"""

import argparse
import contextlib
import io
import json
import os
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import numpy
import torch
import torchvision

from compare import KEEP_MEMORY, WARMUP

ROOT = Path(__file__).resolve().parents[3]


def engine(args, what, *more):
    command = [args.engine, what, "--threads", args.threads, "--warmup", WARMUP, "--steps", args.steps, *more]
    done = subprocess.run([str(part) for part in command], stdout=subprocess.PIPE, text=True, check=True)
    return json.loads(done.stdout.splitlines()[-1])


def timed(steps, body, warmup=WARMUP):
    """Median milliseconds, after `warmup` untimed calls."""
    for _ in range(warmup):
        body()
    times = []
    for _ in range(steps):
        start = time.perf_counter()
        body()
        times.append((time.perf_counter() - start) * 1e3)
    return statistics.median(times)


def row(name, ours, theirs, unit, more=""):
    faster = ours / theirs if unit == "pictures/s" else theirs / ours
    print(f"{name:34} {ours:10.3f} {theirs:10.3f} {unit:11} x{faster:5.2f}  {more}", flush=True)


def compare_boxes(args, folder):
    rng = numpy.random.default_rng(15)

    def boxes(count, edge):
        corner = rng.uniform(0, edge, (count, 2))
        return numpy.concatenate([corner, corner + rng.uniform(8, edge / 4, (count, 2))], 1).astype("float32")

    found, truth = boxes(args.boxes, 800), boxes(20, 800)
    anchors = boxes(args.anchors, 800)
    scores = rng.permutation(args.boxes).astype("float32") / args.boxes
    groups = rng.integers(0, 80, args.boxes).astype("int32")
    for name, values in (("boxes.f32", found), ("truth.f32", truth), ("anchors.f32", anchors),
                         ("scores.f32", scores), ("groups.i32", groups)):
        values.tofile(folder / name)
    ours = engine(args, "boxes", "--folder", folder)
    found, truth, anchors, scores, groups = map(torch.from_numpy, (found, truth, anchors, scores, groups))
    theirs = timed(args.steps, lambda: torchvision.ops.nms(found, scores, 0.5))
    kept = torchvision.ops.nms(found, scores, 0.5).numpy()
    same = numpy.array_equal(kept, numpy.fromfile(folder / "kept.i32", "int32"))
    row(f"NMS of {args.boxes}", ours["nmsMs"], theirs, "ms", "same boxes" if same else "OTHER BOXES")
    theirs = timed(args.steps, lambda: torchvision.ops.batched_nms(found, scores, groups, 0.5))
    row(f"NMS of {args.boxes} in 80 categories", ours["groupedNmsMs"], theirs, "ms")
    matcher = torchvision.models.detection._utils.Matcher(0.7, 0.3, allow_low_quality_matches=True)
    theirs = timed(args.steps, lambda: matcher(torchvision.ops.box_iou(truth, anchors)))
    match = matcher(torchvision.ops.box_iou(truth, anchors)).numpy()
    other = int((match != numpy.fromfile(folder / "match.i32", "int32")).sum())
    row(f"matching {args.anchors} anchors to 20", ours["matchMs"], theirs, "ms",
        "same matches" if other == 0 else f"{other} OTHER MATCHES")


def compare_coco(args, folder):
    from pycocotools import mask as masks
    from pycocotools.coco import COCO
    from pycocotools.cocoeval import COCOeval

    rng = numpy.random.default_rng(16)
    images = [{"id": i + 1, "width": 640, "height": 480, "file_name": f"{i}.jpg"} for i in range(args.pictures)]
    annotations, found = [], []

    def runs(box):
        x, y, w, h = box
        pixels = numpy.zeros((480, 640), "uint8", order="F")
        pixels[int(y):int(y + h), int(x):int(x + w)] = 1
        coded = masks.encode(pixels)
        return {"size": coded["size"], "counts": coded["counts"].decode()}

    for image in images:
        for _ in range(7):
            w, h = (float(v) for v in rng.integers(10, 200, 2))
            x, y = float(rng.integers(0, 640 - w)), float(rng.integers(0, 480 - h))
            category = int(rng.integers(1, 81))
            annotations.append({"id": len(annotations) + 1, "image_id": image["id"], "category_id": category,
                                "bbox": [x, y, w, h], "area": w * h, "iscrowd": 0,
                                "segmentation": runs((x, y, w, h))})
            for _ in range(6):
                box = [max(0.0, x + float(rng.integers(-12, 13))), max(0.0, y + float(rng.integers(-12, 13))), w, h]
                guess = category if rng.random() < 0.7 else int(rng.integers(1, 81))
                found.append({"image_id": image["id"], "category_id": guess, "score": float(rng.random()),
                              "bbox": box, "segmentation": runs(box)})
    categories = [{"id": i, "name": f"c{i}"} for i in range(1, 81)]
    (folder / "truth.json").write_text(
        json.dumps({"images": images, "annotations": annotations, "categories": categories}))
    (folder / "found.json").write_text(json.dumps(found))
    ours = engine(args, "coco", "--folder", folder)
    for kind, name, ap in (("bbox", "boxMs", "boxAp"), ("segm", "maskMs", "maskAp")):
        with contextlib.redirect_stdout(io.StringIO()):
            truth = COCO(str(folder / "truth.json"))
            results = truth.loadRes(str(folder / "found.json"))

            def evaluate():
                evaluation = COCOeval(truth, results, kind)
                evaluation.evaluate()
                evaluation.accumulate()
                evaluation.summarize()
                return evaluation.stats[0]

            # one: it is Python's own work, slow from the first call to the last
            theirs, value = timed(min(args.steps, 2), evaluate, warmup=1), evaluate()
        row(f"COCO {kind}, {len(found)} detections", ours[name], theirs, "ms",
            f"AP {ours[ap]:.4f} and {value:.4f}")


def compare_training(args):
    from torchvision.models import detection

    made = {"retinanet_resnet50": detection.retinanet_resnet50_fpn, "maskrcnn_resnet50": detection.maskrcnn_resnet50_fpn}
    sizes = {"min_size": args.edge, "max_size": args.edge, "weights": None, "weights_backbone": None}
    for name in args.network:
        ours = engine(args, "train", "--network", name, "--batch", args.batch, "--edge", args.edge,
                      "--precision", args.precision, "--device", args.device)
        torch.manual_seed(1)
        model = made[name](num_classes=81, **sizes).to(args.device, memory_format=torch.channels_last).train()
        images = [torch.rand(3, args.edge, args.edge, device=args.device) for _ in range(args.batch)]
        target = {"boxes": [], "labels": [], "masks": []}
        for i in range(8):
            size, at = args.edge * (0.1 + 0.05 * i), args.edge * 0.05 * i
            target["boxes"].append([at, at, at + size, at + size])
            target["labels"].append(i + 1)
            mask = torch.zeros(args.edge, args.edge, dtype=torch.uint8)
            mask[int(at):int(at + size), int(at):int(at + size)] = 1
            target["masks"].append(mask)
        target = {"boxes": torch.tensor(target["boxes"]), "labels": torch.tensor(target["labels"]),
                  "masks": torch.stack(target["masks"])}
        target = {key: value.to(args.device) for key, value in target.items()}
        targets = [target] * args.batch
        optimizer = torch.optim.SGD(model.parameters(), 1e-3, momentum=0.9, weight_decay=1e-4, fused=True)

        def step():
            optimizer.zero_grad(set_to_none=True)
            with torch.autocast(args.device, dtype=torch.bfloat16, enabled=args.precision == "bf16"):
                loss = sum(model(images, targets).values())
            loss.backward()
            optimizer.step()
            loss.item()  # waits for the device, as the engine's half does

        theirs = args.batch * 1e3 / timed(args.steps, step)
        row(f"{name} {args.edge}, batch {args.batch}, {args.precision}", ours["samplesPerSecond"], theirs,
            "pictures/s")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--engine", type=Path, default=ROOT / "build/check/bin/bench_detection")
    parser.add_argument("--part", nargs="*", choices=["boxes", "coco", "train"], default=["boxes", "coco", "train"])
    parser.add_argument("--network", nargs="*", default=["retinanet_resnet50", "maskrcnn_resnet50"])
    parser.add_argument("--precision", choices=["fp32", "bf16"], default="fp32")
    parser.add_argument("--device", choices=["cpu", "cuda"], default="cpu", help="of the training steps")
    parser.add_argument("--threads", type=int, default=1)
    parser.add_argument("--steps", type=int, default=3)
    parser.add_argument("--batch", type=int, default=2)
    parser.add_argument("--edge", type=int, default=320)
    parser.add_argument("--boxes", type=int, default=2000)
    parser.add_argument("--anchors", type=int, default=100000)
    parser.add_argument("--pictures", type=int, default=300)
    args = parser.parse_args()
    if not KEEP_MEMORY.items() <= os.environ.items():  # read when a program starts
        os.execve(sys.executable, [sys.executable, *sys.argv], {**os.environ, **KEEP_MEMORY})
    os.sched_setaffinity(0, sorted(os.sched_getaffinity(0))[-args.threads:])
    os.environ["OMP_NUM_THREADS"] = str(args.threads)
    torch.set_num_threads(args.threads)
    torch.backends.cudnn.benchmark = args.device == "cuda"
    torch.backends.cudnn.allow_tf32 = False  # the engine's fp32 is fp32
    print(f"torch {torch.__version__}, torchvision {torchvision.__version__}, {args.threads} thread(s), "
          f"load {os.getloadavg()[0]:.1f}")
    print(f"{'':34} {'engine':>10} {'other':>10}")
    with tempfile.TemporaryDirectory() as name:
        if "boxes" in args.part:
            compare_boxes(args, Path(name))
        if "coco" in args.part:
            compare_coco(args, Path(name))
    if "train" in args.part:
        compare_training(args)


if __name__ == "__main__":
    main()
