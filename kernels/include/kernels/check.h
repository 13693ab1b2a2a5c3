// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// The one exception family of kernels and engine. The trainer catches it once, in main, and turns
// it into the closing record of the results stream; libraries never print or exit.

#include <stdexcept>
#include <string>

namespace scalebench {

/// Base of all failures. `code()` is a stable identifier for the results stream ("out_of_memory");
/// `what()` is one clear sentence: what happened, where, likely cause, what to do.
class Error : public std::runtime_error
{
public:
    Error(std::string code, const std::string& message)
        : std::runtime_error(message), code_(std::move(code))
    {
    }
    const std::string& code() const noexcept { return code_; }

private:
    std::string code_;
};

/// The caller (or the user's input) gave something that cannot work.
class InvalidArgument : public Error
{
public:
    explicit InvalidArgument(const std::string& message, std::string code = "invalid_argument")
        : Error(std::move(code), message)
    {
    }
};

/// A valid request that this build or device cannot do: names op, shapes, dtype and reason.
class Unsupported : public Error
{
public:
    explicit Unsupported(const std::string& message, std::string code = "unsupported")
        : Error(std::move(code), message)
    {
    }
};

/// The device or a vendor library failed; carries the library's own text.
class DeviceError : public Error
{
public:
    explicit DeviceError(const std::string& message, std::string code = "device_error")
        : Error(std::move(code), message)
    {
    }
};

} // namespace scalebench

/// Throws InvalidArgument with `message` (anything convertible to std::string) unless `condition`.
#define SB_REQUIRE(condition, message)                                                             \
    do {                                                                                           \
        if (!(condition))                                                                          \
            throw ::scalebench::InvalidArgument(message);                                          \
    } while (false)
