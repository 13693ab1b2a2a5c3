#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""The recipe of a run.json of the workload retinanet, trained with torchvision's parts.

    train_retinanet.py RUN.json --train instances_train.json --test instances_test.json --pictures DIR

Same network (retinanet_small or retinanet_resnet18), pictures, batches, flips, optimizer and
schedule; what is drawn differs, so compare the spread of seeds. Measured by pycocotools on the test
part after the last epoch. Needs `pip install torch torchvision pycocotools pillow`."""

import argparse
import contextlib
import io
import json
import math
import time
from pathlib import Path

import torch
from PIL import Image
from pycocotools.coco import COCO
from pycocotools.cocoeval import COCOeval
from torch import nn
from torchvision.models.detection._utils import Matcher
from torchvision.models.detection.anchor_utils import AnchorGenerator
from torchvision.models.detection.image_list import ImageList
from torchvision.models.detection.retinanet import RetinaNet, RetinaNetHead
from torchvision.ops import boxes as box_ops
from torchvision.ops.feature_pyramid_network import FeaturePyramidNetwork, LastLevelP6P7

MEAN, DEVIATION = (0.485, 0.456, 0.406), (0.229, 0.224, 0.225)


class Block(nn.Module):
    def __init__(self, cin, cout, stride):
        super().__init__()
        self.shortcut = nn.Identity()
        if stride != 1 or cin != cout:
            self.shortcut = nn.Sequential(nn.Conv2d(cin, cout, 1, stride, bias=False), nn.BatchNorm2d(cout))
        self.conv1, self.bn1 = nn.Conv2d(cin, cout, 3, stride, 1, bias=False), nn.BatchNorm2d(cout)
        self.conv2, self.bn2 = nn.Conv2d(cout, cout, 3, 1, 1, bias=False), nn.BatchNorm2d(cout)

    def forward(self, x):
        return torch.relu(self.bn2(self.conv2(torch.relu(self.bn1(self.conv1(x))))) + self.shortcut(x))


class Features(nn.Module):
    """Backbone and pyramid."""

    def __init__(self, small):
        super().__init__()
        widths, blocks = ([24, 48, 96, 128], 1) if small else ([64, 128, 256, 512], 2)
        self.out_channels = 64 if small else 256
        stem = [nn.Conv2d(3, widths[0], 3 if small else 7, 2, 1 if small else 3, bias=False),
                nn.BatchNorm2d(widths[0]), nn.ReLU()]
        self.stem = nn.Sequential(*stem, *([] if small else [nn.MaxPool2d(3, 2, 1)]))
        self.stages = nn.ModuleList()
        cin = widths[0]
        for i, width in enumerate(widths):
            first = Block(cin, width, 2 if i > 0 or small else 1)
            self.stages.append(nn.Sequential(first, *[Block(width, width, 1) for _ in range(blocks - 1)]))
            cin = width
        self.fpn = FeaturePyramidNetwork(widths[1:], self.out_channels, LastLevelP6P7(self.out_channels, self.out_channels))
        for m in self.modules():
            if isinstance(m, nn.Conv2d) and m.bias is None:
                nn.init.kaiming_normal_(m.weight, mode="fan_out", nonlinearity="relu")

    def forward(self, x):
        x = self.stem(x)
        maps = {}
        for i, stage in enumerate(self.stages):
            x = stage(x)
            if i > 0:
                maps[str(i)] = x
        return self.fpn(maps)


class Net(nn.Module):
    def __init__(self, small, classes):
        super().__init__()
        base = 14 if small else 32
        sizes = tuple(tuple(math.floor((base << i) * 2 ** (k / 3)) for k in range(3)) for i in range(5))
        self.features = Features(small)
        self.anchors = AnchorGenerator(sizes, ((0.5, 1.0, 2.0),) * 5)
        self.head = RetinaNetHead(self.features.out_channels, 9, classes)
        if small:
            for part in (self.head.classification_head, self.head.regression_head):
                part.conv = part.conv[:1]
        self.matcher = Matcher(0.5, 0.4, allow_low_quality_matches=True)
        # Only its postprocessing is used.
        self.whole = RetinaNet(self.features, classes, anchor_generator=self.anchors, head=self.head,
                               score_thresh=0.05, nms_thresh=0.5, detections_per_img=300, topk_candidates=1000)

    def outputs(self, images):
        maps = list(self.features(images).values())
        anchors = self.anchors(ImageList(images, [images.shape[-2:]] * len(images)), maps)
        return maps, self.head(maps), anchors

    def loss(self, images, targets):
        _, out, anchors = self.outputs(images)
        matched = [self.matcher(box_ops.box_iou(t["boxes"], a)) for a, t in zip(anchors, targets)]
        return sum(self.head.compute_loss(targets, out, anchors, matched).values())

    def found(self, images, extents):
        maps, out, anchors = self.outputs(images)
        counts = [m.shape[-2] * m.shape[-1] * 9 for m in maps]
        split = {k: list(v.split(counts, dim=1)) for k, v in out.items()}
        return self.whole.postprocess_detections(split, [list(a.split(counts)) for a in anchors], extents)


class Pictures:
    def __init__(self, annotations, folder, model, order):
        with contextlib.redirect_stdout(io.StringIO()):
            self.coco = COCO(str(annotations))
        self.order = order or sorted(self.coco.getCatIds())
        self.items = []
        for number in sorted(self.coco.getImgIds()):
            info = self.coco.loadImgs(number)[0]
            objects = [o for o in self.coco.loadAnns(self.coco.getAnnIds(number)) if not o.get("iscrowd")]
            path = next(Path(folder).rglob(Path(info["file_name"]).name))
            picture = Image.open(path).convert("RGB")
            factor = min(model["shorter"] / min(picture.size), model["longest"] / max(picture.size))
            width, height = (int(e * factor + 1e-6) for e in picture.size)
            scaled = picture.resize((width, height), Image.BILINEAR)
            pixels = torch.frombuffer(bytearray(scaled.tobytes()), dtype=torch.uint8).reshape(height, width, 3)
            pixels = (pixels / 255 - torch.tensor(MEAN)) / torch.tensor(DEVIATION)
            sx, sy = width / picture.size[0], height / picture.size[1]
            boxes = torch.tensor([[o["bbox"][0] * sx, o["bbox"][1] * sy, (o["bbox"][0] + o["bbox"][2]) * sx,
                                   (o["bbox"][1] + o["bbox"][3]) * sy] for o in objects]).reshape(-1, 4)
            labels = torch.tensor([self.order.index(o["category_id"]) for o in objects], dtype=torch.long)
            self.items.append((number, pixels.permute(2, 0, 1), boxes, labels, (sx, sy)))

    def batch(self, items, flip):
        size = [-(-max(i[1].shape[d] for i in items) // 32) * 32 for d in (1, 2)]
        images = torch.zeros(len(items), 3, *size)
        targets = []
        for row, (_, pixels, boxes, labels, _) in zip(images, items):
            width = pixels.shape[2]
            if flip and torch.rand(()) < 0.5:
                pixels = pixels.flip(2)
                boxes = torch.stack([width - boxes[:, 2], boxes[:, 1], width - boxes[:, 0], boxes[:, 3]], 1)
            row[:, : pixels.shape[1], :width] = pixels
            targets.append({"boxes": boxes, "labels": labels})
        return images.contiguous(memory_format=torch.channels_last), targets


def evaluate(net, test):
    net.eval()
    results = []
    with torch.no_grad():
        for i in range(0, len(test.items), 8):
            items = test.items[i : i + 8]
            images, _ = test.batch(items, False)
            for item, found in zip(items, net.found(images, [tuple(i[1].shape[1:]) for i in items])):
                sx, sy = item[4]
                for box, score, label in zip(found["boxes"].tolist(), found["scores"].tolist(), found["labels"].tolist()):
                    results.append({"image_id": item[0], "category_id": test.order[label], "score": score,
                                    "bbox": [box[0] / sx, box[1] / sy, (box[2] - box[0]) / sx, (box[3] - box[1]) / sy]})
    with contextlib.redirect_stdout(io.StringIO()):
        judge = COCOeval(test.coco, test.coco.loadRes(results), "bbox")
        judge.evaluate()
        judge.accumulate()
        judge.summarize()
    return judge.stats[0], judge.stats[1]


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("run", type=Path)
    parser.add_argument("--train", required=True)
    parser.add_argument("--test", required=True)
    parser.add_argument("--pictures", required=True)
    parser.add_argument("--seed", type=int, default=1)
    args = parser.parse_args()
    run = json.loads(args.run.read_text())
    torch.set_num_threads(1)
    torch.manual_seed(args.seed)
    train = Pictures(args.train, args.pictures, run["model"], None)
    test = Pictures(args.test, args.pictures, run["model"], train.order)
    items = [i for i in train.items if len(i[2])]
    net = Net(run["model"]["name"] == "retinanet_small", len(train.order)).to(memory_format=torch.channels_last)
    batch, epochs = run["global_batch"], run["epochs"]
    steps = len(items) // batch * epochs
    schedule = run["schedule"]
    if schedule["name"] != "one_cycle" or run["optimizer"]["name"] != "adam":
        parser.error("only Adam with the one-cycle schedule is known here")
    optimizer = torch.optim.Adam(net.parameters(), lr=schedule["base_lr"])
    cycle = torch.optim.lr_scheduler.OneCycleLR(optimizer, schedule["base_lr"], total_steps=steps,
                                                pct_start=schedule["warmup_epochs"] / epochs, cycle_momentum=False)
    began = time.process_time()
    for epoch in range(epochs):
        net.train()
        order = torch.randperm(len(items)).tolist()
        for i in range(0, len(items) // batch * batch, batch):
            images, targets = train.batch([items[k] for k in order[i : i + batch]], True)
            optimizer.zero_grad()
            net.loss(images, targets).backward()
            nn.utils.clip_grad_norm_(net.parameters(), run["optimizer"].get("clip_norm", math.inf))
            optimizer.step()
            cycle.step()
    trained = time.process_time() - began
    ap, ap50 = evaluate(net, test)
    print(f"seed {args.seed}: AP {ap:.4f}, AP50 {ap50:.4f}, {trained:.0f} s of processor time", flush=True)


if __name__ == "__main__":
    main()
