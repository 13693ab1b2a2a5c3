// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/host_completer.h"

#include <QAbstractItemView>
#include <QDir>
#include <QFile>
#include <QLineEdit>
#include <QRegularExpression>

namespace scalebench {

namespace {

constexpr int kMaxDepth = 4; ///< of Include, which may go round in circles
constexpr qint64 kMaxHistoryBytes = 1 << 20;

void readConfig(const QString& path, int depth, QStringList* hosts)
{
    QFile file(path);
    if (depth > kMaxDepth || !file.open(QIODevice::ReadOnly))
        return;
    static const QRegularExpression blank(QStringLiteral("[\\s=]+"));
    const QStringList lines =
        QString::fromUtf8(file.read(kMaxHistoryBytes)).split(QLatin1Char('\n'));
    for (const QString& line : lines) {
        QStringList words = line.trimmed().split(blank, Qt::SkipEmptyParts);
        if (words.size() < 2)
            continue;
        const QString key = words.takeFirst().toLower();
        if (key == QLatin1String("host")) {
            for (QString word : std::as_const(words)) {
                word.remove(QLatin1Char('"'));
                if (!word.contains(QLatin1Char('*')) && !word.contains(QLatin1Char('?')) &&
                    !word.startsWith(QLatin1Char('!')))
                    hosts->append(word);
            }
        } else if (key == QLatin1String("include")) {
            for (QString word : std::as_const(words)) {
                if (word.startsWith(QLatin1String("~/")))
                    word = QDir::homePath() + word.mid(1);
                const QFileInfo info(QDir(QDir::homePath() + QStringLiteral("/.ssh")), word);
                const auto files = info.dir().entryInfoList({info.fileName()}, QDir::Files);
                for (const QFileInfo& found : files)
                    readConfig(found.absoluteFilePath(), depth + 1, hosts);
            }
        }
    }
}

} // namespace

QStringList sshConfigHosts(const QString& path)
{
    QStringList hosts;
    readConfig(path.isEmpty() ? QDir::homePath() + QStringLiteral("/.ssh/config") : path, 0,
               &hosts);
    hosts.removeDuplicates();
    return hosts;
}

HostCompleter::HostCompleter(const QStringList& hosts, bool list, QObject* parent)
    : QCompleter(hosts, parent), m_list(list)
{
    setCaseSensitivity(Qt::CaseInsensitive);
    setFilterMode(Qt::MatchStartsWith);
    popup()->setAccessibleName(tr("Hosts of the ssh configuration"));
}

void HostCompleter::attach(QLineEdit* edit, const QStringList& hosts, bool list)
{
    edit->setCompleter(hosts.isEmpty() ? nullptr : new HostCompleter(hosts, list, edit));
}

QString HostCompleter::pathFromIndex(const QModelIndex& index) const
{
    const QString host = QCompleter::pathFromIndex(index);
    const auto* edit = qobject_cast<QLineEdit*>(widget());
    if (!m_list || !edit)
        return host;
    static const QRegularExpression last(QStringLiteral("[^,\\s]*$"));
    return edit->text().left(edit->text().indexOf(last)) + host;
}

QStringList HostCompleter::splitPath(const QString& path) const
{
    static const QRegularExpression separator(QStringLiteral("[,\\s]"));
    return {m_list ? path.mid(path.lastIndexOf(separator) + 1) : path};
}

} // namespace scalebench
