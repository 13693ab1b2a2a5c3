#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""The recipe of a run.json of the workload bert, trained in PyTorch from the same text.

    train_bert.py RUN.json --text FOLDER [--epochs N] [--seed N]

Text as WikiExtractor writes it and vocab.txt in one folder; eval* files are held out, else documents by
chance. Words, sentences, pairs and masks are made here anew after Devlin et al. (arXiv 1810.04805) and
google-research/bert's create_pretraining_data.py, so both sides are the same only where both follow the
publication: compare the spread of seeds. Prints the masked-word accuracy on what is held out after every
epoch. Needs torch."""

import argparse
import json
import random
import re
import time
import unicodedata
from pathlib import Path

import torch
import torch.nn.functional as F

from networks import Bert

CLS, SEP, MASK = 101, 102, 103  # of bert-base-uncased's vocabulary


def words(text):
    """Small letters without accents, punctuation apart."""
    text = "".join(c for c in unicodedata.normalize("NFD", text.lower()) if unicodedata.category(c) != "Mn")
    return re.findall(r"[^\W_]+|[^\w\s]|_", text)


class WordPieces:
    def __init__(self, path):
        self.ids = {piece: i for i, piece in enumerate(path.read_text(encoding="utf-8").split("\n")) if piece}
        self.known = {}

    def pieces(self, word):
        if word not in self.known:
            out, begin = [], 0
            while begin < len(word):
                end = len(word)
                while end > begin and ("##" if begin else "") + word[begin:end] not in self.ids:
                    end -= 1
                if end == begin:
                    out = [self.ids["[UNK]"]]
                    break
                out.append(self.ids[("##" if begin else "") + word[begin:end]])
                begin = end
            self.known[word] = out
        return self.known[word]

    def __call__(self, text):
        return [i for word in words(text) for i in self.pieces(word)]


def documents(files, tokenizer):
    """Lists of sentences, which are lists of pieces."""
    found = []
    for path in files:
        for body in re.findall(r"<doc [^>]*>\n(.*?)</doc>", path.read_text(encoding="utf-8"), re.S):
            sentences = [s for line in body.split("\n") for s in re.split(r"(?<=[.!?])\s+(?=[^a-z])", line.strip()) if s]
            found.append([pieces for pieces in map(tokenizer, sentences) if pieces])
    return [d for d in found if d]


def pairs_of(docs, longest, short_share, rng):
    """(A, B, B is of another document), as create_instances_from_document()."""
    out, room = [], longest - 3
    for number, doc in enumerate(docs):
        wanted = rng.randint(2, room) if rng.random() < short_share else room
        chunk, length, i = [], 0, 0
        while i < len(doc):
            chunk.append(doc[i])
            length += len(doc[i])
            if i == len(doc) - 1 or length >= wanted:
                middle = rng.randint(1, len(chunk) - 1) if len(chunk) >= 2 else 1
                a = sum(chunk[:middle], [])
                is_random = len(chunk) == 1 or rng.random() < 0.5
                if is_random:
                    other = rng.choice([n for n in range(len(docs)) if n != number])
                    b, at = [], rng.randrange(len(docs[other]))
                    while at < len(docs[other]) and len(b) < wanted - len(a) or not b:
                        b += docs[other][at]
                        at += 1
                    i -= len(chunk) - middle
                else:
                    b = sum(chunk[middle:], [])
                while len(a) + len(b) > room:
                    (a if len(a) > len(b) else b).pop(0 if rng.random() < 0.5 else -1)
                out.append((a, b, is_random))
                chunk, length = [], 0
            i += 1
    return out


def batch_of(pairs, longest, most, pieces, rng):
    n = len(pairs)
    tokens, types = torch.zeros(n, longest, dtype=torch.long), torch.zeros(n, longest, dtype=torch.long)
    rows, labels = [], []
    for s, (a, b, _) in enumerate(pairs):
        ids = [CLS, *a, SEP, *b, SEP]
        types[s, len(a) + 2:len(ids)] = 1
        candidates = [i for i, piece in enumerate(ids) if piece not in (CLS, SEP)]
        count = min(most, max(1, round(len(ids) * 0.15)), len(candidates))
        for at in sorted(rng.sample(candidates, count)):
            rows.append(s * longest + at)
            labels.append(ids[at])
            draw = rng.random()
            ids[at] = MASK if draw < 0.8 else rng.randrange(pieces) if draw < 0.9 else ids[at]
        tokens[s, :len(ids)] = torch.tensor(ids)
    return {"tokens": tokens, "types": types, "rows": torch.tensor(rows), "labels": torch.tensor(labels),
            "next": torch.tensor([int(p[2]) for p in pairs]),
            "lengths": torch.tensor([len(p[0]) + len(p[1]) + 3 for p in pairs])}


def initialise(module):
    if isinstance(module, (torch.nn.Linear, torch.nn.Embedding)):
        torch.nn.init.trunc_normal_(module.weight, std=0.02, a=-0.04, b=0.04)
    if isinstance(module, torch.nn.Linear):
        torch.nn.init.zeros_(module.bias)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("run", type=Path)
    parser.add_argument("--text", type=Path, required=True)
    parser.add_argument("--epochs", type=int, help="end after so many of the recipe's")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--threads", type=int, default=1)
    parser.add_argument("--device", choices=["cpu", "cuda"], default="cpu")
    args = parser.parse_args()
    torch.set_num_threads(args.threads)
    torch.manual_seed(args.seed)
    torch.set_default_device(args.device)
    run = json.loads(args.run.read_text())
    data, model_of, schedule, batch = run["data"], run["model"], run["schedule"], run["global_batch"]
    longest, most = model_of["max_length"], data["max_predictions"]
    tokenizer = WordPieces(args.text / "vocab.txt")
    files = sorted(p for p in args.text.iterdir() if p.is_file() and p.name != "vocab.txt")
    apart = documents([p for p in files if p.name.startswith("eval")], tokenizer)
    docs = documents([p for p in files if not p.name.startswith("eval")], tokenizer)
    split = random.Random(7)  # of the set, not of the run
    split.shuffle(docs)
    held = len(apart) or max(2, round(len(docs) * data["eval_share"]))
    docs = apart + docs
    train = pairs_of(docs[held:], longest, data.get("short_share", 0.1), split)
    test = pairs_of(docs[:held], longest, data.get("short_share", 0.1), split)
    pieces = len(tokenizer.ids)
    print(f"{len(docs) - held} + {held} documents, {len(train)} + {len(test)} sequences", flush=True)
    hidden, layers = {"bert_tiny": (128, 2), "bert_mini": (256, 4), "bert_small": (512, 4)}[model_of["name"]]
    model = Bert((pieces + 7) // 8 * 8, hidden, layers, model_of["dropout"])
    model.apply(initialise)
    decayed = [p for p in model.parameters() if p.ndim >= 2]
    rest = [p for p in model.parameters() if p.ndim < 2]
    o = run["optimizer"]
    optimizer = torch.optim.AdamW([{"params": decayed}, {"params": rest, "weight_decay": 0.0}], lr=1.0,
                                  betas=(o["beta1"], o["beta2"]), eps=o["epsilon"], weight_decay=o["weight_decay"])
    steps = len(train) // batch
    total, warm = run["epochs"] * steps, round(schedule["warmup_epochs"] * steps)
    half = torch.autocast(args.device, dtype=torch.bfloat16, enabled=run["precision"] == "bf16")
    rng, step = random.Random(args.seed), 0
    for epoch in range(args.epochs or run["epochs"]):
        start, losses = time.perf_counter(), 0.0
        model.train()
        rng.shuffle(train)
        for i in range(steps):
            step += 1
            rate = schedule["base_lr"] * (step / warm if step <= warm else (total - step) / (total - warm))
            for group in optimizer.param_groups:
                group["lr"] = rate
            b = batch_of(train[i * batch:(i + 1) * batch], longest, most, pieces, rng)
            b = {k: v.to(args.device) for k, v in b.items()}
            optimizer.zero_grad()
            with half:
                found, following = model(b["tokens"], b["types"], b["rows"], b["lengths"])
                loss = F.cross_entropy(found, b["labels"]) + F.cross_entropy(following, b["next"])
            loss.backward()
            optimizer.step()
            losses += loss.item()
        model.eval()
        fixed, right, counted = random.Random(11), 0, 0
        with torch.no_grad(), half:
            for i in range(0, len(test), batch):
                b = batch_of(test[i:i + batch], longest, most, pieces, fixed)
                b = {k: v.to(args.device) for k, v in b.items()}
                found, _ = model(b["tokens"], b["types"], b["rows"], b["lengths"])
                right += (found.argmax(1) == b["labels"]).sum().item()
                counted += len(b["labels"])
        print(json.dumps({"seed": args.seed, "epoch": epoch + 1, "masked_lm_accuracy": right / counted,
                          "train_loss": losses / steps, "seconds": round(time.perf_counter() - start, 1)}), flush=True)


if __name__ == "__main__":
    main()
