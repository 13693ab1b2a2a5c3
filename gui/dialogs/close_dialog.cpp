// SPDX-License-Identifier: GPL-3.0-or-later
#include "dialogs/close_dialog.h"

#include <QCoreApplication>
#include <QMessageBox>
#include <QPushButton>

namespace scalebench {

CloseChoice askHowToClose(QWidget* parent, const QString& studyName)
{
    const auto text = [](const char* s) { return QCoreApplication::translate("CloseDialog", s); };
    QMessageBox box(QMessageBox::Question, text("Close Scalebench"),
                    text("“%1” is still running.").arg(studyName), QMessageBox::NoButton, parent);
    box.setTextFormat(Qt::PlainText); // the study may be somebody else's
    box.setInformativeText(text("It does not need this window: leave it running, and the workbench "
                                "finds it again at its next start."));
    QPushButton* leave = box.addButton(text("&Leave running"), QMessageBox::AcceptRole);
    QPushButton* after = box.addButton(text("Stop &after this run"), QMessageBox::DestructiveRole);
    QPushButton* now = box.addButton(text("Stop &now"), QMessageBox::DestructiveRole);
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
