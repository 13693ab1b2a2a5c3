// SPDX-License-Identifier: GPL-3.0-or-later
// Open MPI's hostfiles, read more carefully than Open MPI does: its own messages name no word
// ("parse error on line 1 on token 3") or blame another cause ("slots=-1" for "slots=two"). What
// Open MPI 4.1 accepts and refuses was tried with the real mpirun.
#include "base/translated.h"
#include "machine/machines.h"

#include "base/host_names.h"
#include "base/json_fields.h"

#include <QHash>

#include <algorithm>

namespace scalebench {

using namespace Qt::Literals::StringLiterals;

namespace {

const QStringList& slotKeys()
{
    static const QStringList keys{u"slots"_s, u"cpu"_s, u"count"_s};
    return keys;
}
const QStringList& limitKeys()
{
    static const QStringList keys{u"max_slots"_s, u"max-slots"_s, u"slots_max"_s, u"slots-max"_s,
                                  u"cpu_max"_s,   u"cpu-max"_s,   u"count_max"_s, u"count-max"_s};
    return keys;
}
const QStringList& userKeys()
{
    static const QStringList keys{u"username"_s, u"user-name"_s, u"user_name"_s};
    return keys;
}

/// What other launchers and people call it.
QString meantKey(const QString& key)
{
    static const QStringList kSlotWords{u"gpu"_s,   u"gpus"_s,  u"slot"_s,    u"ppn"_s,
                                        u"np"_s,    u"cpus"_s,  u"ncpus"_s,   u"procs"_s,
                                        u"cores"_s, u"tasks"_s, u"workers"_s, u"ranks"_s};
    if (kSlotWords.contains(key.toLower()))
        return u"slots"_s;
    if (key.toLower() == "user"_L1)
        return u"username"_s;
    return nearestWord(key, {u"slots"_s, u"max_slots"_s, u"username"_s});
}

struct Line {
    QStringList words;   ///< without the comment; "a = b" is one word "a=b"
    QString comment;     ///< with its "#" or "//"
    bool isBlank = true; ///< nothing at all in it
};

class HostfileReader
{
public:
    Hostfile read(const QByteArray& bytes)
    {
        QByteArray text = bytes;
        if (text.startsWith("\xef\xbb\xbf")) {
            text.remove(0, 3);
            remark(
                1, false, u"hostfile_bom"_s,
                Launcher::tr(
                    "The file begins with a byte order mark, which Open MPI does not understand."));
        } else if (text.startsWith("\xff\xfe") || text.startsWith("\xfe\xff") ||
                   text.contains('\0')) {
            remark(1, true, u"hostfile_binary"_s,
                   Launcher::tr("This is not a text file in UTF-8. Save it as plain text."));
            return m_file;
        }
        if (text.contains('\r')) {
            remark(int(text.left(text.indexOf('\r')).count('\n')) + 1, false, u"hostfile_crlf"_s,
                   Launcher::tr(
                       "The file has Windows line ends, which Open MPI does not understand."));
            text.replace("\r\n", "\n").replace('\r', '\n');
        }
        if (text.endsWith('\n'))
            text.chop(1);
        const QStringList lines =
            text.isEmpty() ? QStringList() : QString::fromUtf8(text).split(u'\n');
        for (m_number = 1; m_number <= lines.size(); ++m_number)
            readLine(lines[m_number - 1]);
        if (m_file.hosts.isEmpty() && !hasError())
            remark(0, true, u"hostfile_empty"_s, emptyMessage(int(lines.size())));
        writeFixed();
        std::stable_sort(m_file.remarks.begin(), m_file.remarks.end(),
                         [](const auto& a, const auto& b) { return a.line < b.line; });
        return m_file;
    }

private:
    /// A line of the fixed text; `host` empty: `text` as it is.
    struct FixedLine {
        QString host, text, comment;
    };

    void remark(int line, bool isError, const QString& code, const QString& message)
    {
        m_file.remarks << HostfileRemark{
            line, isError, code,
            line > 0 ? Launcher::tr("Line %1: %2").arg(line).arg(message) : message};
    }
    void error(const QString& code, const QString& message)
    {
        remark(m_number, true, code, message);
    }
    bool hasError() const
    {
        return std::any_of(m_file.remarks.begin(), m_file.remarks.end(),
                           [](const HostfileRemark& r) { return r.isError; });
    }

    QString emptyMessage(int lines) const
    {
        if (lines == 0)
            return Launcher::tr("There is no host in it: the file is empty.");
        const bool comments = std::any_of(m_fixed.begin(), m_fixed.end(),
                                          [](const FixedLine& l) { return !l.comment.isEmpty(); });
        if (lines == 1)
            return comments ? Launcher::tr("There is no host in it: its only line is a comment.")
                            : Launcher::tr("There is no host in it: its only line is empty.");
        return (comments
                    ? Launcher::tr("There is no host in it: all %1 lines are comments or empty.")
                    : Launcher::tr("There is no host in it: all %1 lines are empty."))
            .arg(lines);
    }

    Line split(QString text)
    {
        Line line;
        if (m_inComment) { // /* … */ over several lines
            const qsizetype end = text.indexOf("*/"_L1);
            if (end < 0) {
                line.comment = text;
                return line;
            }
            m_inComment = false;
            text = text.mid(end + 2);
        }
        for (qsizetype begin; (begin = text.indexOf("/*"_L1)) >= 0;) {
            const qsizetype end = text.indexOf("*/"_L1, begin + 2);
            m_inComment = end < 0;
            line.comment += text.mid(begin, end < 0 ? -1 : end + 2 - begin);
            text = text.left(begin) + u' ' + (end < 0 ? QString() : text.mid(end + 2));
        }
        qsizetype comment = text.indexOf(u'#');
        if (const qsizetype slashes = text.indexOf("//"_L1);
            slashes >= 0 && (comment < 0 || slashes < comment))
            comment = slashes;
        if (comment >= 0) {
            line.comment = text.mid(comment).trimmed();
            text.truncate(comment);
        }
        text = text.simplified();
        text.replace(u" ="_s, u"="_s).replace(u"= "_s, u"="_s);
        line.words = text.split(u' ', Qt::SkipEmptyParts);
        line.isBlank = line.words.isEmpty() && line.comment.isEmpty();
        return line;
    }

    void readLine(const QString& text)
    {
        const Line line = split(text);
        if (line.words.isEmpty()) {
            m_fixed << FixedLine{{}, line.comment, line.comment};
            return;
        }
        QString name = line.words.first();
        m_count = 0;
        m_user.clear();
        m_others.clear();
        m_fixable = true;
        const qsizetype errorsBefore = m_file.remarks.size();
        bool usable = readHost(&name);
        for (const QString& word : line.words.mid(1))
            usable = readWord(name, word) && usable;
        if (!usable) {
            if (!m_fixable) { // only a person knows what was meant: the line stays as it is
                m_fixed << FixedLine{{}, text.trimmed(), line.comment};
                return;
            }
        }
        if (!m_user.isEmpty() && !name.contains(u'@'))
            name = m_user + u'@' + name;
        if (const Result<void> ok = checkHostName(name); !ok) {
            if (m_file.remarks.size() == errorsBefore)
                error(ok.failure().code == "host_ipv6"_L1 ? u"hostfile_ipv6"_s : u"hostfile_host"_s,
                      ok.failure().message);
            m_fixed << FixedLine{{}, text.trimmed(), line.comment};
            return;
        }
        add(name, line.comment);
    }

    void add(const QString& name, const QString& comment)
    {
        if (m_places.contains(name)) {
            HostSlots& host = m_file.hosts[m_places[name].first];
            const int before = std::max(1, host.count);
            host.count = before + std::max(1, m_count);
            // Open MPI itself refuses two lines that both say "slots=" and adds up others.
            remark(m_number, false, u"hostfile_duplicate"_s,
                   Launcher::tr("%1 is listed twice (first in line %2): %3 + %4 = %5 slots.")
                       .arg(name)
                       .arg(m_places[name].second)
                       .arg(before)
                       .arg(std::max(1, m_count))
                       .arg(host.count));
            if (!comment.isEmpty())
                m_fixed << FixedLine{{}, comment, comment};
            return;
        }
        if (m_file.hosts.size() >= kMostHosts) {
            if (m_file.hosts.size() == kMostHosts && !hasError())
                error(u"hostfile_too_long"_s,
                      Launcher::tr("The file has more than %1 hosts.").arg(kMostHosts));
            return;
        }
        m_places.insert(name, {int(m_file.hosts.size()), m_number});
        m_file.hosts << HostSlots{name, m_count};
        m_fixed << FixedLine{name, m_others.join(u' '), comment};
    }

    /// The first word. Takes "node1:8" apart, which host lists allow and hostfiles do not.
    bool readHost(QString* name)
    {
        if (name->startsWith(u'^') || name->startsWith(u'+')) {
            error(
                u"hostfile_host"_s,
                Launcher::tr(
                    "\"%1\" (a host left out or counted from another list) is not supported. Write "
                    "the names of the hosts that take part.")
                    .arg(printable(*name)));
            m_fixable = false;
            return false;
        }
        if (name->contains(u'=')) {
            error(u"hostfile_host"_s,
                  Launcher::tr("the host's name is missing before \"%1\".").arg(printable(*name)));
            m_fixable = false;
            return false;
        }
        if (name->count(u':') != 1)
            return true;
        bool ok = false;
        const int count = name->section(u':', 1).toInt(&ok);
        const QString bare = name->section(u':', 0, 0);
        if (!ok || count < 1 || !checkHostName(bare)) {
            error(u"hostfile_host"_s,
                  Launcher::tr("\"%1\" is no host name. Write e.g. %2 slots=8.")
                      .arg(printable(*name), checkHostName(bare) ? bare : u"node1"_s));
            m_fixable = false;
            return false;
        }
        error(u"hostfile_colon"_s,
              Launcher::tr("\"%1\" is not known to Open MPI in a hostfile. Write %2 "
                           "slots=%3.")
                  .arg(*name, bare)
                  .arg(count));
        m_count = count;
        *name = bare;
        return false;
    }

    /// "slots=8" and the like. False when the line has an error; m_fixable says whether we know
    /// what was meant.
    bool readWord(const QString& host, const QString& word)
    {
        const qsizetype equal = word.indexOf(u'=');
        const QString key = word.left(equal), value = word.mid(equal + 1);
        bool number = false;
        const int count = value.toInt(&number);
        if (equal < 0) {
            // Open MPI silently ignores such a word.
            const int bare = word.toInt(&number);
            const bool meantSlots = number && bare > 0;
            error(u"hostfile_word"_s,
                  meantSlots
                      ? Launcher::tr("\"%1\" says nothing to Open MPI. Write %2 slots=%1.")
                            .arg(word, printable(host))
                      : Launcher::tr(
                            "\"%1\" is not understood: one host per line, then settings such "
                            "as slots=8.")
                            .arg(printable(word)));
            if (meantSlots)
                m_count = bare;
            m_fixable = m_fixable && meantSlots;
            return false;
        }
        if (slotKeys().contains(key) || limitKeys().contains(key)) {
            if (!number || count < 1 || count > kMostHosts) {
                error(u"hostfile_slots"_s,
                      (number ? Launcher::tr("\"%1\" is not a number of slots. Write e.g. %2 %3=8.")
                              : Launcher::tr("\"%1\" is not a number. Write e.g. %2 %3=8."))
                          .arg(printable(word), printable(host), key));
                m_fixable = false;
                return false;
            }
            if (limitKeys().contains(key))
                return readLimit(word, count);
            m_count = count;
            return true;
        }
        if (userKeys().contains(key)) {
            m_user = value;
            return true;
        }
        const QString meant = meantKey(key);
        error(u"hostfile_key"_s,
              meant.isEmpty()
                  ? Launcher::tr("\"%1\" is not known to Open MPI.").arg(printable(word))
                  : Launcher::tr("\"%1\" is not known to Open MPI (did you mean %2=%3?).")
                        .arg(printable(word), meant, printable(value)));
        if (meant == "slots"_L1 && number && count > 0)
            m_count = count;
        else if (meant == "max_slots"_L1 && number && count > 0)
            m_others << u"max_slots=%1"_s.arg(count);
        else if (meant == "username"_L1)
            m_user = value;
        else
            m_fixable = false;
        return false;
    }

    bool readLimit(const QString& word, int limit)
    {
        if (m_count > limit) {
            error(u"hostfile_slots"_s,
                  Launcher::tr("\"%1\" is less than slots=%2, which Open MPI refuses.")
                      .arg(word)
                      .arg(m_count));
            m_fixable = false;
            return false;
        }
        m_others << word;
        return true;
    }

    void writeFixed()
    {
        for (const FixedLine& line : m_fixed) {
            QStringList words;
            if (line.host.isEmpty()) {
                words << line.text;
            } else {
                words << line.host;
                const int count = m_file.hosts[m_places[line.host].first].count;
                if (count > 0)
                    words << u"slots=%1"_s.arg(count);
                words << line.text << line.comment;
                words.removeAll(QString());
            }
            m_file.fixedText += words.join(u' ') + u'\n';
        }
    }

    Hostfile m_file;
    QList<FixedLine> m_fixed;
    QHash<QString, std::pair<int, int>> m_places; ///< host to index and line
    int m_number = 0;
    int m_count = 0;       ///< slots of this line
    QString m_user;        ///< of this line
    QStringList m_others;  ///< further settings of this line, kept as they are
    bool m_fixable = true; ///< the errors of this line so far can be corrected without asking
    bool m_inComment = false;
};

} // namespace

Hostfile parseHostfile(const QByteArray& text)
{
    return HostfileReader().read(text);
}

} // namespace scalebench
