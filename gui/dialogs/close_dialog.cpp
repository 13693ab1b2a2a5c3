// SPDX-License-Identifier: GPL-3.0-or-later
#include "dialogs/close_dialog.h"

#include <QCoreApplication>
#include <QMessageBox>
#include <QPushButton>

namespace scalebench {

namespace {
class CloseDialogTexts
{
    Q_DECLARE_TR_FUNCTIONS(CloseDialog)
};
} // namespace

CloseChoice askHowToClose(QWidget* parent, const QString& studyName)
{
    QMessageBox box(QMessageBox::Question, CloseDialogTexts::tr("Close Scalebench"),
                    CloseDialogTexts::tr("“%1” is still running.").arg(studyName),
                    QMessageBox::NoButton, parent);
    box.setTextFormat(Qt::PlainText); // the study may be somebody else's
    box.setInformativeText(
        CloseDialogTexts::tr("It does not need this window: leave it running, and the workbench "
                             "finds it again at its next start."));
    QPushButton* leave =
        box.addButton(CloseDialogTexts::tr("&Leave running"), QMessageBox::AcceptRole);
    QPushButton* after =
        box.addButton(CloseDialogTexts::tr("Stop &after this run"), QMessageBox::DestructiveRole);
    QPushButton* now =
        box.addButton(CloseDialogTexts::tr("Stop &now"), QMessageBox::DestructiveRole);
    QPushButton* cancel = box.addButton(QMessageBox::Cancel);
    box.setDefaultButton(leave);
    box.setEscapeButton(cancel);
    box.exec();
    if (box.clickedButton() == leave)
        return CloseChoice::LeaveRunning;
    if (box.clickedButton() == after)
        return CloseChoice::StopAfterRun;
    if (box.clickedButton() == now)
        return CloseChoice::StopNow;
    return CloseChoice::Cancel;
}

} // namespace scalebench
