// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// What a call throws.

#include "kernels/check.h"

#include <functional>
#include <string>

namespace scalebench::test {

struct Caught {
    std::string code = "none";
    std::string message;
    bool has(const std::string& part) const { return message.find(part) != std::string::npos; }
};

inline Caught caughtFrom(const std::function<void()>& body)
{
    try {
        body();
    } catch (const Error& e) {
        return {e.code(), e.what()};
    }
    return {};
}

} // namespace scalebench::test
