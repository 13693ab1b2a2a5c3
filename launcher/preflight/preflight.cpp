// SPDX-License-Identifier: GPL-3.0-or-later
#include "preflight/preflight.h"

#include "base/let_go.h"
#include "base/translated.h"
#include "preflight/bundle_archive.h"

#include "machine/open_mpi.h"
#include "machine/this_computer.h"
#include "preflight/judge.h"
#include "study/machine_info.h"

#include <QDateTime>
#include <QFileInfo>
#include <QPointer>
#include <QThread>
#include <QTimer>

#include <algorithm>
#include <vector>

namespace scalebench {

using namespace Qt::Literals::StringLiterals;

using Kind = TargetMachine::Kind;

namespace {

constexpr int kParallel = 32;
constexpr int kConnectTimeoutS = 5;

double nowS()
{
    return double(QDateTime::currentMSecsSinceEpoch()) / 1000;
}

/// What the hosts are compared with. Up to a second for a bundle not seen before, so in a thread.
OwnSide readOwnSide(const TargetMachine& machine)
{
    OwnSide own;
    if (const QString bundle = findBundle(); !bundle.isEmpty()) {
        const Result<BundleInfo> info = readBundle(bundle);
        if (info)
            own.bundle = info.value();
        else
            own.bundleError = info.failure().message;
    }
    if (machine.kind != Kind::Ssh)
        return own; // mpirun runs elsewhere
    QString mpirun = machine.mpiPrefix + u"/bin/mpirun"_s;
    if (machine.mpiPrefix.isEmpty() || !QFileInfo(mpirun).isExecutable())
        mpirun = findProgram(u"mpirun"_s);
    own.mpiVersion = OpenMpi::versionOf(mpirun);
    return own;
}

} // namespace

struct Preflight::Private {
    Preflight* q = nullptr;
    TargetMachine machine;
    PreflightOptions options;
    QList<HostSlots> hosts; ///< rows of the table
    QList<HostReport> reports;
    QList<HostAnswer> answers;
    QList<bool> answered;
    std::vector<std::unique_ptr<RemoteCall>> calls;
    QThread* ownThread = nullptr;
    std::shared_ptr<OwnSide> own; ///< null until known
    int next = 0, done = 0;
    bool finished = false;

    QString dataSource() const
    {
        return options.dataSource.isEmpty() ? machine.dataFolder : options.dataSource;
    }
    QByteArray script() const
    {
        return probeScript(machine, dataSource(), machine.kind == Kind::Slurm);
    }

    void failAll(const Failure& failure)
    {
        HostReport report;
        report.host = machine.name;
        report.checks << HostCheck{u"name"_s,
                                   HostCheck::Level::Problem,
                                   failure.code,
                                   failure.message,
                                   Launcher::tr("Correct the target machine."),
                                   failure.details};
        reports = {report};
        QTimer::singleShot(0, q, [this] {
            finished = true;
            Q_EMIT q->hostDone(0);
            Q_EMIT q->finished();
        });
    }

    void start()
    {
        Result<QList<HostSlots>> listed = hostsOf(machine);
        if (Result<void> ok = machine.check(); !ok)
            return failAll(ok.failure());
        if (!listed)
            return failAll(listed.failure());
        hosts = listed.value();
        if (machine.kind == Kind::Local)
            hosts = {{u"localhost"_s, 0}};
        if (machine.kind == Kind::Slurm)
            hosts = {{machine.login.isEmpty() ? u"localhost"_s : machine.login, 0}};
        if (machine.kind == Kind::Login) {
            hosts.removeIf([](const HostSlots& h) { return h.name == "localhost"_L1; });
            hosts.prepend({machine.login, 0}); // mpirun and the supervisor run there
        }
        if (hosts.isEmpty())
            return failAll({u"hosts_missing"_s, Launcher::tr("The target machine has no hosts.")});
        reports.resize(hosts.size());
        answers.resize(hosts.size());
        answered.fill(false, hosts.size());
        for (int i = 0; i < hosts.size(); ++i) {
            reports[i].host = hosts[i].name;
            answers[i].host = hosts[i];
        }
        readOwn();
        if (machine.kind == Kind::Login)
            return startRelay();
        const auto most = std::min<qsizetype>(kParallel, hosts.size());
        calls.resize(size_t(hosts.size()));
        while (next < most)
            startNext();
    }

    void readOwn()
    {
        auto result = std::make_shared<OwnSide>();
        ownThread = QThread::create([result, m = machine] { *result = readOwnSide(m); });
        QObject::connect(ownThread, &QThread::finished, q, [this, result] {
            own = result;
            for (int i = 0; i < answers.size(); ++i)
                if (answered[i])
                    judge(i);
        });
        ownThread->start();
    }

    void startNext()
    {
        const int i = next++;
        auto& call = calls[size_t(i)];
        call = std::make_unique<RemoteCall>(machine, hosts[i].name);
        SshOptions ssh;
        ssh.connectTimeoutS = kConnectTimeoutS;
        call->setOptions(ssh);
        answers[i].withoutSsh = isThisComputer(hosts[i].name);
        QObject::connect(
            call.get(), &RemoteCall::done, q, [this, i] { hostAnswered(i); }, Qt::QueuedConnection);
        answers[i].beginS = nowS();
        call->start({u"sh"_s, u"-s"_s}, script(), options.hostTimeoutS * 1000);
    }

    void hostAnswered(int i)
    {
        const RemoteResult& result = calls[size_t(i)]->result();
        HostAnswer& answer = answers[i];
        answer.endS = nowS();
        take(answer, result.failure, result.timedOut, result.output, result.errors);
        calls[size_t(i)].reset();
        if (next < hosts.size())
            startNext();
        arrived(i);
    }

    static void take(HostAnswer& answer, const Failure& failure, bool timedOut,
                     const QByteArray& output, const QString& errors)
    {
        answer.failure = failure;
        answer.timedOut = timedOut;
        answer.errors = errors;
        answer.probe = parseProbe(output);
        if (!answer.probe.began && answer.probe.noise.isEmpty())
            answer.probe.noise = QString::fromUtf8(output.left(500));
        if (answer.probe.complete)
            answer.failure = {};
    }

    // ---- Behind a login node: it asks the hosts, since only it reaches them -------------------

    void startRelay()
    {
        QStringList names{u"localhost"_s};
        for (const HostSlots& host : hosts.mid(1))
            names << host.name;
        const auto rounds = (names.size() + kParallel - 1) / kParallel;
        calls.resize(1);
        calls[0] = std::make_unique<RemoteCall>(machine, machine.login);
        SshOptions ssh;
        ssh.connectTimeoutS = kConnectTimeoutS;
        ssh.keepAlive = true;
        calls[0]->setOptions(ssh);
        QObject::connect(
            calls[0].get(), &RemoteCall::done, q, [this] { relayAnswered(); },
            Qt::QueuedConnection);
        answers[0].beginS = nowS();
        calls[0]->start({u"sh"_s, u"-s"_s},
                        relayScript(names, script(), kParallel, options.hostTimeoutS),
                        (5 + options.hostTimeoutS * int(rounds + 1)) * 1000);
    }

    void relayAnswered()
    {
        const RemoteResult& result = calls[0]->result();
        const RelayAnswer relay = parseRelay(result.output);
        const double endS = nowS();
        for (int i = 0; i < hosts.size(); ++i) {
            HostAnswer& answer = answers[i];
            if (!relay.complete) { // the login node itself failed: said once, in its own row
                answer.beginS = answers[0].beginS;
                answer.endS = endS;
                if (i == 0)
                    take(answer, result.failure, result.timedOut, result.output, result.errors);
                continue;
            }
            const RelayAnswer::Host host =
                relay.hosts.value(i == 0 ? u"localhost"_s : hosts[i].name);
            const bool late = host.exitCode == 124 || !host.asked;
            Failure failure = late
                                  ? Failure{u"host_timeout"_s,
                                            Launcher::tr("It did not answer in time."), host.errors}
                                  : classifySsh(hosts[i].name, host.exitCode, host.errors);
            take(answer, failure, late, host.output, host.errors);
            answer.beginS = i == 0 ? answers[0].beginS : host.beginS;
            answer.endS = i == 0 ? endS : host.endS;
            if (i > 0) {
                answer.via = machine.login;
                answer.address = relay.addresses.value(hosts[i].name);
                if (!answer.probe.began && answer.failure.code.isEmpty())
                    answer.failure = {u"shell_unusable"_s, host.errors.trimmed(), host.errors};
            }
        }
        calls[0].reset();
        for (int i = 0; i < hosts.size(); ++i) {
            if (relay.complete || i == 0)
                arrived(i);
            else
                skipped(i);
        }
    }

    void skipped(int i)
    {
        Cells cells(machine, answers[i]);
        reports[i].checks =
            cells.inOrder(Launcher::tr("not checked: %1 cannot be used").arg(machine.login));
        hostFinished(i);
    }

    // ---- Verdicts -----------------------------------------------------------------------------

    void arrived(int i)
    {
        answered[i] = true;
        if (own)
            judge(i);
    }

    void judge(int i)
    {
        answered[i] = false; // once
        reports[i] = judgeHost(machine, options, *own, answers[i]);
        if (machine.kind == Kind::Login && i == 0 && hosts.size() > 1)
            for (HostCheck& cell : reports[0].checks)
                if (cell.test == "slots"_L1 || cell.test == "busy"_L1 ||
                    cell.test == "interface"_L1 || cell.test == "peers"_L1 ||
                    cell.test == "gpus"_L1)
                    cell = {cell.test, HostCheck::Level::Skipped,
                            {},        Launcher::tr("no workers run here"),
                            {},        {}};
        hostFinished(i);
    }

    void hostFinished(int i)
    {
        ++done;
        const QPointer<Preflight> alive(q);
        if (done < hosts.size()) {
            Q_EMIT q->hostDone(i);
            return;
        }
        finished = true;
        QList<int> changed = compareHosts(machine, reports);
        remember();
        changed.removeAll(i);
        changed.prepend(i);
        for (const int index : changed) {
            Q_EMIT q->hostDone(index);
            if (!alive)
                return;
        }
        Q_EMIT q->finished();
    }

    void remember() const
    {
        if (!options.remember || machine.name.isEmpty())
            return;
        QJsonObject facts = knownFacts(machine.name);
        for (int i = 0; i < reports.size(); ++i) {
            if (reports[i].facts.isEmpty() || machine.kind == Kind::Local) // which planning asks
                continue;
            facts.insert(machine.kind == Kind::Slurm ? u"slurm"_s : reports[i].host,
                         reports[i].facts);
            if (machine.kind == Kind::Login && i == 0)
                facts.insert(u"localhost"_s, reports[i].facts);
        }
        rememberFacts(machine.name, facts,
                      options.allHosts ? summaryOf(reports, QDateTime::currentMSecsSinceEpoch())
                                       : lastCheck(machine.name));
    }
};

Preflight::Preflight(const TargetMachine& machine, PreflightOptions options, QObject* parent)
    : QObject(parent), d(std::make_unique<Private>())
{
    d->q = this;
    d->machine = machine;
    d->options = std::move(options);
}

Preflight::~Preflight()
{
    if (!d->ownThread)
        return;
    d->ownThread->disconnect(this);
    letGo(std::unique_ptr<QThread>(d->ownThread));
}

void Preflight::start()
{
    d->start();
}

const QList<HostReport>& Preflight::reports() const
{
    return d->reports;
}

bool Preflight::finishedOk() const
{
    return d->finished && std::all_of(d->reports.begin(), d->reports.end(),
                                      [](const HostReport& report) { return report.ok(); });
}

} // namespace scalebench
