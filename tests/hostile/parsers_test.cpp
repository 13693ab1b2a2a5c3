// SPDX-License-Identifier: GPL-3.0-or-later
// Every parser over the corpus of hostile inputs, and over some thousand changes of each that are
// the same every time. What must hold is in tests/fuzz/parsers.cpp, and aborts.
#include "../fuzz/parsers.h"

#include <QDir>
#include <QFile>
#include <QRandomGenerator>
#include <QTest>

using namespace scalebench::fuzz;

class ParsersTest : public QObject
{
    Q_OBJECT

    static QByteArray changed(QByteArray bytes, QRandomGenerator& random)
    {
        static const QList<QByteArray> kPieces{
            "../",          "\n", "\x1b[", "\"", "-", "0",    "9e18", "-1",  "\xff",
            "\xe2\x80\xae", "{",  "]",     "=",  "/", "$(x)", "%1",   "\0x", "null"};
        for (int n = 1 + int(random.bounded(4)); n > 0; --n) {
            const qsizetype at = bytes.isEmpty() ? 0 : random.bounded(int(bytes.size()));
            switch (random.bounded(5)) {
            case 0:
                bytes.insert(at, kPieces[random.bounded(int(kPieces.size()))]);
                break;
            case 1:
                bytes.remove(at, 1 + random.bounded(8));
                break;
            case 2:
                if (!bytes.isEmpty())
                    bytes[at] = char(random.bounded(256));
                break;
            case 3:
                bytes.insert(at, bytes.mid(at, random.bounded(40)));
                break;
            default:
                bytes.truncate(at);
            }
        }
        return bytes;
    }

private Q_SLOTS:
    void corpus_data()
    {
        QTest::addColumn<QString>("name");
        for (const NamedParser& parser : parsers())
            QTest::newRow(parser.name) << QString::fromLatin1(parser.name);
    }
    void corpus()
    {
        QFETCH(QString, name);
        const auto parser =
            std::find_if(parsers().begin(), parsers().end(),
                         [&](const NamedParser& p) { return name == QLatin1StringView(p.name); });
        const QDir folder(QStringLiteral(SB_SOURCE_DIR "/tests/hostile/corpus/") + name);
        const QStringList files = folder.entryList(QDir::Files, QDir::Name);
        QVERIFY2(files.size() >= 3, qPrintable(folder.path()));
        QRandomGenerator random(4711);
        for (const QString& file : files) {
            QFile input(folder.filePath(file));
            QVERIFY(input.open(QIODevice::ReadOnly));
            const QByteArray bytes = input.readAll();
            parser->parse(bytes);
            for (int i = 0; i < (bytes.size() < 5000 ? 400 : 20); ++i)
                parser->parse(changed(bytes, random));
        }
    }
};

QTEST_GUILESS_MAIN(ParsersTest)
#include "parsers_test.moc"
