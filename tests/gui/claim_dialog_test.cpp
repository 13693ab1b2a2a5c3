// SPDX-License-Identifier: GPL-3.0-or-later
// A claim is checked while it is typed.
#include "gui/gui_fixture.h"

#include "dialogs/claim_dialog.h"

#include <QLabel>
#include <QLineEdit>
#include <QPushButton>

using namespace scalebench;
using namespace scalebench::test;

class ClaimDialogTest : public QObject
{
    Q_OBJECT
private Q_SLOTS:
    void initTestCase() { initGuiTest(); }

    void claimIsCheckedWhileTyped()
    {
        ClaimDialog dialog;
        dialog.findChild<QLineEdit*>(QStringLiteral("claim"))
            ->setText(QStringLiteral("8\u219232 GPUs, 31.5\u219210.67 min"));
        QVERIFY(dialog.findChild<QLabel*>(QStringLiteral("claimFigures"))
                    ->text()
                    .contains(QLatin1String("74 %")));
        QVERIFY(!dialog.findChild<QLabel*>(QStringLiteral("claimFair"))->text().isEmpty());
    }

    /// What is no claim is explained in more than one line, and has no wording to copy.
    void whatIsNoClaimIsReadable()
    {
        ClaimDialog dialog;
        auto* claim = dialog.findChild<QLineEdit*>(QStringLiteral("claim"));
        const auto* figures = dialog.findChild<QLabel*>(QStringLiteral("claimFigures"));
        const QPushButton* copy = nullptr;
        for (const QPushButton* button : dialog.findChildren<QPushButton*>())
            if (button->text().contains(QLatin1String("Copy")))
                copy = button;
        QVERIFY(copy && !copy->isEnabled());
        dialog.show();
        QVERIFY(QTest::qWaitForWindowExposed(&dialog));
        claim->setText(QStringLiteral("twice as fast"));
        QCoreApplication::processEvents();
        QVERIFY(!copy->isEnabled());
        QVERIFY(figures->heightForWidth(figures->width()) >
                figures->fontMetrics().height() * 3 / 2);
        QVERIFY(figures->height() >= figures->heightForWidth(figures->width()));
        claim->setText(QStringLiteral("8\u219232 GPUs, 31.5\u219210.67 min"));
        QVERIFY(copy->isEnabled());
    }
};

SB_WATCHED_TEST_MAIN(ClaimDialogTest)
#include "claim_dialog_test.moc"
