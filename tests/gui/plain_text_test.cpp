// SPDX-License-Identifier: GPL-3.0-or-later
// Text of others in the window: never markup, in no label, tooltip or message box; and never a
// formula or another cell in what is exported and copied.
#include "gui/gui_fixture.h"

#include "dialogs/host_key_dialog.h"
#include "figures/chart_data.h"
#include "models/key_value_model.h"
#include "widgets/data_table.h"
#include "widgets/elided_label.h"
#include "widgets/inline_bar.h"
#include "widgets/widgets.h"

#include <QApplication>
#include <QClipboard>
#include <QLabel>
#include <QMessageBox>
#include <QStandardItemModel>
#include <QTest>
#include <QToolTip>

using namespace scalebench;
using namespace scalebench::test;

class PlainTextTest : public QObject
{
    Q_OBJECT

    const QString m_markup =
        QStringLiteral("<h1>x</h1><img src='/dev/zero'><a href='file:///etc/passwd'>y</a>");

    void expectPlain(const QWidget& parent) const
    {
        int found = 0;
        for (const QLabel* label : parent.findChildren<QLabel*>()) {
            if (label->text().isEmpty())
                continue;
            found += label->text().contains(QStringLiteral("<h1>")) ? 1 : 0;
            QVERIFY2(label->textFormat() == Qt::PlainText, qPrintable(label->text()));
        }
        QVERIFY(found > 0);
    }

private Q_SLOTS:
    void initTestCase() { initGuiTest(); }

    void messageBars()
    {
        InlineBar bar;
        bar.showFailure({QStringLiteral("x"), m_markup, m_markup});
        expectPlain(bar); // before it is shown, too
        bar.show();
        expectPlain(bar);
        QCOMPARE(bar.text(), m_markup);
    }

    void labels()
    {
        QWidget window;
        makeLabel(m_markup, "muted", &window);
        makeChip(m_markup, QStringLiteral("ok"), &window);
        new QLabel(m_markup, &window); // who forgot to say so
        window.show();
        expectPlain(window);
    }

    void messageBoxes()
    {
        QMessageBox box(QMessageBox::Question, m_markup, m_markup, QMessageBox::Ok);
        box.setInformativeText(m_markup);
        box.show();
        expectPlain(box);
    }

    void tooltips()
    {
        QWidget window;
        window.show();
        QToolTip::showText(QPoint(1, 1), m_markup, &window);
        QLabel* tip = nullptr;
        QTRY_VERIFY_WITH_TIMEOUT(
            [&] {
                for (QWidget* widget : QApplication::allWidgets())
                    if (widget->inherits("QTipLabel"))
                        tip = qobject_cast<QLabel*>(widget);
                return tip != nullptr;
            }(),
            kHangMs);
        QCOMPARE(tip->text(), m_markup);
        QVERIFY(tip->textFormat() == Qt::PlainText);
        QToolTip::hideText();
    }

    /// A spreadsheet runs what begins like a formula; a tab would begin another cell.
    void tables()
    {
        QStandardItemModel model(1, 3);
        model.setHorizontalHeaderLabels(
            {QStringLiteral("=a"), QStringLiteral("b"), QStringLiteral("c")});
        model.setItem(0, 0, new QStandardItem(QStringLiteral("=cmd|' /C calc'!A0")));
        model.setItem(0, 1, new QStandardItem(QStringLiteral("one\ttwo\nthree")));
        model.setItem(0, 2, new QStandardItem(QStringLiteral("-1.5")));
        DataTable table(QStringLiteral("t"), QStringLiteral("t"), true);
        table.setModel(&model);
        const QStringList csv = QString::fromUtf8(table.csv()).split(QLatin1Char('\n'));
        QVERIFY2(csv[0].startsWith(QStringLiteral("\"'=a\",b,c")), qPrintable(csv[0]));
        QVERIFY2(csv[1].startsWith(QStringLiteral("\"'=cmd|' /C calc'!A0\",")), qPrintable(csv[1]));
        table.copySelection();
        const QStringList lines =
            QApplication::clipboard()->text().split(QLatin1Char('\n'), Qt::SkipEmptyParts);
        QCOMPARE(lines.size(), 2);
        QCOMPARE(lines[1].split(QLatin1Char('\t')),
                 (QStringList{QStringLiteral("'=cmd|' /C calc'!A0"),
                              QStringLiteral("one two three"), QStringLiteral("-1.5")}));
    }

    void charts()
    {
        ChartData data;
        data.xColumn = QStringLiteral("epoch");
        data.yColumn = QStringLiteral("@loss");
        ChartSeries series;
        series.name = QStringLiteral("=HYPERLINK(\"x\")");
        series.x = {1};
        series.y = {-2};
        data.series << series;
        const QByteArray csv = data.csv();
        QVERIFY2(csv.startsWith("series,epoch,\"'@loss\",chart\r\n"
                                "\"'=HYPERLINK(\"\"x\"\")\",1,-2,\"{\""),
                 csv.constData());
    }
};

QTEST_MAIN(PlainTextTest)
#include "plain_text_test.moc"
#include "support/campaign.h"
