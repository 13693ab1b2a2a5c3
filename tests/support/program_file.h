// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// Scripts that stand for programs in tests.

#include <QSaveFile>
#include <QString>

namespace scalebench::test {

/// Makes or replaces a program that everybody may run. A former one is replaced as a whole: nobody
/// runs half of it, and one that is just being started could not be written to (ETXTBSY).
inline void writeProgram(const QString& path, const QByteArray& text)
{
    QSaveFile file(path);
    if (!file.open(QIODevice::WriteOnly) || file.write(text) != text.size() ||
        !file.setPermissions(QFile::ReadOwner | QFile::WriteOwner | QFile::ExeOwner |
                             QFile::ReadGroup | QFile::ExeGroup | QFile::ReadOther |
                             QFile::ExeOther) ||
        !file.commit())
        qFatal("%s: %s", qPrintable(path), qPrintable(file.errorString()));
}

} // namespace scalebench::test
