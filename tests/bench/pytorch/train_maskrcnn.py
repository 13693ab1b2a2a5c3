#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""The recipe of a run.json of the workload maskrcnn, trained with torchvision's parts.

    train_maskrcnn.py RUN.json --train instances_train.json --test instances_val.json \
        --pictures DIR [--test-pictures DIR]

Same network (maskrcnn_small), initial distributions, pictures, batches, flips, optimizer and schedule;
what is drawn differs, so compare the spread of seeds. Measured by pycocotools on the test part after the
last epoch. Needs `pip install torch torchvision pycocotools pillow`."""

import argparse
import contextlib
import io
import json
import math
import time
from pathlib import Path

import numpy
import torch
from pycocotools import mask as run_lengths
from pycocotools.cocoeval import COCOeval
from torch import nn
from torchvision.models.detection.anchor_utils import AnchorGenerator
from torchvision.models.detection.faster_rcnn import FastRCNNPredictor, TwoMLPHead
from torchvision.models.detection.image_list import ImageList
from torchvision.models.detection.mask_rcnn import MaskRCNNHeads, MaskRCNNPredictor
from torchvision.models.detection.roi_heads import RoIHeads, paste_masks_in_image
from torchvision.models.detection.rpn import RegionProposalNetwork, RPNHead
from torchvision.ops import MultiScaleRoIAlign
from torchvision.ops.feature_pyramid_network import FeaturePyramidNetwork, LastLevelMaxPool

from train_retinanet import Block, Pictures

CHANNELS, HIDDEN, CELLS = 48, 128, 32


class Net(nn.Module):
    def __init__(self, classes):
        super().__init__()
        widths = [24, 48, 96, 128]
        self.stem = nn.Sequential(nn.Conv2d(3, 24, 3, 2, 1, bias=False), nn.BatchNorm2d(24), nn.ReLU())
        self.stages = nn.ModuleList(Block(i, o, 2) for i, o in zip([24] + widths, widths))
        self.fpn = FeaturePyramidNetwork(widths, CHANNELS, LastLevelMaxPool())
        sizes = tuple((8 << i,) for i in range(5))
        self.rpn = RegionProposalNetwork(AnchorGenerator(sizes, ((0.5, 1.0, 2.0),) * 5), RPNHead(CHANNELS, 3), 0.7, 0.3,
                                         64, 0.5, dict(training=200, testing=100), dict(training=100, testing=50), 0.7)
        maps = ["0", "1", "2", "3"]
        self.heads = RoIHeads(MultiScaleRoIAlign(maps, 7, 2, canonical_scale=64, canonical_level=4),
                              TwoMLPHead(CHANNELS * 49, HIDDEN), FastRCNNPredictor(HIDDEN, classes + 1),
                              0.5, 0.5, 32, 0.25, None, 0.05, 0.5, 100,
                              MultiScaleRoIAlign(maps, 14, 2, canonical_scale=64, canonical_level=4),
                              MaskRCNNHeads(CHANNELS, (CELLS, CELLS), 1), MaskRCNNPredictor(CELLS, CELLS, classes + 1))
        for m in [*self.stem.modules(), *self.stages.modules()]:
            if isinstance(m, nn.Conv2d):
                nn.init.kaiming_normal_(m.weight, mode="fan_out", nonlinearity="relu")
        for layer in (self.heads.box_head.fc6, self.heads.box_head.fc7):
            nn.init.kaiming_uniform_(layer.weight, a=1)
        nn.init.normal_(self.heads.box_predictor.cls_score.weight, std=0.01)
        nn.init.normal_(self.heads.box_predictor.bbox_pred.weight, std=0.001)
        for part in (self.heads.box_head, self.heads.box_predictor):
            for m in part.modules():
                if isinstance(m, nn.Linear):
                    nn.init.zeros_(m.bias)

    def maps(self, images):
        x = self.stem(images)
        found = {}
        for i, stage in enumerate(self.stages):
            x = stage(x)
            found[str(i)] = x
        return self.fpn(found)

    def forward(self, images, extents, targets=None):
        """The sum of the five losses, or what is found."""
        maps = self.maps(images)
        proposals, proposing = self.rpn(ImageList(images, extents), maps, targets)
        found, heads = self.heads(maps, proposals, extents, targets)
        return sum({**proposing, **heads}.values()) if targets else found


class MaskPictures(Pictures):
    def __init__(self, annotations, folder, model, order):
        super().__init__(annotations, folder, model, order)
        self.masks = {}
        for number, pixels, *_ in self.items:
            objects = [o for o in self.coco.loadAnns(self.coco.getAnnIds(number)) if not o.get("iscrowd")]
            size = pixels.shape[1:]
            masks = torch.from_numpy(numpy.stack([self.coco.annToMask(o) for o in objects])) if objects else torch.zeros(0, *size)
            self.masks[number] = nn.functional.interpolate(masks[None].float(), size=size)[0].byte() if objects else masks.byte()

    def batch(self, items, flip):
        size = [-(-max(i[1].shape[d] for i in items) // 32) * 32 for d in (1, 2)]
        images = torch.zeros(len(items), 3, *size)
        targets = []
        for row, (number, pixels, boxes, labels, _) in zip(images, items):
            height, width = pixels.shape[1:]
            masks = torch.zeros(len(boxes), *size, dtype=torch.uint8)
            own = self.masks[number]
            if flip and torch.rand(()) < 0.5:
                pixels, own = pixels.flip(2), own.flip(2)
                boxes = torch.stack([width - boxes[:, 2], boxes[:, 1], width - boxes[:, 0], boxes[:, 3]], 1)
            row[:, :height, :width] = pixels
            masks[:, :height, :width] = own
            targets.append({"boxes": boxes, "labels": labels + 1, "masks": masks})
        return images.contiguous(memory_format=torch.channels_last), targets


def evaluate(net, test):
    net.eval()
    results = []
    with torch.no_grad():
        for i in range(0, len(test.items), 8):
            items = test.items[i : i + 8]
            images, _ = test.batch(items, False)
            for item, found in zip(items, net(images, [tuple(i[1].shape[1:]) for i in items])):
                info = test.coco.loadImgs(item[0])[0]
                sx, sy = item[4]
                boxes = found["boxes"] / torch.tensor([sx, sy, sx, sy])
                masks = paste_masks_in_image(found["masks"], boxes, (info["height"], info["width"])) if len(boxes) else []
                for box, mask, score, label in zip(boxes.tolist(), masks, found["scores"].tolist(), found["labels"].tolist()):
                    cells = run_lengths.encode(numpy.asfortranarray((mask[0] > 0.5).numpy().astype(numpy.uint8)))
                    results.append({"image_id": item[0], "category_id": test.order[label - 1], "score": score,
                                    "bbox": [box[0], box[1], box[2] - box[0], box[3] - box[1]], "segmentation": cells})
    stats = []
    with contextlib.redirect_stdout(io.StringIO()):
        for kind in ("bbox", "segm"):
            judge = COCOeval(test.coco, test.coco.loadRes(results), kind)
            judge.evaluate()
            judge.accumulate()
            judge.summarize()
            stats.append(judge.stats)
    return stats


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("run", type=Path)
    parser.add_argument("--train", required=True)
    parser.add_argument("--test", required=True)
    parser.add_argument("--pictures", required=True)
    parser.add_argument("--test-pictures", help="where both parts name pictures alike")
    parser.add_argument("--seed", type=int, default=1)
    args = parser.parse_args()
    run = json.loads(args.run.read_text())
    torch.set_num_threads(1)
    torch.manual_seed(args.seed)
    train = MaskPictures(args.train, args.pictures, run["model"], None)
    test = MaskPictures(args.test, args.test_pictures or args.pictures, run["model"], train.order)
    items = [i for i in train.items if len(i[2])]
    batch, epochs, schedule = run["global_batch"], run["epochs"], run["schedule"]
    steps = len(items) // batch * epochs
    if run["model"]["name"] != "maskrcnn_small" or schedule["name"] != "one_cycle" or run["optimizer"]["name"] != "adam":
        parser.error("only maskrcnn_small and Adam with the one-cycle schedule are known here")
    net = Net(len(train.order)).to(memory_format=torch.channels_last)
    optimizer = torch.optim.Adam(net.parameters(), lr=schedule["base_lr"])
    cycle = torch.optim.lr_scheduler.OneCycleLR(optimizer, schedule["base_lr"], total_steps=steps,
                                                pct_start=schedule["warmup_epochs"] / epochs, cycle_momentum=False)
    began = time.process_time()
    for epoch in range(epochs):
        net.train()
        order, losses = torch.randperm(len(items)).tolist(), 0.0
        for i in range(0, len(items) // batch * batch, batch):
            chosen = [items[k] for k in order[i : i + batch]]
            images, targets = train.batch(chosen, True)
            optimizer.zero_grad()
            loss = net(images, [tuple(c[1].shape[1:]) for c in chosen], targets)
            loss.backward()
            nn.utils.clip_grad_norm_(net.parameters(), run["optimizer"].get("clip_norm", math.inf))
            optimizer.step()
            cycle.step()
            losses += loss.item()
        print(f"seed {args.seed}, epoch {epoch + 1}: loss {losses / (len(items) // batch):.4f}", flush=True)
    trained = time.process_time() - began
    box, mask = evaluate(net, test)
    print(f"seed {args.seed}: boxes AP {box[0]:.4f}, AP50 {box[1]:.4f}, masks AP {mask[0]:.4f}, AP50 {mask[1]:.4f}, "
          f"{trained:.0f} s of processor time", flush=True)


if __name__ == "__main__":
    main()
