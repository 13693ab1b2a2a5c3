// SPDX-License-Identifier: GPL-3.0-or-later
#include "anonymise.h"

#include <QCryptographicHash>
#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QRegularExpression>
#include <QSet>
#include <QSysInfo>

namespace scalebench::imports {

using namespace Qt::Literals::StringLiterals;

namespace {

/// Keys whose value says who or where, and nothing that is needed to read the result.
const QSet<QString>& droppedKeys()
{
    static const QSet<QString> kKeys{
        u"command"_s,      u"supervisor"_s, u"mpirun"_s,      u"mpirun_pid"_s, u"mpirun_session"_s,
        u"mpirun_ticks"_s, u"node_dir"_s,   u"slurm_job"_s,   u"pid"_s,        u"boot_id"_s,
        u"user"_s,         u"username"_s,   u"uuid"_s,        u"serial"_s,     u"mac"_s,
        u"address"_s,      u"addresses"_s,  u"environment"_s, u"env"_s,        u"machine"_s,
        u"data_dir"_s,     u"details"_s,    u"waiting"_s,     u"session"_s,    u"start_ticks"_s};
    return kKeys;
}

bool namesHost(const QString& key)
{
    return key == "host"_L1 || key == "hosts"_L1 || key == "hostname"_L1 || key == "node_name"_L1;
}

} // namespace

Anonymiser::Anonymiser(const Study& study) : m_study(study.id)
{
    const QByteArray sum =
        QCryptographicHash::hash(study.id.toUtf8(), QCryptographicHash::Sha256).toHex();
    m_studyId = u"study-%1"_s.arg(QString::fromLatin1(sum.left(12)));
    host(QSysInfo::machineHostName());
    for (const RunRecord& run : study.runs) {
        for (const QString& name : run.config.hosts)
            host(name);
        for (const WorkerInfo& worker : run.workers)
            host(worker.host);
        for (const NodeEnd& end : run.nodeEnds)
            host(end.host);
    }
}

QString Anonymiser::host(const QString& name)
{
    if (name.isEmpty())
        return {};
    if (!m_hosts.contains(name))
        m_hosts.insert(name, u"node%1"_s.arg(m_hosts.size() + 1));
    return m_hosts.value(name);
}

QString Anonymiser::text(const QString& key, const QString& text)
{
    if (namesHost(key))
        return host(text);
    if (text == m_study)
        return m_studyId;
    QString result = text;
    // "/home/ada/data", "~/data", "C:\..."; a file's own name in the source code may stay.
    static const QRegularExpression kPath(
        u"(?:~|[A-Za-z]:\\\\|(?<![\\w.])/)[^\\s\"',;:()]*[/\\\\][^\\s\"',;:()]*|(?<![\\w.])/[\\w.+-]+"_s);
    static const QRegularExpression kAddress(
        u"\\b\\d{1,3}\\.\\d{1,3}\\.\\d{1,3}\\.\\d{1,3}\\b|\\b[\\w.+-]+@[\\w.-]+\\b"_s);
    result.replace(kPath, u"(path)"_s);
    result.replace(kAddress, u"(address)"_s);
    for (auto it = m_hosts.cbegin(); it != m_hosts.cend(); ++it)
        result.replace(QRegularExpression(
                           u"(?<![\\w-])%1(?![\\w-])"_s.arg(QRegularExpression::escape(it.key()))),
                       it.value());
    return result;
}

QJsonValue Anonymiser::value(const QString& key, const QJsonValue& value)
{
    if (value.isString())
        return text(key, value.toString());
    if (value.isArray()) {
        QJsonArray list;
        for (const QJsonValue& item : value.toArray())
            list << this->value(key, item);
        return list;
    }
    if (!value.isObject())
        return value;
    QJsonObject object;
    const QJsonObject before = value.toObject();
    // Names the study that was waited for and its user, neither of which are known here.
    const bool tellsOfOthers = before.value("code"_L1).toString() == "waiting"_L1;
    for (auto it = before.begin(); it != before.end(); ++it)
        if (!droppedKeys().contains(it.key()) && !(tellsOfOthers && it.key() == "message"_L1))
            object.insert(m_hosts.contains(it.key()) ? m_hosts.value(it.key()) : it.key(),
                          this->value(it.key(), it.value()));
    return object;
}

QByteArray Anonymiser::file(const QString& name, const QByteArray& bytes)
{
    if (name.endsWith(".json"_L1)) {
        QJsonValue json = value({}, QJsonDocument::fromJson(bytes).object());
        if (name == "study.json"_L1) {
            // People name studies after themselves and their machines.
            QJsonObject study = json.toObject();
            study.insert(u"name"_s, m_studyId);
            json = study;
        }
        return QJsonDocument(json.toObject()).toJson();
    }
    QByteArray stream;
    for (const QByteArray& line : bytes.split('\n')) {
        const qsizetype token = line.indexOf(":::MLLOG ");
        if (token < 0)
            continue;
        const QJsonObject record = QJsonDocument::fromJson(line.mid(token + 9)).object();
        if (!record.isEmpty())
            stream += ":::MLLOG " +
                      QJsonDocument(value({}, record).toObject()).toJson(QJsonDocument::Compact) +
                      '\n';
    }
    return stream;
}

} // namespace scalebench::imports
