// SPDX-License-Identifier: GPL-3.0-or-later
// `scalebench machines` without any other host: editing the list, messages, exit codes.
#include "support/cluster.h"

#include <QDir>
#include <QFile>
#include <QTemporaryDir>
#include <QTest>

using namespace scalebench::test;
using namespace Qt::Literals::StringLiterals;

class MachinesCliTest : public QObject
{
    Q_OBJECT

    std::unique_ptr<QTemporaryDir> m_folder;
    QString m_out, m_err;

    int run(const QStringList& arguments)
    {
        QProcessEnvironment environment = QProcessEnvironment::systemEnvironment();
        environment.insert(u"XDG_CONFIG_HOME"_s, m_folder->filePath(u"config"_s));
        environment.insert(u"XDG_CACHE_HOME"_s, m_folder->filePath(u"cache"_s));
        environment.insert(u"SCALEBENCH_BUNDLE"_s, u"/does/not/exist"_s);
        const Said said = runProgram(QStringLiteral(SB_BIN_DIR "/scalebench"),
                                     QStringList(u"machines"_s) + arguments, 60, environment);
        m_out = QString::fromUtf8(said.output);
        m_err = QString::fromUtf8(said.errors);
        return said.exitCode;
    }
    int run(const char* line)
    {
        return run(QString::fromUtf8(line).split(u' ', Qt::SkipEmptyParts));
    }
    QJsonObject shown(const QString& name)
    {
        run({u"show"_s, name});
        return QJsonDocument::fromJson(m_out.toUtf8()).object();
    }

private slots:
    void init() { m_folder = std::make_unique<QTemporaryDir>(); }

    void help()
    {
        for (const char* verb :
             {"", "list ", "show ", "add ", "edit ", "remove ", "check ", "deploy "}) {
            QCOMPARE(run((QByteArray(verb) + "--help").constData()), 0);
            QVERIFY(m_out.startsWith(u"Usage: scalebench machines"_s) && m_err.isEmpty());
        }
        for (const char* wrong : {"", "lst", "show", "add", "edit", "remove", "check", "deploy",
                                  "show nobody", "edit nobody --user x", "remove nobody",
                                  "check nobody", "deploy nobody", "list --nonsense"}) {
            QCOMPARE(run(wrong), 2);
            QVERIFY2(m_out.isEmpty() && m_err.count(u'\n') == 1, qPrintable(m_err));
        }
    }

    void addEditRemove()
    {
        QCOMPARE(run({u"add"_s, u"my lab"_s, u"--hosts"_s, u"gpu[01-02]:8"_s, u"--user"_s,
                      u"anna"_s, u"--env"_s, u"A=1"_s, u"--env"_s, u"B=x=y z"_s, u"--nccl"_s,
                      u"SOCKET_IFNAME=ib0"_s, u"--price"_s, u"2.5"_s}),
                 0);
        QVERIFY2(m_out.contains(u"Next: scalebench machines check 'my lab'"_s), qPrintable(m_out));
        QJsonObject machine = shown(u"my lab"_s);
        QCOMPARE(machine["kind"_L1].toString(), u"ssh"_s);
        QCOMPARE(machine["environment"_L1]["B"_L1].toString(), u"x=y z"_s);
        QCOMPARE(machine["price_per_hour"_L1].toDouble(), 2.5);
        QCOMPARE(run({u"add"_s, u"my lab"_s, u"--hosts"_s, u"a"_s}), 2);
        QVERIFY(m_err.contains(u"already"_s));
        QCOMPARE(run({u"edit"_s, u"my lab"_s, u"--env"_s, u"A="_s, u"--user"_s, u""_s, u"--login"_s,
                      u"centre"_s, u"--kind"_s, u"login"_s}),
                 0);
        machine = shown(u"my lab"_s);
        QVERIFY(!machine.contains(u"user"_s) && machine.contains(u"hosts"_s));
        QCOMPARE(machine["environment"_L1].toObject().keys(), QStringList(u"B"_s));
        QCOMPARE(run({u"edit"_s, u"my lab"_s, u"--rename"_s, u"lab"_s}), 0);
        QCOMPARE(m_out, u"Changed \"my lab\".\n"_s);
        QCOMPARE(run("edit lab"), 2); // nothing
        QVERIFY2(m_err.contains(u"Change what?"_s), qPrintable(m_err));
        QCOMPARE(run("list"), 0);
        QVERIFY2(m_out.contains(u"lab    login  centre: gpu[01-02]:8"_s), qPrintable(m_out));
        QCOMPARE(run("list --json"), 0);
        QCOMPARE(QJsonDocument::fromJson(m_out.toUtf8()).array().size(), 2);
        QCOMPARE(run("remove lab"), 0);
        QCOMPARE(m_out, u"Removed \"lab\" from the list.\n"_s);
        QCOMPARE(run("remove local"), 2);
        QCOMPARE(run({u"add"_s, u"big"_s, u"--partition"_s, u"gpu"_s,
                      u"--slurm-option=--qos=high"_s, u"--gpus-per-node"_s, u"8"_s}),
                 0);
        QCOMPARE(shown(u"big"_s)["kind"_L1].toString(), u"slurm"_s);
    }

    void hostfiles()
    {
        const QString file = m_folder->filePath(u"my hosts"_s);
        QFile out(file);
        QVERIFY(out.open(QIODevice::WriteOnly));
        out.write("n1 slots=2\nn2 slots=two\n");
        out.close();
        QCOMPARE(run({u"add"_s, u"f"_s, u"--hostfile"_s, file}), 2);
        QVERIFY2(m_err.contains(u"Line 2: \"slots=two\" is not a number"_s), qPrintable(m_err));
        QVERIFY(out.open(QIODevice::WriteOnly));
        out.write("n1 slots=2\n");
        out.close();
        QDir::setCurrent(m_folder->path());
        QCOMPARE(run({u"add"_s, u"f"_s, u"--hostfile"_s, u"my hosts"_s}),
                 0); // relative: made whole
        QCOMPARE(shown(u"f"_s)["hostfile"_L1].toString(), file);
        QCOMPARE(run({u"edit"_s, u"f"_s, u"--hosts"_s, u"n3"_s}), 0); // replaces the file
        QVERIFY(!shown(u"f"_s).contains(u"hostfile"_s));
        QCOMPARE(run({u"check"_s, u"--hostfile"_s, u"/does/not/exist"_s}), 2);
        QVERIFY(m_err.contains(u"does not exist"_s));
    }

    void refused()
    {
        const QList<QStringList> wrong{
            {u"add"_s, u"x"_s, u"--hosts"_s, u"-oProxyCommand=x"_s},
            {u"add"_s, u"x"_s, u"--hosts"_s, u"a:two"_s},
            {u"add"_s, u"x"_s},
            {u"add"_s, u"x"_s, u"--kind"_s, u"shh"_s, u"--hosts"_s, u"a"_s},
            {u"add"_s, u"x"_s, u"--hosts"_s, u"a"_s, u"--price"_s, u"much"_s},
            {u"add"_s, u"x"_s, u"--hosts"_s, u"a"_s, u"--env"_s, u"A"_s},
            {u"add"_s, u"x"_s, u"--hosts"_s, u"a"_s, u"--folder"_s, u"here"_s},
            {u"add"_s, u"x"_s, u"--hosts"_s, u"a"_s, u"--ssh-config"_s, u"/does/not/exist"_s},
            {u"add"_s, u"x"_s, u"--hosts"_s, u"a"_s, u"--time"_s, u"5"_s}, // of Slurm only
            {u"add"_s, u"a\nb"_s, u"--hosts"_s, u"a"_s},
            {u"add"_s, u"local"_s, u"--hosts"_s, u"a"_s},
            {u"check"_s, u"--hosts"_s, u"$(x)"_s},
            {u"check"_s, u"--hosts"_s, u"a"_s, u"--timeout"_s, u"soon"_s},
            {u"check"_s, u"--hosts"_s, u"a,b"_s, u"--host"_s, u"c"_s},
            {u"check"_s, u"--hosts"_s, u"a,b"_s, u"--host"_s, u""_s},
            {u"check"_s, u"--hosts"_s, u"a"_s, u"--trust"_s}, // no terminal here
        };
        for (const QStringList& arguments : wrong) {
            QCOMPARE(run(arguments), 2);
            QVERIFY2(m_err.count(u'\n') == 1 && m_err.startsWith(u"scalebench: "_s),
                     qPrintable(arguments.join(u' ') + u": "_s + m_err));
        }
        QCOMPARE(run("list"), 0);
        QCOMPARE(m_out.count(u'\n'), 2);
    }

    void damagedFile()
    {
        QDir().mkpath(m_folder->filePath(u"config/scalebench"_s));
        QFile file(m_folder->filePath(u"config/scalebench/machines.json"_s));
        QVERIFY(file.open(QIODevice::WriteOnly));
        file.write("{");
        file.close();
        QCOMPARE(run("list"), 3);
        QVERIFY(m_err.contains(u"machines.json.damaged"_s));
        QCOMPARE(run("list"), 0);
    }

    void checkThisComputer()
    {
        const int code = run("check local --json");
        const QJsonObject json = QJsonDocument::fromJson(m_out.toUtf8()).object();
        QCOMPARE(json["format"_L1].toString(), u"scalebench.preflight"_s);
        QCOMPARE(json["hosts"_L1].toArray().size(), 1);
        QCOMPARE(code, json["ok"_L1].toBool() ? 0 : 3);
        QCOMPARE(run("deploy local"), 3);
        QVERIFY(m_err.contains(u"nothing needs to be deployed"_s));
        QCOMPARE(run("check --hosts no-such-host.invalid"), 3);
        QVERIFY2(m_out.contains(u"[problem] no-such-host.invalid name:"_s), qPrintable(m_out));
    }
};

QTEST_GUILESS_MAIN(MachinesCliTest)
#include "machines_cli_test.moc"
