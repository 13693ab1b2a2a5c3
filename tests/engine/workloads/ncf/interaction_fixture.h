// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// A folder of small rating files, and where the real sets are.

#include "engine/workloads/ncf/interactions.h"
#include "engine/workloads/ncf/ranking.h"
#include "support/caught.h"

#include <QByteArray>
#include <QDir>
#include <QFile>
#include <QString>
#include <QTemporaryDir>

#include <string>
#include <vector>

namespace scalebench::test {

struct TextFile {
    const char* name;
    QByteArray text;
};
using TextFiles = std::vector<TextFile>;

/// Files that are gone with this object.
class Folder
{
public:
    explicit Folder(const TextFiles& files = {})
    {
        for (const TextFile& file : files)
            write(file.name, file.text);
    }
    std::string path(const char* name = ".") const
    {
        return dir_.filePath(QString::fromLatin1(name)).toStdString();
    }
    void write(const char* name, const QByteArray& text) const
    {
        QFile file(QString::fromStdString(path(name)));
        if (!file.open(QIODevice::WriteOnly) || file.write(text) != text.size())
            qFatal("cannot write %s", name);
    }
    workloads::Interactions read(int64_t minimumRatings = 0) const
    {
        return workloads::readInteractions(path(), {minimumRatings});
    }

private:
    QTemporaryDir dir_;
};

/// The place of a real set; empty where it is not on this machine. SB_SHARED_DATA names another
/// folder of such sets than the one beside the sources.
inline std::string realSet(const char* name)
{
    const QString root =
        qEnvironmentVariable("SB_SHARED_DATA", QStringLiteral(SB_SOURCE_DIR "/../shared/data"));
    const QDir dir(root + QLatin1Char('/') + QString::fromLatin1(name));
    return dir.exists() ? dir.path().toStdString() : std::string();
}

/// Training positives of each item: the scores of the most-popular ranking.
inline std::vector<float> popularity(const workloads::Interactions& set)
{
    std::vector<float> counts(size_t(set.items), 0.0f);
    for (const int32_t item : set.trainItems)
        ++counts[size_t(item)];
    return counts;
}

/// Ranks every test item against its negatives by `score(user, item)`.
template <typename Score>
workloads::RankingTotals rankedBy(const workloads::Interactions& set,
                                  const std::vector<int32_t>& negatives, int64_t perTest,
                                  const Score& score)
{
    workloads::RankingTotals totals(10);
    for (int64_t test = 0; test < set.tests(); ++test) {
        const auto first = negatives.begin() + test * perTest;
        std::vector<int32_t> items(first, first + perTest);
        items.push_back(set.testItems[size_t(test)]);
        std::vector<float> scores;
        for (const int32_t item : items)
            scores.push_back(score(set.testUsers[size_t(test)], item));
        totals.add(workloads::rankOfLast(scores, items));
    }
    return totals;
}

inline workloads::RankingTotals rankedByPopularity(const workloads::Interactions& set,
                                                   const std::vector<int32_t>& negatives,
                                                   int64_t perTest)
{
    const std::vector<float> counts = popularity(set);
    return rankedBy(set, negatives, perTest,
                    [&](int32_t, int32_t item) { return counts[size_t(item)]; });
}

} // namespace scalebench::test
