// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/data/tar_links.h"

#include "kernels/check.h"

#include <algorithm>
#include <filesystem>
#include <iterator>
#include <optional>
#include <span>

namespace scalebench::data {
namespace {

constexpr int kMostLinks = 40; ///< a link may lead to a link, and so on; as many as Linux follows
constexpr size_t kDeepest = 8; ///< folders that are links inside one another

/// Whether `name` lies below `folder`; the root is ".".
bool liesBelow(const std::string& name, const std::string& folder)
{
    return folder == "." ||
           (name.size() > folder.size() && name.starts_with(folder) && name[folder.size()] == '/');
}

/// All of `sorted` below a folder.
template <typename Member>
std::span<const Member> membersBelow(const std::vector<Member>& sorted, const std::string& folder)
{
    if (folder == ".")
        return sorted;
    const auto first = std::ranges::lower_bound(sorted, folder + '/', {}, &Member::name);
    const auto last =
        std::ranges::lower_bound(first, sorted.end(), folder + char('/' + 1), {}, &Member::name);
    return {first, last};
}

template <typename Member>
const Member* find(const std::vector<Member>& sorted, const std::string& name)
{
    const auto found = std::ranges::lower_bound(sorted, name, {}, &Member::name);
    return found != sorted.end() && found->name == name ? &*found : nullptr;
}

class LinkFollower
{
public:
    LinkFollower(const std::string& path, const std::vector<TarLink>& links,
                 const std::function<bool(const std::string&)>& wanted, FileListing& listing)
        : path_(path), links_(links), wanted_(wanted), listing_(listing)
    {
    }

    void followAll()
    {
        for (const TarLink& link : links_)
            follow(link, link.name);
        std::ranges::move(added_, std::back_inserter(listing_.files));
    }

private:
    /// A link to a folder that is being followed.
    struct Step {
        std::string foundIn; ///< folder below which the link was come upon
        const TarLink* link;
        std::string folder;
    };

    /// `name` without links in it; nothing where they go round.
    std::optional<std::string> withoutLinks(std::string name) const
    {
        int followed = 0;
        for (size_t from = 0;;) {
            const size_t slash = name.find('/', from);
            if (const TarLink* link = find(links_, name.substr(0, slash))) {
                if (++followed > kMostLinks)
                    return {};
                name =
                    slash == std::string::npos ? link->target : link->target + name.substr(slash);
                from = 0;
            } else if (slash == std::string::npos) {
                return name;
            } else {
                from = slash + 1;
            }
        }
    }

    /// `shown`: the name of the link, or of what it is seen as through links to folders.
    void follow(const TarLink& link, const std::string& shown)
    {
        const std::optional<std::string> target = withoutLinks(link.target);
        if (const StoredFile* file = target ? find(listing_.files, *target) : nullptr)
            add(*file, shown);
        else if (target && (!membersBelow(listing_.files, *target).empty() ||
                            !membersBelow(links_, *target).empty()))
            followFolder(*target, link, shown);
        else if (wanted_(shown))
            throw InvalidArgument(path_ + ", member " + link.name + ", is a link to " +
                                      link.target + ", which is no picture in this tar",
                                  "data_damaged");
        else if (!link.hard)
            listing_.deadLinks.push_back({link.name, path_ + ", member " + link.name +
                                                         ", is a link to " + link.target +
                                                         ", where this tar has no picture"});
    }

    void followFolder(const std::string& folder, const TarLink& link, const std::string& shown)
    {
        count();
        steps_.push_back({steps_.empty() ? "." : steps_.back().folder, &link, folder});
        // A link to a folder above would give its files again and again.
        const bool above = std::ranges::any_of(steps_, [&](const Step& step) {
            return liesBelow(step.link->name, folder) &&
                   (folder == step.foundIn || liesBelow(folder, step.foundIn));
        });
        if (!above && steps_.size() <= kDeepest) {
            const size_t from = folder == "." ? 0 : folder.size() + 1;
            for (const StoredFile& file : membersBelow(listing_.files, folder))
                add(file, shown + '/' + file.name.substr(from));
            for (const TarLink& inner : membersBelow(links_, folder))
                follow(inner, shown + '/' + inner.name.substr(from));
        }
        steps_.pop_back();
    }

    /// Folders that hold one another many times over must come to an end.
    void count()
    {
        if (++counted_ > kMostMembers)
            throw InvalidArgument(path_ + " has links that lead to more than 50 million members",
                                  "unsupported");
    }

    void add(const StoredFile& file, const std::string& name)
    {
        if (!wanted_(name))
            return;
        count();
        added_.push_back(file);
        added_.back().name = name;
    }

    const std::string& path_;
    const std::vector<TarLink>& links_;
    const std::function<bool(const std::string&)>& wanted_;
    FileListing& listing_;
    std::vector<StoredFile> added_; ///< apart: the files must stay sorted
    std::vector<Step> steps_;
    size_t counted_ = 0;
};

} // namespace

int64_t keepLastOfEachName(std::vector<StoredFile>& files, std::vector<TarLink>& links,
                           std::string& first)
{
    int64_t dropped = 0;
    const auto drop = [&](const std::string& name) {
        if (dropped++ == 0)
            first = name;
    };
    const auto keepLast = [&](auto& members) {
        std::ranges::stable_sort(
            members, {}, [](const auto& member) -> const std::string& { return member.name; });
        auto kept = members.begin();
        for (auto it = members.begin(); it != members.end(); ++it) {
            const auto next = std::next(it);
            if (next != members.end() && next->name == it->name)
                drop(it->name);
            else if (kept++ != it)
                *std::prev(kept) = std::move(*it);
        }
        members.erase(kept, members.end());
    };
    keepLast(links);
    std::vector<bool> replaced(links.size(), false);
    for (size_t i = 0; i < files.size() && !links.empty(); ++i) {
        const TarLink* link = find(links, files[i].name);
        if (!link)
            continue;
        drop(link->name);
        if (link->before <= i)
            replaced[size_t(link - links.data())] = true;
        else
            files[i].name.clear();
    }
    size_t at = 0;
    std::erase_if(links, [&](const TarLink&) { return replaced[at++]; });
    std::erase_if(files, [](const StoredFile& file) { return file.name.empty(); });
    keepLast(files);
    return dropped;
}

void addLinks(const std::string& path, const std::vector<TarLink>& links,
              const std::function<bool(const std::string&)>& wanted, FileListing& listing)
{
    LinkFollower(path, links, wanted, listing).followAll();
}

} // namespace scalebench::data
