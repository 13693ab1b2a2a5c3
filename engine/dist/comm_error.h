// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// Failure of a collective or of the message-passing library.

#include "kernels/check.h"

#include <string>

namespace scalebench {

/// Carries the library's own text; the run cannot go on after it.
class CommError : public Error
{
public:
    explicit CommError(const std::string& message, std::string code = "comm")
        : Error(std::move(code), message)
    {
    }
};

} // namespace scalebench
