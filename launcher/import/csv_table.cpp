// SPDX-License-Identifier: GPL-3.0-or-later
#include "csv_table.h"
#include "base/translated.h"
#include "wide_text.h"

#include <QMap>
#include <QRegularExpression>
#include <QUtf8StringView>

#include <cmath>

namespace scalebench::imports {

using namespace Qt::Literals::StringLiterals;

namespace {

constexpr qsizetype kMostCsvRows = 1'000'000;
constexpr qsizetype kMostColumns = 1000;
constexpr int kMostCsvDefects = 100;

QString textOf(const QByteArray& bytes)
{
    if (const auto wide = wideEncoding(bytes)) { // a spreadsheet's "Unicode text"
        QStringDecoder decode(*wide);            // takes the mark away
        return decode(bytes);
    }
    QByteArrayView view(bytes);
    if (view.startsWith("\xef\xbb\xbf"))
        view = view.sliced(3);
    return QUtf8StringView(view).isValidUtf8() ? QString::fromUtf8(view)
                                               : QString::fromLatin1(view);
}

/// The one that the first line has most often outside quotes.
QChar findSeparator(const QString& text)
{
    QMap<QChar, int> count;
    bool quoted = false;
    for (const QChar c : text) {
        if (c == u'"')
            quoted = !quoted;
        else if (!quoted && (c == u'\n' || c == u'\r')) {
            if (!count.isEmpty())
                break;
        } else if (!quoted && u",;\t|"_s.contains(c))
            ++count[c];
    }
    QChar best = u',';
    for (auto it = count.begin(); it != count.end(); ++it)
        if (it.value() > count.value(best))
            best = it.key();
    return best;
}

struct Row {
    QStringList cells;
    int line = 0;
};

/// Splits into rows; a failure names the line of a quote without end.
class Splitter
{
public:
    Splitter(const QString& text, QChar separator) : m_text(text), m_separator(separator) {}

    Result<QList<Row>> rows(const QString& fileName)
    {
        QList<Row> rows;
        while (m_at < m_text.size() && rows.size() <= kMostCsvRows) {
            Row row;
            row.line = m_line;
            if (!readRow(row))
                return Failure{u"csv_damaged"_s,
                               Launcher::tr("%1:%2: a quoted cell begins here and has no end.")
                                   .arg(fileName)
                                   .arg(m_quoteLine)};
            const bool blank = row.cells.size() == 1 && row.cells.first().isEmpty();
            if (!blank && !(rows.isEmpty() && row.cells.first().startsWith(u'#')))
                rows << row;
        }
        return rows;
    }

private:
    /// Up to the end of the line that is not quoted.
    bool readRow(Row& row)
    {
        QString cell;
        while (m_at < m_text.size()) {
            const QChar c = m_text[m_at++];
            if (c == u'"' && cell.trimmed().isEmpty()) {
                if (!readQuoted(cell))
                    return false;
            } else if (c == m_separator) {
                if (row.cells.size() < kMostColumns)
                    row.cells << cell.trimmed();
                cell.clear();
            } else if (c == u'\n' || c == u'\r') {
                if (c == u'\r' && m_at < m_text.size() && m_text[m_at] == u'\n')
                    ++m_at;
                ++m_line;
                break;
            } else {
                cell += c;
            }
        }
        row.cells << cell.trimmed();
        return true;
    }

    bool readQuoted(QString& cell)
    {
        cell.clear();
        m_quoteLine = m_line;
        while (m_at < m_text.size()) {
            const QChar c = m_text[m_at++];
            if (c == u'\n')
                ++m_line;
            if (c != u'"')
                cell += c;
            else if (m_at < m_text.size() && m_text[m_at] == u'"')
                cell += m_text[m_at++];
            else
                return true;
        }
        return false;
    }

    const QString& m_text;
    QChar m_separator;
    qsizetype m_at = 0;
    int m_line = 1, m_quoteLine = 1;
};

/// "1,234" and "1.234": thousands in one country and a fraction in another.
const QRegularExpression& commaGroups()
{
    static const QRegularExpression kGroups(u"^[-+]?\\d{1,3}(,\\d{3})+(\\.\\d+)?$"_s);
    return kGroups;
}

const QRegularExpression& pointGroups()
{
    static const QRegularExpression kGroups(u"^[-+]?\\d{1,3}(\\.\\d{3})+(,\\d+)?$"_s);
    return kGroups;
}

/// More cells look like "1,5" than like "1.5"; what may be thousands tells only where nothing else
/// does.
bool findDecimalComma(const CsvTable& table)
{
    if (table.separator == u',')
        return false;
    static const QRegularExpression kComma(u"^[-+]?[0-9.]*,[0-9]+(\\s*%)?$"_s);
    static const QRegularExpression kPoint(u"^[-+]?[0-9,]*\\.[0-9]+(\\s*%)?$"_s);
    int commas = 0, points = 0, commasOrGroups = 0, pointsOrGroups = 0;
    for (const QStringList& row : table.rows.mid(0, 1000))
        for (const QString& cell : row) {
            if (kComma.match(cell).hasMatch())
                ++(commaGroups().match(cell).hasMatch() ? commasOrGroups : commas);
            if (kPoint.match(cell).hasMatch())
                ++(pointGroups().match(cell).hasMatch() ? pointsOrGroups : points);
        }
    return commas != points ? commas > points : commasOrGroups > pointsOrGroups;
}

} // namespace

qsizetype CsvTable::column(const QString& name) const
{
    for (qsizetype i = 0; i < header.size(); ++i)
        if (header[i].compare(name, Qt::CaseInsensitive) == 0)
            return i;
    return -1;
}

std::optional<double> CsvTable::number(qsizetype row, qsizetype column) const
{
    if (row < 0 || row >= rows.size() || column < 0 || column >= header.size())
        return {};
    QString text = rows[row][column].trimmed();
    double factor = 1;
    if (text.endsWith(u'%')) {
        text.chop(1);
        factor = 0.01;
    }
    text.remove(u' ').remove(QChar(0xa0)).remove(QChar(0x202f)).remove(u'\'');
    const QRegularExpression& groups = decimalComma ? pointGroups() : commaGroups();
    if (groups.match(text).hasMatch())
        text.remove(decimalComma ? u'.' : u',');
    if (decimalComma)
        text.replace(u',', u'.');
    bool ok = false;
    const double value = text.toDouble(&ok);
    return ok && std::isfinite(value) ? std::optional(value * factor) : std::nullopt;
}

bool isChartTable(const CsvTable& table)
{
    return table.header.size() >= 3 && table.header.first() == "series"_L1;
}

Result<CsvTable> parseCsv(const QByteArray& bytes, const QString& fileName,
                          const CsvDialect& dialect)
{
    const QString text = textOf(bytes);
    CsvTable table;
    table.separator = dialect.separator.isNull() ? findSeparator(text) : dialect.separator;
    const Result<QList<Row>> split = Splitter(text, table.separator).rows(fileName);
    if (!split)
        return split.failure();
    const QList<Row>& rows = split.value();
    if (rows.size() < 2)
        return Failure{
            u"csv_empty"_s,
            Launcher::tr(
                "%1 has no table: a line with the names of the columns and lines with values "
                "are expected.")
                .arg(fileName)};
    if (rows.size() > kMostCsvRows)
        return Failure{u"csv_damaged"_s,
                       Launcher::tr("%1 has more than %2 rows.").arg(fileName).arg(kMostCsvRows)};
    table.header = rows.first().cells;
    table.headerLine = rows.first().line;
    for (const Row& row : rows.mid(1)) {
        if (row.cells.size() == table.header.size()) {
            table.rows << row.cells;
            table.lines << row.line;
            continue;
        }
        ++table.defectCount;
        if (table.defects.size() < kMostCsvDefects)
            table.defects << LogDefect{row.line, Launcher::tr("%1 cells, but the header has %2")
                                                     .arg(row.cells.size())
                                                     .arg(table.header.size())};
    }
    table.decimalComma = dialect.decimalComma.value_or(findDecimalComma(table));
    return table;
}

} // namespace scalebench::imports
