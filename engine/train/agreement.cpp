// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/train/agreement.h"

#include "engine/dist/comm_error.h"

#include <nlohmann/json.hpp>

#include <new>
#include <set>

namespace scalebench::train {
namespace {

const std::set<std::string>& mendableCodes()
{
    static const std::set<std::string> kCodes = {"usage",
                                                 "data_missing",
                                                 "data_empty",
                                                 "data_damaged",
                                                 "batch",
                                                 "workers",
                                                 "device_unavailable",
                                                 "unsupported",
                                                 "checkpoint",
                                                 "precision_unavailable",
                                                 "pictures",
                                                 "weights"};
    return kCodes;
}

const std::set<std::string>& otherCodes()
{
    static const std::set<std::string> kCodes = {
        "out_of_memory", "diverged", "disk_full",          "not_writable", "comm",
        "internal",      "stopped",  "collective_timeout", "rank_lost",    "collective_mismatch",
        "device_error",  "nccl"};
    return kCodes;
}

} // namespace

Failure describeFailure(const std::exception_ptr& exception, const dist::Communicator& communicator)
{
    Failure failure{"internal", "unknown failure", communicator.rank(), communicator.hostName()};
    try {
        std::rethrow_exception(exception);
    } catch (const AgreedError& e) {
        return e.failure();
    } catch (const dist::CollectiveError& e) {
        failure = {e.code(), e.what(), e.rank(), e.host()};
    } catch (const InvalidArgument& e) {
        failure.code = e.code() == "invalid_argument" ? "usage" : e.code();
        failure.message = e.what();
    } catch (const Error& e) {
        failure.code = e.code();
        failure.message = e.what();
    } catch (const std::bad_alloc&) {
        failure.code = "out_of_memory";
        failure.message = "out of memory. Use a smaller batch or fewer workers on this node.";
    } catch (const std::exception& e) {
        failure.message = e.what();
    }
    if (!mendableCodes().contains(failure.code) && !otherCodes().contains(failure.code)) {
        failure.message += " [" + failure.code + "]";
        failure.code = "internal";
    }
    return failure;
}

void agree(dist::Communicator& communicator, const std::optional<Failure>& mine)
{
    using Json = nlohmann::json;
    std::string text;
    if (mine)
        text = Json({{"code", mine->code},
                     {"message", mine->message},
                     {"rank", mine->rank},
                     {"host", mine->host}})
                   .dump(-1, ' ', false, Json::error_handler_t::replace);
    for (const std::string& other : communicator.allGather(text)) {
        if (other.empty())
            continue;
        const Json json = Json::parse(other);
        throw AgreedError({json["code"], json["message"], json["rank"], json["host"]});
    }
}

void doTogether(dist::Communicator& communicator, const std::function<void()>& body)
{
    std::optional<Failure> failure;
    try {
        body();
    } catch (...) {
        failure = describeFailure(std::current_exception(), communicator);
    }
    agree(communicator, failure);
}

int exitCodeOf(const std::string& errorCode)
{
    return mendableCodes().contains(errorCode) ? 2 : 3;
}

} // namespace scalebench::train
