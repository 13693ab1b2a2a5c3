// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// Files of the tests of engine/text, and where the real sets are.

#include "engine/text/lines.h"
#include "support/caught.h"

#include <QByteArray>
#include <QDir>
#include <QFile>
#include <QString>
#include <QTemporaryDir>

#include <string>
#include <vector>

namespace scalebench::test {

/// What fixtures/make_fixtures.py wrote with the public tools.
inline std::string fixture(const char* name)
{
    return QDir(QStringLiteral(SB_SOURCE_DIR "/tests/engine/text/fixtures"))
        .filePath(QString::fromLatin1(name))
        .toStdString();
}
inline std::vector<std::string> fixtureLines(const char* name)
{
    return text::readLines(fixture(name));
}

/// A folder that is gone with this object.
class Folder
{
public:
    std::string path(const char* name = ".") const
    {
        return dir_.filePath(QString::fromLatin1(name)).toStdString();
    }
    std::string write(const char* name, const QByteArray& content) const
    {
        QFile file(QString::fromStdString(path(name)));
        if (!file.open(QIODevice::WriteOnly) || file.write(content) != content.size())
            qFatal("cannot write %s", name);
        return path(name);
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

/// The words of a line that a tool wrote with blanks between them.
inline std::string joined(const std::vector<std::string>& words)
{
    std::string line;
    for (const std::string& word : words)
        line += (line.empty() ? "" : " ") + word;
    return line;
}

} // namespace scalebench::test
