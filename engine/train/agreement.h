// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// Making a failure of one worker the failure of all, so that every rank ends by itself and rank 0
// can write down what happened.

#include "engine/dist/communicator.h"
#include "kernels/check.h"

#include <exception>
#include <functional>
#include <optional>
#include <string>

namespace scalebench::train {

/// What went wrong on one worker.
struct Failure {
    std::string code;
    std::string message;
    int rank = 0;
    std::string host;
};

/// Thrown on every worker once all know of the failure.
class AgreedError : public Error
{
public:
    explicit AgreedError(const Failure& failure)
        : Error(failure.code, failure.message), failure_(failure)
    {
    }
    const Failure& failure() const { return failure_; }

private:
    Failure failure_;
};

/// The exception in flight as one of the protocol's codes; unknown ones become `internal`.
Failure describeFailure(const std::exception_ptr& exception,
                        const dist::Communicator& communicator);

/// Collective: throws AgreedError with the failure of the lowest rank that has one.
void agree(dist::Communicator& communicator, const std::optional<Failure>& mine);

/// Collective: runs `body` (which must not itself be collective) and agrees on its outcome.
void doTogether(dist::Communicator& communicator, const std::function<void()>& body);

/// 2 for input that the user can mend, else 3.
int exitCodeOf(const std::string& errorCode);

} // namespace scalebench::train
