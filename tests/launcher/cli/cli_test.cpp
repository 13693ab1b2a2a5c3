// SPDX-License-Identifier: GPL-3.0-or-later
// The scalebench command as a user meets it: messages, exit codes, files, Ctrl-C. Real mpirun, fake
// engine.
#include "run/study.h"
#include "support/campaign.h"
#include "support/launcher_fixture.h"

#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QProcess>
#include <QTest>

#include <csignal>
#include <pty.h>
#include <sys/wait.h>
#include <unistd.h>

using namespace scalebench;
using namespace scalebench::test;

class CliTest : public QObject
{
    Q_OBJECT

    std::unique_ptr<TemporaryLibrary> m_library;
    QString m_out, m_err;

    QString path(const char* name) const
    {
        return m_library->folder.filePath(QLatin1StringView(name));
    }

    void prepare(QProcess& process, const QStringList& arguments)
    {
        process.setProgram(QStringLiteral(SB_BIN_DIR "/scalebench"));
        process.setArguments(arguments);
        QProcessEnvironment environment = QProcessEnvironment::systemEnvironment();
        environment.insert(QStringLiteral("SCALEBENCH_GUI"), QStringLiteral("/does/not/exist"));
        environment.insert(QStringLiteral("XDG_DATA_HOME"), m_library->folder.path());
        process.setProcessEnvironment(environment);
    }
    int run(const QStringList& arguments)
    {
        QProcess process;
        prepare(process, arguments);
        process.start();
        process.waitForFinished(kHangMs);
        m_out = QString::fromUtf8(process.readAllStandardOutput());
        m_err = QString::fromUtf8(process.readAllStandardError());
        return process.exitStatus() == QProcess::NormalExit ? process.exitCode() : -1;
    }
    int run(const char* line)
    {
        return run(QString::fromUtf8(line).split(QLatin1Char(' '), Qt::SkipEmptyParts));
    }

private slots:
    /// Without them every case would wait for what never comes.
    void initTestCase()
    {
        for (const char* program : {SB_BIN_DIR "/scalebench", SB_BIN_DIR "/../tests/fake_engine"})
            QVERIFY2(QFileInfo(QString::fromUtf8(program)).isExecutable(),
                     qPrintable(QStringLiteral("%1 is not there: build the targets scalebench and "
                                               "fake_engine first")
                                    .arg(QString::fromUtf8(program))));
    }
    void init()
    {
        useFakeEngine("ok");
        m_library = std::make_unique<TemporaryLibrary>();
    }
    void cleanup()
    {
        const bool clean =
            QTest::qWaitFor([&] { return m_library->processesLeft().isEmpty(); }, kHangMs);
        m_library.reset();
        QVERIFY2(clean, "a process was left behind");
    }

    /// Of published times, which need no study: the article's own advice, as text and as JSON.
    void advice()
    {
        QCOMPARE(run("advice --published dgx1 --series ncf"), 0);
        for (const char* part : {"Use 8 workers: 37.8 s a training", "6,545 a day instead of 2,286",
                                 "copies a day", "What would change it:"})
            QVERIFY2(m_out.contains(QLatin1StringView(part)), qPrintable(m_out));
        QCOMPARE(run("advice --published dgx1 --series ssd --deadline 60 --price 12 --json"), 0);
        const QJsonArray list = QJsonDocument::fromJson(m_out.toUtf8()).array();
        QCOMPARE(list.size(), 1);
        const QJsonObject ssd = list[0].toObject();
        QCOMPARE(ssd[QStringLiteral("workers")].toInt(), 8); // a node costs the same: the fastest
        const QJsonObject first = ssd[QStringLiteral("measured")][0].toObject();
        QVERIFY(std::abs(first[QStringLiteral("cost")].toDouble() - 12 * 199.92 / 60) < 1e-9);
        QCOMPARE(ssd[QStringLiteral("prediction")][QStringLiteral("predicted")].toArray().size(),
                 3); // 2, 16 and 32
        QCOMPARE(run("advice --published dgx1 --series nothing"), 2);
    }

    /// A study that is named twice has not run twice.
    void adviceCountsAStudyOnce()
    {
        QCOMPARE(run("run resnet --workers 1 --target 0.8 --no-pictures"), 0);
        QCOMPARE(run("advice latest --json"), 0);
        const QString once = m_out;
        QVERIFY(once.contains(QStringLiteral("\"runs\": 1")));
        QCOMPARE(run("advice latest latest --json"), 0);
        QCOMPARE(m_out, once);
    }

    void verify()
    {
        QCOMPARE(run("verify published:dgx1 --against published:dgx1"), 0);
        QVERIFY2(m_out.startsWith(QStringLiteral("Verified: all 18 items")), qPrintable(m_out));
        // The logs of the same kind of machine: recommendation is 25 % off.
        QCOMPARE(run("verify published:dgx1 --against published:mlperf-logs --json"), 4);
        const QJsonObject told = QJsonDocument::fromJson(m_out.toUtf8()).object();
        QVERIFY(!told[QStringLiteral("passed")].toBool(true));
        for (const QJsonValue& item : told[QStringLiteral("items")].toArray())
            if (item[QStringLiteral("item")].toString() == QStringLiteral("ncf, 8 workers"))
                QCOMPARE(item[QStringLiteral("verdict")].toString(), QStringLiteral("LOW"));
        QCOMPARE(run({QStringLiteral("verify"), QStringLiteral("published:dgx1"),
                      QStringLiteral("--against"), QStringLiteral("published:dgx1"),
                      QStringLiteral("--out"), path("verified")}),
                 0);
        QVERIFY(QFile::exists(path("verified/verification.html")));
        // Without the workbench there is no picture, which is said.
        QVERIFY(m_err.contains(QStringLiteral("The pictures were not made")));
        QVERIFY(!QFile::exists(path("verified/verification.png")));
        QVERIFY(!m_err.isEmpty()); // without the workbench there is no PDF, which is said
    }

    /// There is no chart then, and its absence is no failure to be told.
    void nothingToVerify()
    {
        QFile file(path("a.csv"));
        QVERIFY(file.open(QIODevice::WriteOnly));
        file.write("workload,workers,seconds\nmine,1,20\nmine,2,11\n");
        file.close();
        QCOMPARE(run({QStringLiteral("import"), path("a.csv")}), 0);
        QCOMPARE(
            run({QStringLiteral("verify"), QStringLiteral("latest"), QStringLiteral("--against"),
                 QStringLiteral("published:dgx1"), QStringLiteral("--out"), path("verified")}),
            4);
        QVERIFY2(m_out.contains(QStringLiteral("Nothing to verify")), qPrintable(m_out));
        QVERIFY(QFile::exists(path("verified/verification.html")));
        QVERIFY2(!m_err.contains(QStringLiteral("The pictures")), qPrintable(m_err));
    }

    /// Read, told, and nothing came of it: that is no success.
    void importOfNothingButDamage()
    {
        QFile file(path("a.csv"));
        QVERIFY(file.open(QIODevice::WriteOnly));
        file.write("workers,seconds\n1,\"no end\n");
        file.close();
        QCOMPARE(run({QStringLiteral("import"), path("a.csv")}), 2);
        QVERIFY2(m_out.contains(QStringLiteral("1 damaged")), qPrintable(m_out + m_err));
        // One that is not there is none either, whatever came of the others.
        QVERIFY(file.open(QIODevice::WriteOnly | QIODevice::Truncate));
        file.write("workload,workers,seconds\nmine,1,20\n");
        file.close();
        QCOMPARE(run({QStringLiteral("import"), path("a.csv"), path("no.csv")}), 2);
        QVERIFY2(m_out.contains(QStringLiteral("no.csv: skipped: does not exist")),
                 qPrintable(m_out));
    }

    void helpEverywhere()
    {
        for (const char* command : {"", "run ", "study ", "workloads ", "results ", "doctor "}) {
            QCOMPARE(run((QByteArray(command) + "--help").constData()), 0);
            QVERIFY(m_out.startsWith(QStringLiteral("Usage: scalebench ")));
            QVERIFY(m_err.isEmpty());
            QCOMPARE(run((QByteArray(command) + "--version").constData()), 0);
            QVERIFY(m_out.startsWith(QStringLiteral("scalebench 0.")));
        }
    }

    /// As ssh and Slurm start it.
    void aPlainLocaleIsNoNews()
    {
        const QByteArray before = qgetenv("LC_ALL");
        qputenv("LC_ALL", "C");
        const int code = run("--version");
        before.isNull() ? qunsetenv("LC_ALL") : qputenv("LC_ALL", before);
        QCOMPARE(code, 0);
        QCOMPARE(m_err, QString());
    }

    void wrongUsage_data()
    {
        QTest::addColumn<QString>("line");
        QTest::addColumn<int>("exitCode");
        QTest::addColumn<QString>("message");
        const auto row = [](const char* line, int code, const char* message) {
            QTest::newRow(line) << QString::fromUtf8(line) << code << QString::fromUtf8(message);
        };
        row("", 2, "Which command?");
        row("trian", 2, "The command \"trian\" is not known.");
        row("rnu", 2, "The command \"rnu\" is not known (did you mean \"run\"?).");
        row("resume /no/such/study", 2, "There is no study in /no/such/study");
        row("resume no-such-study", 2, "There is no study \"no-such-study\" in ");
        row("run", 2, "Which workload? Known: ");
        row("run resnet bert", 2, "\"bert\" is one word too many.");
        row("run resnt", 2, "The workload \"resnt\" is not known (did you mean \"resnet\"?).");
        row("workloads resnet ncf", 2, "\"ncf\" is one word too many.");
        row("advice --deadline soon", 2, "--deadline needs a number above 0, not \"soon\".");
        row("advice --published nothing", 2, "There is no published result \"nothing\"");
        row("verify", 2, "verify needs --against REFERENCE.");
        row("verify latest --against x --margin 0", 2,
            "--margin needs a number above 0 and below 100");
        row("verify published:nothing --against x", 2, "There is no published result \"nothing\"");
        row("verify published:dgx1 --against published:dgx1 --out /etc/passwd", 2,
            "\"/etc/passwd\" is a file; --out takes a folder.");
        row("run resnet --worker 1", 2, "Unknown option 'worker'.");
        row("run resnet --workers two", 2, "--workers takes whole numbers; \"two\" is none.");
        row("run resnet --workers 0", 2, "A run needs at least 1 worker; 0 is not possible.");
        row("run resnet --workers 3000", 2, "You ask for 3000 workers; this machine has");
        row("run resnet --workers 1,1", 2, "given twice");
        row("run resnet --workers 1 --batch 0", 2, "--batch must be at least 1.");
        row("run resnet --workers 2 --batch 1", 2, "is smaller than 2 workers");
        row("run resnet --workers 2 --batch 127", 2, "The nearest that fits is 128.");
        row("run resnet --set schedule.bas_lr=1", 2, "did you mean \"schedule.base_lr\"?");
        row("run resnet --set momentun=0.8", 2, "did you mean \"optimizer.momentum\"?");
        row("run resnet --set lr=0.1", 2, "did you mean \"schedule.base_lr\"?");
        row("run resnet --set options.overlap=", 2, "--set takes PATH=VALUE");
        row("run resnet --set epochs=2,2", 2, "has the value 2 twice");
        row("run dlrm --set model.top=[64,32],[64,32]", 2, "has the value [64,32] twice");
        row("run dlrm --set model.top=64,32", 2, "like [512,256,128] of the recipe, found");
        row("run dlrm --set model.top=[64,", 2, "like [512,256,128] of the recipe, found");
        row("run dlrm --set model.top=[64,,32]", 2, "like [512,256,128] of the recipe, found");
        row("run dlrm --set model.top=[64,wide]", 2, "found [64,\"wide\"]");
        row("run dlrm --set data.table_rows=10", 2, ",…] of the recipe, found the number 10");
        row("run ncf --set data.negatives=0", 2,
            "\"data.negatives\" must be a whole number from 1 to 1000, found the number 0");
        row("run ncf --set data.ranking=some", 2, "one of sampled, full");
        row("run resnet --set data.augment.pad_crop=4,-1", 2, "\"data.augment.pad_crop\"");
        row("run dlrm --set model.dim=[64]", 2, "like the number 64 of the recipe, found [64]");
        row("run resnet --lr 1 --set schedule.base_lr=2", 2, "is given twice");
        row("run resnet --lr 0.1 --lr 0.2", 2,
            "--lr is given twice; give it once, or --set schedule.base_lr=V,V");
        row("run resnet --workers 1 --workers 2", 2, "--workers is given twice; give it once.");
        row("run resnet --batch-policy table --batch 1:64,1:128", 2, "a batch for 1 workers twice");
        row("run resnet --set optimizer.momentum=2", 2, "from 0 to 0.9999, found the number 2");
        row("run resnet --set ncf:epochs=2", 2, "\"ncf\" is none of this study's");
        row("run resnet,ncf, --workers 1", 2, "has an empty name between its commas");
        row("run resnet,resnet --workers 1", 2, "is given twice at the scale");
        row("run resnet --olympic --repeats 3", 2, "--olympic is --repeats 5");
        row("run resnet --max-minutes 0", 2, "--max-minutes must be at least 1.");
        row("run resnet --workers 1 --max-minutes 1000001", 2,
            "between 1 and 1000000; 1000001 is not possible");
        row("run resnet --workers 1 --collective-timeout 86401", 2,
            "from 0 to 86400; 86401 is not possible");
        row("run resnet --workers 1 --checkpoint-every 1048577", 2,
            "from 0 to 1000000; 1048577 is not possible");
        row("run resnet --workers 1 --epochs 2 --set schedule.warmup_epochs=5", 2,
            "of 5 epochs leaves nothing of a training of 2");
        row("run resnet --lr inf", 2, "--lr takes a number; \"inf\" is none.");
        row("run resnet --workers 3000000000", 2,
            "--workers takes whole numbers up to 2000000000; \"3000000000\" is none.");
        row("run all,ncf", 2, "\"all\" is every workload already");
        row("run dlrm --hot-rows=", 2, "--hot-rows takes whole numbers; \"\" is none.");
        row("run resnet --precision fp16", 2, "The device \"cpu\" does not train in fp16.");
        row("run resnet --workers 1 --repeats 1000 --set epochs=1,2,3,4,5,6,7,8,9,10 --set "
            "global_batch=1,2,3,4,5,6,7,8,9,10,11",
            2, "110,000 runs; 100,000 is the most");
        row("run resnet --epochs 0", 2, "--epochs must be at least 1.");
        row("run resnet --target high", 2, "--target takes a number; \"high\" is none.");
        row("run resnet --target 84", 2, "0.8 means 80 %");
        row("run resnet --precision int8", 2, "The precision \"int8\" is not known");
        row("run resnet --device cuda", 2, "CUDA cannot be used here: ");
        row("run resnet --data /no/such/folder", 2, "/no/such/folder does not exist");
        row("run resnet --scale lab", 2, "trains on real data");
        row("run resnet --workers 1 --out=", 2, "--out needs the name of a file or folder.");
        row("results list --library=", 2, "--library needs the name of a file or folder.");
        row("run resnet --workers 2 --shapes 1x1", 2, "Give one of --workers and --shapes");
        row("report --out /tmp/x --reference fig6", 2, "There is no published result \"fig6\": ");
        row("report --out /tmp/x --quantity speed", 2, "\"speed\": time, epoch, throughput.");
        row("report --out /tmp/x --baseline none", 2, "There is no baseline \"none\": smallest,");
        row("run resnet --library /proc/x", 3, "/proc/x");
        row("run resnet --workers 1 --out /proc/x", 3, "/proc/x could not be written");
        row("study /no/file.json", 2, "/no/file.json does not exist");
        row("supervise /no/such/study r1", 2, "There is no study in /no/such/study.");
        row("run resnet --workers 1 --out a\nb", 2, "\"a\\x0ab\" holds a line break");
        row("run resnet --workers 1 --out a\x1b[31mb", 2, "holds a line break or another control");
        row("results frobnicate", 2,
            "Known: list, show, export, bundle, rebuild, reference, tag, note, trash, restore, "
            "empty-trash.");
        row("results tag latest +good", 2, "has no study yet");
        row("results show nothing", 2, "There is no study \"nothing\"");
    }
    /// As wide as those of other programs, whose runs are repeated here.
    void seedsBeyondThirtyTwoBits()
    {
        for (const char* seed : {"2147483647", "4294967295", "9007199254740991"}) {
            const QString line = QStringLiteral("run resnet --workers 1 --plan --seed ");
            QCOMPARE(run((line + QLatin1String(seed)).split(QLatin1Char(' '))), 0);
            QVERIFY2(m_out.contains(QLatin1String("-s") + QLatin1String(seed)), qPrintable(m_out));
        }
    }
    void wrongUsage()
    {
        QFETCH(QString, line);
        QFETCH(int, exitCode);
        QFETCH(QString, message);
        QCOMPARE(run(line.split(QLatin1Char(' '), Qt::SkipEmptyParts)), exitCode);
        QVERIFY2(m_err.contains(message), qPrintable(m_err));
        QCOMPARE(m_err.count(QLatin1Char('\n')), 1); // one clear message
        QVERIFY(m_out.isEmpty());
    }

    void emptyDataFolder()
    {
        QDir().mkpath(path("nothing"));
        QCOMPARE(run({QStringLiteral("run"), QStringLiteral("resnet"), QStringLiteral("--data"),
                      path("nothing")}),
                 2);
        QVERIFY(m_err.contains(QStringLiteral("is empty. Expected: ")));
    }

    void missingPrograms()
    {
        qputenv("SCALEBENCH_ENGINE", "/no/engine");
        QCOMPARE(run("run resnet --workers 1"), 3);
        QVERIFY(m_err.contains(QStringLiteral("scalebench-engine was not found")));
        useFakeEngine("ok");
        const QByteArray before = qgetenv("PATH");
        qputenv("PATH", "/no/where");
        const int code = run("run resnet --workers 1");
        const int doctor = run("doctor");
        qputenv("PATH", before);
        QCOMPARE(code, 3);
        QCOMPARE(doctor, 3);
        QVERIFY(m_out.contains(QStringLiteral("apt install openmpi-bin")));
        QVERIFY2(!m_out.contains(QStringLiteral("(s)")), qPrintable(m_out)); // "1 processor: …"
    }

    void wholeStudy()
    {
        const QString out = path("my results é");
        QCOMPARE(run({QStringLiteral("run"), QStringLiteral("resnet"), QStringLiteral("--workers"),
                      QStringLiteral("1,2"), QStringLiteral("--oversubscribe"),
                      QStringLiteral("--out"), out}),
                 0);
        for (const char* name :
             {"runs.csv", "curves.csv", "speedup.csv", "study.json", "plan.json"})
            QVERIFY2(QFile::exists(out + QLatin1Char('/') + QLatin1StringView(name)), name);
        QVERIFY(m_out.contains(QStringLiteral("[2/2]")));
        QVERIFY(m_out.contains(QStringLiteral("step-time ratio")));
        QVERIFY(m_err.contains(QStringLiteral("The pictures were not made")));

        // Again into the same folder: refused before anything starts.
        QCOMPARE(run({QStringLiteral("run"), QStringLiteral("resnet"), QStringLiteral("--workers"),
                      QStringLiteral("1"), QStringLiteral("--out"), out}),
                 2);
        QVERIFY(m_err.contains(QStringLiteral("already holds a study")));

        QCOMPARE(run("results list --json"), 0);
        const QJsonArray list = QJsonDocument::fromJson(m_out.toUtf8()).array();
        QCOMPARE(list.size(), 1);
        QCOMPARE(list[0].toObject().value(QStringLiteral("dir")).toString(), out);
        QCOMPARE(run("results show latest --json"), 0);
        const QJsonObject shown = QJsonDocument::fromJson(m_out.toUtf8()).object();
        QCOMPARE(shown.value(QStringLiteral("runs")).toArray().size(), 2);
        QCOMPARE(run("results show"), 0);
        QVERIFY(m_out.contains(QStringLiteral("resnet-desk-cpu-fp32-1x2")));
        QCOMPARE(run({QStringLiteral("results"), QStringLiteral("export"), QStringLiteral("latest"),
                      QStringLiteral("--out"), path("exported")}),
                 0);
        QVERIFY(QFile::exists(path("exported/speedup.csv")));
        QCOMPARE(run("results rebuild"), 0);
        QVERIFY(m_out.contains(QStringLiteral("1 study")));
    }

    void plan()
    {
        QCOMPARE(run("run resnet,ncf --workers 1 --set options.overlap=on,off --set ncf:epochs=2 "
                     "--plan"),
                 0);
        QVERIFY(m_out.endsWith(QStringLiteral("\n4 runs\n")));
        // As the window's Plan page says it.
        for (const char* told : {"\nhow long: minutes each on two cores (first run here)\n",
                                 "\ndisk: checkpoints up to ", "\nmemory: about "})
            QVERIFY2(m_out.contains(QLatin1StringView(told)), qPrintable(m_out));
        QVERIFY(!m_out.contains(QStringLiteral("no run begins")));
        QVERIFY2(
            m_out.contains(QStringLiteral("\nncf-desk-cpu-fp32-1x1-b2048-overlap=off-s1-r1\n")),
            qPrintable(m_out));
        QCOMPARE(m_out.count(QStringLiteral("mpirun")), 4);
        QCOMPARE(run("run resnet,gnmt --workers 1,2 --oversubscribe --set global_batch=3,64 --plan "
                     "--max-minutes 7"),
                 0);
        QVERIFY2(m_out.contains(QStringLiteral("; no run begins after 7 minutes\n")),
                 qPrintable(m_out));
        QVERIFY(m_out.endsWith(QStringLiteral("\n6 runs, 2 cells left out\n")));
        for (const char* cell : {"resnet", "gnmt"}) // each with its reason
            QVERIFY2(
                m_out.contains(QStringLiteral("left out: %1, 2 workers, batch 3\n    A batch of "
                                              "3 cannot be divided")
                                   .arg(QLatin1StringView(cell))),
                qPrintable(m_out));
        QVERIFY2(m_err.contains(QStringLiteral("Left out (resnet, 2 workers, batch 3;")),
                 qPrintable(m_err));
        QCOMPARE(run("run dlrm --workers 1 --set data.table_rows=[100] --set "
                     "model.top=[512,256],[51,2256] --plan"),
                 0);
        for (const char* id : {"-top=512+256-", "-top=51+2256-"})
            QVERIFY2(m_out.contains(QString::fromLatin1(id)), qPrintable(m_out));
        QCOMPARE(run("workloads ncf"), 0);
        QVERIFY(m_out.contains(QStringLiteral("model.factors ")));
    }

    void studyFile()
    {
        const auto write = [this](const char* text) {
            QFile file(path("my.json"));
            if (file.open(QIODevice::WriteOnly | QIODevice::Truncate))
                file.write(text);
        };
        write(R"({"workload":"resnet","workers":[1],"wrokers":[2]})");
        QCOMPARE(run({QStringLiteral("study"), path("my.json")}), 2);
        QVERIFY(m_err.contains(
            QStringLiteral("the key \"wrokers\" is not known (did you mean \"workers\"?)")));
        write("{\"workload\":\"resnet\",\n\"workers\":[1,}");
        QCOMPARE(run({QStringLiteral("study"), path("my.json")}), 2);
        QVERIFY(m_err.contains(QStringLiteral("my.json:2:")));
        write(R"({"workload":"resnet","workers":[1],"name":"from a file"})");
        QCOMPARE(run({QStringLiteral("study"), path("my.json"), QStringLiteral("--quiet")}), 0);
        QVERIFY(m_out.isEmpty());
    }

    void exitCodes()
    {
        useFakeEngine("not_reached");
        QCOMPARE(run("run resnet --workers 1 --no-pictures"), 4);
        useFakeEngine("diverged");
        QCOMPARE(run("run resnet --workers 1 --no-pictures"), 3);
        QVERIFY(m_out.contains(QStringLiteral("The training diverged")));
        QVERIFY2(m_out.contains(QStringLiteral("(scalebench help diverged)")), qPrintable(m_out));
        useFakeEngine("kill");
        QCOMPARE(run("run resnet --workers 2 --oversubscribe --quiet --no-pictures"), 3);
        QVERIFY(m_err.contains(QStringLiteral("Rank 1 on ")));
        QVERIFY2(m_err.contains(QStringLiteral("(scalebench help rank_")), qPrintable(m_err));
    }

    void controlC_data()
    {
        QTest::addColumn<int>("signal");
        QTest::newRow("INT") << SIGINT;
        QTest::newRow("TERM") << SIGTERM;
    }
    void controlC()
    {
        QFETCH(int, signal);
        useFakeEngine("ok", 200, 20);
        QProcess process;
        prepare(process, {QStringLiteral("run"), QStringLiteral("resnet"),
                          QStringLiteral("--workers"), QStringLiteral("1,2"),
                          QStringLiteral("--oversubscribe"), QStringLiteral("--out"), path("o")});
        process.start();
        QVERIFY(QTest::qWaitFor(
            [&] {
                const auto study = loadStudy(path("o"));
                return study && !study.value().runs.isEmpty() &&
                       study.value().runs[0].evals.size() > 1;
            },
            kHangMs));
        ::kill(pid_t(process.processId()), signal);
        QVERIFY(process.waitForFinished(kHangMs));
        QCOMPARE(process.exitCode(), 130);
        const auto study = loadStudy(path("o"));
        QVERIFY(study.value().runs[0].state == RunState::Cancelled);
        QVERIFY(study.value().runs[1].state == RunState::Cancelled);
        QVERIFY(study.value().runs[0].evals.size() > 1); // kept
        QVERIFY(QFile::exists(path("o/curves.csv")));
    }

    void narrowTerminalThatIsClosed()
    {
        useFakeEngine("ok", 20, 20);
        winsize size{};
        size.ws_col = 60;
        size.ws_row = 20;
        int terminal = -1;
        const QByteArray program = SB_BIN_DIR "/scalebench", out = path("o").toUtf8();
        const QByteArray library = path("library").toUtf8();
        const pid_t pid = ::forkpty(&terminal, nullptr, nullptr, &size);
        if (pid == 0) {
            ::execl(program.constData(), "scalebench", "run", "resnet", "--workers", "1",
                    "--no-pictures", "--out", out.constData(), "--library", library.constData(),
                    nullptr);
            ::_exit(127);
        }
        if (pid < 0)
            QSKIP("no pseudo-terminal can be opened here (/dev/pts)");
        QByteArray shown;
        char buffer[4096];
        while (shown.count('\r') < 6 || !shown.contains("epoch ")) { // "starting" until then
            const ssize_t n = ::read(terminal, buffer, sizeof buffer);
            QVERIFY(n > 0);
            shown += QByteArray(buffer, n);
        }
        const qsizetype from = shown.indexOf("\r[1/1]");
        QVERIFY(from >= 0);
        for (const QByteArray& line : shown.mid(from + 1).split('\r'))
            QVERIFY2(QString::fromUtf8(line.split('\x1b').first().split('\n').first()).size() < 60,
                     line.constData());
        QVERIFY(shown.contains("epoch "));
        ::close(terminal); // the window is closed: SIGHUP
        int status = 0;
        QCOMPARE(::waitpid(pid, &status, 0), pid);
        QVERIFY(WIFEXITED(status));
        QCOMPARE(WEXITSTATUS(status), 0); // went on to the end
        QVERIFY(loadStudy(path("o")).value().runs[0].state == RunState::Completed);
        QVERIFY(QFile::exists(path("o/runs.csv")));
    }

    void killedSessionLosesNothing()
    {
        useFakeEngine("ok", 6, 20);
        QProcess process;
        prepare(process, {QStringLiteral("run"), QStringLiteral("resnet"),
                          QStringLiteral("--workers"), QStringLiteral("1,2"),
                          QStringLiteral("--oversubscribe"), QStringLiteral("--out"), path("o")});
        process.start();
        QVERIFY(QTest::qWaitFor([&] { return QFile::exists(path("o/supervisor.lock")); }, kHangMs));
        QTest::qWait(200);
        process.kill();
        process.waitForFinished();
        QVERIFY(QTest::qWaitFor(
            [&] {
                const auto study = loadStudy(path("o"));
                return study && study.value().runs[1].state == RunState::Completed;
            },
            kHangMs));
        QCOMPARE(loadStudy(path("o")).value().runs[0].steps.size(), 30);
    }

    /// One that is wrong is told of, the others are listed.
    void workloadsOfAFolder()
    {
        const auto write = [this](const char* name, const QByteArray& text) {
            QFile file(path(name));
            QVERIFY(file.open(QIODevice::WriteOnly));
            file.write(text);
        };
        const QByteArray recipe = R"({"id":"resnet","scales":{"mine":{"model":{"name":"resnet20"},
"data":{"source":"files"},"global_batch":64,"schedule":{"base_lr":0.1},"epochs":2}}})";
        QVERIFY(QDir().mkpath(path("recipes")));
        write("recipes/right.json", recipe);
        QCOMPARE(run({QStringLiteral("workloads"), QStringLiteral("--json"),
                      QStringLiteral("--dir"), path("recipes")}),
                 0);
        const QJsonArray scales =
            QJsonDocument::fromJson(m_out.toUtf8())[0][QStringLiteral("scales")].toArray();
        const QJsonObject mine = scales.last().toObject();
        QCOMPARE(mine.value(QStringLiteral("id")).toString(), QStringLiteral("mine"));
        QVERIFY(mine.value(QStringLiteral("target")).isNull());
        QCOMPARE(mine.value(QStringLiteral("parameters")).toInt(), 269722);
        write("recipes/wrong.json", "{}");
        QCOMPARE(run({QStringLiteral("workloads"), QStringLiteral("--dir"), path("recipes")}), 2);
        QVERIFY(m_err.contains(QStringLiteral("wrong.json: $.id is missing.")));
        QVERIFY(m_out.contains(QStringLiteral("mine")));
        QCOMPARE(run("workloads --dir /no/such/folder"), 3);
    }

    void lists()
    {
        QCOMPARE(run("workloads --json"), 0);
        const QJsonArray workloads = QJsonDocument::fromJson(m_out.toUtf8()).array();
        QCOMPARE(workloads[0].toObject().value(QStringLiteral("id")).toString(),
                 QStringLiteral("resnet"));
        const QJsonObject desk = workloads[0].toObject()[QStringLiteral("scales")][0].toObject();
        QCOMPARE(desk.value(QStringLiteral("scale")).toString(), QStringLiteral("desk"));
        QCOMPARE(desk.value(QStringLiteral("metric")).toString(), QStringLiteral("top1_accuracy"));
        QCOMPARE(desk.value(QStringLiteral("forward_flops_per_sample")).toDouble(), 81102080.0);
        QCOMPARE(desk.value(QStringLiteral("bytes_per_sample")).toDouble(), 3072.0);
        QCOMPARE(desk.value(QStringLiteral("target")).toDouble(), 0.88);
        QCOMPARE(run("workloads"), 0);
        QVERIFY(m_out.contains(QStringLiteral("resnet20")));
        QCOMPARE(run("results list"), 0);
        QVERIFY(m_out.startsWith(QStringLiteral("No study yet")));
        QCOMPARE(run("doctor --json"), 0);
        QStringList ids;
        for (const QJsonValue& finding : QJsonDocument::fromJson(m_out.toUtf8()).array())
            ids << finding.toObject().value(QStringLiteral("id")).toString();
        for (const char* id : {"cores", "memory", "gpu", "mpi", "engine", "backend", "disk", "shm"})
            QVERIFY2(ids.contains(QLatin1StringView(id)), id);
    }
};

QTEST_GUILESS_MAIN(CliTest)
#include "cli_test.moc"
