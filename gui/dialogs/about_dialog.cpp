// SPDX-License-Identifier: GPL-3.0-or-later
#include "dialogs/about_dialog.h"

#include "charts/plot_library.h"
#include "study/machine_info.h"

#include <QCoreApplication>
#include <QIcon>
#include <QMessageBox>

namespace scalebench {

void showAbout(QWidget* parent, const MachineInfo& machine)
{
    const auto text = [](const char* s) { return QCoreApplication::translate("About", s); };
    const auto orMissing = [&](const QString& version) {
        return version.isEmpty() ? text("not found") : version.toHtmlEscaped();
    };
    QString rows;
    const auto row = [&rows](const QString& name, const QString& value) {
        rows += QStringLiteral("<tr><td style='padding-right:18px'>%1</td><td>%2</td></tr>")
                    .arg(name, value);
    };
    row(text("Scalebench"), QStringLiteral(SB_VERSION));
    row(text("Training engine"), orMissing(machine.engineVersion));
    row(text("Open MPI"), orMissing(machine.mpirunVersion));
    row(text("Qt"), QString::fromLatin1(qVersion()));
    row(text("QCustomPlot"), plotLibraryVersion());
    row(text("GPUs"), machine.gpus.isEmpty()
                          ? text("none")
                          : machine.gpus.join(QStringLiteral(", ")).toHtmlEscaped());
    if (!machine.cudaReason.isEmpty())
        row(text("CUDA"), machine.cudaReason.toHtmlEscaped());
    QMessageBox box(parent);
    box.setTextFormat(Qt::RichText);
    box.setWindowTitle(text("About Scalebench"));
    box.setIconPixmap(
        QIcon(QStringLiteral(":/scalebench/icons/com.scalebench.Workbench.svg")).pixmap(72, 72));
    box.setText(QStringLiteral("<h2>Scalebench</h2><p>%1</p><table>%2</table>")
                    .arg(text("Measures how well deep-learning training scales."), rows));
    box.setInformativeText(text("Licence: GPL-3.0-or-later. Results are not verified by MLCommons "
                                "Association."));
    box.setStandardButtons(QMessageBox::Close);
    box.exec();
}

} // namespace scalebench
