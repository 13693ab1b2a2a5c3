// SPDX-License-Identifier: GPL-3.0-or-later
#include "log_tree.h"
#include "base/translated.h"

#include <QDir>
#include <QFileInfo>
#include <QSet>

#include <algorithm>
#include <numeric>

namespace scalebench::imports {

using namespace Qt::Literals::StringLiterals;

namespace {

constexpr int kDeepest = 64;
constexpr int kMostLogs = 1'000'000;
constexpr int kMostNamed = 200;

bool mayHoldResults(const QString& name)
{
    return name.endsWith(".txt"_L1) || name.endsWith(".log"_L1) || name.endsWith(".out"_L1) ||
           name.contains(".tfevents."_L1);
}

/// "result_2.txt" before "result_10.txt": names that differ in one number go by it.
bool before(const QFileInfo& a, const QFileInfo& b)
{
    const QString left = a.fileName(), right = b.fileName();
    qsizetype i = 0;
    while (i < left.size() && i < right.size() && left[i] == right[i])
        ++i;
    while (i > 0 && left[i - 1].isDigit())
        --i;
    const auto digits = [i](const QString& name) {
        qsizetype end = i;
        while (end < name.size() && name[end].isDigit())
            ++end;
        return end - i;
    };
    if (digits(left) == 0 || digits(right) == 0 || digits(left) == digits(right))
        return left < right;
    return digits(left) < digits(right);
}

class Walk
{
public:
    Walk(LogTree& tree, const std::function<bool()>& cancelled)
        : m_tree(tree), m_cancelled(cancelled)
    {
    }

    void add(const QString& path)
    {
        const QFileInfo info(path);
        // A person may name a link; what it leads to is what they mean.
        const QString real = info.canonicalFilePath();
        if (real.isEmpty())
            passOver(path, Launcher::tr("does not exist"), true);
        else if (info.isDir())
            folder(real, 0);
        else {
            m_tree.named.insert(real);
            file(real);
        }
    }

private:
    void passOver(const QString& path, const QString& reason, bool name)
    {
        ++m_tree.passedOver[reason];
        if (name && m_tree.worthNaming.size() < kMostNamed)
            m_tree.worthNaming << PassedOver{path, reason};
    }

    void file(const QString& path)
    {
        if (m_known.contains(path))
            return;
        if (m_tree.files.size() >= kMostLogs) {
            passOver(path, Launcher::tr("more than %1 files").arg(kMostLogs), false);
            return;
        }
        m_known.insert(path);
        m_tree.files << path;
    }

    void folder(const QString& path, int depth)
    {
        if (m_tree.cancelled || (m_cancelled && m_cancelled())) {
            m_tree.cancelled = true;
            return;
        }
        if (depth > kDeepest) {
            passOver(path, Launcher::tr("more than %1 folders deep").arg(kDeepest), true);
            return;
        }
        if (!QFileInfo(path).isReadable()) {
            passOver(path, Launcher::tr("folder may not be read"), true);
            return;
        }
        QFileInfoList entries = QDir(path).entryInfoList(
            QDir::AllEntries | QDir::Hidden | QDir::System | QDir::NoDotAndDotDot, QDir::NoSort);
        std::sort(entries.begin(), entries.end(), before);
        for (const QFileInfo& entry : entries) {
            const QString name = entry.fileName();
            if (entry.isSymLink())
                passOver(entry.filePath(), u"link"_s, true);
            else if (name.startsWith(u'.'))
                passOver(entry.filePath(), u"hidden"_s, false);
            else if (entry.isDir())
                folder(entry.filePath(), depth + 1);
            else if (!entry.isFile())
                passOver(entry.filePath(), Launcher::tr("no ordinary file"), true);
            else if (!mayHoldResults(name))
                passOver(entry.filePath(), Launcher::tr("not a log by its name"), false);
            else
                file(entry.filePath());
        }
    }

    LogTree& m_tree;
    const std::function<bool()>& m_cancelled;
    QSet<QString> m_known;
};

} // namespace

int LogTree::passedOverCount() const
{
    return std::accumulate(passedOver.begin(), passedOver.end(), 0);
}

LogTree collectFiles(const QStringList& paths, const std::function<bool()>& cancelled)
{
    LogTree tree;
    Walk walk(tree, cancelled);
    for (const QString& path : paths)
        walk.add(path);
    return tree;
}

} // namespace scalebench::imports
