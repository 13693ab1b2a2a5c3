// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// Folders of data that Scalebench generates itself: written once, by one of all processes that want
// them, and never in place of somebody else's files.

#include "engine/data/generated_file.h"

#include <cstdint>
#include <filesystem>
#include <functional>
#include <memory>
#include <string>
#include <vector>

namespace scalebench::data {

/// A set of a library, generated or prepared, goes when no run has read it for so long.
constexpr int kUnusedDays = 30;

/// Holds a shared lock on a generated set while it is being read.
class GeneratedSetLock
{
public:
    explicit GeneratedSetLock(int fd) : fd_(fd) {}
    ~GeneratedSetLock();
    GeneratedSetLock(const GeneratedSetLock&) = delete;
    GeneratedSetLock& operator=(const GeneratedSetLock&) = delete;

private:
    int fd_;
};

/// Whether the set of this label has a file of this name, relative to its folder; its GENERATED.txt
/// is not asked for. Empty: every file, in folders that only Scalebench writes to.
using DrawsFile = std::function<bool(const std::string& label, const std::string& file)>;
DrawsFile drawsOnly(std::vector<std::string> names);

/// What a label says in the line "KEY: "; empty and 0: nothing.
std::string lineOfLabel(const std::string& label, const std::string& key);
int64_t numberOfLabel(const std::string& label, const std::string& key);

/// Makes sure that the set lies at `path` (a folder), calling `write` with an empty folder to fill
/// where it is missing or has another label, and returns a lock that keeps it from being replaced
/// meanwhile. `label`: the text of the set's GENERATED.txt, which says all that its content follows
/// from. Safe against any number of processes and users at once: one writes, under an exclusive
/// lock on `path`.lock, into a temporary folder that is renamed at the end. Only a set of the same
/// generator is ever replaced, and only where every file there is one that it draws. What `write`
/// throws leaves nothing behind. A folder of the name GENERATOR-XXXXXXXXXXXXXXXX (16 hexadecimal
/// digits: a library's, one for each label) is tidied up after: sets of the generator beside it
/// that no run has read for kUnusedDays go when another one is made. `tick`: called about every 100
/// ms while another process is waited for, may throw to stop. Throws Error (`not_writable`,
/// `disk_full`).
std::unique_ptr<GeneratedSetLock>
ensureGenerated(const std::string& path, const std::string& label, const DrawsFile& draws,
                const std::function<void(const std::filesystem::path& folder)>& write,
                const std::function<void()>& tick = {});

/// The text of the GENERATED.txt at `path`; empty: there is none.
std::string labelOfGenerated(const std::string& path);

/// Removes `path`.lock unless somebody holds it, for sets in folders that are a user's. Safe while
/// others wait for it; between hosts that share a file system only as far as one sees at once what
/// the other removed.
void removeLockFile(const std::string& path);

/// A lock on the set that is at `path` now, and its label; null where there is none. Writes
/// nothing.
std::unique_ptr<GeneratedSetLock> holdGenerated(const std::string& path, std::string& label);

/// Of a folder of sets, those that no run has read for kUnusedDays, and what processes that were
/// killed had begun. `isOurs`: whether a set, by its folder and its label, may go; the label of
/// what was only begun is empty.
using IsOurs = std::function<bool(const std::filesystem::path& folder, const std::string& label)>;
void removeUnusedSets(const std::filesystem::path& parent, const IsOurs& isOurs);
/// One set that has a label, unless somebody reads or writes it.
void removeSet(const std::filesystem::path& path, const IsOurs& isOurs);
/// For removeUnusedSets(): the set at `path` was read now.
void noteUse(const std::filesystem::path& path);

} // namespace scalebench::data
