# SPDX-License-Identifier: GPL-3.0-or-later
"""Submissions with what goes wrong in them, and what MLPerf's own summariser makes of such trees.

mlperf_summary.py make LOGS TREE   variants of the public logs in LOGS, a folder of runs for each
mlperf_summary.py score TREE       as JSON per folder: its score, and the minutes of its valid files
                                   (PYTHONPATH: a folder with mlperf_logging and yaml)
"""
import contextlib
import copy
import io
import json
import os
import re
import sys
from unittest.mock import MagicMock

MARK = b":::MLLOG "


def stretched(log, factor):
    """The same run, slower: times after its first line by a factor."""
    first = None
    lines = []
    for line in log.split(b"\n"):
        found = re.search(rb'"time_ms": ?(\d+)', line)
        if found:
            ms = int(found.group(1))
            first = first or ms
            line = line.replace(found.group(1), b"%d" % (first + (ms - first) * factor), 1)
        lines.append(line)
    return b"\n".join(lines)


def at(log, key, number=0):
    """Where the line with a key begins, and where it ends."""
    places = [m.start() for m in re.finditer(rb'[^\n]*"key": ?"%s"[^\n]*\n' % key, log)]
    begin = places[number]
    return begin, log.index(b"\n", begin) + 1


def line(log, key, number=0):
    begin, end = at(log, key, number)
    return log[begin:end]


def without(log, key):
    begin, end = at(log, key)
    return log[:begin] + log[end:]


def below(log):
    """No evaluation reaches the target."""
    return re.sub(rb'("key": ?"eval_accuracy", ?"value": ?)0\.\d+', rb"\g<1>0.05", log)


def later(text, ms):
    return re.sub(rb'("time_ms": ?)(\d+)', lambda m: m[1] + b"%d" % (int(m[2]) + ms), text)


def insert(log, key, text):
    """Before the first line with that key."""
    begin, _ = at(log, key)
    return log[:begin] + text + log[begin:]


def in_the_middle(log):
    return log[: len(log) * 2 // 3]


VARIANTS = {
    "plain": lambda log: log,
    "aborted": lambda log: below(log).replace(b'"success"', b'"aborted"'),
    "said_success": below,
    "no_end": lambda log: without(log, b"run_stop"),
    "no_start": lambda log: without(log, b"run_start"),
    "cut": in_the_middle,
    "doubled": lambda log: b"".join(l + b"\n" + b"DEBUG:log:" + l + b"\n" for l in log.split(b"\n")),
    "start_twice": lambda log: insert(log, b"run_stop", b"").replace(
        line(log, b"run_start"),
        line(log, b"run_start") + later(line(log, b"run_start"), 120_000), 1),
    "stop_twice": lambda log: log.replace(
        line(log, b"run_stop"), line(log, b"run_stop") + later(line(log, b"run_stop"), 60_000), 1),
    "broken_line": lambda log: insert(log, b"run_stop", MARK + b'{"key": "epoch_stop", "val\n'),
    "text_behind": lambda log: insert(
        log, b"run_stop", line(log, b"eval_accuracy", -1).rstrip() + b" 100%|####|\n"),
    "text_before": lambda log: b"\n".join(
        b" 12: 37%|###| " + l if MARK in l else l for l in log.split(b"\n")),
    "latin1": lambda log: log.replace(
        line(log, b"run_start"), b"\xe9t\xe9 " + line(log, b"run_start"), 1),
    "utf16": lambda log: log.decode("latin-1").encode("utf-16"),
    "utf8_mark": lambda log: b"\xef\xbb\xbf" + log,
    "crlf": lambda log: log.replace(b"\n", b"\r\n"),
    "not_a_number": lambda log: insert(
        log, b"run_stop", re.sub(rb'("value": ?)[^,]+', rb"\g<1>NaN",
                                 line(log, b"eval_accuracy", -1), count=1)),
    "empty": lambda log: b"",
    "other_output": lambda log: b"Loading data\nDone.\n",
}


def make(logs, tree):
    def read(name):
        with open(os.path.join(logs, name), "rb") as f:
            return f.read()

    resnet = read("v2.0_nvidia_dgxa100_1x8_resnet_r0.txt")
    bases = [(v, "resnet", resnet) for v in ("2.0", "4.0")]
    bases.append(("0.7", "gnmt", read("v0.7_nvidia_dgxa100_1x8_gnmt_r0.txt")))
    for version, benchmark, log in bases:
        for name, change in VARIANTS.items():
            for bad in (1, 2):
                folder = os.path.join(tree, f"training_results_v{version}", "Somebody", "results",
                                      f"{name}_{bad}", benchmark)
                os.makedirs(folder)
                for i in range(3):
                    run = stretched(log, 1 + i * 0.01)
                    with open(os.path.join(folder, f"result_{i}.txt"), "wb") as f:
                        f.write(change(run) if i < bad else run)


def score(tree):
    for name in ("pandas", "numpy", "scipy", "scipy.stats", "scipy.interpolate"):
        sys.modules[name] = MagicMock()  # for its tables and reference points, not asked for here
    import yaml
    from mlperf_logging.result_summarizer import result_summarizer as summarizer

    # The rules are read anew for every file, which takes most of the time: once will do.
    load, known = yaml.load, {}

    def load_once(stream, Loader):
        text = stream.read()
        if (text, Loader) not in known:
            known[text, Loader] = load(text, Loader=Loader)
        return copy.deepcopy(known[text, Loader])

    yaml.load = load_once
    scores = {}
    for folder, _, files in os.walk(tree):
        if not any(name.startswith("result_") for name in files):
            continue
        version = re.search(r"training_results_v(\d\.\d)", folder).group(1)
        *_, system, benchmark = folder.split("/")
        with contextlib.redirect_stdout(io.StringIO()):
            valid, _, minutes, *_ = summarizer._compute_strong_score_standalone(
                benchmark, system, False, folder, "training", version + ".0",
                return_full_scores=True)
        scores[folder] = {"minutes": minutes, "files": valid}
    json.dump(scores, sys.stdout)


if __name__ == "__main__":
    make(*sys.argv[2:]) if sys.argv[1] == "make" else score(sys.argv[2])
