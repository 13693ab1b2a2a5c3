// SPDX-License-Identifier: GPL-3.0-or-later
// The storeys of gui/: what each folder may include of the others.
#include "pages/registry.h"
#include "support/file_content.h"

#include <QDir>
#include <QDirIterator>
#include <QFile>
#include <QMap>
#include <QRegularExpression>
#include <QTest>

using namespace scalebench;
using scalebench::test::contentOf;

class StoreysTest : public QObject
{
    Q_OBJECT
private Q_SLOTS:
    void everyFolderIsOne()
    {
        for (const QString& folder :
             QDir(root()).entryList(QDir::Dirs | QDir::NoDotAndDotDot, QDir::Name))
            QVERIFY2(allowed().contains(folder), qPrintable(folder));
    }

    /// Models know neither charts nor widgets, pages nothing of app/ or of one another.
    void includesAsAllowed()
    {
        static const QRegularExpression kInclude(QStringLiteral("^#include \"([a-z_]+)/([^\"]+)\""),
                                                 QRegularExpression::MultilineOption);
        int arrows = 0;
        for (auto it = allowed().begin(); it != allowed().end(); ++it) {
            for (const QString& file : sources(root() + u'/' + it.key())) {
                auto found = kInclude.globalMatch(QString::fromUtf8(contentOf(file)));
                while (found.hasNext()) {
                    const auto match = found.next();
                    const QString folder = match.captured(1);
                    if (!allowed().contains(folder) ||
                        !QFile::exists(root() + u'/' + folder + u'/' + match.captured(2)))
                        continue; // the launcher's
                    QVERIFY2(folder == it.key() || it.value().contains(folder),
                             qPrintable(QStringLiteral("%1 includes %2/").arg(file, folder)));
                    ++arrows;
                }
            }
        }
        QVERIFY(arrows > 100);
    }

    void pagesDoNotKnowOneAnother()
    {
        const QString pages = root() + QStringLiteral("/pages");
        static const QRegularExpression kPage(QStringLiteral("^#include \"pages/([a-z]+)/"),
                                              QRegularExpression::MultilineOption);
        for (const QString& page : QDir(pages).entryList(QDir::Dirs | QDir::NoDotAndDotDot)) {
            QVERIFY2(pageIds().contains(page), qPrintable(page));
            for (const QString& file : sources(pages + u'/' + page)) {
                auto found = kPage.globalMatch(QString::fromUtf8(contentOf(file)));
                while (found.hasNext())
                    QVERIFY2(found.next().captured(1) == page, qPrintable(file));
            }
        }
    }

    void theWindowIsNotLong()
    {
        for (const QString& file : sources(root() + QStringLiteral("/app"))) {
            const qsizetype lines = contentOf(file).count('\n');
            QVERIFY2(lines <= 400,
                     qPrintable(QStringLiteral("%1 has %2 lines").arg(file).arg(lines)));
        }
    }

private:
    static QString root() { return QStringLiteral(SB_SOURCE_DIR "/gui"); }

    static const QMap<QString, QStringList>& allowed()
    {
        static const auto list = [](const char* names) {
            return QString::fromLatin1(names).split(u' ', Qt::SkipEmptyParts);
        };
        static const QMap<QString, QStringList> map{
            {QStringLiteral("work"), {}},
            {QStringLiteral("settings"), {}},
            {QStringLiteral("models"), list("settings work")},
            {QStringLiteral("session"), list("models settings work")},
            {QStringLiteral("widgets"), list("models settings work")},
            {QStringLiteral("charts"), list("dialogs models settings widgets work")},
            {QStringLiteral("dialogs"), list("charts models settings widgets work")},
            {QStringLiteral("pages"), list("charts dialogs models session settings widgets work")},
            {QStringLiteral("app"),
             list("charts dialogs models pages session settings widgets work")}};
        return map;
    }

    static QStringList sources(const QString& folder)
    {
        QStringList files;
        QDirIterator it(folder, {QStringLiteral("*.cpp"), QStringLiteral("*.h")}, QDir::Files,
                        QDirIterator::Subdirectories);
        while (it.hasNext())
            files << it.next();
        return files;
    }
};

QTEST_GUILESS_MAIN(StoreysTest)
#include "storeys_test.moc"
