// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// For tests: how the stand-ins of cuBLASLt and cuDNN behave. They check what they are given as the
// libraries do by their documents and headers, refuse what those refuse with the same status, and
// compute with plain loops; the scratch that a plan asks for is filled with garbage at every run.

#include <chrono>
#include <string>
#include <vector>

namespace scalebench::emulation {

/// False: cuBLASLt has no algorithm with a bias, activation or bias gradient.
void setCublasLtEpilogues(bool on);
/// False: cuDNN has no engine for more than one operation.
void setCudnnFusion(bool on);
/// Candidate that takes the shortest time in both libraries' lists (0: the heuristics are right).
void setFastestCandidate(int number);
/// What the slower candidates took beside the time that passed: a minute each, so that no load on
/// the machine makes one the fastest. Events have it in their times.
std::chrono::nanoseconds pretendedTime();
/// What ran since the last call: "cublaslt 2", "cudnn 0", the number being the candidate's.
std::vector<std::string> takeVendorRuns();

} // namespace scalebench::emulation
