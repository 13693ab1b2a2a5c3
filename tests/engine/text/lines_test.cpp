// SPDX-License-Identifier: GPL-3.0-or-later
// Text files as they are and as they should not be.

#include "text_fixture.h"

#include "engine/text/parallel_text.h"

#include <QTest>

#include <zlib.h>

#include <sys/stat.h>

using namespace scalebench;
using namespace scalebench::test;
using namespace scalebench::text;

namespace {

using Lines = std::vector<std::string>;

QByteArray gzipped(const QByteArray& content)
{
    z_stream stream = {};
    deflateInit2(&stream, 6, Z_DEFLATED, 15 + 16, 8, Z_DEFAULT_STRATEGY);
    QByteArray out(qsizetype(deflateBound(&stream, uLong(content.size()))), '\0');
    QByteArray in = content;
    stream.next_in = reinterpret_cast<Bytef*>(in.data());
    stream.avail_in = uInt(in.size());
    stream.next_out = reinterpret_cast<Bytef*>(out.data());
    stream.avail_out = uInt(out.size());
    deflate(&stream, Z_FINISH);
    out.truncate(qsizetype(stream.total_out));
    deflateEnd(&stream);
    return out;
}

} // namespace

class LinesTest : public QObject
{
    Q_OBJECT
    Folder folder;

private Q_SLOTS:
    void reads()
    {
        const QByteArray text = "\xEF\xBB\xBF"
                                "eins\r\n\nzw\xC3\xB6lf\nend";
        const Lines expected{"eins", "", "zwölf", "end"};
        int64_t bytes = 0;
        QCOMPARE(readLines(folder.write("a.txt", text), &bytes), expected);
        QCOMPARE(bytes, text.size());
        const QByteArray packed = gzipped(text);
        QCOMPARE(readLines(folder.write("a.gz", packed), &bytes), expected);
        QCOMPARE(bytes, text.size() + packed.size());
        QCOMPARE(readLines(folder.write("unnamed", packed)), expected);
        QCOMPARE(readLines(folder.write("two.gz", packed + packed)).size(), 7u);
        QCOMPARE(readLines(folder.write("none", "")), Lines{});
        QCOMPARE(readLines(folder.write("none.gz", gzipped(""))), Lines{});
    }

    void linesOverBlocks()
    {
        Lines expected;
        QByteArray text;
        for (int i = 0; i < 3000; ++i) {
            expected.emplace_back(size_t(i * 7919 % 1000), char('a' + i % 26));
            text += QByteArray::fromStdString(expected.back()) + (i % 2 ? "\n" : "\r\n");
        }
        QCOMPARE(readLines(folder.write("blocks", text)), expected);
        QCOMPARE(readLines(folder.write("blocks.gz", gzipped(text))), expected);
        const QByteArray longest(qsizetype(LineFile::kLongestLine), 'x');
        QCOMPARE(readLines(folder.write("longest", longest + "\n" + longest)).size(), 2u);
    }

    void writes()
    {
        const Lines lines{"a", "", "ä b"};
        writeLines(folder.path("written"), lines);
        QCOMPARE(readLines(folder.path("written")), lines);
        writeLines(folder.path("written"), {"c"});
        QCOMPARE(readLines(folder.path("written")), Lines{"c"});
        const Caught caught = caughtFrom([&] { writeLines(folder.path("no/such"), lines); });
        QCOMPARE(caught.code, std::string("not_writable"));
    }

    void refuses_data()
    {
        QTest::addColumn<QByteArray>("content");
        QTest::addColumn<QString>("name");
        QTest::addColumn<QString>("where");
        const auto row = [](const char* name, const QByteArray& content, const char* file,
                            const char* where) {
            QTest::newRow(name) << content << QString::fromLatin1(file)
                                << QString::fromLatin1(where);
        };
        row("Latin 1", "a\nK\xF6ln\n", "a", "a:2 is damaged: byte 2 of the line is not UTF-8");
        row("overlong", "\xC0\xAF\n", "a", "a:1 is damaged: byte 1");
        row("surrogate", "a\xED\xA0\x80\n", "a", "a:1 is damaged: byte 2");
        row("beyond Unicode", "\xF4\x90\x80\x80", "a", "a:1 is damaged: byte 1");
        row("cut character", "x\n\xE2\x82", "a", "a:2 is damaged: byte 1");
        row("UTF-16",
            QByteArray("\xFF\xFE"
                       "a\0",
                       4),
            "a", "a:1 is damaged: byte 1");
        row("NUL", QByteArray("b\0c\n", 4), "a", "a:1 is damaged: the line holds a NUL");
        row("endless line", "x\n" + QByteArray(5'000'000, 'x'), "a", "a:2 is damaged: the line is");
        row("no gzip", "plain\n", "a.gz", "a.gz is not a gzip file");
        row("empty gzip", "", "a.gz", "a.gz is not a gzip file");
        QByteArray noise;
        for (int i = 0; i < 20000; ++i)
            noise += QByteArray::number(i * 7919 % 10007) + (i % 9 ? " " : "\n");
        const QByteArray packed = gzipped(noise);
        row("cut gzip", packed.left(packed.size() / 2), "a.gz", "ends in the middle");
        row("cut end of gzip", packed.left(packed.size() - 4), "a.gz", "ends in the middle");
        QByteArray changed = packed;
        changed[changed.size() - 6] = char(changed[changed.size() - 6] ^ 1);
        row("wrong checksum", changed, "a.gz", "cannot be unpacked (incorrect");
    }
    void refuses()
    {
        QFETCH(QByteArray, content);
        QFETCH(QString, name);
        QFETCH(QString, where);
        const std::string path = folder.write(qPrintable(name), content);
        const Caught caught = caughtFrom([&] { readLines(path); });
        QCOMPARE(caught.code, std::string("data_damaged"));
        QVERIFY2(caught.has(where.toStdString()), caught.message.c_str());
        QVERIFY(caught.message.size() < 400);
    }

    void refusesWhatIsNoFile()
    {
        QCOMPARE(::mkfifo(folder.path("fifo").c_str(), 0600), 0);
        for (const char* name : {"missing", ".", "fifo"}) {
            const Caught caught = caughtFrom([&] { readLines(folder.path(name)); });
            QCOMPARE(caught.code, std::string("data_missing"));
            QVERIFY(caught.has(folder.path(name)));
        }
    }

    void pairs()
    {
        const std::string source = folder.write("s", "one\n\ntwo\nthree\n");
        const std::string target = folder.write("t.gz", gzipped("eins\n \nzwei\r\n\n"));
        const Caught caught = caughtFrom([&] { readParallelText(source, target); });
        QCOMPARE(caught.code, std::string("data_damaged"));
        QVERIFY2(caught.has("t.gz:4 ") && caught.has("target sentence is blank"),
                 caught.message.c_str());
        const ParallelText text = readParallelText(source, target, OneSided::Drop);
        QCOMPARE(text.source, (Lines{"one", "two"}));
        QCOMPARE(text.target, (Lines{"eins", "zwei"}));
        QCOMPARE(text.blankPairs, 1);
        QCOMPARE(text.oneSidedPairs, 1);
        QVERIFY(text.bytesRead > 30);
    }

    void unequalFiles()
    {
        const std::string source = folder.write("s", "one\n\ntwo\n");
        const std::string target = folder.write("t", "eins\nzwei\n");
        for (const OneSided oneSided : {OneSided::Refuse, OneSided::Drop}) {
            const Caught caught = caughtFrom([&] { readParallelText(source, target, oneSided); });
            QCOMPARE(caught.code, std::string("data_damaged"));
            QVERIFY2(caught.has("s has 3 lines") && caught.has("t has 2:"), caught.message.c_str());
        }
        const std::string blank = folder.write("b", "\n \n\t\n");
        QCOMPARE(caughtFrom([&] { readParallelText(blank, blank); }).code,
                 std::string("data_empty"));
    }

    void tabs()
    {
        const ParallelText text = readTabbedText(
            folder.write("tabs", "one\teins\tby A\n\ntwo \t zwei\tby B\n\tdrei\tby C\n"),
            OneSided::Drop);
        QCOMPARE(text.source, (Lines{"one", "two "}));
        QCOMPARE(text.target, (Lines{"eins", " zwei"}));
        QCOMPARE(text.blankPairs, 1);
        QCOMPARE(text.oneSidedPairs, 1);
        const auto refused = [&](const char* content, const char* part) {
            const std::string path = folder.write("tabs", content);
            const Caught caught = caughtFrom([&] { readTabbedText(path); });
            return caught.code == "data_damaged" && caught.has(part);
        };
        QVERIFY(refused("a\tb\nno tab\n", "tabs:2 is damaged: the line has no TAB"));
        QVERIFY(refused("a\tb\nc\td\te\n", "tabs:2 is damaged: the line has 3 columns"));
        QVERIFY(refused("a\tb\nc\t\n", "tabs:2 is damaged: the target sentence is blank"));
    }
};

QTEST_GUILESS_MAIN(LinesTest)
#include "lines_test.moc"
