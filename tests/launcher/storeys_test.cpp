// SPDX-License-Identifier: GPL-3.0-or-later
// The storeys of launcher/: their order is that of launcher/CMakeLists.txt, no source includes one
// from above, and none is longer than a reader keeps in mind.
#include "support/file_content.h"

#include <QDir>
#include <QDirIterator>
#include <QRegularExpression>
#include <QTest>

using scalebench::test::contentOf;

class StoreysTest : public QObject
{
    Q_OBJECT
private Q_SLOTS:
    void initTestCase()
    {
        const QByteArray text = contentOf(root() + QStringLiteral("/CMakeLists.txt"));
        static const QRegularExpression kList(QStringLiteral("set\\(storeys ([a-z ]+)\\)"));
        m_storeys =
            kList.match(QString::fromUtf8(text)).captured(1).split(u' ', Qt::SkipEmptyParts);
        QVERIFY(m_storeys.size() > 5);
    }

    void everyFolderIsOne()
    {
        // What stands on all of them, beside one another.
        const QStringList above{QStringLiteral("cli"), QStringLiteral("figures"),
                                QStringLiteral("import"), QStringLiteral("report")};
        for (const QString& folder :
             QDir(root()).entryList(QDir::Dirs | QDir::NoDotAndDotDot, QDir::Name))
            QVERIFY2(m_storeys.contains(folder) || above.contains(folder), qPrintable(folder));
    }

    void noArrowPointsUpwards()
    {
        static const QRegularExpression kInclude(QStringLiteral("^#include \"([a-z_]+)/[^\"]+\""),
                                                 QRegularExpression::MultilineOption);
        int arrows = 0;
        for (qsizetype storey = 0; storey < m_storeys.size(); ++storey) {
            for (const QString& file : sources(root() + u'/' + m_storeys[storey])) {
                auto found = kInclude.globalMatch(QString::fromUtf8(contentOf(file)));
                while (found.hasNext()) {
                    const QString folder = found.next().captured(1);
                    const qsizetype to = m_storeys.indexOf(folder);
                    QVERIFY2(to >= 0 && to <= storey,
                             qPrintable(QStringLiteral("%1 includes %2/").arg(file, folder)));
                    ++arrows;
                }
            }
        }
        QVERIFY(arrows > 100);
    }

    void noFileIsLong()
    {
        for (const QString& file : sources(root())) {
            const qsizetype lines = contentOf(file).count('\n');
            QVERIFY2(lines <= 400,
                     qPrintable(QStringLiteral("%1 has %2 lines").arg(file).arg(lines)));
        }
    }

private:
    static QString root() { return QStringLiteral(SB_SOURCE_DIR "/launcher"); }

    static QStringList sources(const QString& folder)
    {
        QStringList files;
        QDirIterator it(folder, {QStringLiteral("*.cpp"), QStringLiteral("*.h")}, QDir::Files,
                        QDirIterator::Subdirectories);
        while (it.hasNext())
            files << it.next();
        return files;
    }

    QStringList m_storeys;
};

QTEST_GUILESS_MAIN(StoreysTest)
#include "storeys_test.moc"
