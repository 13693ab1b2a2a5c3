// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/train/host_turn.h"

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <cstring>
#include <thread>

#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

namespace scalebench::train {

namespace {
constexpr size_t kLongestName = 200;
constexpr int kPauses = 10; ///< between two tries: all ranks sleep, so as not to disturb who trains
constexpr std::chrono::milliseconds kPause{100};
} // namespace

HostTurn::HostTurn(std::string who, std::string file) : who_(std::move(who)), file_(std::move(file))
{
    who_.resize(std::min(who_.size(), kLongestName));
}

std::string HostTurn::pathOfHost()
{
    char host[256] = {};
    ::gethostname(host, sizeof host - 1);
    std::string name = host;
    std::ranges::replace(name, '/', '_');
    return "/dev/shm/scalebench-turn-" + name;
}

bool HostTurn::tryTake(std::string& holder)
{
    if (fd_ >= 0)
        return true;
    // Made by whoever is first, used by all users; opened without O_CREAT where it exists, since
    // the system forbids that for somebody else's file in a folder of all.
    constexpr int kFlags = O_RDWR | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK;
    int fd = ::open(file_.c_str(), kFlags);
    if (fd < 0) {
        fd = ::open(file_.c_str(), kFlags | O_CREAT | O_EXCL, 0666);
        if (fd >= 0)
            (void)::fchmod(fd, 0666); // whatever the umask
        else
            fd = ::open(file_.c_str(), kFlags);
    }
    struct stat info {
    };
    if (fd < 0 || ::fstat(fd, &info) != 0 || !S_ISREG(info.st_mode)) {
        const int error = errno;
        trouble_ = fd >= 0          ? "it is no ordinary file"
                   : error == ELOOP ? "it is a link"
                                    : std::strerror(error);
        if (fd >= 0)
            ::close(fd);
        trouble_ = file_ + " cannot be used (" + trouble_ + ")";
        return true;
    }
    if (::flock(fd, LOCK_EX | LOCK_NB) == 0) {
        fd_ = fd; // where its name cannot be written it is held all the same
        [[maybe_unused]] const bool named =
            ::ftruncate(fd, 0) == 0 && ::pwrite(fd, who_.data(), who_.size(), 0) >= 0;
        return true;
    }
    char text[kLongestName] = {};
    const ssize_t length = ::pread(fd, text, sizeof text, 0);
    holder.assign(text, size_t(std::max<ssize_t>(length, 0)));
    std::erase_if(holder, [](unsigned char c) { return c < 32 || c == 127; });
    ::close(fd);
    return false;
}

void HostTurn::giveBack()
{
    if (fd_ >= 0)
        ::close(fd_);
    fd_ = -1;
}

bool takeTurns(dist::Communicator& communicator, HostTurn& turn,
               const std::function<void(const std::string&)>& waiting,
               const std::function<bool()>& stopRequested)
{
    for (;;) {
        std::string holder;
        const bool free = communicator.localRank() != 0 || turn.tryTake(holder);
        double sums[2] = {free ? 0.0 : 1.0, stopRequested() ? 1.0 : 0.0};
        communicator.allReduceSum(std::span<double>(sums));
        if (sums[1] > 0)
            return false;
        if (sums[0] == 0)
            return true;
        turn.giveBack(); // all or none
        const std::string mine = free ? std::string()
                                      : communicator.hostName() + " is used by " +
                                            (holder.empty() ? std::string("another run") : holder);
        const std::vector<std::string> all = communicator.allGather(mine);
        if (communicator.rank() == 0)
            waiting(*std::ranges::find_if(all, [](const std::string& s) { return !s.empty(); }));
        for (int i = 0; i < kPauses && !stopRequested(); ++i)
            std::this_thread::sleep_for(kPause);
    }
}

std::string turnTrouble(dist::Communicator& communicator, const HostTurn& turn)
{
    const std::string mine =
        turn.trouble().empty() ? std::string() : communicator.hostName() + ": " + turn.trouble();
    const std::vector<std::string> all = communicator.allGather(mine);
    const auto first = std::ranges::find_if(all, [](const std::string& s) { return !s.empty(); });
    if (first == all.end())
        return {};
    return "Runs take no turns on " + *first +
           ". Another run may compute there at the same time and disturb this one. Whoever owns "
           "the file, or an administrator, should remove it.";
}

} // namespace scalebench::train
