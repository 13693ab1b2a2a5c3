// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// Failure of a collective or of the message-passing library.

#include "kernels/check.h"

#include <string>
#include <utility>

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

namespace dist {

/// A collective that not all workers took part in. Every worker that is alive gets the same one.
/// Codes: `collective_timeout` (a worker did not arrive in time), `rank_lost` (its process ended),
/// `collective_mismatch` (workers are in different collectives), or the code that another worker
/// gave to Communicator::fail().
class CollectiveError : public CommError
{
public:
    CollectiveError(std::string code, const std::string& message, int rank, std::string host)
        : CommError(message, std::move(code)), rank_(rank), host_(std::move(host))
    {
    }
    /// The worker that failed or is missing (the first one of several) and its node; -1 if unknown.
    int rank() const noexcept { return rank_; }
    const std::string& host() const noexcept { return host_; }

private:
    int rank_;
    std::string host_;
};

} // namespace dist
} // namespace scalebench
