// SPDX-License-Identifier: GPL-3.0-or-later
// Plans as files.
#include "base/file_io.h"
#include "pages/plan/plan_page.h"
#include "settings/app_settings.h"
#include "widgets/inline_bar.h"
#include "work/background.h"

#include <QDir>
#include <QFileDialog>
#include <QFileInfo>
#include <QJsonDocument>
#include <QTimer>
#include <QUndoStack>

#include <utility>

namespace scalebench {

static const QString kFilter = QStringLiteral("study.json (*.json)");

static Result<StudySpec> readPlanFile(const QString& file)
{
    const Result<QByteArray> bytes = readFile(file, kMostJsonBytes);
    return bytes ? StudySpec::fromJson(bytes.value(), file) : Result<StudySpec>(bytes.failure());
}

/// The plan on the page is that of the file from here on.
void PlanPage::belongTo(const QString& file)
{
    m_file = file;
    AppSettings::instance().addRecentFile(file);
    AppSettings::instance().setLastFolder(QFileInfo(file).absolutePath());
    Q_EMIT titleChanged();
}

bool PlanPage::take(const Result<StudySpec>& spec, const QString& file)
{
    if (!spec) {
        m_bar->showFailure(spec.failure());
        return false;
    }
    setSpec(spec.value());
    m_bar->clear();
    belongTo(file);
    return true;
}

bool PlanPage::openFile(const QString& file)
{
    return take(readPlanFile(file), file);
}

void PlanPage::openLater(const QString& file)
{
    inBackground(
        this, [file] { return readPlanFile(file); },
        [this, file](const Result<StudySpec>& spec) { take(spec, file); });
}

void PlanPage::openCopy(const QString& file)
{
    const auto spec = readPlanFile(file);
    if (!spec)
        return m_bar->showFailure(spec.failure());
    newPlan();
    setSpec(spec.value());
}

void PlanPage::keepUnsaved() const
{
    m_keepTimer->stop();
    AppSettings::instance().setUnsavedPlan(
        isModified() ? QJsonDocument(m_spec.toJson()).toJson(QJsonDocument::Compact) : QByteArray(),
        m_file);
}

void PlanPage::restoreUnsaved()
{
    const QByteArray json = AppSettings::instance().unsavedPlan();
    if (json.isEmpty())
        return;
    const auto spec = StudySpec::fromJson(json, tr("the plan of last time"));
    if (!spec) // of a newer version, say: it is kept for that
        return m_bar->showFailure(spec.failure());
    if (const QString file = AppSettings::instance().unsavedPlanFile(); QFileInfo(file).isFile())
        openFile(file);
    apply(spec.value(), 0);
    showSpec();
    if (!isModified())
        return;
    m_bar->showMessage(InlineBar::Level::Info,
                       tr("The edited plan of last time is here again; it is in no file yet."));
    m_bar->setAction(tr("Undo the edits"), [this] {
        undo();
        m_bar->clear();
    });
}

void PlanPage::open()
{
    const QString file = QFileDialog::getOpenFileName(
        this, tr("Open a plan"), AppSettings::instance().lastFolder(), kFilter);
    if (!file.isEmpty())
        openLater(file);
}

/// study.json of a study that was started says what its runs are of.
static bool isOfStudy(const QString& file)
{
    const QFileInfo info(file);
    return info.fileName() == QLatin1String("study.json") &&
           info.dir().exists(QStringLiteral("plan.json"));
}

namespace {

struct Written {
    bool ok = false, ofStudy = false;
    QString error;
};

Written writePlanFile(const QString& file, const QByteArray& bytes)
{
    if (isOfStudy(file))
        return {false, true, {}};
    const Result<void> written = writeChosenFile(file, bytes);
    return {bool(written), false, written ? QString() : written.failure().message};
}

} // namespace

void PlanPage::write(const QString& file)
{
    if (m_saving) { // one after the other: the last one counts
        m_saveNext = file;
        return;
    }
    m_saving = true;
    inBackground(
        this,
        [file, bytes = QJsonDocument(m_spec.toJson()).toJson()] {
            return writePlanFile(file, bytes);
        },
        [this, file, saved = m_spec](const Written& written) {
            m_saving = false;
            if (written.ofStudy) {
                m_bar->showMessage(
                    InlineBar::Level::Error,
                    tr("“%1” is the plan of a study that was started, and stays what its "
                       "runs are of. Start makes a new study of the changed plan; it can "
                       "be saved in another file.")
                        .arg(file));
                m_bar->setAction(tr("Save as…"), [this] { saveAs(); });
            } else if (!written.ok) {
                m_bar->showMessage(InlineBar::Level::Error, written.error);
            } else {
                if (m_spec == saved) // else it was edited meanwhile
                    m_undo->setClean();
                belongTo(file);
            }
            if (const QString next = std::exchange(m_saveNext, {}); !next.isEmpty())
                write(next);
        });
}

void PlanPage::save()
{
    if (m_file.isEmpty())
        saveAs();
    else
        write(m_file);
}

void PlanPage::saveAs()
{
    // Not getSaveFileName(): "plan1" is to become plan1.json, or Open would not list it.
    auto* dialog = new QFileDialog(this, tr("Save the plan"), {}, kFilter);
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    dialog->setAcceptMode(QFileDialog::AcceptSave);
    dialog->setDefaultSuffix(QStringLiteral("json"));
    dialog->setDirectory(m_file.isEmpty() ? AppSettings::instance().lastFolder()
                                          : QFileInfo(m_file).absolutePath());
    dialog->selectFile(m_file.isEmpty() ? QStringLiteral("study.json")
                                        : QFileInfo(m_file).fileName());
    connect(dialog, &QFileDialog::fileSelected, this, &PlanPage::write);
    dialog->open();
}

} // namespace scalebench
