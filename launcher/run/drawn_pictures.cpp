// SPDX-License-Identifier: GPL-3.0-or-later
#include "run/drawn_pictures.h"

#include "base/plain_text.h"

#include <QFileInfo>
#include <QRegularExpression>

namespace scalebench {

using namespace Qt::Literals::StringLiterals;

bool hasPictures(const QString& runDir)
{
    const QFileInfo info(runDir + u"/pictures.json"_s);
    return info.isFile() && !info.isSymLink();
}

QStringList drawPicturesArguments(const QString& runDir, const QString& outDir)
{
    return {u"pictures"_s, runDir, u"--out"_s, outDir};
}

QList<DrawnPicture> parseDrawnPictures(const QByteArray& output)
{
    static const QRegularExpression kName(u"^(?:picture_[0-9]{1,3}\\.png)?$"_s);
    QList<DrawnPicture> drawn;
    for (const QByteArray& line : output.split('\n')) {
        const qsizetype tab = line.indexOf('\t');
        const QString name = QString::fromUtf8(line.first(std::max<qsizetype>(0, tab)));
        if (tab >= 0 && kName.match(name).hasMatch())
            drawn.append({name, visibleLine(QString::fromUtf8(line.mid(tab + 1)))});
    }
    return drawn;
}

} // namespace scalebench
