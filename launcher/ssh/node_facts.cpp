// SPDX-License-Identifier: GPL-3.0-or-later
// What goes to the hosts of a run and what they answer, as checked values. Pure functions.
#include "base/plain_text.h"
#include "ssh/nodes.h"

#include <QJsonDocument>
#include <QRegularExpression>

#include <algorithm>

namespace scalebench {

using namespace Qt::Literals::StringLiterals;

Result<NodeRun> NodeRun::from(const TargetMachine& machine, const RunConfig& run,
                              const QString& localRunDir, bool resume)
{
    const Result<RemotePath> folder = RemotePath::parse(machine.folder);
    const Result<StudyId> study = StudyId::parse(run.study);
    const Result<RunId> id = RunId::parse(run.runId);
    for (const std::optional<Failure>& failure :
         {folder ? std::nullopt : std::optional(folder.failure()),
          study ? std::nullopt : std::optional(study.failure()),
          id ? std::nullopt : std::optional(id.failure())})
        if (failure)
            return *failure;
    for (const QString& host : run.hosts)
        if (const Result<HostName> name = HostName::parse(host); !name)
            return name.failure();
    return NodeRun{machine,        run.hosts,
                   folder.value(), study.value(),
                   id.value(),     QJsonDocument(run.json).toJson(QJsonDocument::Compact),
                   localRunDir,    resume};
}

QString NodeAddress::subnet() const
{
    const QStringList parts = address.split(u'.');
    quint32 bits = 0;
    for (const QString& part : parts)
        bits = bits << 8 | part.toUInt();
    bits &= prefix == 0 ? 0 : ~quint32(0) << (32 - prefix);
    return u"%1.%2.%3.%4/%5"_s.arg(bits >> 24)
        .arg(bits >> 16 & 255)
        .arg(bits >> 8 & 255)
        .arg(bits & 255)
        .arg(prefix);
}

/// "eth0 10.0.0.7/24"; nothing where it is no such thing.
static std::optional<NodeAddress> addressFrom(const QString& text)
{
    static const QRegularExpression kAddress(
        u"^([A-Za-z0-9_][A-Za-z0-9_.:@-]{0,31}) ((?:[0-9]{1,3}\\.){3}[0-9]{1,3})/([0-9]{1,2})$"_s);
    const auto match = kAddress.match(text);
    if (!match.hasMatch() || match.captured(1) == "lo"_L1 || match.captured(3).toInt() > 32)
        return {};
    for (const QString& part : match.captured(2).split(u'.'))
        if (part.toInt() > 255)
            return {};
    return NodeAddress{match.captured(1), match.captured(2), match.captured(3).toInt()};
}

NodeFacts parseNodeFacts(const NodeRun& run, const QString& host, const QByteArray& answer,
                         QStringList& said)
{
    static constexpr int kMostLines = 10'000;
    static const QRegularExpression kHex(u"^[0-9a-f]{1,128}$"_s);
    static const QRegularExpression kDottedQuad(u"^[0-9.:a-fA-F]{1,45}$"_s);
    NodeFacts facts;
    facts.host = host;
    for (const QByteArray& raw :
         answer.split('\n').first(std::min<qsizetype>(kMostLines, answer.count('\n') + 1))) {
        const QString line = QString::fromUtf8(raw);
        const QString key = line.section(u'=', 0, 0), value = line.section(u'=', 1);
        said << key;
        if (key == "home"_L1 && value.startsWith(u'/') && RemotePath::parse(value))
            facts.home = value;
        else if (key == "name"_L1)
            facts.hostName = visibleLine(value.left(255));
        else if (key == "reached"_L1 && kDottedQuad.match(value).hasMatch())
            facts.reachedAt = value;
        else if (key == "id"_L1 && kHex.match(value).hasMatch())
            facts.contentId = value;
        else if (key == "shared"_L1)
            facts.sharesRunDir = true;
        else if (key == "own"_L1)
            facts.runDirIsOurs = true;
        else if (key == "free"_L1)
            facts.freeBytes = std::clamp<qint64>(value.toLongLong(), 0, qint64(1) << 50) * 1024;
        else if (key == "address"_L1 && facts.addresses.size() < 1000)
            if (const std::optional<NodeAddress> address = addressFrom(value))
                facts.addresses << *address;
    }
    const Result<RemotePath> home = RemotePath::parse(facts.home);
    const Result<RemotePath> folder = home ? withHome(run.folder, home.value()) : run.folder;
    if (!folder || !folder.value().text().startsWith(u'/'))
        return facts;
    if (const Result<RemotePath> runDir = remoteRunFolder(folder.value(), run.study, run.run))
        facts.runDir = runDir.value().text();
    facts.engine = folder.value().text() + u"/engine/current"_s;
    return facts;
}

} // namespace scalebench
