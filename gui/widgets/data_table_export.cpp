// SPDX-License-Identifier: GPL-3.0-or-later
// What leaves a table: copied as TSV, exported as CSV.
#include "base/csv_writer.h"
#include "base/file_io.h"
#include "base/plain_text.h"
#include "base/translated.h"
#include "models/roles.h"
#include "settings/app_settings.h"
#include "settings/language.h"
#include "widgets/data_table.h"

#include <QApplication>
#include <QClipboard>
#include <QFileDialog>
#include <QLocale>
#include <QMessageBox>

#include <algorithm>

namespace scalebench {

QStringList DataTable::rowTexts(int row) const
{
    QStringList texts;
    for (const int column : visibleColumns()) {
        const QModelIndex index = m_proxy->index(row, column);
        const QString shown = index.data(Qt::DisplayRole).toString();
        const QVariant value = index.data(kSortRole), inFiles = index.data(kFileRole);
        if (inFiles.isValid())
            texts << inFiles.toString();
        else if (shown == QChar(0x2013)) // unknown, whatever it is sorted by
            texts << QString();
        else if (value.typeId() == QMetaType::Double)
            texts << (qIsFinite(value.toDouble())
                          ? QString::number(value.toDouble(), 'g', QLocale::FloatingPointShortest)
                          : QString());
        else if (value.typeId() == QMetaType::Int && shown == QLocale().toString(value.toInt()))
            texts << value.toString(); // without groups of thousands
        else
            texts << shown;
    }
    return texts;
}

/// Files hold raw numbers: what these are in stands in the head.
QStringList DataTable::headTexts() const
{
    QStringList texts;
    for (const int column : visibleColumns()) {
        const QString unit = m_proxy->headerData(column, Qt::Horizontal, kUnitRole).toString();
        texts << m_proxy->headerData(column, Qt::Horizontal).toString() +
                     (unit.isEmpty() ? QString() : QStringLiteral(" (%1)").arg(unit));
    }
    return texts;
}

QString DataTable::tsv() const
{
    QList<int> rows;
    const auto selected = m_view->selectionModel()->selectedRows();
    for (const QModelIndex& index : selected)
        rows << index.row();
    std::sort(rows.begin(), rows.end());
    if (rows.isEmpty()) {
        for (int row = 0; row < m_proxy->rowCount(); ++row)
            rows << row;
    }
    const auto line = [](const QStringList& texts) {
        QStringList cells;
        for (const QString& text : texts)
            cells << tsvField(text);
        return cells.join(QLatin1Char('\t')) + QLatin1Char('\n');
    };
    QString out = line(headTexts());
    for (const int row : std::as_const(rows))
        out += line(rowTexts(row));
    return out;
}

QByteArray DataTable::csv() const
{
    const EnglishText english;
    QStringList header;
    for (const QString& head : headTexts())
        header << englishText(head);
    CsvWriter csv(header);
    for (int row = 0; row < m_proxy->rowCount(); ++row)
        csv.addRow(rowTexts(row));
    return csv.text();
}

void DataTable::copySelection()
{
    QApplication::clipboard()->setText(tsv());
}

void DataTable::exportCsv()
{
    QString file = QFileDialog::getSaveFileName(this, tr("Export table"),
                                                AppSettings::instance().lastFolder() +
                                                    QStringLiteral("/table.csv"),
                                                tr("Comma separated values (*.csv)"));
    if (file.isEmpty())
        return;
    AppSettings::instance().setLastFolder(QFileInfo(file).absolutePath());
    if (const Result<void> written = writeChosenFile(file, csv()); !written)
        QMessageBox::warning(this, tr("Export table"), written.failure().message);
}

} // namespace scalebench
