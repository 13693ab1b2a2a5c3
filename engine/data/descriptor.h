// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// An open file that is closed with its owner.

#include <unistd.h>

namespace scalebench::data {

struct Descriptor {
    /// Below 0: none is open.
    explicit Descriptor(int opened) : fd(opened) {}
    Descriptor(const Descriptor&) = delete;
    Descriptor& operator=(const Descriptor&) = delete;
    ~Descriptor()
    {
        if (fd >= 0)
            ::close(fd);
    }

    int fd;
};

} // namespace scalebench::data
