// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

namespace scalebench::bench {

/// Nanoseconds that a line of memory takes from one processor to another, which writes to it, and
/// back; the least of many, from the first processor of this process to the last that it may run
/// on. 0 where there is no second one, or where both were not free at once for 0.05 s. Some 60
/// within one last-level cache and several times as many between two: then threads that share data
/// are slower (by a tenth to a quarter), and a hypervisor may move a virtual machine's processors
/// from the one to the other at any time.
double measureHandover();

} // namespace scalebench::bench
