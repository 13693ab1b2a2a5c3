// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// Which processors threads may use (sched_setaffinity(2)). A thread begins with those of the one
// that starts it.

#include <functional>
#include <string>
#include <thread>
#include <vector>

namespace scalebench {

/// Numbers that the system gives them, rising.
using Processors = std::vector<int>;

/// That this process may use; computeOn() does not change it.
const Processors& processorsOfProcess();
inline int processorCount()
{
    return int(processorsOfProcess().size());
}
/// That the calling thread may use now.
Processors processorsOfThread();
/// "0-3,8", as the kernel writes lists.
std::string processorList(const Processors& processors);

/// The calling thread alone keeps to these. False: the system refuses, nothing has changed.
bool keepThreadTo(const Processors& processors);
/// The calling thread, and those that compute with it, keep to these from now on, and what they
/// start too, but for helperThread(). False: the system refuses, nothing has changed.
bool computeOn(const Processors& processors);

/// A thread beside those that compute: it may use all processors of the process.
std::thread helperThread(std::function<void()> work);

} // namespace scalebench
