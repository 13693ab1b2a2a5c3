// SPDX-License-Identifier: GPL-3.0-or-later
#include "deploy/deployment.h"

#include "base/let_go.h"
#include "base/translated.h"
#include "deploy/deploy_failures.h"
#include "preflight/bundle_archive.h"
#include "preflight/judge.h"
#include "preflight/probe.h"
#include "ssh/ssh.h"

#include <QFile>
#include <QPointer>
#include <QThread>
#include <QTimer>
#include <QUuid>

#include <algorithm>
#include <vector>

namespace scalebench {

using namespace Qt::Literals::StringLiterals;

using Kind = TargetMachine::Kind;

namespace {

constexpr int kParallelChecks = 16; ///< each verifies some 130 MB on the host
constexpr int kParallelSends = 4;   ///< each sends some 40 MB
constexpr qint64 kSpareBytes = 16 << 20;

} // namespace

struct Deployment::Private {
    enum class Step { Queued, Asked, Wanted, Sending, Waiting, Done };
    struct Host {
        QString name;
        Step step = Step::Queued;
        QString folder; ///< whole path there
        QString id;     ///< of the installer that waits there
        int waitsFor = -1;
    };
    struct Loaded {
        BundleInfo bundle;
        QByteArray archive;
        Failure failure;
    };

    Deployment* q = nullptr;
    TargetMachine machine;
    DeployOptions options;
    QList<DeployReport> reports;
    std::vector<Host> hosts;
    std::vector<std::unique_ptr<RemoteCall>> calls;
    QStringList behind; ///< hosts that only the login node reaches; their reports come after it
    std::unique_ptr<RemoteCall> relayCall;
    std::shared_ptr<Loaded> loaded;
    QThread* loader = nullptr;
    QString token = QUuid::createUuid().toString(QUuid::Id128).left(16);

    void start()
    {
        const Result<QList<HostSlots>> listed = hostsOf(machine);
        QStringList names;
        if (machine.isBehindLogin() || machine.kind == Kind::Slurm)
            names << (machine.login.isEmpty() ? u"localhost"_s : machine.login);
        for (const HostSlots& host : listed ? listed.value() : QList<HostSlots>()) {
            if (machine.kind == Kind::Ssh)
                names << host.name;
            else if (host.name != "localhost"_L1)
                behind << host.name;
        }
        hosts.resize(size_t(names.size()));
        for (int i = 0; i < names.size(); ++i)
            hosts[size_t(i)].name = names[i];
        for (const QString& name : names + behind) {
            DeployReport report;
            report.host = name;
            reports << report;
        }
        Result<void> valid = machine.check();
        if (valid && !listed)
            valid = listed.failure();
        if (valid && machine.kind == Kind::Local)
            valid = Failure{u"deploy_local"_s,
                            Launcher::tr("This computer uses the engine that is installed with "
                                         "this program; nothing needs to be deployed.")};
        if (!valid)
            return failAll(valid.failure());
        load();
    }

    void failAll(const Failure& failure)
    {
        if (reports.isEmpty()) {
            DeployReport report;
            report.host = machine.name;
            reports << report;
        }
        for (DeployReport& report : reports)
            report.failure = failure;
        QTimer::singleShot(0, q, [this] { announceAll(0); });
    }

    /// Reading and checking the archive takes up to a second.
    void load()
    {
        loaded = std::make_shared<Loaded>();
        const QString path = options.archive.isEmpty() ? findBundle() : options.archive;
        loader = QThread::create([result = loaded, path] {
            if (path.isEmpty()) {
                result->failure = {
                    u"bundle_missing"_s,
                    Launcher::tr(
                        "There is no engine bundle (scalebench-engine-*.tar.gz) beside this "
                        "program. Make one with packaging/bundle, or name one with "
                        "SCALEBENCH_BUNDLE.")};
                return;
            }
            const Result<BundleInfo> info = readBundle(path);
            if (!info) {
                result->failure = info.failure();
                return;
            }
            result->bundle = info.value();
            QFile file(path);
            if (file.open(QIODevice::ReadOnly))
                result->archive = file.readAll();
            if (result->archive.size() != info.value().bytes)
                result->failure = {u"bundle_missing"_s,
                                   Launcher::tr("The engine bundle %1 could not be read: %2.")
                                       .arg(path, file.errorString())};
        });
        QObject::connect(loader, &QThread::finished, q, [this] {
            if (!loaded->failure.code.isEmpty())
                return failAll(loaded->failure);
            calls.resize(hosts.size());
            advance();
        });
        loader->start();
    }

    QByteArray prepareScript(const QString& index) const
    {
        const BundleInfo& bundle = loaded->bundle;
        return scriptVariable(u"D_FOLDER"_s, machine.folder) +
               scriptVariable(u"D_NAME"_s, bundle.folderName()) +
               scriptVariable(u"D_CONTENT"_s, bundle.contentId) +
               scriptVariable(
                   u"D_KIB"_s,
                   QString::number((bundle.bytes + bundle.unpackedBytes + kSpareBytes) / 1024)) +
               scriptVariable(u"D_MACHINE"_s, bundle.architecture) +
               scriptVariable(u"D_TOKEN"_s, token) + scriptVariable(u"D_INDEX"_s, index) +
               scriptVariable(u"D_REMOVE"_s, options.removeOld ? u"1"_s : QString()) +
               scriptVariable(u"D_INSTALL"_s, QString::fromUtf8(remoteScript(u"install.sh"_s))) +
               remoteScript(u"deploy_prepare.sh"_s);
    }

    /// Starts what may start now.
    void advance()
    {
        const auto count = [&](Step step) {
            return std::count_if(hosts.begin(), hosts.end(),
                                 [&](const Host& host) { return host.step == step; });
        };
        for (int i = 0; i < int(hosts.size()); ++i) {
            if (hosts[size_t(i)].step == Step::Queued && count(Step::Asked) < kParallelChecks)
                ask(i);
            else if (hosts[size_t(i)].step == Step::Wanted && count(Step::Sending) < kParallelSends)
                send(i);
        }
        if (count(Step::Done) == qsizetype(hosts.size()) && !relayCall)
            finishOrRelay();
    }

    void call(int i, const QStringList& words, const QByteArray& input,
              const std::function<void(const RemoteResult&)>& then)
    {
        auto& remote = calls[size_t(i)];
        remote = std::make_unique<RemoteCall>(machine, hosts[size_t(i)].name);
        SshOptions ssh;
        ssh.connectTimeoutS = 8;
        ssh.keepAlive = true;
        remote->setOptions(ssh);
        QObject::connect(
            remote.get(), &RemoteCall::done, q,
            [this, i, then] {
                const RemoteResult result = calls[size_t(i)]->result();
                calls[size_t(i)].reset();
                then(result);
                advance();
            },
            Qt::QueuedConnection);
        remote->start(words, input, options.hostTimeoutS * 1000);
    }

    void ask(int i)
    {
        hosts[size_t(i)].step = Step::Asked;
        call(i, {u"sh"_s, u"-s"_s}, prepareScript(QString::number(i)),
             [this, i](const RemoteResult& result) { asked(i, result); });
    }

    void asked(int i, const RemoteResult& result)
    {
        const ProbeAnswer answer = parseProbe(result.output);
        const QString state = answer.value(u"state"_s);
        if (!answer.began && runsNoCommands(result.failure)) {
            Failure unusable = shellUnusable(hosts[size_t(i)].name, result.errors + answer.noise);
            unusable.message += u' ' + loginScriptFix(hosts[size_t(i)].name);
            return fail(i, unusable);
        }
        if (!answer.complete)
            return fail(i, !result.failure.code.isEmpty()
                               ? result.failure
                               : deployFailure(hosts[size_t(i)].name, {}, answer, loaded->bundle));
        hosts[size_t(i)].folder = answer.value(u"folder"_s);
        hosts[size_t(i)].id = answer.value(u"id"_s);
        if (state == "unchanged"_L1) {
            reports[i].unchanged = true;
            return succeed(i, answer);
        }
        if (state != "wanted"_L1)
            return fail(i, deployFailure(hosts[size_t(i)].name, state, answer, loaded->bundle));
        // Another host that sees the same folder is at it already: look again when it is done.
        for (const QString& shared : answer.values.value(u"shares"_s)) {
            const auto other = size_t(shared.toInt());
            if (other < hosts.size() && int(other) != i &&
                (hosts[other].step == Step::Sending || hosts[other].step == Step::Wanted)) {
                hosts[size_t(i)].step = Step::Waiting;
                hosts[size_t(i)].waitsFor = int(other);
                return;
            }
        }
        hosts[size_t(i)].step = Step::Wanted;
    }

    void send(int i)
    {
        Host& host = hosts[size_t(i)];
        const BundleInfo& bundle = loaded->bundle;
        host.step = Step::Sending;
        reports[i].bytesSent = loaded->archive.size();
        call(i,
             {u"sh"_s, u"%1/engine/.deploy/install.%2.sh"_s.arg(host.folder, host.id), u"install"_s,
              host.folder, bundle.folderName(), bundle.contentId, bundle.sha256,
              options.removeOld ? u"1"_s : QString(), host.id},
             loaded->archive, [this, i](const RemoteResult& result) {
                 const ProbeAnswer answer = parseProbe(result.output);
                 if (answer.value(u"state"_s) == "installed"_L1)
                     succeed(i, answer);
                 else if (answer.complete)
                     fail(i, deployFailure(hosts[size_t(i)].name, answer.value(u"state"_s), answer,
                                           loaded->bundle));
                 else
                     fail(i, result.failure);
             });
    }

    void succeed(int i, const ProbeAnswer& answer)
    {
        reports[i].ok = true;
        reports[i].version = loaded->bundle.folderName();
        reports[i].removed = answer.values.value(u"removed"_s);
        finishHost(i);
    }

    void fail(int i, const Failure& failure)
    {
        reports[i].failure = failure;
        finishHost(i);
    }

    void finishHost(int i)
    {
        hosts[size_t(i)].step = Step::Done;
        const QPointer<Deployment> alive(q);
        Q_EMIT q->hostDone(i);
        if (!alive)
            return;
        for (int j = 0; j < int(hosts.size()); ++j)
            if (hosts[size_t(j)].step == Step::Waiting && hosts[size_t(j)].waitsFor == i)
                QTimer::singleShot(0, q, [this, j] { ask(j); });
    }

    // ---- Behind a login node ------------------------------------------------------------------

    void finishOrRelay()
    {
        if (behind.isEmpty())
            return Q_EMIT q->finished();
        if (!reports[0].ok) {
            for (int i = 0; i < behind.size(); ++i)
                reports[1 + i].failure = {
                    u"login_failed"_s, Launcher::tr("Not deployed: the login node %1 comes first.")
                                           .arg(machine.login)};
            return announceAll(1);
        }
        const BundleInfo& bundle = loaded->bundle;
        const int parallel = kParallelChecks;
        const auto rounds = (behind.size() + kParallelSends - 1) / kParallelSends + 1;
        QByteArray script = scriptVariable(u"R_HOSTS"_s, behind.join(u' ')) +
                            scriptVariable(u"R_PARALLEL"_s, QString::number(parallel)) +
                            scriptVariable(u"R_LIMIT"_s, QString::number(options.hostTimeoutS)) +
                            scriptVariable(u"R_PREPARE"_s, QString::fromUtf8(prepareScript({}))) +
                            scriptVariable(u"R_FOLDER"_s, hosts[0].folder) +
                            scriptVariable(u"R_NAME"_s, bundle.folderName()) +
                            scriptVariable(u"R_CONTENT"_s, bundle.contentId) +
                            scriptVariable(u"R_REMOVE"_s, options.removeOld ? u"1"_s : QString()) +
                            remoteScript(u"deploy_relay.sh"_s);
        relayCall = std::make_unique<RemoteCall>(machine, machine.login);
        SshOptions ssh;
        ssh.keepAlive = true;
        relayCall->setOptions(ssh);
        QObject::connect(
            relayCall.get(), &RemoteCall::done, q, [this] { relayed(); }, Qt::QueuedConnection);
        relayCall->start({u"sh"_s, u"-s"_s}, script, int(rounds) * options.hostTimeoutS * 1000);
    }

    void relayed()
    {
        const RemoteResult& result = relayCall->result();
        const RelayAnswer relay = parseRelay(result.output);
        for (int i = 0; i < behind.size(); ++i) {
            DeployReport& report = reports[1 + i];
            if (!relay.complete) {
                report.failure =
                    result.failure.code.isEmpty()
                        ? Failure{u"deploy_failed"_s,
                                  Launcher::tr("%1 could not reach the hosts behind it.")
                                      .arg(machine.login),
                                  result.errors}
                        : result.failure;
                continue;
            }
            const RelayAnswer::Host host = relay.hosts.value(behind[i]);
            const ProbeAnswer answer = parseProbe(host.output);
            const QString state = answer.value(u"state"_s);
            report.ok = state == "installed"_L1 || state == "unchanged"_L1;
            report.unchanged = state == "unchanged"_L1;
            report.removed = answer.values.value(u"removed"_s);
            if (report.ok) {
                report.version = loaded->bundle.folderName();
                continue;
            }
            report.failure = classifySsh(behind[i], host.exitCode, host.errors);
            if (host.exitCode == 124 || !host.asked)
                report.failure = {
                    u"host_timeout"_s,
                    Launcher::tr("%1 did not answer %2 in time.").arg(behind[i], machine.login),
                    host.errors};
            else if (!report.failure.code.isEmpty())
                report.failure.message =
                    Launcher::tr("From %1: %2").arg(machine.login, report.failure.message);
            else
                report.failure = deployFailure(behind[i], state, answer, loaded->bundle);
        }
        announceAll(1);
    }

    void announceAll(int first)
    {
        const QPointer<Deployment> alive(q);
        for (int i = first; i < reports.size(); ++i) {
            Q_EMIT q->hostDone(i);
            if (!alive)
                return;
        }
        Q_EMIT q->finished();
    }
};

Deployment::Deployment(const TargetMachine& machine, DeployOptions options, QObject* parent)
    : QObject(parent), d(std::make_unique<Private>())
{
    d->q = this;
    d->machine = machine;
    d->options = std::move(options);
}

Deployment::~Deployment()
{
    if (!d->loader)
        return;
    d->loader->disconnect(this);
    letGo(std::unique_ptr<QThread>(d->loader));
}

void Deployment::start()
{
    d->start();
}

const QList<DeployReport>& Deployment::reports() const
{
    return d->reports;
}

} // namespace scalebench
