// SPDX-License-Identifier: GPL-3.0-or-later
// The test cluster does what its README says: what the tests of remote runs stand on.

#include "support/campaign.h"
#include "support/cluster.h"

#include <QDir>
#include <QElapsedTimer>
#include <QFile>
#include <QSet>
#include <QStandardPaths>
#include <QTest>

#include <memory>
#include <vector>

using namespace scalebench::test;

namespace {

QString text(const Said& said)
{
    return QString::fromUtf8(said.output + said.errors);
}

/// The network namespaces that any process of this machine is in.
QStringList networkNamespaces()
{
    QStringList found;
    for (const QString& pid : QDir(QStringLiteral("/proc")).entryList(QDir::Dirs)) {
        const QString link = QFile::symLinkTarget(QStringLiteral("/proc/%1/ns/net").arg(pid));
        if (!link.isEmpty() && !found.contains(link))
            found << link;
    }
    return found;
}

/// Everything a cluster could leave behind, in words; empty when nothing is left.
QStringList leftBy(const QString& name)
{
    QStringList left;
    const QString folder = QDir::tempPath() + QStringLiteral("/scalebench-cluster-") + name;
    if (QFile::exists(folder))
        left << folder;
    for (const QString& pid : QDir(QStringLiteral("/proc")).entryList(QDir::Dirs)) {
        QFile file(QStringLiteral("/proc/%1/cmdline").arg(pid));
        if (file.open(QIODevice::ReadOnly)) {
            const QByteArray line = file.readAll().replace('\0', ' ');
            if (line.contains(QByteArray("scalebench-cluster-") + name.toUtf8()))
                left << pid + u' ' + QString::fromUtf8(line);
        }
    }
    return left;
}

/// The network namespaces of a cluster's hosts and switch. Held, as a later one else gets the
/// number of one that went.
struct HeldNamespaces {
    QStringList names;
    std::vector<std::unique_ptr<QFile>> files;

    explicit HeldNamespaces(const QJsonObject& state)
    {
        QList<QJsonValue> processes{state[u"switch"]};
        for (const QJsonValue host : state[u"hosts"].toObject())
            processes << host[u"init"];
        for (const QJsonValue& process : processes) {
            const QString path = QStringLiteral("/proc/%1/ns/net").arg(process[u"pid"].toInt());
            files.push_back(std::make_unique<QFile>(path));
            if (!files.back()->open(QIODevice::ReadOnly))
                qFatal("%s", qPrintable(path));
            names << QFile::symLinkTarget(path);
        }
    }
};

bool have(const char* tool)
{
    return !QStandardPaths::findExecutable(QLatin1String(tool)).isEmpty();
}

} // namespace

class ClusterTest : public QObject
{
    Q_OBJECT

private slots:
    void initTestCase() { m_cluster = std::make_unique<Cluster>(); }

    void init() { SB_NEED_CLUSTER(*m_cluster); }

    void cleanupTestCase() { m_cluster.reset(); }

    void saysInOneLineWhyItIsImpossible()
    {
        const Said said =
            runProgram(QStringLiteral("setpriv"), {QStringLiteral("--bounding-set=-sys_admin"),
                                                   Cluster::script(), QStringLiteral("possible")});
        QCOMPARE(said.exitCode, 77);
        QCOMPARE(said.output.count('\n'), 1);
        QVERIFY2(said.output.contains("does not allow"), said.output.constData());
    }

    void hostsHaveOwnNamesAddressesAndHomes()
    {
        QCOMPARE(m_cluster->hosts().size(), 4);
        for (int i = 0; i < 4; ++i) {
            const QString host = m_cluster->host(i);
            const Said said = m_cluster->ssh(
                host, QStringLiteral("hostname; hostname -I; echo $HOME; ls; touch mine-%1; "
                                     "touch /tmp/mine-%1; ls -d /tmp/* " SB_SOURCE_DIR)
                          .arg(host));
            QCOMPARE(
                QString::fromUtf8(said.output),
                QStringLiteral("%1\n%2 \n/root\n/tmp/mine-%1\n").arg(host, m_cluster->address(i)));
            QVERIFY(QFile::exists(m_cluster->fileOf(host, QStringLiteral("/root/mine-") + host)));
        }
    }

    void hostsReachEachOther()
    {
        for (const QString& from : m_cluster->hosts())
            for (const QString& to : m_cluster->hosts())
                QCOMPARE(
                    m_cluster->in(from, {QStringLiteral("ssh"), to, QStringLiteral("hostname")})
                        .output.trimmed(),
                    to.toUtf8());
    }

    void mpiRunsOnAllHosts()
    {
        if (!have("mpirun"))
            QSKIP("mpirun is not installed");
        const QString net = m_cluster->subnet();
        const Said said = m_cluster->in(
            m_cluster->host(0),
            QStringList{QStringLiteral("mpirun"), QStringLiteral("--mca"),
                        QStringLiteral("oob_tcp_if_include"), net, QStringLiteral("--host"),
                        m_cluster->hosts().join(u','), QStringLiteral("hostname")});
        QStringList names = QString::fromUtf8(said.output).split(u'\n', Qt::SkipEmptyParts);
        names.sort();
        QCOMPARE(names, m_cluster->hosts());
    }

    void wrongKeysAreRefused()
    {
        const QString host = m_cluster->host(1);
        QVERIFY(m_cluster->command({QStringLiteral("revoke"), host}).ok());
        Said said = m_cluster->ssh(host, QStringLiteral("true"));
        QCOMPARE(said.exitCode, 255);
        QVERIFY2(said.errors.contains("Permission denied (publickey)"), said.errors.constData());
        QVERIFY(m_cluster->command({QStringLiteral("allow"), host}).ok());
        QVERIFY(m_cluster->ssh(host, QStringLiteral("true")).ok());

        QVERIFY(m_cluster->command({QStringLiteral("forget-key"), host}).ok());
        said = m_cluster->ssh(host, QStringLiteral("true"));
        QVERIFY2(said.errors.contains("No ED25519 host key is known"), said.errors.constData());
        QVERIFY(m_cluster->command({QStringLiteral("learn-key"), host}).ok());

        QVERIFY(m_cluster->command({QStringLiteral("change-key"), host}).ok());
        said = m_cluster->ssh(host, QStringLiteral("true"));
        QVERIFY2(said.errors.contains("HOST IDENTIFICATION HAS CHANGED"), said.errors.constData());
        QVERIFY(m_cluster->command({QStringLiteral("learn-key"), host}).ok());
        QVERIFY(m_cluster->ssh(host, QStringLiteral("true")).ok());
    }

    void refusedAndDroppedConnections()
    {
        const QString host = m_cluster->host(2);
        QVERIFY(m_cluster->command({QStringLiteral("refuse"), host}).ok());
        Said said = m_cluster->ssh(host, QStringLiteral("true"));
        QVERIFY2(said.errors.contains("Connection refused"), said.errors.constData());
        QVERIFY(m_cluster->command({QStringLiteral("refuse"), host, QStringLiteral("off")}).ok());

        if (!have("iptables"))
            QSKIP("iptables is not installed");
        QVERIFY(m_cluster->command({QStringLiteral("drop"), host}).ok());
        said = m_cluster->ssh(host, QStringLiteral("true"));
        QVERIFY2(said.errors.contains("timed out"), said.errors.constData());
        QVERIFY(m_cluster->command({QStringLiteral("drop"), host, QStringLiteral("off")}).ok());
        QVERIFY(m_cluster->ssh(host, QStringLiteral("true")).ok());

        // One way only.
        const QString other = m_cluster->host(3);
        const QStringList there{QStringLiteral("ssh"), QStringLiteral("-o"),
                                QStringLiteral("ConnectTimeout=1"), other, QStringLiteral("true")};
        QStringList back = there;
        back[3] = host;
        QVERIFY(
            m_cluster->command({QStringLiteral("firewall"), host, other, QStringLiteral("drop")})
                .ok());
        QVERIFY(!m_cluster->in(host, there).ok());
        QVERIFY(m_cluster->in(other, back).ok());
        QVERIFY(
            m_cluster->command({QStringLiteral("firewall"), host, other, QStringLiteral("open")})
                .ok());
        QVERIFY(m_cluster->in(host, there).ok());
    }

    void pulledCableIsSilent()
    {
        const QString host = m_cluster->host(1);
        QProcess talk;
        talk.start(QStringLiteral("ssh"), {QStringLiteral("-F"), m_cluster->sshConfig(), host,
                                           QStringLiteral("while sleep 0.05; do echo x; done")});
        QTRY_VERIFY_WITH_TIMEOUT(talk.bytesAvailable() > 10, kHangMs);
        QVERIFY(m_cluster->command({QStringLiteral("link"), host, QStringLiteral("down")}).ok());
        // What was under way arrives; then a second without a word, which is 20 of them.
        int arrived = 0;
        while (arrived < 200 && talk.waitForReadyRead(1000)) {
            ++arrived;
            talk.readAll();
        }
        QVERIFY(arrived < 200);
        QCOMPARE(talk.state(), QProcess::Running);
        const Said said = m_cluster->ssh(host, QStringLiteral("true"));
        QCOMPARE(said.exitCode, 255);
        QVERIFY(m_cluster->command({QStringLiteral("link"), host, QStringLiteral("up")}).ok());
        QTRY_VERIFY_WITH_TIMEOUT(talk.bytesAvailable() > 0, kHangMs);
        talk.kill();
        talk.waitForFinished(kHangMs);
        QTRY_COMPARE_WITH_TIMEOUT(m_cluster->processesLeft(host), QStringList(), kHangMs);
    }

    void longCablesDelay()
    {
        // Milliseconds that a connection takes: there and back.
        const QStringList connect{
            QStringLiteral("python3"), QStringLiteral("-c"),
            QStringLiteral("import socket,time,sys\nt=time.monotonic()\n"
                           "socket.create_connection((sys.argv[1],22)).close()\n"
                           "print(int(1000*(time.monotonic()-t)))"),
            m_cluster->host(1)};
        QVERIFY(m_cluster->command({QStringLiteral("delay"), QStringLiteral("100000")}).ok());
        const Said far = m_cluster->in(m_cluster->host(0), connect);
        QVERIFY2(far.ok() && far.output.toInt() >= 200, qPrintable(text(far)));
        QVERIFY(m_cluster->command({QStringLiteral("delay"), QStringLiteral("0")}).ok());
        // A busy machine may need several tries.
        QTRY_VERIFY_WITH_TIMEOUT(m_cluster->in(m_cluster->host(0), connect).output.toInt() < 200,
                                 60'000);
    }

    void shapedCablesAreSlow()
    {
        QVERIFY(m_cluster->command({QStringLiteral("shape"), QStringLiteral("8mbit")}).ok());
        QElapsedTimer clock;
        clock.start();
        const Said said = m_cluster->ssh(m_cluster->host(0), QStringLiteral("head -c 1500000 "
                                                                            "/dev/zero"));
        QVERIFY(m_cluster->command({QStringLiteral("shape"), QStringLiteral("off")}).ok());
        QCOMPARE(said.output.size(), 1500000);
        QVERIFY2(clock.elapsed() > 1200, qPrintable(QString::number(clock.elapsed())));
    }

    void hostsMayLoseProgramsOfTheirOwn()
    {
        Cluster cluster(
            {QStringLiteral("--hosts"), QStringLiteral("2"), QStringLiteral("--own-usr")});
        if (cluster.error().contains(u"overlay"))
            QSKIP(qPrintable(cluster.error()));
        QVERIFY2(cluster.isUp(), qPrintable(cluster.error()));
        QVERIFY(
            cluster.in(cluster.host(0), {QStringLiteral("rm"), QStringLiteral("/usr/bin/factor")})
                .ok());
        QCOMPARE(cluster.ssh(cluster.host(0), QStringLiteral("factor 15")).exitCode, 127);
        QCOMPARE(cluster.ssh(cluster.host(1), QStringLiteral("factor 15")).output, "15: 3 5\n");
        QVERIFY(have("factor"));
    }

    void smallDiskFills()
    {
        const QString host = m_cluster->host(2);
        const QString folder = QStringLiteral("~/small");
        QVERIFY(!m_cluster->command({QStringLiteral("fill-disk"), host, QStringLiteral("~")}).ok());
        QVERIFY(
            m_cluster->command({QStringLiteral("small-disk"), host, folder, QStringLiteral("1m")})
                .ok());
        QVERIFY(m_cluster->command({QStringLiteral("fill-disk"), host, folder}).ok());
        const Said said = m_cluster->ssh(host, QStringLiteral("cp /etc/passwd small/"));
        QVERIFY2(said.errors.contains("No space left on device"), said.errors.constData());
        QVERIFY(
            m_cluster->command({QStringLiteral("fill-disk"), host, folder, QStringLiteral("off")})
                .ok());
        QVERIFY(m_cluster->ssh(host, QStringLiteral("cp /etc/passwd small/")).ok());
        QVERIFY(
            m_cluster->command({QStringLiteral("small-disk"), host, folder, QStringLiteral("off")})
                .ok());
    }

    void crashEndsEverythingButTheDisk()
    {
        const QString host = m_cluster->host(3);
        QVERIFY(m_cluster
                    ->ssh(host, QStringLiteral("echo kept > kept; setsid sleep 1234 "
                                               ">/dev/null 2>&1 </dev/null & "
                                               "setsid sleep 1234 >/dev/null 2>&1 </dev/null &"))
                    .ok());
        QTRY_COMPARE_WITH_TIMEOUT(
            m_cluster->processesLeft(host, QStringLiteral("sleep 1234")).size(), 2, kHangMs);
        QVERIFY(m_cluster->command({QStringLiteral("crash"), host}).ok());
        QCOMPARE(m_cluster->processesLeft(host), QStringList());
        QCOMPARE(m_cluster->ssh(host, QStringLiteral("true")).exitCode, 255);
        QVERIFY(m_cluster->command({QStringLiteral("start"), host}).ok());
        QCOMPARE(m_cluster->ssh(host, QStringLiteral("cat kept")).output, "kept\n");
    }

    void slurmRunsOverTwoNodes()
    {
        const Said possible =
            runProgram(Cluster::script(), {QStringLiteral("possible"), QStringLiteral("--slurm")});
        if (possible.exitCode == 77)
            QSKIP(possible.output.trimmed().constData());
        Cluster cluster(
            {QStringLiteral("--hosts"), QStringLiteral("2"), QStringLiteral("--slurm")});
        QVERIFY2(cluster.isUp(), qPrintable(cluster.error()));
        QVERIFY(cluster.subnet() != m_cluster->subnet());
        // From the login node, and from this machine.
        const QString job = QStringLiteral("cd %1 && sbatch --wait -N2 -o %2.out --wrap "
                                           "'srun hostname | sort'");
        const Said there = cluster.ssh(cluster.host(0), job.arg(cluster.shared(), "there"), 120);
        QVERIFY2(there.ok(), qPrintable(text(there)));
        QProcessEnvironment environment = QProcessEnvironment::systemEnvironment();
        environment.insert(QStringLiteral("SLURM_CONF"), cluster.slurmConfig());
        const Said here =
            runProgram(QStringLiteral("sh"),
                       {QStringLiteral("-c"), job.arg(cluster.shared(), "here")}, 120, environment);
        QVERIFY2(here.ok(), qPrintable(text(here)));
        for (const char* name : {"/there.out", "/here.out"}) {
            QFile file(cluster.shared() + QLatin1String(name));
            QVERIFY2(file.open(QIODevice::ReadOnly), name);
            QCOMPARE(file.readAll(), "sb1\nsb2\n");
        }
        const QString name = cluster.name();
        QVERIFY(cluster.down().ok());
        QCOMPARE(leftBy(name), QStringList());
    }

    void downLeavesNothing()
    {
        Cluster cluster;
        QVERIFY2(cluster.isUp(), qPrintable(cluster.error()));
        const QString name = cluster.name();
        QFile file(cluster.value("CLUSTER_STATE") + QStringLiteral("/cluster.json"));
        QVERIFY(file.open(QIODevice::ReadOnly));
        const QJsonObject state = QJsonDocument::fromJson(file.readAll()).object();
        // Its name may be that of another test's in the next moment, its number is not.
        const QString cable =
            QStringLiteral("/sys/class/net/%1/ifindex").arg(state[u"cable"].toString());
        const auto isThere = [&] {
            QFile number(cable);
            return number.open(QIODevice::ReadOnly) &&
                   number.readAll().toInt() == state[u"cable_index"].toInt(-1);
        };
        const HeldNamespaces spaces(state);
        QCOMPARE(QSet<QString>(spaces.names.begin(), spaces.names.end()).size(), 5);
        QVERIFY(isThere());
        QVERIFY(!leftBy(name).isEmpty());

        QVERIFY(cluster.command({QStringLiteral("delay"), QStringLiteral("10")}).ok());
        QVERIFY(cluster.command({QStringLiteral("crash"), cluster.host(1)}).ok());
        QVERIFY(cluster.down().ok());
        QCOMPARE(leftBy(name), QStringList());
        QVERIFY(!isThere());
        for (const QString& space : networkNamespaces())
            QVERIFY2(!spaces.names.contains(space), qPrintable(space));
        QVERIFY(runProgram(Cluster::script(), {QStringLiteral("down"), name}).ok());
    }

    void goesWithItsKilledOwner()
    {
        const QString name = QStringLiteral("owned-%1").arg(QCoreApplication::applicationPid());
        QProcess owner;
        owner.start(QStringLiteral("sh"),
                    {QStringLiteral("-c"),
                     QStringLiteral("%1 up --hosts 2 --name %2 --owner $$ && sleep 1000")
                         .arg(Cluster::script(), name)});
        QTRY_VERIFY_WITH_TIMEOUT(owner.bytesAvailable() > 0, kHangMs);
        QVERIFY(!leftBy(name).isEmpty());
        owner.kill();
        owner.waitForFinished(kHangMs);
        QTRY_COMPARE_WITH_TIMEOUT(leftBy(name), QStringList(), kHangMs);
    }

    void severalSweepAtOnce()
    {
        // As the first tests of a run find them after a computer went down in the run before.
        const QString stem = QStringLiteral("left-%1-").arg(QCoreApplication::applicationPid());
        for (int number = 0; number < 40; ++number) {
            const QString name = stem + QString::number(number);
            const QDir folder(QDir::tempPath() + QStringLiteral("/scalebench-cluster-") + name);
            QVERIFY(folder.mkpath(QStringLiteral("hosts/sb1/disk")));
            QFile file(folder.filePath(QStringLiteral("cluster.json")));
            QVERIFY(file.open(QIODevice::WriteOnly));
            file.write(R"({"hosts": {}, "owner": {"pid": 999999999, "start": 1}})");
        }
        std::vector<std::unique_ptr<QProcess>> ups;
        for (int number = 0; number < 4; ++number) {
            ups.push_back(std::make_unique<QProcess>());
            ups.back()->start(Cluster::script(),
                              {QStringLiteral("up"), QStringLiteral("--hosts"), QStringLiteral("1"),
                               QStringLiteral("--name"), stem + QChar(u'a' + number),
                               QStringLiteral("--owner"),
                               QString::number(QCoreApplication::applicationPid())});
        }
        for (auto& up : ups)
            QVERIFY(up->waitForFinished(kHangMs));
        for (int number = 0; number < 4; ++number)
            QVERIFY(
                runProgram(Cluster::script(), {QStringLiteral("down"), stem + QChar(u'a' + number)})
                    .ok());
        for (auto& up : ups)
            QVERIFY2(up->exitCode() == 0, up->readAllStandardError().constData());
        QCOMPARE(QDir(QDir::tempPath())
                     .entryList({QStringLiteral("scalebench-cluster-") + stem + u'*'}, QDir::Dirs),
                 QStringList());
    }

    void interruptedUpCleansUp()
    {
        const QStringList before = cables();
        for (const int milliseconds : {80, 160, 240, 320}) {
            const QString name = QStringLiteral("cut-%1").arg(QCoreApplication::applicationPid());
            QProcess up;
            up.start(Cluster::script(), {QStringLiteral("up"), QStringLiteral("--name"), name});
            QVERIFY(up.waitForStarted(kHangMs));
            if (!up.waitForFinished(milliseconds)) {
                up.terminate();
                QVERIFY(up.waitForFinished(kHangMs));
                if (up.exitCode() != 0)
                    QTRY_COMPARE_WITH_TIMEOUT(leftBy(name), QStringList(), kHangMs);
            }
            QVERIFY(runProgram(Cluster::script(), {QStringLiteral("down"), name}).ok());
            QTRY_COMPARE_WITH_TIMEOUT(leftBy(name), QStringList(), kHangMs);
        }
        // Other tests have theirs, which go in a moment.
        for (const QString& cable : cables())
            if (!before.contains(cable))
                QTRY_VERIFY2_WITH_TIMEOUT(!cables().contains(cable), qPrintable(cable), kHangMs);
    }

private:
    /// Of this machine, by which it was found out whether it can have a cluster.
    static QStringList cables()
    {
        return QDir(QStringLiteral("/sys/class/net"))
            .entryList({QStringLiteral("sbc-*")}, QDir::Dirs | QDir::Files | QDir::System);
    }

    std::unique_ptr<Cluster> m_cluster;
};

QTEST_GUILESS_MAIN(ClusterTest)
#include "cluster_test.moc"
