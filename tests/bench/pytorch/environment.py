# SPDX-License-Identifier: GPL-3.0-or-later
"""Where PyTorch and the engine's benchmark program come from."""

import importlib.util
import os
import subprocess
import sys
import venv
from pathlib import Path

ROOT = Path(__file__).resolve().parents[3]


def default_folder():
    cache = os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache"
    return Path(cache) / "scalebench" / "pytorch"


def add_arguments(parser):
    parser.add_argument(
        "--venv",
        type=Path,
        default=default_folder(),
        help="virtual environment used (and made, with pip install torch) when this Python has no "
        "torch (default: %(default)s)",
    )
    parser.add_argument(
        "--engine",
        type=Path,
        default=None,
        help="the bench_train program (default: the newest in build/*/bin)",
    )


def ensure_torch(folder):
    """Restarts the running script under a Python that has torch, installing it when needed."""
    if importlib.util.find_spec("torch"):
        return
    python = folder / "bin" / "python"
    if Path(sys.prefix).resolve() == folder.resolve():
        sys.exit(f"torch is not in {folder} although pip has just installed it")
    if not python.exists():
        print(f"no torch here: making {folder}", file=sys.stderr)
        venv.create(folder, with_pip=True)
    if subprocess.run([python, "-c", "import torch"], stderr=subprocess.DEVNULL).returncode:
        subprocess.run([python, "-m", "pip", "install", "torch", "numpy"], check=True)
    os.execv(python, [str(python), *sys.argv])


def engine_program(given):
    """Path of bench_train; exits with what to do when there is none."""
    candidates = [given] if given else ROOT.glob("build/*/bin/bench_train")
    found = sorted((p for p in candidates if p.is_file()), key=lambda p: p.stat().st_mtime)
    if not found:
        sys.exit(
            f"{given or 'bench_train'} not found: build it with "
            "cmake --build build/<folder> --target bench_train, or give --engine"
        )
    return found[-1].resolve()
