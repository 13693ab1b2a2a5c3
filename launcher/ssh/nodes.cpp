// SPDX-License-Identifier: GPL-3.0-or-later
#include "ssh/nodes.h"

#include "base/file_io.h"
#include "base/plain_text.h"
#include "base/shell_quote.h"
#include "base/translated.h"
#include "run/own_studies.h"
#include "run/resume.h"
#include "run/run_status.h"
#include "ssh/node_scripts.h"
#include "ssh/ssh.h"

#include <QDir>
#include <QFile>
#include <QFileInfo>
#include <QJsonDocument>
#include <QRegularExpression>
#include <QUuid>

#include <algorithm>
#include <arpa/inet.h>
#include <bit>
#include <ifaddrs.h>
#include <netinet/in.h>

namespace scalebench {

using namespace Qt::Literals::StringLiterals;

static constexpr int kPrepareMs = 25'000;

// $4 a file only the supervisor's own file system has, $5 "force". run.json, one line, follows as a
// here-document, so that nothing of it is parsed. printf, since some echo understand backslashes.
static const char kPrepareScript[] = R"sh(
e=$f/engine/current
PATH=$PATH:/usr/sbin:/sbin
echo "@begin"
printf 'home=%s\n' "$HOME"
echo "name=$(hostname 2>/dev/null || uname -n)"
set -- "$4" "$5" $SSH_CONNECTION
echo "reached=${5:-}"
ip -o -4 addr show 2>/dev/null | awk '{ print "address=" $2 " " $4 }'
[ -x "$e/bin/scalebench-engine" ] && echo "program=yes"
sed -n 's/.*"content_id": *"\([0-9a-f]*\)".*/id=\1/p' "$e/manifest.json" 2>/dev/null
# The folder itself, seen by this host: nothing may be made or removed in it.
[ -e "$d/${1##*/}" ] && { echo "shared=yes"; echo "own=yes"; echo "@end"; exit 0; }
if [ -e "$1" ]; then
    echo "shared=yes"
    [ "$2" = force ] || { echo "@end"; exit 0; }
fi
# Somebody else's folder is left alone. Hosts may share this one, and see late what another made.
for wait in 0 1 1 1; do
    sleep $wait
    foreign=
    if [ -e "$d" ] || [ -h "$d" ]; then
        is_ours || [ -z "$(ls -A "$d" | grep -v '^\.scalebench-run')" ] || foreign=yes
        [ ! -h "$d" ] || foreign=yes
    fi
    [ -n "$foreign" ] || break
done
[ -z "$foreign" ] || { echo "foreign=yes"; echo "@end"; exit 0; }
mkdir -p "$d" && echo "made=yes"
m=$d/.scalebench-run.$(uname -n).$$
printf '%s\n' "$mark" > "$m" && mv -f "$m" "$d/.scalebench-run"
# Hosts may share this folder with one another, so nobody removes what another has just made.
if is_ours; then
    for x in "$d"/* "$d"/.[!.]*; do
        case ${x##*/} in run.json*|.scalebench-run*) ;; *) rm -rf "$x" ;; esac
    done
fi
df -Pk "$d" 2>/dev/null | awk 'NR == 2 { print "free=" $4 }'
t=$d/run.json.$(uname -n).$$
h=$HOME
case $h in *[\"\\\|\&]*|*"
"*) h="~"; echo "odd_home=yes" ;; esac
sed "s|\"path\":\"~/|\"path\":\"$h/|" > "$t" <<'SCALEBENCH_END_OF_RUN'
@RUN_JSON@
SCALEBENCH_END_OF_RUN
[ $? = 0 ] && [ -s "$t" ] && mv -f "$t" "$d/run.json" && echo "written=yes"
echo "@end"
)sh";

static QByteArray prepareInput(const QByteArray& runJson)
{
    return QByteArray(kFolderScript) + QByteArray(kPrepareScript).replace("@RUN_JSON@", runJson);
}

static Result<NodeFacts> readFacts(const NodeRun& run, const QString& host,
                                   const RemoteResult& result, bool forced)
{
    if (!result.failure.code.isEmpty() && result.failure.code != "remote_failed"_L1)
        return result.failure;
    bool complete = false;
    QStringList said;
    const NodeFacts facts = parseNodeFacts(run, host, marked(result.output, &complete), said);
    const QString details = result.errors.trimmed();
    const bool wrote =
        (facts.sharesRunDir && !forced) || facts.runDirIsOurs || said.contains(u"written"_s);
    if (facts.freeBytes >= 0 && facts.freeBytes < kBytesToLeaveFree)
        return Failure{
            u"disk_full"_s,
            Launcher::tr(
                "%1 has only %2 MB left where %3 is; a run needs at least %4 MB. Free some "
                "space there, or give the machine another folder.")
                .arg(host)
                .arg(facts.freeBytes >> 20)
                .arg(facts.runDir)
                .arg(kBytesToLeaveFree >> 20),
            details};
    if (complete && facts.runDir.isEmpty())
        return Failure{
            u"home_unusable"_s,
            Launcher::tr("%1 did not tell a home folder that can be used, so %2 is no path there. "
                         "Give the machine an absolute folder.")
                .arg(host, run.folder.text()),
            details};
    if (complete && said.contains(u"foreign"_s))
        return Failure{
            u"folder_foreign"_s,
            Launcher::tr(
                "%1 exists on %2, and was not made by Scalebench for this run. Look at it, "
                "and remove it or give the machine another folder.")
                .arg(facts.runDir, host),
            details};
    if (complete && !wrote)
        return Failure{u"not_writable"_s,
                       Launcher::tr("The run's folder %1 could not be made on %2%3")
                           .arg(facts.runDir, host,
                                details.isEmpty() ? u"."_s : u": "_s + details.section(u'\n', -1)),
                       details};
    if (!complete)
        return Failure{u"remote_failed"_s,
                       Launcher::tr("%1 did not carry out the preparation of the run: %2")
                           .arg(host, details.section(u'\n', -1)),
                       details};
    if (!said.contains(u"program"_s))
        return Failure{
            u"engine_missing"_s,
            Launcher::tr("The engine is missing on %1 (looked in %2). Install it there: scalebench "
                         "machines deploy %3.")
                .arg(host, facts.engine, shellQuoted(run.machine.name)),
            details};
    return facts;
}

/// run.json's "~/" is each host's own home; where the folder is shared it is the first one's.
static Result<void> expandHomes(const NodeRun& run, const QString& home)
{
    const QString path = run.localRunDir + u"/run.json"_s;
    const Result<QByteArray> json = readRunFile(run.localRunDir, u"run.json"_s);
    if (!json)
        return json.failure();
    const Result<RunConfig> config = RunConfig::fromJson(json.value(), path);
    if (!config)
        return config.failure();
    if (!config.value().dataPath.startsWith("~/"_L1) || home.isEmpty())
        return {};
    return rewriteOwnRun(run.localRunDir,
                         withDataPath(config.value(), home + config.value().dataPath.mid(1)));
}

/// The checkpoint, and the stream it belongs to, for every rank to go on from.
static Failure sendCheckpoint(const NodeRun& run, const QStringList& hosts, const QString& nodeDir)
{
    const QDir dir(run.localRunDir);
    QStringList files = dir.entryList({u"result_0.txt.attempt*"_s}, QDir::Files);
    for (const QString& file : QDir(run.localRunDir + u"/checkpoint"_s).entryList(QDir::Files))
        files << u"checkpoint/"_s + file;
    QProcess tar;
    tar.start(u"tar"_s, QStringList{u"-C"_s, run.localRunDir, u"-cf"_s, u"-"_s} + files);
    if (!tar.waitForFinished(60'000) || tar.exitCode() != 0)
        return {u"checkpoint"_s,
                Launcher::tr("The checkpoint in %1 could not be packed: %2")
                    .arg(run.localRunDir, QString::fromLocal8Bit(tar.readAllStandardError()))};
    const QByteArray archive = tar.readAllStandardOutput();
    const QList<RemoteResult> results =
        RemoteCall::onAll(run.machine, hosts, {u"tar"_s, u"-C"_s, nodeDir, u"-xf"_s, u"-"_s},
                          [&](int) { return archive; }, 300'000, {.multiplexed = true});
    for (const RemoteResult& result : results)
        if (!result.failure.code.isEmpty())
            return result.failure;
    return {};
}

/// Hosts that cannot work together: other paths, another build of the engine.
static Failure differenceOf(const NodeRun& run, const QList<NodeFacts>& nodes)
{
    const NodeFacts& first = nodes.first();
    for (const NodeFacts& node : nodes) {
        if (node.engine != first.engine)
            return Failure{
                u"home_differs"_s,
                Launcher::tr(
                    "The folder %1 is %2 on %3 and %4 on %5; mpirun needs one path for all. "
                    "Give the machine an absolute folder.")
                    .arg(run.machine.folder, first.engine, first.host, node.engine, node.host)};
        if (node.contentId != first.contentId)
            return Failure{
                u"engine_version"_s,
                Launcher::tr(
                    "%1 and %2 have different builds of the engine; runs would hang or give "
                    "wrong timings. Install the same one: scalebench machines deploy %3.")
                    .arg(first.host, node.host, shellQuoted(run.machine.name)),
                u"%1: %2\n%3: %4"_s.arg(first.host, first.contentId, node.host, node.contentId)};
    }
    return {};
}

/// Removes the folders that were made for a run which does not take place.
static void takeBack(const NodeRun& run, const QStringList& madeOn)
{
    if (!madeOn.isEmpty())
        (void)finishNodes(run, madeOn, true);
}

Result<QList<NodeFacts>> prepareNodes(const NodeRun& run)
{
    const QString token =
        run.localRunDir + u"/.here-"_s + QUuid::createUuid().toString(QUuid::WithoutBraces);
    if (const Result<void> made = writeFileAtomically(token, {}); !made)
        return made.failure();

    QStringList made; ///< hosts
    const auto call = [&](bool force) -> Result<QList<NodeFacts>> {
        const QStringList words = scriptWords(run, {token, force ? u"force"_s : u"-"_s});
        const QByteArray input = prepareInput(run.runJson);
        const QList<RemoteResult> results =
            RemoteCall::onAll(run.machine, run.hosts, words, [&](int) { return input; }, kPrepareMs,
                              {.multiplexed = run.hosts.size() <= 16});
        QList<NodeFacts> nodes;
        QList<Failure> failures;
        for (qsizetype i = 0; i < results.size(); ++i) {
            const Result<NodeFacts> facts = readFacts(run, run.hosts[i], results[i], force);
            if (results[i].output.contains("\nmade=yes\n") && !made.contains(run.hosts[i]))
                made << run.hosts[i];
            if (facts)
                nodes << facts.value();
            else
                failures << facts.failure();
        }
        if (failures.isEmpty())
            return nodes;
        Failure first = failures.first();
        if (failures.size() > 1)
            first.message +=
                u' ' + (failures.size() == 2
                            ? Launcher::tr("Another host failed too.")
                            : Launcher::tr("%1 other hosts failed too.").arg(failures.size() - 1));
        else if (!nodes.isEmpty())
            first.message +=
                u' ' + (nodes.size() == 1
                            ? Launcher::tr("The other host is fine.")
                            : Launcher::tr("The other %1 hosts are fine.").arg(nodes.size()));
        for (const Failure& other : failures.mid(1))
            first.details += u'\n' + other.message;
        takeBack(run, made);
        return first;
    };
    Result<QList<NodeFacts>> nodes = call(false);
    if (nodes) {
        const auto shared = std::count_if(nodes.value().begin(), nodes.value().end(),
                                          [](const NodeFacts& n) { return n.sharesRunDir; });
        if (shared > 0 && shared < nodes.value().size())
            nodes = call(true); // some share it, some do not: then all use their own
    }
    QFile::remove(token);
    if (!nodes)
        return nodes;

    const NodeFacts first = nodes.value().first();
    const bool allShared = std::all_of(nodes.value().begin(), nodes.value().end(),
                                       [](const NodeFacts& n) { return n.sharesRunDir; });
    if (const Failure failure = differenceOf(run, nodes.value()); !failure.code.isEmpty()) {
        takeBack(run, made);
        return failure;
    }
    if (allShared) {
        if (const Result<void> done = expandHomes(run, first.home); !done)
            return done.failure();
        for (NodeFacts& node : nodes.value())
            node.runDir = run.localRunDir;
    } else {
        QStringList apart;
        for (NodeFacts& node : nodes.value()) {
            node.sharesRunDir = node.runDirIsOurs;
            if (!node.runDirIsOurs)
                apart << node.host;
            else if (const Result<void> done = expandHomes(run, node.home); !done)
                return done.failure();
        }
        if (run.resume)
            if (const Failure failure = sendCheckpoint(run, apart, first.runDir);
                !failure.code.isEmpty())
                return failure;
    }
    return nodes;
}

Result<QString> chooseNetwork(const TargetMachine& machine, const QList<NodeFacts>& nodes)
{
    if (!machine.interface.isEmpty()) {
        if (machine.interface.contains(u'/'))
            return machine.interface;
        QStringList with, without;
        for (const NodeFacts& node : nodes) {
            const bool has =
                std::any_of(node.addresses.begin(), node.addresses.end(),
                            [&](const NodeAddress& a) { return a.interface == machine.interface; });
            (has ? with : without) << node.host;
        }
        if (!without.isEmpty() && !nodes.isEmpty())
            return Failure{
                u"interface_missing"_s,
                with.isEmpty()
                    ? Launcher::tr("The network interface \"%1\" exists nowhere: not on %2. "
                                   "Choose one that all hosts have.")
                          .arg(machine.interface, without.join(u", "_s))
                    : Launcher::tr("The network interface \"%1\" exists on %2, but not on %3. "
                                   "Choose one that all hosts have.")
                          .arg(machine.interface, with.join(u", "_s), without.join(u", "_s))};
        return machine.interface;
    }
    QString common;
    for (const NodeFacts& node : nodes) {
        QString subnet;
        for (const NodeAddress& address : node.addresses)
            if (address.address == node.reachedAt)
                subnet = address.subnet();
        if (subnet.isEmpty() || (!common.isEmpty() && subnet != common))
            return QString();
        common = subnet;
    }
    return common;
}

bool hasNetworkHere(const QString& network)
{
    ifaddrs* list = nullptr;
    if (network.isEmpty() || ::getifaddrs(&list) != 0)
        return false;
    bool found = false;
    for (const ifaddrs* i = list; i && !found; i = i->ifa_next) {
        if (!i->ifa_addr || !i->ifa_netmask || i->ifa_addr->sa_family != AF_INET)
            continue;
        const auto bits = [](const sockaddr* address) {
            return ntohl(reinterpret_cast<const sockaddr_in*>(address)->sin_addr.s_addr);
        };
        const quint32 mask = bits(i->ifa_netmask), own = bits(i->ifa_addr);
        const NodeAddress address{
            QString::fromLocal8Bit(i->ifa_name),
            u"%1.%2.%3.%4"_s.arg(own >> 24).arg(own >> 16 & 255).arg(own >> 8 & 255).arg(own & 255),
            int(std::popcount(mask))};
        found = address.interface == network || address.subnet() == network;
    }
    ::freeifaddrs(list);
    return found;
}

} // namespace scalebench
