// SPDX-License-Identifier: GPL-3.0-or-later
// Tags and notes of studies.
#include "app/background.h"
#include "app/live_study.h"
#include "app/main_window.h"
#include "dialogs/annotation_dialog.h"
#include "pages/results/results_page.h"
#include "widgets/inline_bar.h"

namespace scalebench {

void MainWindow::editAnnotation(const QString& studyDir, const QString& title,
                                const Annotation& now, const QStringList& knownTags)
{
    auto* dialog = new AnnotationDialog(title, now, knownTags, this);
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    connect(dialog, &QDialog::accepted, this, [this, dialog, studyDir, now] {
        if (const Annotation wanted = dialog->annotation(); wanted != now)
            annotate(studyDir, wanted, now);
    });
    dialog->open();
}

void MainWindow::annotate(const QString& studyDir, const Annotation& wanted,
                          const Annotation& before)
{
    inBackground(
        this,
        [place = m_live->library(), studyDir, wanted]() -> Result<void> {
            const auto library = place.open();
            return library ? library.value()->annotate(studyDir, wanted)
                           : Result<void>(library.failure());
        },
        [this, studyDir, wanted, before](const Result<void>& done) {
            InlineBar* bar = m_results->bar();
            if (!done) {
                bar->showFailure(done.failure());
                return;
            }
            bar->showMessage(InlineBar::Level::Info, tr("Tags and note are kept."));
            bar->setAction(tr("Undo"), [this, studyDir, wanted, before] {
                annotate(studyDir, before, wanted);
            });
            refreshLibrary();
        });
}

} // namespace scalebench
