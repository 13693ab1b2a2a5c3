// SPDX-License-Identifier: GPL-3.0-or-later
// The end of a run on its hosts: processes, last words, folders.
#include "base/file_io.h"
#include "base/plain_text.h"
#include "base/translated.h"
#include "ssh/node_scripts.h"
#include "ssh/ssh.h"

#include <QDir>
#include <QFile>
#include <QFileInfo>
#include <QRegularExpression>
#include <QUuid>

#include <algorithm>

namespace scalebench {

using namespace Qt::Literals::StringLiterals;

static constexpr int kFinishMs = 12'000;
static constexpr qint64 kMostStderrBytes = 1 << 20; ///< of one rank, its end
static constexpr qint64 kMostHostBytes = 16 << 20;  ///< of all ranks of a host

// $4 the supervisor's own folder of the run, which hosts may share. A mark in the environment finds
// its processes, ranks and Open MPI's daemon alike. Of a rank's stderr the end, and not endlessly
// many: a run that writes and writes must not fill the memory here.
static const char kEndScript[] = R"sh(
l=$4
ours() {
    for p in /proc/[0-9]*; do
        tr '\0' '\n' < "$p/environ" 2>/dev/null | grep -Fxq -e "SCALEBENCH_RUN=$d" -e "SCALEBENCH_RUN=$l" && echo "${p#/proc/}"
    done
}
echo "@begin"
left=$(ours)
if [ -n "$left" ]; then
    kill $left 2>/dev/null
    for i in 1 2 3 4 5; do
        sleep 0.3
        left=$(ours)
        [ -n "$left" ] || break
    done
    [ -z "$left" ] || { kill -9 $left 2>/dev/null; sleep 0.3; left=$(ours); }
    echo "ended=yes"
fi
echo "left=$(echo $left)"
# Who cannot write often cannot say so.
for x in "$d" "${TMPDIR:-/tmp}" /dev/shm; do
    k=$(df -Pk "$x" 2>/dev/null | awk 'NR == 2 { print $4 }')
    [ -n "$k" ] && [ "$k" -lt 256 ] && printf 'full=%s\n' "$x"
done
# Session folders of Open MPI daemons that were killed (rsh_agent.cpp says which). Others' may have
# such names too.
u=$(id -u)
[ -n "$left" ] || for x in "$d"/.ompi-* "$l"/.ompi-*; do
    n=${x##*/.ompi-}
    case $n in
    prterun-*) # 5.0
        for t in "${TMPDIR:-/tmp}"/prted.*."$u"/pmix.*.tool."$n"; do
            o=${t%/*}
            [ -f "$t" ] && [ ! -h "$o" ] && [ -O "$o" ] && rm -rf "$o"
        done
        continue ;;
    ""|*[!0-9]*) continue ;;
    esac
    for t in "${TMPDIR:-/tmp}"/ompi.*."$u"/jf."$n"; do
        o=${t%/*}
        [ -d "$t" ] && [ ! -h "$t" ] && [ ! -h "$o" ] && [ -O "$o" ] || continue
        rm -rf "$t"
        rmdir "$o" 2>/dev/null
    done
done
)sh";

static const char kCollectScript[] = R"sh(
if cd "$d" 2>/dev/null; then
    total=0
    for f in stderr_*.txt; do
        [ -f "$f" ] && [ ! -h "$f" ] && [ -s "$f" ] || continue
        n=$(wc -c < "$f")
        [ "$n" -le @FILE_BYTES@ ] || n=@FILE_BYTES@
        total=$((total + n))
        [ "$total" -le @ALL_BYTES@ ] || break
        echo "file=$f $((n))"
        tail -c "$n" "$f"
        echo
    done
fi
)sh";
static const char kEndMark[] = "echo \"@end\"\n";

// $4 the name of a file in the supervisor's own folder of the run. A call of its own, since hosts
// may share the folder: only when all have told what is in it.
static const char kRemoveScript[] = R"sh(
[ -e "$d/$4" ] && exit 0
is_ours || exit 0
rm -rf "$d" || exit 1
rmdir "${d%/*}" "${d%/*/*}" 2>/dev/null
exit 0
)sh";

/// Writes the ranks' stderr out of a finish script's output. What is here already (rank 0's was
/// mirrored whole) is not replaced by less.
static void takeFiles(const QByteArray& text, const QString& localRunDir)
{
    static const QRegularExpression kFile(u"^file=(stderr_[0-9]{1,7}\\.txt) ([0-9]{1,8})$"_s);
    qsizetype at = 0;
    while (at < text.size()) {
        const qsizetype end = text.indexOf('\n', at);
        const QString line = QString::fromUtf8(text.mid(at, end < 0 ? -1 : end - at));
        at = end < 0 ? text.size() : end + 1;
        const auto match = kFile.match(line);
        if (!match.hasMatch())
            continue;
        const QByteArray bytes = text.mid(at, match.captured(2).toLongLong());
        const QString path = localRunDir + u'/' + match.captured(1);
        if (QFileInfo(path).size() <= bytes.size())
            (void)writeFileAtomically(path, bytes);
        at += bytes.size();
    }
}

static QList<RemoteResult> onAll(const NodeRun& run, const QStringList& hosts,
                                 const QByteArray& script, const QString& argument,
                                 bool newConnections)
{
    return RemoteCall::onAll(
        run.machine, hosts, scriptWords(run, {argument}),
        [&](int) { return QByteArray(kFolderScript) + script; }, kFinishMs,
        {.connectTimeoutS = 4, .multiplexed = !newConnections && hosts.size() <= 16});
}

QStringList removeRunFolders(const NodeRun& run, const QStringList& hosts, bool newConnections)
{
    // A file that only our own folder has: there, nothing is removed.
    const QString token = u".here-"_s + QUuid::createUuid().toString(QUuid::WithoutBraces);
    const QString tokenPath = run.localRunDir + u'/' + token;
    if (QFileInfo::exists(run.localRunDir) && !writeFileAtomically(tokenPath, {}))
        return {};
    const QList<RemoteResult> results = onAll(run, hosts, kRemoveScript, token, newConnections);
    QFile::remove(tokenPath);
    QStringList done;
    for (qsizetype i = 0; i < results.size(); ++i)
        if (results[i].failure.code.isEmpty())
            done << hosts[i];
    return done;
}

void endLeftovers(const NodeRun& run)
{
    (void)onAll(run, run.hosts, QByteArray(kEndScript) + kEndMark, run.localRunDir, false);
}

QList<NodeEnd> finishNodes(const NodeRun& run, const QStringList& hosts, bool removeFolders,
                           bool newConnections)
{
    const QByteArray finish = QByteArray(kEndScript) +
                              QByteArray(kCollectScript)
                                  .replace("@FILE_BYTES@", QByteArray::number(kMostStderrBytes))
                                  .replace("@ALL_BYTES@", QByteArray::number(kMostHostBytes)) +
                              kEndMark;
    const QList<RemoteResult> results = onAll(run, hosts, finish, run.localRunDir, newConnections);
    if (removeFolders)
        removeRunFolders(run, hosts, newConnections);
    const bool allAnswered = std::all_of(results.begin(), results.end(), [](const auto& result) {
        return result.failure.code.isEmpty();
    });
    const QDir here(run.localRunDir); // where hosts share it, their notes are in it
    for (const QString& note : here.entryList({u".ompi-*"_s}, QDir::Files | QDir::Hidden))
        if (allAnswered)
            QFile::remove(here.filePath(note));
    QList<NodeEnd> ends;
    for (qsizetype i = 0; i < results.size(); ++i) {
        bool complete = false;
        const QByteArray text = marked(results[i].output, &complete);
        NodeEnd end{hosts[i], false, {}};
        if (!complete) {
            end.text =
                Launcher::tr("did not answer, so it is not known whether something is left there");
        } else {
            const qsizetype at = text.startsWith("left=") ? 0 : text.indexOf("\nleft=") + 1;
            const QByteArray left = text.mid(at + 5, text.indexOf('\n', at) - at - 5).trimmed();
            end.clean = left.isEmpty();
            end.text = !end.clean ? Launcher::tr("still runs process %1")
                                        .arg(visibleLine(QString::fromLatin1(left.left(200))))
                       : text.contains("ended=yes")
                           ? Launcher::tr("had processes left; they were ended")
                           : Launcher::tr("nothing is left");
            // Before the ranks' own words, which follow.
            for (const QByteArray& line : text.left(text.indexOf("\nfile=")).split('\n'))
                if (line.startsWith("full=") && end.fullDisks.size() < 3)
                    end.fullDisks << visibleLine(QString::fromUtf8(line.mid(5, 200)));
            takeFiles(text, run.localRunDir);
        }
        ends << end;
    }
    return ends;
}

} // namespace scalebench
