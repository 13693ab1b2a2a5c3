// SPDX-License-Identifier: GPL-3.0-or-later
#include "parsers.h"
#include "promises.h"

#include "base/checked_names.h"
#include "base/json_fields.h"
#include "base/plain_text.h"
#include "base/process_tree.h"
#include "import/bundle_unpack.h"
#include "import/collective_table.h"
#include "import/csv_table.h"
#include "import/event_file.h"
#include "import/mlperf_log.h"
#include "import/reference_points.h"
#include "library/annotations.h"
#include "machine/machines.h"
#include "mirror/folder_protocol.h"
#include "preflight/bundle_archive.h"
#include "preflight/probe.h"
#include "run/checkpoints.h"
#include "run/imported_study.h"
#include "run/run_record.h"
#include "run/run_status.h"
#include "run/stream_parser.h"
#include "run/study.h"
#include "ssh/node_states.h"
#include "ssh/nodes.h"
#include "study/recipe_reader.h"
#include "study/run_config.h"
#include "study/study_spec.h"
#include "supervise/slurm_processes.h"
#include "supervise/slurm_state.h"

#include <QDir>
#include <QDirIterator>
#include <QFile>
#include <QFileInfo>
#include <QHash>
#include <QJsonDocument>
#include <QTemporaryDir>

#include <algorithm>
#include <cmath>

namespace scalebench::fuzz {

using namespace Qt::Literals::StringLiterals;

namespace {

void areMetrics(const QList<MetricValue>& values)
{
    holds(values.size() <= kMostMetrics, "few metrics");
    for (const MetricValue& value : values)
        holds(isMetricName(value.metric) && std::isfinite(value.value), "a metric");
}

void studyNotes(const QByteArray& input)
{
    if (const Result<QStringList> tags = parseTags(QString::fromUtf8(input)); !tags)
        holds(isOneSentence(tags.failure()), "a failure is one clean sentence");
    const Result<Annotations> all = parseAnnotations(input, u"annotations.json"_s);
    if (!all)
        return holds(isOneSentence(all.failure()), "a failure is one clean sentence");
    for (const Annotation& one : all.value()) {
        holds(one.tags.size() <= kMostTags && one.note.size() <= kLongestNote, "bounds");
        for (const QString& tag : one.tags)
            holds(!hasControl(tag) && tag.size() <= kLongestTag && !tag.contains(u','), "a tag");
        holds(parseTags(one.tags.join(u',')).value() == one.tags, "tags read back");
    }
}

void recipe(const QByteArray& input)
{
    const Result<Workload> recipe = readRecipe(input, u"recipe.json"_s);
    if (!recipe)
        return holds(isOneSentence(recipe.failure()), "a failure is one clean sentence");
    Workload workload = *WorkloadCatalog::builtin().find(u"ncf"_s);
    if (const Result<void> added = addRecipe(workload, recipe.value(), u"recipe.json"_s); !added)
        return holds(isOneSentence(added.failure()), "a failure is one clean sentence");
    holds(workload.metric == "hit_rate"_L1 && workload.scale(u"desk"_s), "what was there stays");
    for (const WorkloadScale& scale : workload.scales) {
        holds(isHarmlessName(scale.id) && isHarmlessName(scale.model), "names");
        holds(!hasControl(scale.title + scale.description + scale.dataHint), "clean texts");
        holds(scale.globalBatch >= 1 && scale.epochs >= 1, "counts");
        const QString generator = scale.preset[u"data"_s][u"generator"_s].toString();
        holds(generator.isEmpty() || isHarmlessName(generator), "a folder below the data folder");
        areMetrics(scale.furtherTargets);
    }
}

void runConfig(const QByteArray& input)
{
    const Result<RunConfig> run = RunConfig::fromJson(input, u"run.json"_s);
    if (!run)
        return holds(isOneSentence(run.failure()), "a failure is one clean sentence");
    const RunConfig& c = run.value();
    holds(c.runId.isEmpty() || isHarmlessName(c.runId), "run id");
    holds(c.study.isEmpty() || isHarmlessName(c.study), "study id");
    holds(c.workers >= 1 && c.workers <= 1'000'000 && c.nodes >= 1, "counts");
    for (const QString& host : c.hosts)
        holds(isHarmlessName(host), "host");
    areMetrics(c.furtherTargets);
    // What goes to hosts: one line that reads as the same.
    const QByteArray sent = QJsonDocument(c.json).toJson(QJsonDocument::Compact);
    holds(!sent.contains('\n'), "one line");
    holds(RunConfig::fromJson(sent, {}).ok(), "reads again");
}

void runStatus(const QByteArray& input)
{
    const Result<RunStatus> status = parseRunStatus(input, u"status.json"_s);
    if (!status)
        return holds(isOneSentence(status.failure()), "a failure is one clean sentence");
    const RunStatus& s = status.value();
    for (const QChar c : s.slurmJob)
        holds(c >= u'0' && c <= u'9', "a job is digits");
    holds(!hasControl(s.error.message + s.error.details + s.waiting + s.error.code), "clean texts");
    holds(s.mpirunSession >= 0 && s.supervisor.pid >= 0, "no process group");
    for (const QString& host : s.hosts)
        holds(isHarmlessName(host), "host");
    holds(parseRunStatus(QJsonDocument(toJson(s)).toJson(), {}).ok(), "reads again");
}

void studySpec(const QByteArray& input)
{
    const Result<StudySpec> spec = StudySpec::fromJson(input, u"study.json"_s);
    if (!spec)
        return holds(isOneSentence(spec.failure()), "a failure is one clean sentence");
    holds(!hasControl(spec.value().name), "clean name");
    holds(spec.value().precisions.size() <= 10'000, "precisions");
}

void machine(const QByteArray& input)
{
    const Result<QJsonObject> object = parseJsonObject(input, u"machine.json"_s);
    if (!object)
        return;
    const Result<TargetMachine> machine = TargetMachine::fromJson(object.value(), u"m"_s);
    if (!machine || !machine.value().check())
        return;
    const TargetMachine& m = machine.value();
    holds(RemotePath::parse(m.folder).ok(), "folder");
    for (const QString& word : {m.login, m.user, m.jumpHost, m.sshConfig})
        holds(!word.startsWith(u'-') && !word.contains(u'\n'), "no option, one line");
    if (const Result<QList<HostSlots>> hosts = parseHostList(m.hosts))
        for (const HostSlots& host : hosts.value())
            holds(HostName::parse(host.name).ok(), "host");
}

void hostList(const QByteArray& input)
{
    const Result<QList<HostSlots>> hosts = parseHostList(QString::fromUtf8(input));
    if (!hosts)
        return;
    holds(hosts.value().size() <= 65536, "number of hosts");
    for (const HostSlots& host : hosts.value())
        holds(HostName::parse(host.name).ok(), "host");
}

void hostfile(const QByteArray& input)
{
    const Hostfile file = parseHostfile(input);
    for (const HostfileRemark& remark : file.remarks)
        if (remark.isError)
            return;
    for (const HostSlots& host : file.hosts)
        holds(HostName::parse(host.name).ok(), "host");
}

void stream(const QByteArray& input)
{
    StreamParser whole, pieces;
    RunRecord a, b;
    a.apply(whole.feed(input));
    for (qsizetype at = 0; at < input.size(); at += 7)
        b.apply(pieces.feed(
            QByteArrayView(input).sliced(at, std::min<qsizetype>(7, input.size() - at))));
    holds(a.steps.size() == b.steps.size() && a.evals.size() == b.evals.size() &&
              a.foreignLines == b.foreignLines && a.workers.size() == b.workers.size(),
          "the same in pieces");
    for (const WorkerInfo& worker : a.workers)
        holds(!hasControl(worker.host), "clean host");
    for (const EvalPoint& point : a.evals)
        areMetrics(point.metrics);
    if (a.streamError)
        holds(!hasControl(a.streamError->message), "clean error");
    (void)a.progress();
    (void)a.etaSeconds();
}

void frames(const QByteArray& input)
{
    FrameReader reader;
    reader.feed(input);
    QJsonObject head;
    QByteArray payload;
    while (reader.next(head, payload)) {
        const QString path = head.value("path"_L1).toString();
        for (const ServedFolder kind : {ServedFolder::Study, ServedFolder::Run}) {
            if (!isSafePath(path) || !keptBytes(kind, path))
                continue;
            holds(!path.startsWith(u'/') && !path.contains("../"_L1) && !path.endsWith(".."_L1),
                  "stays in the folder");
            holds(!path.endsWith("run.json"_L1), "run.json is ours");
        }
    }
}

void nodeAnswer(const QByteArray& input)
{
    TargetMachine m;
    RunConfig c;
    c.runId = u"r"_s;
    c.study = u"s"_s;
    for (const QString& folder : {u"~/sb"_s, u"/opt/sb"_s}) {
        m.folder = folder;
        QStringList said;
        const NodeFacts facts =
            parseNodeFacts(NodeRun::from(m, c, u"/here"_s, false).value(), u"n"_s, input, said);
        holds(facts.runDir.isEmpty() ||
                  (facts.runDir.endsWith("/sb/remote/s/runs/r"_L1) &&
                   facts.runDir.startsWith(u'/') && !facts.runDir.contains(u'\n') &&
                   !facts.runDir.contains("/../"_L1)),
              "the folder is ours");
        holds(!hasControl(facts.hostName + facts.contentId + facts.reachedAt), "clean");
        for (const NodeAddress& address : facts.addresses)
            (void)address.subnet();
    }
}

void slurmAnswer(const QByteArray& input)
{
    SlurmAnswer answer;
    answer.started = true;
    answer.exitCode = 0;
    answer.output = QString::fromUtf8(input);
    for (const QString& node : readQueueState(answer).nodes)
        holds(isHarmlessName(node), "node");
    for (const QString& node : readJobEnd(answer).nodes)
        holds(isHarmlessName(node), "node");
    (void)readAccounting(answer);
    for (const SuspendedProcess& process : readSuspended(answer))
        holds(isHarmlessName(process.host) && process.pid > 1, "a process");
    (void)waitingText(readQueueState(answer), QDateTime());
    answer.exitCode = 1;
    answer.errors = answer.output;
    holds(!submitFailure(answer).code.isEmpty(), "a refusal has a code");
}

void probe(const QByteArray& input)
{
    const ProbeAnswer answer = parseProbe(input);
    for (const QString& key : answer.values.keys())
        (void)answer.number(key);
    (void)parseRelay(input);
    (void)stampSeconds(QString::fromUtf8(input));
}

void archive(const QByteArray& input)
{
    (void)checkTar(input, u"a.tar"_s);
}

void lock(const QByteArray& input)
{
    const ProcessIdentity holder = ProcessIdentity::fromText(input);
    holds(holder.pid == 0 || holder.pid > 1, "no process group");
}

void text(const QByteArray& input)
{
    const QString given = QString::fromUtf8(input);
    holds(!hasControl(visibleText(given)), "visible");
    holds(!visibleLine(given).contains(u'\n'), "one line");
    const QByteArray field = csvField(given);
    bool isNumber = false;
    (void)given.trimmed().toDouble(&isNumber);
    const char first = field.isEmpty() ? 'x' : field[field[0] == '"' && field.size() > 1];
    holds(isNumber || !QByteArray("=+-@\t\r").contains(first), "no formula");
    holds(!tsvField(given).contains(u'\t'), "one cell");
    for (const auto& ok : {RunId::parse(given).ok(), StudyId::parse(given).ok()})
        holds(!ok || isHarmlessName(given), "name");
    if (const auto path = RemotePath::parse(given))
        holds(!given.contains("/../"_L1) && !given.contains(u'\n'), "path");
}

void importedStudy(const QByteArray& input)
{
    const auto study = imports::parseImportedStudy(input, u"record.json"_s);
    if (!study)
        return holds(isOneSentence(study.failure()), "a failure is one clean sentence");
    for (const imports::ImportedRun& run : study.value().runs) {
        holds(run.runId.isEmpty() || isHarmlessName(run.runId), "run id");
        holds(!hasControl(run.title + run.submitter + run.system), "clean texts");
        holds(std::isfinite(run.startMs) && std::isfinite(run.stopMs), "times");
    }
}

/// A zip file of results.
void bundle(const QByteArray& input)
{
    const QTemporaryDir folder;
    const QString path = folder.filePath(u"x.zip"_s), inside = folder.filePath(u"in"_s);
    writeTo(path, input);
    Result<imports::BundleFile> zip = imports::BundleFile::open(path);
    if (!zip)
        return holds(isOneSentence(zip.failure()), "a failure is one clean sentence");
    holds(isHarmlessName(zip.value().manifest().study), "study id");
    QDir().mkpath(inside);
    const Result<void> whole = zip.value().unpackTo(inside);
    holds(whole || isOneSentence(whole.failure()), "a failure is one clean sentence");
    QStringList there;
    for (QDirIterator it(folder.path(),
                         QDir::AllEntries | QDir::Hidden | QDir::System | QDir::NoDotAndDotDot,
                         QDirIterator::Subdirectories);
         it.hasNext();) {
        const QFileInfo entry(it.next());
        holds(!entry.isSymLink() && (entry.isFile() || entry.isDir()), "files and folders");
        if (entry.isFile() && entry.filePath() != path)
            there << entry.filePath().mid(inside.size() + 1);
    }
    QHash<QString, qint64> said;
    for (const imports::BundleEntry& file : zip.value().manifest().files)
        said.insert(file.path, file.bytes);
    for (const QString& file : there)
        holds(said.contains(file) && QFileInfo(inside + u'/' + file).size() <= said[file],
              "what the manifest says, and where");
    holds(!whole || there.size() == said.size(), "all of it");
    if (whole && !imports::isImportedStudy(inside))
        (void)loadStudy(inside);
}

void checkpoint(const QByteArray& input)
{
    static const QTemporaryDir folder;
    const QString path = folder.filePath(u"latest.sbckpt"_s);
    QFile file(path);
    if (!file.open(QIODevice::WriteOnly) || file.write(input) != input.size())
        return;
    file.close();
    if (const auto head = readCheckpointHead(path))
        holds(head->step >= 0 && head->epochs >= 0 && head->streamBytes >= 0, "position");
}

void nodeStates(const QByteArray& input)
{
    const QList<SuspendedProcess> found = parseSuspended(u"a"_s, input);
    holds(found.size() <= 1000, "bounded");
    for (const SuspendedProcess& process : found)
        holds(process.pid > 1 && process.host == "a"_L1, "a process");
}

void mlperfLog(const QByteArray& input)
{
    // However the bytes come, the log is the same.
    imports::MlperfLogReader whole, pieces;
    whole.feed(input);
    const qsizetype half = input.size() / 2;
    pieces.feed(QByteArrayView(input).first(half));
    pieces.feed(QByteArrayView(input).sliced(half));
    const imports::MlperfLog log = whole.finish(), same = pieces.finish();
    holds(log.records == same.records && log.runs.size() == same.runs.size() &&
              log.defectCount == same.defectCount,
          "pieces make no difference");
    holds(log.defects.size() <= 100, "few defects");
    for (const imports::MlperfRun& run : log.runs) {
        holds(std::isfinite(run.startMs) && std::isfinite(run.stopMs), "times");
        for (const imports::MlperfEval& eval : run.evals)
            holds(std::isfinite(eval.value), "a quality");
    }
}

/// First line "csv", "events", "points" or "collectives": what the rest is read as.
void foreignResults(const QByteArray& input)
{
    const qsizetype end = input.indexOf('\n');
    const QByteArray kind = input.left(end), rest = end < 0 ? QByteArray() : input.mid(end + 1);
    if (kind == "csv") {
        const auto table = imports::parseCsv(rest, u"x"_s);
        holds(table || isOneSentence(table.failure()), "one sentence");
        for (qsizetype row = 0; table && row < table.value().rows.size(); ++row) {
            holds(table.value().rows[row].size() == table.value().header.size(), "whole rows");
            for (qsizetype c = 0; c < table.value().header.size(); ++c)
                if (const auto number = table.value().number(row, c))
                    holds(std::isfinite(*number), "a number");
        }
    } else if (kind == "events") {
        const auto events = imports::parseEventFile(rest, u"x"_s);
        holds(events || isOneSentence(events.failure()), "one sentence");
    } else if (kind == "points") {
        const auto points = imports::parseReferencePoints(rest, u"x"_s);
        holds(points || isOneSentence(points.failure()), "one sentence");
        for (const imports::ReferencePoint& point :
             points ? points.value() : QList<imports::ReferencePoint>())
            holds(!hasControl(point.name + point.benchmark + point.creator), "clean texts");
    } else {
        const auto table = imports::parseCollectiveTable(rest, u"x"_s);
        holds(table || isOneSentence(table.failure()), "one sentence");
    }
}

} // namespace

const QList<NamedParser>& parsers()
{
    static const QList<NamedParser> kAll = QList<NamedParser>{{"run_config", runConfig},
                                                              {"run_status", runStatus},
                                                              {"study_spec", studySpec},
                                                              {"recipe", recipe},
                                                              {"study_notes", studyNotes},
                                                              {"machine", machine},
                                                              {"host_list", hostList},
                                                              {"hostfile", hostfile},
                                                              {"stream", stream},
                                                              {"frames", frames},
                                                              {"node_answer", nodeAnswer},
                                                              {"slurm_answer", slurmAnswer},
                                                              {"probe", probe},
                                                              {"archive", archive},
                                                              {"lock", lock},
                                                              {"checkpoint", checkpoint},
                                                              {"node_states", nodeStates},
                                                              {"mlperf_log", mlperfLog},
                                                              {"foreign_results", foreignResults},
                                                              {"imported_study", importedStudy},
                                                              {"bundle", bundle},
                                                              {"text", text}} +
                                           dataParsers() + detectorParsers() + engineParsers();
    return kAll;
}

} // namespace scalebench::fuzz
