# SPDX-License-Identifier: GPL-3.0-or-later
"""Reads the files that bench_train --dump writes (the layout of safetensors)."""

import json
import struct

import torch

TYPES = {"F32": torch.float32, "I32": torch.int32}


def read_tensor_file(path):
    """Returns (metadata, {name: tensor})."""
    raw = bytearray(path.read_bytes())
    (length,) = struct.unpack_from("<Q", raw)
    header = json.loads(raw[8 : 8 + length])
    metadata = header.pop("__metadata__")
    tensors = {}
    for name, entry in header.items():
        begin, end = entry["data_offsets"]
        dtype = TYPES[entry["dtype"]]
        flat = torch.frombuffer(
            raw, dtype=dtype, count=(end - begin) // dtype.itemsize, offset=8 + length + begin
        )
        tensors[name] = flat.reshape(entry["shape"])
    return metadata, tensors
