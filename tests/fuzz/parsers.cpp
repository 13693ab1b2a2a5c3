// SPDX-License-Identifier: GPL-3.0-or-later
#include "parsers.h"

#include "base/checked_names.h"
#include "base/json_fields.h"
#include "base/plain_text.h"
#include "base/process_tree.h"
#include "engine/data/image.h"
#include "engine/detection/coco_json.h"
#include "engine/detection/voc_xml.h"
#include "engine/text/lines.h"
#include "engine/text/parallel_text.h"
#include "engine/text/subword_tokenizer.h"
#include "engine/text/unicode.h"
#include "engine/text/word_pieces.h"
#include "engine/workloads/ncf/interactions.h"
#include "import/collective_table.h"
#include "import/csv_table.h"
#include "import/event_file.h"
#include "import/mlperf_log.h"
#include "import/reference_points.h"
#include "kernels/check.h"
#include "library/annotations.h"
#include "machine/machines.h"
#include "mirror/folder_protocol.h"
#include "preflight/bundle_archive.h"
#include "preflight/probe.h"
#include "run/checkpoints.h"
#include "run/run_record.h"
#include "run/run_status.h"
#include "run/stream_parser.h"
#include "ssh/node_states.h"
#include "ssh/nodes.h"
#include "study/recipe_reader.h"
#include "study/run_config.h"
#include "study/study_spec.h"
#include "supervise/slurm_state.h"

#include <QFile>
#include <QJsonDocument>
#include <QTemporaryDir>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>

namespace scalebench::fuzz {

using namespace Qt::Literals::StringLiterals;

namespace {

void holds(bool promise, const char* what)
{
    if (promise)
        return;
    std::fprintf(stderr, "broken promise: %s\n", what);
    std::abort();
}

bool hasControl(const QString& text)
{
    for (const QChar c : text)
        if (c.category() == QChar::Other_Control && c != u'\n' && c != u'\t')
            return true;
    return false;
}

/// May be put into a path and a command line without a thought.
bool isHarmlessName(const QString& text)
{
    return !text.isEmpty() && !text.contains(u'/') && !text.contains(u'\n') &&
           !text.contains(u'\'') && !text.startsWith(u'.') && !text.startsWith(u'-');
}

bool isOneSentence(const Failure& failure)
{
    return !failure.code.isEmpty() && !failure.message.isEmpty() && !hasControl(failure.message);
}

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

/// The engine's readers throw one sentence with a code, and nothing else.
template <typename Body>
void refusesInOneSentence(const Body& body)
{
    try {
        body();
    } catch (const scalebench::Error& e) {
        const QString text = QString::fromUtf8(e.what());
        holds(!e.code().empty() && !text.isEmpty() && text.size() < 4000, "one sentence");
    }
}

bool writeTo(const QString& path, const QByteArray& content)
{
    QFile file(path);
    return file.open(QIODevice::WriteOnly) && file.write(content) == content.size();
}

/// First line "log": a u.data; "csv": a ratings.csv; else the three files of the NCF paper, with a
/// line "---" between.
void interactions(const QByteArray& input)
{
    static const QTemporaryDir folder;
    const qsizetype end = input.indexOf('\n');
    const QByteArray kind = input.left(end), rest = end < 0 ? QByteArray() : input.mid(end + 1);
    QString path = folder.filePath(u"x"_s);
    if (kind == "log" || kind == "csv") {
        path = folder.filePath(kind == "log" ? u"u.data"_s : u"ratings.csv"_s);
        writeTo(path, rest);
    } else {
        static constexpr const char* kEndings[] = {".train.rating", ".test.rating",
                                                   ".test.negative"};
        qsizetype from = 0;
        for (const char* ending : kEndings) {
            const qsizetype to = rest.indexOf("---\n", from);
            writeTo(path + QLatin1StringView(ending), rest.mid(from, to < 0 ? -1 : to - from));
            from = to < 0 ? rest.size() : to + 4;
        }
    }
    refusesInOneSentence([&] {
        const workloads::Interactions set = workloads::readInteractions(path.toStdString(), {2});
        holds(set.users > 0 && set.items > 0 && set.positives() > 0 && set.tests() > 0, "a set");
        holds(
            std::ranges::all_of(set.trainItems, [&](int32_t i) { return i >= 0 && i < set.items; }),
            "items");
        holds(
            std::ranges::all_of(set.negatives, [&](int32_t i) { return i >= 0 && i < set.items; }),
            "negatives");
        holds(
            std::ranges::all_of(set.testUsers, [&](int32_t u) { return u >= 0 && u < set.users; }),
            "users");
        holds(int64_t(set.negatives.size()) == set.tests() * set.negativesPerTest, "negatives");
    });
}

void picture(const QByteArray& input)
{
    const std::span<const uint8_t> bytes(reinterpret_cast<const uint8_t*>(input.constData()),
                                         size_t(input.size()));
    const data::ImageSize size = data::peekImageSize(bytes);
    if (int64_t(size.width) * size.height > 4'000'000)
        return; // allowed, but slow here
    refusesInOneSentence([&] {
        const data::Image image = data::decodeImage(bytes, "x");
        holds(image.rgb.size() == size_t(image.width) * size_t(image.height) * 3, "pixels");
    });
}

/// First line "codes", "pieces", "word pieces", "tabs" or another: what the rest is read as.
void language(const QByteArray& input)
{
    static const QTemporaryDir folder;
    const qsizetype end = input.indexOf('\n');
    const QByteArray kind = input.left(end);
    const QString file = folder.filePath(u"x"_s);
    writeTo(file, end < 0 ? QByteArray() : input.mid(end + 1));
    const std::string path = file.toStdString(), line = "Two rings, a@@ low\\est <pad>!";
    refusesInOneSentence([&] {
        if (kind == "codes") {
            const text::BytePairs pairs = text::BytePairs::read(path);
            for (const std::string& word : text::splitBlanks(line)) {
                std::string whole;
                for (const std::string& piece : pairs.split(word))
                    whole += piece;
                holds(whole == word, "the pieces are the word");
            }
            const text::WordCounts words =
                text::countWords({&line, 1}, text::WordMode::Reversible, 1);
            const text::SubwordTokenizer tokenizer(text::WordMode::Reversible, pairs,
                                                   text::SubwordVocabulary::build(words, pairs));
            holds(tokenizer.decode(tokenizer.encode(line)) == line, "decode undoes encode");
        } else if (kind == "pieces") {
            const auto v = text::SubwordVocabulary::read(path);
            holds(v.size() >= text::SubwordVocabulary::kFirstPiece, "the first ids");
            const text::SubwordTokenizer tokenizer(text::WordMode::Blanks, {}, v);
            for (const int32_t id : tokenizer.encode(line))
                holds(id >= text::SubwordVocabulary::kUnknown && id < v.size(), "an id");
        } else if (kind == "word pieces") {
            const text::WordPieceTokenizer tokenizer(text::WordPieceVocabulary::read(path));
            for (const int32_t id : tokenizer.encode(line))
                holds(id >= 0 && id < tokenizer.vocabulary().size(), "an id");
        } else if (kind == "tabs") {
            const auto pairs = text::readTabbedText(path, text::OneSided::Drop);
            holds(pairs.size() > 0 && pairs.source.size() == pairs.target.size(), "pairs");
        } else {
            for (const std::string& read : text::readLines(path)) {
                holds(text::firstInvalidUtf8(read) == std::string::npos, "UTF-8");
                holds(text::joinWords(text::splitWords(read)) == read, "join undoes split");
            }
        }
    });
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

void isSoundSet(const std::vector<detection::AnnotatedObject>& objects, int width, int height,
                size_t categories)
{
    for (const detection::AnnotatedObject& object : objects) {
        holds(object.category >= 0 && size_t(object.category) < categories, "a category");
        holds(std::isfinite(object.box.x) && object.box.width >= 0 && object.box.height >= 0,
              "a box");
        if (object.mask.empty())
            continue;
        holds(object.mask.width == width && object.mask.height == height, "the picture's size");
        int64_t pixels = 0;
        for (const uint32_t run : object.mask.runs)
            pixels += run;
        holds(pixels == int64_t(width) * height, "a whole mask");
    }
}

/// First line "coco" or "voc".
void annotations(const QByteArray& input)
{
    const qsizetype end = input.indexOf('\n');
    const QByteArray rest = end < 0 ? QByteArray() : input.mid(end + 1);
    refusesInOneSentence([&] {
        if (input.left(end) == "voc") {
            const auto read = detection::parseVoc({rest.constData(), size_t(rest.size())}, "x");
            isSoundSet(read.picture.objects, read.picture.width, read.picture.height,
                       read.names.size());
            return;
        }
        const std::span<const uint8_t> bytes(reinterpret_cast<const uint8_t*>(rest.constData()),
                                             size_t(rest.size()));
        const detection::AnnotatedSet set = detection::parseCoco(bytes, "x", true);
        for (const detection::AnnotatedPicture& picture : set.pictures)
            isSoundSet(picture.objects, picture.width, picture.height, set.categories.size());
    });
}

} // namespace

const QList<NamedParser>& parsers()
{
    static const QList<NamedParser> kAll{{"run_config", runConfig},
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
                                         {"interactions", interactions},
                                         {"picture", picture},
                                         {"language", language},
                                         {"mlperf_log", mlperfLog},
                                         {"foreign_results", foreignResults},
                                         {"annotations", annotations},
                                         {"text", text}};
    return kAll;
}

} // namespace scalebench::fuzz
