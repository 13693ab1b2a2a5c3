// SPDX-License-Identifier: GPL-3.0-or-later
// `scalebench machines check` and `deploy` as a user meets them, on real hosts; keys are trusted at
// a real terminal.
#include "support/campaign.h"
#include "support/cluster.h"
#include "support/fake_bundle.h"

#include <QTemporaryDir>
#include <QTest>

#include <memory>

using namespace scalebench::test;
using namespace Qt::Literals::StringLiterals;

class ClusterCliTest : public QObject
{
    Q_OBJECT

    std::unique_ptr<Cluster> m_cluster;
    QTemporaryDir m_folder;
    QString m_out, m_err;

    QProcessEnvironment environment() const
    {
        QProcessEnvironment values = QProcessEnvironment::systemEnvironment();
        values.insert(u"XDG_CONFIG_HOME"_s, m_folder.filePath(u"config"_s));
        values.insert(u"XDG_CACHE_HOME"_s, m_folder.filePath(u"cache"_s));
        return values;
    }
    int run(const QStringList& arguments)
    {
        const Said said = runProgram(QStringLiteral(SB_BIN_DIR "/scalebench"),
                                     QStringList(u"machines"_s) + arguments, 120, environment());
        m_out = QString::fromUtf8(said.output);
        m_err = QString::fromUtf8(said.errors);
        return said.exitCode;
    }
    /// The same at a terminal where somebody types `answers`.
    int runAtTerminal(const QString& words, const QByteArray& answers)
    {
        QProcess process;
        process.setProcessEnvironment(environment());
        process.start(u"script"_s,
                      {u"-qec"_s, QStringLiteral(SB_BIN_DIR "/scalebench machines ") + words,
                       u"/dev/null"_s});
        process.write(answers);
        process.waitForFinished(kHangMs);
        m_out = QString::fromUtf8(process.readAll());
        return process.exitCode();
    }
    QByteArray knownHosts() const
    {
        QFile file(m_cluster->value("CLUSTER_KNOWN_HOSTS"));
        return file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray();
    }

private slots:
    void initTestCase()
    {
        m_cluster = std::make_unique<Cluster>(QStringList{u"--hosts"_s, u"2"_s});
        FakeBundle bundle;
        qputenv("SCALEBENCH_BUNDLE", bundle.make(m_folder.path()).toUtf8());
    }
    void init() { SB_NEED_CLUSTER(*m_cluster); }
    void cleanupTestCase() { m_cluster.reset(); }

    void fromNothingToReady()
    {
        QCOMPARE(run({u"add"_s, u"my cluster"_s, u"--hosts"_s, u"sb1,sb2"_s, u"--ssh-config"_s,
                      m_cluster->sshConfig()}),
                 0);
        QCOMPARE(run({u"check"_s, u"my cluster"_s}), 3);
        QVERIFY(m_out.startsWith(u"host  name  ssh"_s));
        QVERIFY2(m_out.contains(u"-> Install it there: scalebench machines deploy 'my cluster'"_s),
                 qPrintable(m_out));
        QCOMPARE(run({u"deploy"_s, u"my cluster"_s}), 0);
        QCOMPARE(m_out.count(u"installed"_s), 2);
        QCOMPARE(run({u"check"_s, u"my cluster"_s}), 0);
        QVERIFY2(m_out.contains(u"all are ready"_s), qPrintable(m_out));
        QCOMPARE(run({u"deploy"_s, u"my cluster"_s, u"--json"_s}), 0);
        const QJsonArray hosts = QJsonDocument::fromJson(m_out.toUtf8()).array();
        QCOMPARE(hosts.size(), 2);
        QVERIFY(hosts[0]["unchanged"_L1].toBool());
        QCOMPARE(run({u"check"_s, u"my cluster"_s, u"--host"_s, u"sb2"_s, u"--json"_s}), 0);
        const QJsonObject json = QJsonDocument::fromJson(m_out.toUtf8()).object();
        QCOMPARE(json["hosts"_L1].toArray().size(), 1);
        QCOMPARE(json["hosts"_L1][0]["host"_L1].toString(), u"sb2"_s);
    }

    void withoutSavedMachine()
    {
        QCOMPARE(run({u"check"_s, u"--hosts"_s, u"sb1:2, sb2"_s, u"--ssh-config"_s,
                      m_cluster->sshConfig(), u"--folder"_s, u"~/elsewhere"_s}),
                 3);
        QVERIFY(m_out.contains(u"/root/elsewhere/engine"_s));
        QVERIFY(m_out.contains(u"machines add NAME"_s)); // there is no name to deploy to
        QCOMPARE(run({u"check"_s, u"--hostfile"_s, m_cluster->value("CLUSTER_HOSTFILE"),
                      u"--ssh-config"_s, m_cluster->sshConfig()}),
                 0);
    }

    void trust()
    {
        const QString words =
            u"check --trust --hosts sb1,sb2 --ssh-config "_s + m_cluster->sshConfig();
        m_cluster->command({u"forget-key"_s, u"sb2"_s});
        const QByteArray before = knownHosts();
        QCOMPARE(runAtTerminal(words, "\n"), 3); // the safe answer is no
        QVERIFY2(m_out.contains(u"sb2 shows the ED25519 key SHA256:"_s), qPrintable(m_out));
        QVERIFY(!m_out.contains(u"sb1 shows"_s));
        QCOMPARE(knownHosts(), before);
        QCOMPARE(runAtTerminal(words, "y\n"), 0);
        QVERIFY(knownHosts().size() > before.size());
        m_cluster->command({u"change-key"_s, u"sb2"_s});
        const QByteArray trusted = knownHosts();
        QCOMPARE(runAtTerminal(words, "y\ny\n"), 3);
        QVERIFY2(!m_out.contains(u"Trust it?"_s) && m_out.contains(u"has changed"_s),
                 qPrintable(m_out));
        QCOMPARE(knownHosts(), trusted); // never offered
        m_cluster->command({u"learn-key"_s, u"sb2"_s});
    }
};

QTEST_GUILESS_MAIN(ClusterCliTest)
#include "machines_cli_test.moc"
