// SPDX-License-Identifier: GPL-3.0-or-later
// `scalebench data` with the real engine: sets are made, counted and read through; what is damaged
// is named.
#include "engine/data/fixtures.h"
#include "support/cluster.h"

#include <QDir>
#include <QFile>
#include <QJsonArray>
#include <QProcess>
#include <QTemporaryDir>
#include <QTest>

using namespace scalebench::test;

class DataCliTest : public QObject
{
    Q_OBJECT

    QTemporaryDir m_folder;
    QString path(const QString& name) const { return m_folder.filePath(name); }

    static Said data(QStringList words)
    {
        words.prepend(QStringLiteral("data"));
        return runProgram(QStringLiteral(SB_BIN_DIR "/scalebench"), words);
    }
    static QJsonObject facts(const Said& said)
    {
        return QJsonDocument::fromJson(said.output).object();
    }
    /// Three classes with `edge` large pictures.
    void writeFolders(const QString& name, int edge) const
    {
        for (const char* part : {"train", "val"})
            for (const char* kind : {"cat", "dog", "emu"})
                for (int i = 0; i < 3; ++i)
                    writeBytes(path(QStringLiteral("%1/%2/%3/%4.jpg")
                                        .arg(name, QLatin1String(part), QLatin1String(kind))
                                        .arg(i))
                                   .toStdString(),
                               makeJpeg(edge, edge, i));
    }

private slots:
    void makesAndChecksTheGeneratedSet()
    {
        const QString set = path(QStringLiteral("made"));
        const Said made = data({QStringLiteral("make"), QStringLiteral("resnet"), set});
        QVERIFY2(made.ok(), made.errors.constData());
        QVERIFY(QFile::exists(set + QStringLiteral("/data_batch_1.bin")));
        const Said checked = data(
            {QStringLiteral("check"), QStringLiteral("resnet"), set, QStringLiteral("--json")});
        QVERIFY2(checked.ok(), checked.errors.constData());
        QCOMPARE(facts(checked)[u"train_samples"].toInt(), 6400);
        QCOMPARE(facts(checked)[u"classes"].toString(), QStringLiteral("10"));
        QCOMPARE(facts(checked)[u"damaged"].toInt(-1), 0);
        // What was decoded is 7,400 records of 3,073 bytes.
        QVERIFY(facts(checked)[u"bytes_read"].toInteger() >= 7400 * 3073);
    }
    void interruptedItLeavesNothing()
    {
        QDir().mkpath(path(QStringLiteral("stopped")));
        const QDir folder(path(QStringLiteral("stopped")));
        const auto there = [&] {
            return folder.entryList(QDir::AllEntries | QDir::NoDotAndDotDot);
        };
        QProcess make;
        make.start(QStringLiteral(SB_BIN_DIR "/scalebench"),
                   {QStringLiteral("data"), QStringLiteral("make"), QStringLiteral("ssd"),
                    folder.filePath(QStringLiteral("set")), QStringLiteral("--set"),
                    QStringLiteral("data.train_samples=100000")});
        QVERIFY(QTest::qWaitFor([&] { return there().size() >= 2; }, kHangMs)); // set.new.7, a lock
        ::kill(pid_t(make.processId()), SIGINT);
        QVERIFY(make.waitForFinished(kHangMs));
        QCOMPARE(make.exitCode(), 130);
        const QByteArray said = make.readAllStandardError();
        QVERIFY2(said.contains("what was made so far was removed"), said.constData());
        QCOMPARE(there(), QStringList());
    }
    void makingAnewNamesWhatItReplaces()
    {
        const QString set = path(QStringLiteral("again"));
        const auto make = [&](const QString& workload, int users) {
            QStringList words{QStringLiteral("make"), workload, set};
            if (users > 0)
                words << QStringLiteral("--set") << QStringLiteral("data.users=%1").arg(users);
            return data(words);
        };
        QVERIFY(make(QStringLiteral("ncf"), 300).ok());
        QVERIFY(!QFile::exists(set + QStringLiteral(".lock")));
        const Said second = make(QStringLiteral("ncf"), 200);
        QVERIFY2(second.ok() && second.output.contains("replaced the generated set") &&
                     second.output.contains("users: 300, now 200"),
                 second.output.constData());
        QVERIFY(!make(QStringLiteral("ncf"), 200).output.contains("replaced"));
        const Said other = make(QStringLiteral("resnet"), 0);
        QVERIFY2(!other.ok() && other.errors.contains("another kind"), other.errors.constData());
        QFile mine(set + QStringLiteral("/mine.csv"));
        QVERIFY(mine.open(QIODevice::WriteOnly));
        const Said refused = make(QStringLiteral("ncf"), 100);
        QVERIFY2(!refused.ok() && refused.errors.contains("mine.csv"), refused.errors.constData());
        QVERIFY(mine.exists());
        QVERIFY(!QFile::exists(set + QStringLiteral(".lock")));
    }
    void madeSetsAreReadAsFiles_data()
    {
        QTest::addColumn<QString>("workload");
        QTest::addColumn<int>("samples");
        QTest::newRow("transformer") << QStringLiteral("transformer") << 12000;
        QTest::newRow("gnmt") << QStringLiteral("gnmt") << 12000;
        QTest::newRow("bert") << QStringLiteral("bert") << 0; // all of a folder is read
        QTest::newRow("ncf") << QStringLiteral("ncf") << 0;
    }
    /// By nobody who knows at which scale, or that its languages are invented.
    void madeSetsAreReadAsFiles()
    {
        QFETCH(QString, workload);
        QFETCH(int, samples);
        const QString set = path(QStringLiteral("made ") + workload);
        const Said made = data({QStringLiteral("make"), workload, set, QStringLiteral("--json")});
        QVERIFY2(made.ok(), made.errors.constData());
        for (const char* action : {"info", "check"}) {
            const Said said =
                data({QLatin1String(action), workload, set, QStringLiteral("--json")});
            QVERIFY2(said.ok(), said.errors.constData());
            for (const char* fact : {"train_samples", "eval_samples"}) {
                QVERIFY(facts(said)[QLatin1String(fact)].toInt() > 0);
                if (samples > 0)
                    QCOMPARE(facts(said)[QLatin1String(fact)], facts(made)[QLatin1String(fact)]);
            }
            if (samples > 0)
                QCOMPARE(facts(said)[u"train_samples"].toInt(), samples);
        }
    }
    /// A person's own names, which the message asks for.
    void filesHaveTheNamesThatAreSet()
    {
        const QString set = path(QStringLiteral("own names"));
        QDir().mkpath(set);
        for (const char* part : {"train", "dev"})
            for (const char* language : {"fr", "nl"}) {
                QFile file(QStringLiteral("%1/%2.%3")
                               .arg(set, QLatin1String(part), QLatin1String(language)));
                QVERIFY(file.open(QIODevice::WriteOnly));
                file.write("one two three\nfour five\nsix\n");
            }
        const QStringList words{QStringLiteral("info"), QStringLiteral("transformer"), set,
                                QStringLiteral("--json")};
        const Said refused = data(words);
        QCOMPARE(refused.exitCode, 2);
        QVERIFY2(refused.errors.contains("has no train.en"), refused.errors.constData());
        const auto with = [](const char* setting) {
            return QStringList{QStringLiteral("--set"), QLatin1String(setting)};
        };
        const Said said = data(words + with("data.source_language=fr") +
                               with("data.target_language=nl") + with("data.eval=dev"));
        QVERIFY2(said.ok(), said.errors.constData());
        QCOMPARE(facts(said)[u"train_samples"].toInt(), 3);
        for (const char* wrong : {"data.eval", "data.evel=dev", "=dev"}) {
            const Said unknown = data(words + with(wrong));
            QVERIFY(unknown.exitCode != 0);
            QVERIFY2(unknown.errors.contains(wrong == QByteArray("data.evel=dev") ? "data.evel"
                                                                                  : "PATH=VALUE"),
                     unknown.errors.constData());
        }
    }
    void namesWhatIsDamaged_data()
    {
        QTest::addColumn<int>("edge");
        QTest::newRow("small pictures, kept decoded") << 32;
        QTest::newRow("photos, read while training") << 200;
    }
    void namesWhatIsDamaged()
    {
        QFETCH(int, edge);
        const QString set = QStringLiteral("folders %1").arg(edge);
        writeFolders(set, edge);
        const QStringList words{QStringLiteral("check"), QStringLiteral("resnet"), path(set),
                                QStringLiteral("--json")};
        QVERIFY(data(words).ok());
        QFile file(path(set + QStringLiteral("/train/dog/1.jpg")));
        QVERIFY(file.resize(file.size() / 2));
        const Said said = data(words);
        QCOMPARE(said.exitCode, 2);
        QVERIFY2((said.output + said.errors).contains("train/dog/1.jpg"),
                 said.output + said.errors);
        if (edge == 200) { // both of two, not only the first
            QFile second(path(set + QStringLiteral("/val/emu/2.jpg")));
            QVERIFY(second.open(QIODevice::WriteOnly));
            second.write("no picture");
            second.close();
            const QJsonObject found = facts(data(words));
            QCOMPARE(found[u"damaged"].toInt(), 2);
            QCOMPARE(found[u"messages"].toArray().size(), 2);
        }
    }
    /// A check that leaves nothing out of everything says why.
    void namesWhatLeavesNothing()
    {
        const QByteArray json =
            R"({"images": [{"id": 1, "file_name": "1.png", "width": 8, "height": 8}],
                "categories": [{"id": 1, "name": "a"}],
                "annotations": [{"id": 1, "image_id": 1, "category_id": 1, "bbox": [1, 1, 4, 4]}]})";
        for (const char* part : {"train", "val"})
            writeBytes(path(QStringLiteral("nothing/instances_%1.json").arg(QLatin1String(part)))
                           .toStdString(),
                       {json.begin(), json.end()});
        writeBytes(path(QStringLiteral("nothing/train/2.png")).toStdString(), {1, 2, 3});
        const Said said =
            data({QStringLiteral("check"), QStringLiteral("ssd"), path(QStringLiteral("nothing"))});
        QCOMPARE(said.exitCode, 2);
        QVERIFY2(said.output.contains("lists the picture \"1.png\", which is not among"),
                 said.output.constData());
        QVERIFY2(said.errors.contains("has an object to learn from"), said.errors.constData());
    }
    /// Names in a data set went to the terminal as they were.
    void namesAreShownWithoutControlCharacters()
    {
        const QString set = QStringLiteral("escapes");
        writeFolders(set, 32);
        writeBytes(
            path(set + QStringLiteral("/train/cat/\x1b]0;title\x07\u202e.jpg")).toStdString(),
            {1, 2, 3});
        for (const bool json : {false, true}) {
            QStringList words{QStringLiteral("check"), QStringLiteral("resnet"), path(set)};
            if (json)
                words << QStringLiteral("--json");
            const QByteArray said = data(words).output;
            QVERIFY2(said.contains(json ? "\\u001b]0;title\\u0007\\u202e.jpg"
                                        : "\\x1b]0;title\\x07\\u202e.jpg"),
                     said.constData());
            QVERIFY(!said.contains('\x1b'));
        }
    }
    void saysWhatIsWrong_data()
    {
        QTest::addColumn<QStringList>("words");
        QTest::addColumn<QByteArray>("says");
        const auto list = [](const char* words) {
            return QString::fromLatin1(words).split(QLatin1Char(' '));
        };
        QTest::newRow("no words") << QStringList() << QByteArray("Give info, check or make");
        QTest::newRow("no such action")
            << list("look resnet /tmp") << QByteArray("Give info, check or make");
        QTest::newRow("no set of this size")
            << list("make ncf /tmp/x --scale mlperf")
            << QByteArray("The scale \"mlperf\" of ncf trains on files");
        QTest::newRow("no such workload") << list("info gpt /tmp") << QByteArray("gpt");
        QTest::newRow("nothing there")
            << list("info resnet /no/such/place") << QByteArray("/no/such/place");
        QTest::newRow("no samples") << list("make ssd /tmp/x --set data.train_samples=0")
                                    << QByteArray("scalebench-engine: \"data.train_samples\"");
        QTest::newRow("too few items") << list("make ncf /tmp/x --set data.items=100")
                                       << QByteArray("twice \"data.ratings_per_user\"");
        QTest::newRow("a word in place of a folder")
            << list("info ssd generated") << QByteArray("data make ssd FOLDER");
        QTest::newRow("nothing to check")
            << list("check dlrm synthetic") << QByteArray("has nothing to check");
        QTest::newRow("no pictures") << list("info resnet /etc/apt") << QByteArray("looked for");
    }
    void saysWhatIsWrong()
    {
        QFETCH(QStringList, words);
        QFETCH(QByteArray, says);
        const Said said = data(words);
        QCOMPARE(said.exitCode, 2);
        QVERIFY2(said.errors.contains(says), said.errors.constData());
    }
};

QTEST_GUILESS_MAIN(DataCliTest)
#include "data_cli_test.moc"
