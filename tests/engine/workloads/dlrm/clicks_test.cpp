// SPDX-License-Identifier: GPL-3.0-or-later
// Click logs: what is read from good ones, what is said of bad ones, and batches of them.

#include "engine/workloads/dlrm/click_batches.h"
#include "engine/workloads/dlrm/click_binary.h"
#include "engine/workloads/dlrm/click_text.h"
#include "kernels/check.h"

#include <QDir>
#include <QFile>
#include <QTemporaryDir>
#include <QTest>

#include <cmath>
#include <set>

#include <sys/stat.h>

using namespace scalebench;
using namespace scalebench::workloads;

namespace {

/// A line whose fields follow from its number.
QByteArray line(int number, int label = -1)
{
    QByteArray text = QByteArray::number(label < 0 ? number % 2 : label);
    for (int c = 0; c < kClickCounts; ++c)
        text += '\t' + (c == 5 ? QByteArray() : QByteArray::number(number * 10 + c - 3));
    for (int t = 0; t < kClickCategories; ++t)
        text += '\t' + (t == 7 ? QByteArray() : QByteArray::number(number + t, 16));
    return text;
}

QByteArray lines(int count)
{
    QByteArray text;
    for (int i = 0; i < count; ++i)
        text += line(i) + '\n';
    return text;
}

} // namespace

class DlrmClicksTest : public QObject
{
    Q_OBJECT

    QTemporaryDir m_folder;

    std::string file(const char* name, const QByteArray& bytes) const
    {
        const QString path = m_folder.filePath(QString::fromLatin1(name));
        QDir().mkpath(QFileInfo(path).path());
        QFile out(path);
        if (!out.open(QIODevice::WriteOnly) || out.write(bytes) != bytes.size())
            qFatal("cannot write %s", name);
        return path.toStdString();
    }
    template <typename Call>
    static std::string refusal(const Call& call)
    {
        try {
            call();
        } catch (const InvalidArgument& e) {
            return e.what();
        }
        return {};
    }

private slots:
    void textIsReadByRow()
    {
        QByteArray text = lines(50);
        text.chop(1); // no line end at the end of the file
        text.replace('\n', "\r\n");
        const auto log = openClickText(file("a.txt", text));
        QCOMPARE(log->rows(), int64_t(50));
        QVERIFY(log->hashed());
        std::vector<Click> all(50);
        log->read(0, all);
        for (int i = 0; i < 50; ++i) {
            const Click& click = all[size_t(i)];
            QCOMPARE(click.label, i % 2);
            QCOMPARE(click.counts[0], i * 10 - 3);
            QCOMPARE(click.counts[12], i * 10 + 9);
            QCOMPARE(click.counts[5], Click::kNoCount);
            QCOMPARE(click.categories[7], Click::kNoCategory);
        }
        // The same text is the same category, in whatever column and row.
        QCOMPARE(all[0].categories[3], all[3].categories[0]);
        QVERIFY(all[0].categories[3] != all[0].categories[4]);
        for (const int64_t first : {0, 1, 15, 16, 17, 31, 49}) {
            std::vector<Click> part(size_t(std::min<int64_t>(20, 50 - first)));
            log->read(first, part);
            for (size_t i = 0; i < part.size(); ++i)
                QCOMPARE(part[i].counts, all[size_t(first) + i].counts);
        }
        QVERIFY_THROWS_EXCEPTION(InvalidArgument, log->read(40, all));
    }

    void badRowsAreNamed_data()
    {
        QTest::addColumn<QByteArray>("bad");
        QTest::addColumn<QString>("said");
        const auto row = [](const char* name, const QByteArray& bad, const char* said) {
            QTest::newRow(name) << bad << QString::fromLatin1(said);
        };
        row("39 fields", line(4).mid(2), "line 3: the label is");
        QByteArray noLast = line(4);
        noLast.truncate(noLast.lastIndexOf('\t'));
        row("last missing", noLast, "line 3: 39 fields, expected 40 between tabs");
        row("41 fields", line(4) + "\tab", "line 3: 41 fields, expected 40");
        row("empty", "", "line 3: the label is \"\", expected 0 or 1");
        row("label", "2" + line(4).mid(1), "line 3: the label is \"2\"");
        row("no number", QByteArray(line(4)).replace("\t37\t", "\t3x\t"),
            "line 3: field 2 is \"3x\", expected a whole number");
        row("too large", QByteArray(line(4)).replace("\t37\t", "\t99999999999\t"),
            "expected a whole number");
        row("binary", QByteArray(line(4)).replace("\t37\t", QByteArray("\t\0\x1b\t", 4)),
            "field 2 is \"\?\?\"");
        row("long", line(4) + QByteArray(70000, 'a'), "line 3 has more than 65,536 characters");
    }

    void badRowsAreNamed()
    {
        QFETCH(QByteArray, bad);
        QFETCH(QString, said);
        const std::string path =
            file("bad.txt", line(0) + '\n' + line(1) + '\n' + bad + '\n' + line(3) + '\n');
        const std::string text = refusal([&] { openClickText(path); });
        QVERIFY2(QString::fromStdString(text).contains(said), text.c_str());
    }

    void utf16IsToldSo()
    {
        const std::string path = file("wide.txt", "\xff\xfe" + line(0) + '\n');
        const std::string text = refusal([&] { openClickText(path); });
        QVERIFY2(text.find("line 1: the file is UTF-16; convert it") != std::string::npos,
                 text.c_str());
    }

    void binaryIsReadByRow()
    {
        std::vector<int32_t> words;
        for (int i = 0; i < 30; ++i) {
            Click click;
            click.label = i % 2;
            click.counts[4] = i - 5;
            click.categories[25] = uint32_t(100 + i);
            appendBinary(click, words);
        }
        const auto bytes = [&] {
            return QByteArray(reinterpret_cast<const char*>(words.data()),
                              qsizetype(words.size() * sizeof(int32_t)));
        };
        const auto log = openClickBinary(file("a.bin", bytes()));
        QCOMPARE(log->rows(), int64_t(30));
        QVERIFY(!log->hashed());
        std::vector<Click> part(10);
        QCOMPARE(log->read(20, part), int64_t(1600));
        QCOMPARE(part[3].label, 1);
        QCOMPARE(part[3].counts[4], 18);
        QCOMPARE(part[3].categories[25], 123u);
        QVERIFY(refusal([&] { log->read(25, part); }).find("shorter than when") !=
                std::string::npos);

        const std::string cut = file("cut.bin", bytes().chopped(1));
        QVERIFY(refusal([&] { openClickBinary(cut); }).find("no whole number of rows") !=
                std::string::npos);
        words[size_t(40 * 7)] = 9;
        const auto wrong = openClickBinary(file("wrong.bin", bytes()));
        const std::string said = refusal([&] { wrong->read(0, part); });
        QVERIFY2(said.find("wrong.bin, row 7 (from 0): the label is 9") != std::string::npos,
                 said.c_str());
    }

    void partsAreFoundByName()
    {
        const QByteArray text = lines(20);
        file("criteo/train.csv", text);
        file("criteo/dev.csv", lines(3));
        file("criteo/test.csv", lines(5));
        file("criteo/readme.md", "no log");
        const std::string folder = m_folder.filePath(QStringLiteral("criteo")).toStdString();
        const ClickData data = openClicks(folder);
        QCOMPARE(data.training->rows(), int64_t(20));
        QCOMPARE(data.evaluation->rows(), int64_t(5)); // test comes before dev

        file("criteo/day_0_train.txt", text);
        QVERIFY(refusal([&] { openClicks(folder); }).find("leave one of them") !=
                std::string::npos);
        file("none/contest.txt", text);
        QVERIFY(refusal([&] {
                    openClicks(m_folder.filePath(QStringLiteral("none")).toStdString());
                }).find("holds no click log") != std::string::npos);
        QVERIFY(refusal([&] { openClicks("/no/such/folder"); }).find("there is no data") !=
                std::string::npos);

        // One text: its last tenth is held out.
        const ClickData one = openClicks(file("one.tsv", lines(25)));
        QCOMPARE(one.training->rows(), int64_t(23));
        QCOMPARE(one.evaluation->rows(), int64_t(2));
        std::vector<Click> last(1);
        one.evaluation->read(1, last);
        QCOMPARE(last[0].counts[0], 24 * 10 - 3);
        QCOMPARE(one.evaluation->describe(0),
                 m_folder.filePath(QStringLiteral("one.tsv")).toStdString() + ", line 24");
        QVERIFY(refusal([&] { openClicks(file("few.txt", lines(9))); }).find("at least 10") !=
                std::string::npos);
    }

    void pipesAreNotRead()
    {
        const std::string pipe = m_folder.filePath(QStringLiteral("pipe.txt")).toStdString();
        QCOMPARE(::mkfifo(pipe.c_str(), 0600), 0);
        QVERIFY(refusal([&] { openClicks(pipe); }).find("no ordinary file") != std::string::npos);
    }

    void batchesHoldLogarithmsAndRows()
    {
        const auto log = openClickText(file("batch.txt", lines(40)));
        const TableSizes sizes{std::vector<int64_t>(kClickCategories, 11), 0};
        CachingAllocator memory;
        const ClickFiller filler(*log, sizes, memory);
        Batch batch;
        const std::vector<int64_t> rows{30, 2, 3, 4};
        filler.fill(rows, batch);
        QCOMPARE(batch.samples, int64_t(4));
        QCOMPARE(batch.tensors[0].shape(), (Shape{4, 13}));
        QCOMPARE(batch.tensors[1].shape(), (Shape{26, 4}));
        for (size_t i = 0; i < 4; ++i) {
            QCOMPARE(batch.tensors[2].f32()[i], float(rows[i] % 2));
            const auto counts = batch.tensors[0].f32().subspan(i * 13, 13);
            QCOMPARE(counts[2], float(std::log(1.0 + double(rows[i] * 10 - 1))));
            QCOMPARE(counts[5], 0.0f); // there is none
            QCOMPARE(batch.tensors[1].i32()[7 * 4 + i], 0);
            QVERIFY(batch.tensors[1].i32()[i] >= 1 && batch.tensors[1].i32()[i] < 11);
        }
        // Column 0 of row 4 is the text of column 2 of row 2.
        QCOMPARE(batch.tensors[1].i32()[3], batch.tensors[1].i32()[2 * 4 + 1]);

        Click click;
        click.categories[9] = 12345;
        std::vector<int32_t> words;
        appendBinary(click, words);
        const auto binary = openClickBinary(
            file("ids.bin", QByteArray(reinterpret_cast<const char*>(words.data()), 160)));
        const std::vector<int64_t> first{0};
        const std::string said =
            refusal([&] { ClickFiller(*binary, sizes, memory).fill(first, batch); });
        QVERIFY2(said.find("category 10 is 12345, but its table has 11 rows") != std::string::npos,
                 said.c_str());
        const TableSizes capped{std::vector<int64_t>(kClickCategories, 100), 100};
        ClickFiller(*binary, capped, memory).fill(first, batch);
        QCOMPARE(batch.tensors[1].i32()[9], 45);
    }

    void blocksStayTogether()
    {
        for (const auto& [rows, block] :
             {std::pair<int64_t, int64_t>{1000, 1}, {1003, 16}, {64, 64}, {10, 100}, {5000, 7}}) {
            const BlockShuffle order(rows, block, 3, 2), other(rows, block, 3, 3);
            std::set<int64_t> seen;
            bool differs = false;
            for (int64_t p = 0; p < rows; ++p) {
                const int64_t row = order(p);
                QVERIFY(row >= 0 && row < rows && seen.insert(row).second);
                differs = differs || row != other(p);
                if (p % block != 0 && block <= rows)
                    QCOMPARE(row, order(p - 1) + 1);
            }
            QCOMPARE(differs, rows >= 2 * block);
        }
    }
};

QTEST_GUILESS_MAIN(DlrmClicksTest)
#include "clicks_test.moc"
