// SPDX-License-Identifier: GPL-3.0-or-later
// Sets of interactions that are not as they should be: one sentence with file and line, and never
// more than that.

#include "interaction_fixture.h"

#include "engine/data/hash_random.h"
#include "engine/workloads/ncf/line_reader.h"

#include <QStringList>
#include <QTest>

using namespace scalebench;
using namespace scalebench::test;
using namespace scalebench::workloads;

namespace {

const QByteArray kTrain = "0\t1\t1\n0\t2\t1\n1\t3\t1\n";
const QByteArray kTest = "0\t4\t1\n1\t5\t1\n";
const QByteArray kNegative = "(0,4)\t3\t5\n(1,5)\t1\t2\n";

TextFiles triplet(const QByteArray& train, const QByteArray& test, const QByteArray& negative)
{
    return {{"x.train.rating", train}, {"x.test.rating", test}, {"x.test.negative", negative}};
}

const QByteArray kLog = "1\t2\t3\t4\n1\t3\t4\t5\n";
const QByteArray kCsv = "userId,movieId,rating,timestamp\n1,2,3.5,4\n1,3,4,5\n";

void row(const char* name, const TextFiles& files, const char* code, const QStringList& parts)
{
    QTest::newRow(name) << files << code << parts;
}

void logRow(const char* name, const QByteArray& text, const QStringList& parts)
{
    row(name, {{"u.data", text}}, "data_damaged", parts);
}

void logRows()
{
    logRow("id is text", kLog + "1\tx7\t3\t4\n", {"u.data:3 ", "item id 'x7'", "whole number"});
    logRow("id is a fraction", "1.5\t2\t3\t4\n", {"u.data:1 ", "user id '1.5'"});
    logRow("id is missing", "1\t\t3\t4\n", {"u.data:1 ", "item id ''"});
    logRow("negative id", kLog + "-2\t2\t3\t4\n", {"u.data:3 ", "user id -2 is negative"});
    logRow("huge id", "1\t268435457\t3\t4\n", {"u.data:1 ", "268435457 is above"});
    logRow("overflowing id", "1\t99999999999999999999999\t3\t4\n", {"u.data:1 ", "far too large"});
    logRow("id beyond the file", kLog + "1\t200000000\t3\t4\n" + kLog,
           {"u.data:3 ", "200000000 is too large for a file of 5 lines"});
    logRow("rating is text", kLog + "1\t2\tgood\t4\n", {"u.data:3 ", "rating 'good' is no number"});
    logRow("rating is nan", "1\t2\tnan\t4\n", {"u.data:1 ", "rating 'nan'"});
    logRow("time is text", "1\t2\t3\tnow\n", {"u.data:1 ", "time 'now'"});
    logRow("too few fields", kLog + "1\t2\t3\n", {"u.data:3 ", "3 fields", "expected user TAB"});
    logRow("too many fields", kLog + "1\t2\t3\t4\t5\t6\n", {"u.data:3 ", "at least 5 fields"});
    logRow("commas among tabs", kLog + "1,2,3,4\n", {"u.data:3 ", "commas", "TABs"});
    logRow("cut off", kLog + "1\t2", {"u.data:3 ", "2 fields"});
    logRow("NUL bytes", kLog + QByteArray(8, '\0'), {"u.data:3 ", "1 field"});
    logRow("NUL in a number", QByteArray("1\t2\0\t3\t4\n", 9), {"u.data:1 ", "item id '2?'"});
    logRow("endless line", kLog + QByteArray(10'000'000, '1'), {"u.data:3 ", "longer than 1 MiB"});
    row("nothing in it", {{"u.data", "\n\n"}}, "data_empty", {"u.data holds no ratings"});
    row("no header", {{"ratings.csv", "1,2,3,4\n"}}, "data_damaged",
        {"ratings.csv:1 ", "header", "userId,movieId,rating,timestamp"});
    row("tabs among commas", {{"ratings.csv", kCsv + "1\t2\t3\t4\n"}}, "data_damaged",
        {"ratings.csv:4 ", "TABs", "commas"});
    row("header only", {{"ratings.csv", "userId,movieId,rating,timestamp\n"}}, "data_empty",
        {"ratings.csv"});
}

void tripletRow(const char* name, const TextFiles& files, const QStringList& parts)
{
    row(name, files, "data_damaged", parts);
}

void tripletRows()
{
    tripletRow("training id is text", triplet(kTrain + "a\t1\t1\n", kTest, kNegative),
               {"x.train.rating:4 ", "user id 'a'"});
    tripletRow("training line is short", triplet("0\t1\n", kTest, kNegative),
               {"x.train.rating:1 ", "2 fields"});
    tripletRow("test user is unknown", triplet(kTrain, "0\t4\t1\n7\t5\t1\n", kNegative),
               {"x.test.rating:2 ", "user 7 is not in the training file, whose last user is 1"});
    tripletRow("test user comes twice", triplet(kTrain, "0\t4\t1\n0\t5\t1\n", kNegative),
               {"x.test.rating:2 ", "user 0 has a test item already"});
    tripletRow("test id beyond the file", triplet(kTrain, "0\t5000000\t1\n", kNegative),
               {"x.test.rating:1 ", "5000000 is too large"});
    tripletRow("negatives of another item", triplet(kTrain, kTest, "(0,4)\t3\n(1,6)\t1\n"),
               {"x.test.negative:2 ", "(1,6)", "(1,5)"});
    tripletRow("no pair", triplet(kTrain, kTest, "0,4\t3\n"),
               {"x.test.negative:1 ", "(user,item)"});
    tripletRow("broken pair", triplet(kTrain, kTest, "(0,)\t3\n"),
               {"x.test.negative:1 ", "item id ''"});
    tripletRow("only brackets", triplet(kTrain, kTest, "()\n"), {"x.test.negative:1 "});
    tripletRow("negative is text", triplet(kTrain, kTest, "(0,4)\t3\tq\n"),
               {"x.test.negative:1 ", "item id 'q'"});
    tripletRow("negative below 0", triplet(kTrain, kTest, "(0,4)\t3\t-1\n"),
               {"x.test.negative:1 ", "-1 is negative"});
    tripletRow("negative beyond the file", triplet(kTrain, kTest, "(0,4)\t3\n(1,5)\t90000000\n"),
               {"x.test.negative:2 ", "90000000 is too large"});
    tripletRow("fewer negatives", triplet(kTrain, kTest, "(0,4)\t3\t5\n(1,5)\t1\n"),
               {"x.test.negative:2 ", "1 negative, the lines before have 2"});
    tripletRow("no negatives", triplet(kTrain, kTest, "(0,4)\n(1,5)\n"),
               {"x.test.negative:1 ", "no negatives"});
    tripletRow("negative lines are missing", triplet(kTrain, kTest, "(0,4)\t3\n"),
               {"x.test.negative:1 ", "ends after 1 line, the test file has 2"});
    tripletRow("more negative lines", triplet(kTrain, kTest, kNegative + "(0,4)\t3\t5\n"),
               {"x.test.negative:3 ", "more lines than in the test file, which has 2"});
    row("empty training file", triplet("", kTest, kNegative), "data_empty", {"x.train.rating"});
    row("empty test file", triplet(kTrain, "", ""), "data_empty", {"x.test.rating"});
    row("a file is missing", {{"x.train.rating", kTrain}, {"x.test.rating", kTest}}, "data_missing",
        {"x.test.negative is missing"});
    row("two sets", {{"u.data", kLog}, {"x.train.rating", kTrain}, {"x.test.rating", kTest}},
        "data_missing", {"several sets (u.data, x)", "stem"});
    row("nothing known", {{"thesis.txt", "text"}}, "data_empty", {"looked for u.data"});
}

} // namespace

class DamagedTest : public QObject
{
    Q_OBJECT

    /// Reads and says what became of it; anything but a clear refusal is a failure.
    static std::string outcome(const TextFiles& files)
    {
        const Folder folder(files);
        return caughtFrom([&] { folder.read(); }).code;
    }

private Q_SLOTS:
    void rows_data()
    {
        QTest::addColumn<TextFiles>("files");
        QTest::addColumn<QString>("code");
        QTest::addColumn<QStringList>("parts");
        logRows();
        tripletRows();
    }
    void rows()
    {
        QFETCH(TextFiles, files);
        QFETCH(QString, code);
        QFETCH(QStringList, parts);
        const Folder folder(files);
        const Caught caught = caughtFrom([&] { folder.read(); });
        QCOMPARE(caught.code, code.toStdString());
        QVERIFY2(caught.message.find('\n') == std::string::npos && caught.message.size() < 700,
                 caught.message.c_str());
        for (const QString& part : parts)
            QVERIFY2(caught.message.find(part.toStdString()) != std::string::npos,
                     caught.message.c_str());
    }
    void pathsThatHoldNothing()
    {
        const Folder folder(TextFiles{{"thesis.txt", "text"}});
        for (const char* name : {"nowhere", "nowhere.train.rating", "nowhere/u.data"})
            QCOMPARE(caughtFrom([&] { readInteractions(folder.path(name)); }).code,
                     std::string("data_missing"));
        QCOMPARE(caughtFrom([&] { readInteractions(folder.path("thesis.txt")); }).code,
                 std::string("data_empty"));
    }
    void cutOffAnywhere()
    {
        const QByteArray whole[] = {kTrain, kTest, kNegative};
        for (int file = 0; file < 3; ++file)
            for (qsizetype size = 0; size < whole[file].size(); ++size) {
                QByteArray parts[] = {kTrain, kTest, kNegative};
                parts[file].truncate(size);
                const std::string code = outcome(triplet(parts[0], parts[1], parts[2]));
                QVERIFY2(code == "none" || code == "data_damaged" || code == "data_empty",
                         code.c_str());
                // Only the last line end, or digits of a last number, can be lost unseen.
                QVERIFY(code != "none" || file == 0 || size == whole[file].size() - 1);
            }
    }
    void randomBytes()
    {
        data::HashRandom random({5});
        const QByteArray alphabet("0123456789\t\t\n\n,(-.e\r\0\xff", 21);
        for (int round = 0; round < 400; ++round) {
            QByteArray parts[] = {kTrain, kTest, kNegative, kLog, kCsv};
            for (QByteArray& part : parts)
                for (uint32_t change = 1 + random.below(3); change > 0; --change)
                    part[qsizetype(random.below(uint32_t(part.size())))] =
                        alphabet[qsizetype(random.below(uint32_t(alphabet.size())))];
            for (const TextFiles& files :
                 {triplet(parts[0], parts[1], parts[2]), TextFiles{{"u.data", parts[3]}},
                  TextFiles{{"ratings.csv", parts[4]}}}) {
                const std::string code = outcome(files);
                QVERIFY2(code == "none" || code == "data_damaged" || code == "data_empty",
                         code.c_str());
            }
        }
    }
    void longestLine()
    {
        const QByteArray pad(qsizetype(LineReader::kLongestLine) - 8, '0');
        QCOMPARE(outcome({{"u.data", "1\t" + pad + "2\t3\t4\n" + kLog}}), std::string("none"));
        QCOMPARE(outcome({{"u.data", "1\t" + pad + "0002\t3\t4\n" + kLog}}),
                 std::string("data_damaged"));
    }
};

QTEST_GUILESS_MAIN(DamagedTest)
#include "damaged_test.moc"
