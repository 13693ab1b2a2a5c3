// SPDX-License-Identifier: GPL-3.0-or-later
#include "run/attempt_logs.h"

#include "base/file_io.h"
#include "run/study_files.h"

#include <QFileInfo>
#include <QStringList>

namespace scalebench {

using namespace Qt::Literals::StringLiterals;

static constexpr auto kBegin = "==== Scalebench: another attempt begins"_L1;

void beginAttemptLogs(const QString& runDir, int workers, bool ranksWriteHere)
{
    QStringList names{u"launcher.txt"_s};
    if (ranksWriteHere)
        for (const int rank : ranksWithStderr(runDir, workers))
            names << u"stderr_%1.txt"_s.arg(rank);
    for (const QString& name : std::as_const(names)) {
        const QString path = runDir + u'/' + name;
        if (QFileInfo(path).size() > 0) // one that cannot be written tells of older failures, too
            (void)appendLine(path, u'\n' + QString(kBegin));
    }
}

QString tailOfAttempt(const QString& runDir, const QString& name, int maxLines)
{
    const QStringList lines = tailOfFile(runDir + u'/' + name, maxLines).split(u'\n');
    return lines.mid(lines.lastIndexOf(QString(kBegin)) + 1).join(u'\n');
}

} // namespace scalebench
