// SPDX-License-Identifier: GPL-3.0-or-later
// Somebody's table whose columns do not tell by their names.
#include "gui/gui_fixture.h"
#include "support/campaign.h"

#include "dialogs/csv_columns_dialog.h"

#include <QComboBox>
#include <QDialogButtonBox>
#include <QFormLayout>
#include <QLabel>
#include <QPushButton>

using namespace scalebench;
using namespace scalebench::test;

class CsvColumnsTest : public QObject
{
    Q_OBJECT
    QTemporaryDir m_dir;

    QString put(const char* name, const QByteArray& bytes)
    {
        QFile file(m_dir.filePath(QLatin1String(name)));
        if (file.open(QIODevice::WriteOnly))
            file.write(bytes);
        return file.fileName();
    }

private Q_SLOTS:
    void initTestCase() { initGuiTest(); }

    void onlyWhereItIsNeeded()
    {
        QVERIFY(!CsvColumnsDialog::neededFor(put("plain.csv", "workers,seconds\n1,10\n2,6\n")));
        QVERIFY(!CsvColumnsDialog::neededFor(put("a.txt", "karten,dauer\n1,10\n")));
        QVERIFY(!CsvColumnsDialog::neededFor(put("empty.csv", "")));
        QVERIFY(CsvColumnsDialog::neededFor(put("other.csv", "karten;dauer\n1;10,5\n2;6\n")));
    }

    void columnsAreChosen()
    {
        const QString file =
            put("foreign.csv", "karten;dauer;netz\n1;10,5;resnet\n2;6,25;resnet\n");
        const auto table = CsvColumnsDialog::neededFor(file);
        QVERIFY(table);
        CsvColumnsDialog dialog(file, *table);
        auto* import = dialog.findChild<QDialogButtonBox*>()->button(QDialogButtonBox::Ok);
        QVERIFY(!import->isEnabled());
        QVERIFY(dialog.isChecking()); // not in this thread
        QTRY_VERIFY_WITH_TIMEOUT(!dialog.isChecking(), kHangMs);
        QVERIFY(!import->isEnabled());
        const auto* verdict = dialog.findChild<QLabel*>(QStringLiteral("columnsVerdict"));
        QVERIFY(verdict->text().contains(QLatin1String("workers")));
        QVERIFY(!verdict->text().contains(u'_'));
        QVERIFY(!verdict->text().contains(QLatin1String("--"))); // that is the command's
        const auto* form = dialog.findChild<QFormLayout*>();
        QCOMPARE(form->itemAt(0, QFormLayout::FieldRole)->widget(),
                 dialog.field(QStringLiteral("workers")));
        QCOMPARE(form->rowCount(), int(imports::csvFields().size()));
        for (const QString& name : imports::csvFields()) { // no field is shown by its bare name
            const auto* label = qobject_cast<QLabel*>(form->labelForField(dialog.field(name)));
            QVERIFY2(label && label->text() != name, qPrintable(name));
        }
        const auto choose = [&](const char* field, const char* column) {
            QComboBox* box = dialog.field(QLatin1String(field));
            box->setCurrentIndex(box->findText(QLatin1String(column)));
        };
        choose("workers", "karten");
        choose("minutes", "dauer");
        choose("workload", "netz");
        QTRY_VERIFY_WITH_TIMEOUT(import->isEnabled(), kHangMs);
        QCOMPARE(verdict->text(), QStringLiteral("2 runs can be read."));
        const auto runs = imports::runsOfCsv(*table, dialog.mapping(), file);
        QVERIFY(runs);
        QCOMPARE(runs.value().runs.size(), 2);
    }
};

QTEST_MAIN(CsvColumnsTest)
#include "csv_columns_test.moc"
