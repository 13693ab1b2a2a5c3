# SPDX-License-Identifier: GPL-3.0-or-later
"""Slurm on the hosts of a cluster."""

TOOLS = ("munged", "slurmctld", "slurmd", "sbatch")


def prepare(cluster):
    raise NotImplementedError


def start(cluster):
    raise NotImplementedError
