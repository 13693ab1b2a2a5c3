# SPDX-License-Identifier: GPL-3.0-or-later
"""The networks of the comparison, written in PyTorch as the engine builds them.

A module has the same parameter names, shapes and order of axes as the engine's network, so that
weights written by `bench_train --dump` can be loaded by name. NETWORKS maps the name of a network
to its factory; `Workload` is all that the programs beside this file need of one.
"""

import math
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

    def __init__(self, channels_in, width, stride, bottleneck, projection):
        super().__init__()
        channels_out = width * (4 if bottleneck else 1)
        self.stride, self.missing = stride, channels_out - channels_in
        changes = stride != 1 or self.missing != 0
        self.shortcut = ConvNorm(channels_in, channels_out, 1, stride) if projection and changes else None
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
    def __init__(self, blocks, widths, classes, imagenet, projection):
        super().__init__()
        self.stem = ConvNorm(3, widths[0], 7 if imagenet else 3, 2 if imagenet else 1)
        self.pool = nn.MaxPool2d(3, 2, 1) if imagenet else nn.Identity()
        channels, self.stages = widths[0], len(blocks)
        for s, (count, width) in enumerate(zip(blocks, widths), 1):
            stage = nn.Module()
            for i in range(1, count + 1):
                stride = 2 if s > 1 and i == 1 else 1
                setattr(stage, f"block{i}", Block(channels, width, stride, imagenet, projection))
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


class PrepBlock(nn.Module):
    """3x3 convolution, batch norm, ReLU, then halved if `pool`."""

    def __init__(self, channels_in, channels_out, pool=False):
        super().__init__()
        self.conv = nn.Conv2d(channels_in, channels_out, 3, 1, 1, bias=False)
        self.bn = nn.BatchNorm2d(channels_out)
        self.pool = pool

    def forward(self, x):
        x = F.relu(self.bn(self.conv(x)))
        return F.max_pool2d(x, 2) if self.pool else x


class ResNet9(nn.Module):
    """David Page's network (engine/models/resnet/resnet9.h)."""

    def __init__(self, classes):
        super().__init__()
        self.prep = PrepBlock(3, 64)
        self.layer1 = PrepBlock(64, 128, True)
        self.layer1.residual1, self.layer1.residual2 = PrepBlock(128, 128), PrepBlock(128, 128)
        self.layer2 = PrepBlock(128, 256, True)
        self.layer3 = PrepBlock(256, 512, True)
        self.layer3.residual1, self.layer3.residual2 = PrepBlock(512, 512), PrepBlock(512, 512)
        self.classifier = nn.Linear(512, classes)

    def forward(self, x):
        x = self.layer1(self.prep(x))
        x = x + self.layer1.residual2(self.layer1.residual1(x))
        x = self.layer3(self.layer2(x))
        x = x + self.layer3.residual2(self.layer3.residual1(x))
        return 0.125 * self.classifier(x.amax((2, 3)))


def resnet9(samples, dropout=True):
    batch = {"images": torch.randn(samples, 3, 32, 32), "labels": torch.randint(0, 10, (samples,))}
    return Workload(ResNet9(10), batch, image_loss, sgd, True, images_from_engine)


def resnet(blocks, widths, classes, size, imagenet, projection):
    def make(samples, dropout=True):
        model = ResNet(blocks, widths, classes, imagenet, projection)
        batch = {
            "images": torch.randn(samples, 3, size, size),
            "labels": torch.randint(0, 10, (samples,)),
        }
        return Workload(model, batch, image_loss, sgd, True, images_from_engine)

    return make


# --- language model of stacked LSTM layers, residual from the second on; time-major ---


class LstmStack(nn.Module):
    def __init__(self, vocabulary, hidden, layers, dropout):
        super().__init__()
        self.embedding = nn.Embedding(vocabulary, hidden)
        self.layers = layers
        for i in range(1, layers + 1):
            setattr(self, f"layer{i}", nn.LSTM(hidden, hidden))
        self.classifier = nn.Linear(hidden, vocabulary)
        self.dropout = nn.Dropout(dropout)

    def forward(self, tokens):
        x = self.embedding(tokens)
        for i in range(1, self.layers + 1):
            y = getattr(self, f"layer{i}")(self.dropout(x))[0]
            x = y if i == 1 else y + x
        return self.classifier(self.dropout(x))


def tokens_loss(model, batch):
    return F.cross_entropy(model(batch["tokens"]).flatten(0, 1), batch["labels"].flatten())


def lstm_stack(hidden, steps, vocabulary=10000, layers=4):
    def make(samples, dropout=True):
        model = LstmStack(vocabulary, hidden, layers, 0.2 if dropout else 0.0)
        batch = {n: torch.randint(0, vocabulary, (steps, samples)) for n in ("tokens", "labels")}
        return Workload(model, batch, tokens_loss, sgd)

    return make


# --- GNMT v2: Wu et al. 2016, arXiv 1609.08144, as MLPerf Training measured it ---


class AdditiveAttention(nn.Module):
    def __init__(self, units):
        super().__init__()
        self.linear_q = nn.Linear(units, units, bias=False)
        self.linear_k = nn.Linear(units, units, bias=False)
        self.linear_att = nn.Parameter(torch.empty(units).uniform_(-0.1, 0.1))
        self.normalize_scalar = nn.Parameter(torch.full((1,), units**-0.5))
        self.normalize_bias = nn.Parameter(torch.zeros(units))

    def forward(self, query, keys, lengths):
        q = self.linear_q(query).transpose(0, 1).unsqueeze(2)  # [B,Tq,1,units]
        k = self.linear_k(keys).transpose(0, 1).unsqueeze(1)  # [B,1,Tk,units]
        weight = self.linear_att / self.linear_att.norm() * self.normalize_scalar
        scores = torch.tanh(q + k + self.normalize_bias).matmul(weight)
        outside = torch.arange(keys.size(0)) >= lengths[:, None]
        weights = scores.masked_fill(outside[:, None], float("-inf")).softmax(-1)
        return torch.bmm(weights.to(keys.dtype), keys.transpose(0, 1)).transpose(0, 1)


class Gnmt(nn.Module):
    def __init__(self, vocabulary, hidden, layers, dropout):
        super().__init__()
        self.embedder = nn.Embedding(vocabulary, hidden)
        self.encoder, self.decoder = nn.Module(), nn.Module()
        self.encoder.rnn_layers = nn.ModuleList(
            nn.LSTM(2 * hidden if i == 1 else hidden, hidden, bidirectional=i == 0)
            for i in range(layers)
        )
        self.decoder.att_rnn = nn.Module()
        self.decoder.att_rnn.rnn = nn.LSTM(hidden, hidden)
        self.decoder.att_rnn.attn = AdditiveAttention(hidden)
        self.decoder.rnn_layers = nn.ModuleList(
            nn.LSTM(2 * hidden, hidden) for _ in range(layers - 1)
        )
        self.decoder.classifier = nn.Linear(hidden, vocabulary)
        self.dropout = nn.Dropout(dropout)

    def encode(self, source, lengths):
        x = self.embedder(source)
        for i, layer in enumerate(self.encoder.rnn_layers):
            y = self.dropout(x)
            if i == 0:
                packed = nn.utils.rnn.pack_padded_sequence(y, lengths.cpu())
                y = nn.utils.rnn.pad_packed_sequence(layer(packed)[0], total_length=len(source))[0]
            else:
                y = layer(y)[0]
            x = y if i < 2 else y + x
        return x

    def forward(self, source, lengths, target):
        keys = self.encode(source, lengths)
        x = self.decoder.att_rnn.rnn(self.dropout(self.embedder(target)))[0]
        context = self.decoder.att_rnn.attn(x, keys, lengths)
        for i, layer in enumerate(self.decoder.rnn_layers):
            y = layer(self.dropout(torch.cat((x, context), 2)))[0]
            x = y if i == 0 else y + x
        return self.decoder.classifier(x)


def translation_loss(model, batch):
    logits = model(batch["source"], batch["lengths"], batch["target"])
    return F.cross_entropy(logits.flatten(0, 1), batch["labels"].flatten())


def gnmt(samples, dropout=True, vocabulary=32320, steps=25):
    model = Gnmt(vocabulary, 1024, 4, 0.2 if dropout else 0.0)
    names = ("source", "target", "labels")
    batch = {n: torch.randint(0, vocabulary, (steps, samples)) for n in names}
    lengths = torch.randint(steps // 2 + 1, steps, (samples,)).sort(descending=True).values
    lengths[0] = steps
    return Workload(model, {**batch, "lengths": lengths}, translation_loss, sgd)


# --- Transformer: Vaswani et al. 2017, arXiv 1706.03762; norms before the sublayers ---


class Sublayer(nn.Module):
    """Named parts of one residual branch."""

    def __init__(self, hidden, **parts):
        super().__init__()
        self.norm = nn.LayerNorm(hidden)
        for name, part in parts.items():
            setattr(self, name, part)


class Transformer(nn.Module):
    def __init__(self, vocabulary, hidden, heads, inner, layers):
        super().__init__()
        self.hidden, self.heads, self.layers = hidden, heads, layers
        self.embedding = nn.Embedding(vocabulary, hidden)

        def linear(a, b, bias=False):
            return nn.Linear(a, b, bias=bias)

        def block(crossing):
            layer = nn.Module()
            layer.self = Sublayer(hidden, qkv=linear(hidden, 3 * hidden), out=linear(hidden, hidden))
            if crossing:
                layer.cross = Sublayer(hidden, query=linear(hidden, hidden), kv=linear(hidden, 2 * hidden),
                                       out=linear(hidden, hidden))
            layer.ffn = Sublayer(hidden, inner=linear(hidden, inner, True), outer=linear(inner, hidden, True))
            return layer

        for i in range(1, layers + 1):
            setattr(self, f"encoder{i}", block(False))
            setattr(self, f"decoder{i}", block(True))
        self.encoder, self.decoder = Sublayer(hidden), Sublayer(hidden)
        steps = torch.arange(hidden // 2) * (-math.log(10000.0) / (hidden // 2 - 1))
        angles = torch.arange(512)[:, None] * torch.exp(steps)
        self.register_buffer("positions", torch.cat((angles.sin(), angles.cos()), 1), persistent=False)

    def split(self, x):
        return x.unflatten(-1, (self.heads, -1)).transpose(1, 2)

    def attention(self, query, key, value, causal=False):
        y = F.scaled_dot_product_attention(*map(self.split, (query, key, value)), is_causal=causal)
        return y.transpose(1, 2).flatten(2)

    def own(self, part, x, causal):
        y = self.attention(*part.qkv(part.norm(x)).chunk(3, -1), causal=causal)
        return x + part.out(y)

    def crossed(self, part, x, memory):
        y = self.attention(part.query(part.norm(x)), *part.kv(memory).chunk(2, -1))
        return x + part.out(y)

    def feed(self, part, x):
        return x + part.outer(F.relu(part.inner(part.norm(x))))

    def embed(self, tokens):
        return self.embedding(tokens) * math.sqrt(self.hidden) + self.positions[: tokens.shape[1]]

    def forward(self, source, target):
        x, y = self.embed(source), self.embed(target)
        for i in range(1, self.layers + 1):
            layer = getattr(self, f"encoder{i}")
            x = self.feed(layer.ffn, self.own(layer.self, x, False))
        memory = self.encoder.norm(x)
        for i in range(1, self.layers + 1):
            layer = getattr(self, f"decoder{i}")
            y = self.crossed(layer.cross, self.own(layer.self, y, True), memory)
            y = self.feed(layer.ffn, y)
        return F.linear(self.decoder.norm(y), self.embedding.weight)


def transformer_loss(model, batch):
    logits = model(batch["source"], batch["target"])
    return F.cross_entropy(logits.flatten(0, 1), batch["labels"].flatten())


def transformer256(samples, dropout=True, vocabulary=8192, tokens=64):
    model = Transformer(vocabulary, 256, 4, 1024, 6)
    names = ("source", "target", "labels")
    batch = {n: torch.randint(0, vocabulary, (samples, tokens)) for n in names}
    return Workload(model, batch, transformer_loss, adam)


# --- BERT pre-training: Devlin et al. 2019, arXiv 1810.04805; norms after the sublayers ---


class BertLayer(nn.Module):
    def __init__(self, hidden, heads, dropout):
        super().__init__()
        self.heads, self.dropout = heads, dropout
        self.self = nn.Module()
        self.self.qkv, self.self.out = nn.Linear(hidden, 3 * hidden), nn.Linear(hidden, hidden)
        self.self.norm = nn.LayerNorm(hidden, eps=1e-12)
        self.ffn = nn.Module()
        self.ffn.inner, self.ffn.outer = nn.Linear(hidden, 4 * hidden), nn.Linear(4 * hidden, hidden)
        self.ffn.norm = nn.LayerNorm(hidden, eps=1e-12)

    def forward(self, x, mask):
        q, k, v = (p.unflatten(-1, (self.heads, -1)).transpose(1, 2) for p in self.self.qkv(x).chunk(3, -1))
        rate = self.dropout if self.training else 0.0
        y = F.scaled_dot_product_attention(q, k, v, attn_mask=mask, dropout_p=rate)
        y = self.self.out(y.transpose(1, 2).flatten(2))
        x = self.self.norm(x + F.dropout(y, rate))
        y = self.ffn.outer(F.gelu(self.ffn.inner(x)))
        return self.ffn.norm(x + F.dropout(y, rate))


class Bert(nn.Module):
    def __init__(self, vocabulary, hidden, layers, dropout, positions=512):
        super().__init__()
        self.layers, self.dropout = layers, dropout
        self.embedding = nn.Module()
        self.embedding.word = nn.Embedding(vocabulary, hidden)
        self.embedding.position = nn.Embedding(positions, hidden)
        self.embedding.type = nn.Embedding(2, hidden)
        self.embedding.norm = nn.LayerNorm(hidden, eps=1e-12)
        for i in range(1, layers + 1):
            setattr(self, f"encoder{i}", BertLayer(hidden, hidden // 64, dropout))
        self.mlm = nn.Module()
        self.mlm.dense = nn.Linear(hidden, hidden)
        self.mlm.norm = nn.LayerNorm(hidden, eps=1e-12)
        self.mlm.bias = nn.Parameter(torch.zeros(vocabulary))
        self.pooler, self.next = nn.Linear(hidden, hidden), nn.Linear(hidden, 2)

    def forward(self, tokens, types, rows, lengths):
        size = tokens.shape[1]
        e = self.embedding
        kinds = dict(e.named_children())["type"]  # e.type is a method of every module
        x = e.norm(e.word(tokens) + e.position.weight[:size] + kinds(types))
        x = F.dropout(x, self.dropout, self.training)
        mask = None
        if (lengths < size).any():
            mask = (torch.arange(size) < lengths[:, None])[:, None, None, :]
        for i in range(1, self.layers + 1):
            x = getattr(self, f"encoder{i}")(x, mask)
        words = self.mlm.norm(F.gelu(self.mlm.dense(x.flatten(0, 1)[rows])))
        words = F.linear(words, self.embedding.word.weight, self.mlm.bias)
        return words, self.next(torch.tanh(self.pooler(x[:, 0])))


def bert_loss(model, batch):
    words, following = model(batch["tokens"], batch["types"], batch["rows"], batch["lengths"])
    return F.cross_entropy(words, batch["labels"]) + F.cross_entropy(following, batch["next"])


def bert(hidden, layers, tokens, vocabulary=30528):
    def make(samples, dropout=True):
        masked = tokens * 3 // 20
        batch = {
            "tokens": torch.randint(0, vocabulary, (samples, tokens)),
            "types": torch.randint(0, 2, (samples, tokens)),
            "rows": (torch.arange(samples)[:, None] * tokens + torch.arange(masked) * 6 + 1).flatten(),
            "labels": torch.randint(0, vocabulary, (samples * masked,)),
            "next": torch.randint(0, 2, (samples,)),
            "lengths": torch.full((samples,), tokens),
        }
        model = Bert(vocabulary, hidden, layers, 0.1 if dropout else 0.0)
        return Workload(model, batch, bert_loss, adam)

    return make


# --- neural matrix factorisation: He et al. 2017, arXiv 1708.05031, with MovieLens-20M's sizes ---


class Ncf(nn.Module):
    def __init__(self, sparse, users=138493, items=26744, factors=64, layers=(256, 256, 128, 64)):
        super().__init__()

        def table(rows, columns):
            return nn.Embedding(rows, columns, sparse=sparse)

        self.mf_user, self.mf_item = table(users, factors), table(items, factors)
        self.mlp_user, self.mlp_item = table(users, layers[0] // 2), table(items, layers[0] // 2)
        self.depth = len(layers) - 1
        for i in range(self.depth):
            setattr(self, f"mlp{i + 1}", nn.Linear(layers[i], layers[i + 1]))
        self.last = nn.Linear(factors + layers[-1], 1)

    def forward(self, users, items):
        x = torch.cat((self.mlp_user(users), self.mlp_item(items)), 1)
        for i in range(1, self.depth + 1):
            x = F.relu(getattr(self, f"mlp{i}")(x))
        product = self.mf_user(users) * self.mf_item(items)
        return self.last(torch.cat((product, x), 1)).squeeze(1)


class DenseAndSparse:
    """Adam, and SparseAdam for the tables (matrices of more than a thousand rows)."""

    def __init__(self, parameters):
        parameters = list(parameters)
        tables = [p for p in parameters if p.ndim == 2 and len(p) > 1000]
        rest = [p for p in parameters if not any(p is t for t in tables)]
        self.parts = [torch.optim.SparseAdam(tables, lr=1e-4), adam(rest)]

    def zero_grad(self, set_to_none):
        for part in self.parts:
            part.zero_grad(set_to_none=set_to_none)

    def step(self):
        for part in self.parts:
            part.step()


def ncf_loss(model, batch):
    logits = model(batch["users"], batch["items"])
    return F.binary_cross_entropy_with_logits(logits, batch["labels"].to(logits.dtype))


def ncf(sparse):
    def make(samples, dropout=True):
        batch = {
            "users": torch.randint(0, 138493, (samples,)),
            "items": torch.randint(0, 26744, (samples,)),
            "labels": (torch.rand(samples) < 0.2).float(),
        }
        optimizer = DenseAndSparse if sparse else adam
        return Workload(Ncf(sparse), batch, ncf_loss, optimizer)

    return make


class Dlrm(nn.Module):
    """Naumov et al. 2019, arXiv 1906.00091, with MLPerf's perceptrons by default."""

    def __init__(
        self, rows=100_000, tables=26, dim=128, bottom=(512, 256), top=(1024, 1024, 512, 256)
    ):
        super().__init__()
        for i in range(tables):
            setattr(self, f"table{i + 1}", nn.EmbeddingBag(rows, dim, mode="sum", sparse=True))
        self.tables = tables
        self.bottom = self.layers("bottom", [13, *bottom, dim])
        self.top = self.layers("top", [dim + (tables + 1) * tables // 2, *top, 1])
        self.register_buffer("pairs", torch.tril_indices(tables + 1, tables + 1, -1), False)

    def layers(self, name, sizes):
        for i in range(len(sizes) - 1):
            setattr(self, f"{name}{i + 1}", nn.Linear(sizes[i], sizes[i + 1]))
        return [f"{name}{i + 1}" for i in range(len(sizes) - 1)]

    def forward(self, counts, ids):
        x = counts
        for name in self.bottom:
            x = F.relu(getattr(self, name)(x))
        offsets = torch.arange(len(counts))
        vectors = [x] + [
            getattr(self, f"table{t + 1}")(ids[t], offsets) for t in range(self.tables)
        ]
        vectors = torch.stack([v.to(x.dtype) for v in vectors], 1)
        products = torch.bmm(vectors, vectors.transpose(1, 2))
        x = torch.cat((x, products[:, self.pairs[0], self.pairs[1]]), 1)
        for name in self.top[:-1]:
            x = F.relu(getattr(self, name)(x))
        return getattr(self, self.top[-1])(x).squeeze(1)


def dlrm_loss(model, batch):
    logits = model(batch["counts"], batch["ids"])
    return F.binary_cross_entropy_with_logits(logits, batch["labels"].to(logits.dtype))


def plain_sgd(parameters):
    return torch.optim.SGD(parameters, lr=0.01)


def dlrm(samples, dropout=True, **sizes):
    batch = {
        "counts": torch.randn(samples, 13),
        "ids": torch.randint(0, 100_000, (26, samples)),
        "labels": (torch.rand(samples) < 0.25).float(),
    }
    return Workload(Dlrm(**sizes), batch, dlrm_loss, plain_sgd)


def dlrm_lab(samples, dropout=True):
    return dlrm(samples, dim=16, bottom=(512, 256, 64), top=(512, 256))


# --- SSD: Liu et al. 2015, arXiv 1512.02325, with MLPerf's ResNet-34 and 300x300 pictures ---


class Ssd(nn.Module):
    def __init__(self, categories=80):
        super().__init__()
        self.stem, self.pool = ConvNorm(3, 64, 7, 2), nn.MaxPool2d(3, 2, 1)
        channels = 64
        plan = zip((3, 4, 6), (64, 128, 256), (1, 2, 1))
        for s, (count, width, stride) in enumerate(plan, 1):
            stage = nn.Module()
            for i in range(1, count + 1):
                block = Block(channels, width, stride if i == 1 else 1, False, True)
                setattr(stage, f"block{i}", block)
                channels = width
            setattr(self, f"stage{s}", stage)
        extras = [(256, 512, 2, 1), (256, 512, 2, 1), (128, 256, 2, 1), (128, 256, 1, 0), (128, 256, 1, 0)]
        widths = [channels]
        for i, (middle, out, stride, padding) in enumerate(extras, 1):
            extra = nn.Module()
            extra.conv1 = nn.Conv2d(widths[-1], middle, 1)
            extra.conv2 = nn.Conv2d(middle, out, 3, stride, padding)
            setattr(self, f"extra{i}", extra)
            widths.append(out)
        for i, (width, boxes) in enumerate(zip(widths, (4, 6, 6, 6, 4, 4)), 1):
            head = nn.Module()
            head.box = nn.Conv2d(width, 4 * boxes, 3, padding=1)
            head.add_module("class", nn.Conv2d(width, (categories + 1) * boxes, 3, padding=1))
            setattr(self, f"head{i}", head)
        self.extras, self.categories = len(extras), categories

    def maps(self, images):
        x = self.pool(F.relu(self.stem(images), inplace=True))
        for s in (1, 2, 3):
            for block in getattr(self, f"stage{s}").children():
                x = block(x)
        yield x
        for i in range(1, self.extras + 1):
            extra = getattr(self, f"extra{i}")
            x = F.relu(extra.conv2(F.relu(extra.conv1(x))))
            yield x

    def forward(self, images):
        deltas, logits = [], []
        for i, x in enumerate(self.maps(images), 1):
            head = getattr(self, f"head{i}")
            n = len(x)
            deltas.append(head.box(x).permute(0, 2, 3, 1).reshape(n, -1, 4))
            classes = getattr(head, "class")(x).permute(0, 2, 3, 1)
            logits.append(classes.reshape(n, -1, self.categories + 1))
        return torch.cat(logits, 1), torch.cat(deltas, 1)


def multibox_loss(model, batch):
    """Each picture's positives and three times as many hardest negatives, over its positives."""
    logits, deltas = model(batch["images"])
    labels = batch["labels"]
    positive = labels > 0
    count = positive.sum(1)
    each = F.cross_entropy(logits.transpose(1, 2), labels, reduction="none")
    with torch.no_grad():
        order = each.detach().masked_fill(positive, -1).argsort(1, descending=True)
        rank = torch.empty_like(order)
        rank.scatter_(1, order, torch.arange(order.shape[1]).expand_as(order))
        taken = positive | (rank < 3 * count[:, None])
    boxes = F.smooth_l1_loss(deltas, batch["targets"].to(deltas.dtype), reduction="none").sum(2)
    sums = (each * taken).sum(1) + (boxes * positive).sum(1)
    return (sums / count.clamp(min=1)).mean()


def ssd(samples, dropout=True):
    boxes = 8732
    labels = torch.randint(0, 80 * 400, (samples, boxes))
    batch = {
        "images": torch.randn(samples, 3, 300, 300),
        "labels": torch.where(labels < 80, labels + 1, 0),
        "targets": torch.randn(samples, boxes, 4),
    }
    return Workload(Ssd(), batch, multibox_loss, sgd, True, images_from_engine)


NETWORKS = {
    "resnet9": resnet9,
    "resnet18": resnet([2, 2, 2, 2], [64, 128, 256, 512], 10, 32, False, True),
    "resnet20": resnet([3, 3, 3], [16, 32, 64], 10, 32, False, False),
    "resnet50": resnet([3, 4, 6, 3], [64, 128, 256, 512], 1000, 224, True, True),
    "lstm512": lstm_stack(512, 32),
    "lstm1024": lstm_stack(1024, 25),
    "gnmt": gnmt,
    "ssd": ssd,
    "transformer256": transformer256,
    "bert_mini128": bert(256, 4, 128),
    "bert_base128": bert(768, 12, 128),
    "bert_large512": bert(1024, 24, 512),
    "dlrm": dlrm,
    "dlrm_lab": dlrm_lab,
    "ncf": ncf(sparse=False),
    "ncf_sparse": ncf(sparse=True),
}

#: Samples per step in the table of ratios.
BATCHES = {
    "resnet9": 128,
    "resnet18": 128,
    "resnet20": 128,
    "resnet50": 16,
    "lstm512": 32,
    "lstm1024": 32,
    "gnmt": 32,
    "ssd": 4,
    "transformer256": 32,
    "bert_mini128": 32,
    "bert_base128": 8,
    "dlrm": 2048,
    "dlrm_lab": 128,
    "ncf": 65536,
    "ncf_sparse": 65536,
}
