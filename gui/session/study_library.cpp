// SPDX-License-Identifier: GPL-3.0-or-later
#include "session/study_library.h"

#include "session/results_import.h"
#include "work/background.h"

#include <QUndoStack>

#include <memory>
#include <utility>

namespace scalebench {

namespace {

struct LibraryLists {
    QList<StudySummary> studies;
    QList<RunSummary> runs;
    QList<TrashedStudy> trash;
    QString readOnlyDir;
    QStringList leftOut;
    std::optional<Failure> failure;
};

LibraryLists readLibrary(const LibraryPlace& place)
{
    LibraryLists lists;
    auto library = place.open();
    if (!library) {
        lists.failure = library.failure();
        return lists;
    }
    auto studies = library.value()->studies();
    auto runs = library.value()->runs();
    if (!studies || !runs) {
        lists.failure = studies ? runs.failure() : studies.failure();
        return lists;
    }
    lists.studies = studies.value();
    lists.runs = runs.value();
    for (const Failure& damaged : library.value()->leftOut())
        lists.leftOut << damaged.message;
    lists.trash = trashedStudies(*library.value());
    if (!library.value()->mayWrite())
        lists.readOnlyDir = library.value()->dir();
    return lists;
}

struct Done {
    QList<TrashedStudy> studies;
    QStringList dirs;               ///< of those put away, or taken back
    int left = 0;                   ///< those that were not
    std::optional<Failure> failure; ///< of the first of them
    void leave(const Failure& why)
    {
        if (++left == 1)
            failure = why;
    }
};

Done putAwayEach(const LibraryPlace& place, const QStringList& dirs)
{
    Done done;
    const auto library = place.open();
    if (!library) {
        done.failure = library.failure();
        return done;
    }
    for (const QString& dir : dirs) {
        const Result<TrashedStudy> study = moveToTrash(*library.value(), dir);
        if (!study) {
            done.leave(study.failure());
            continue;
        }
        done.studies << study.value();
        done.dirs << dir;
    }
    return done;
}

Done takeBackEach(const LibraryPlace& place, const QStringList& names)
{
    Done done;
    const auto library = place.open();
    if (!library) {
        done.failure = library.failure();
        return done;
    }
    for (const QString& name : names) {
        const Result<QString> dir = restoreFromTrash(*library.value(), name);
        if (dir)
            done.dirs << dir.value();
        else
            done.leave(dir.failure());
    }
    return done;
}

/// A change that was made already when it is pushed.
class LibraryEdit : public QUndoCommand
{
public:
    LibraryEdit(const QString& text, std::function<void()> undo, std::function<void()> redo)
        : QUndoCommand(text), m_undo(std::move(undo)), m_redo(std::move(redo))
    {
    }
    void undo() override { m_undo(); }
    void redo() override
    {
        if (std::exchange(m_made, true))
            m_redo();
    }

private:
    std::function<void()> m_undo, m_redo;
    bool m_made = false;
};

} // namespace

/// Studies that an edit puts away: their names in the trash change with each time.
struct StudyLibrary::Away {
    QStringList dirs, names;
};

StudyLibrary::StudyLibrary(const LibraryPlace& place, QObject* parent)
    : QObject(parent), m_place(place), m_undo(new QUndoStack(this))
{
}

StudyLibrary::~StudyLibrary() = default;

void StudyLibrary::setPlace(const LibraryPlace& place)
{
    m_place = place;
    m_undo->clear();
    Q_EMIT placeChanged();
}

void StudyLibrary::refresh()
{
    inBackground(
        this, [place = m_place] { return readLibrary(place); },
        [this, dir = m_place.dir](const LibraryLists& lists) {
            if (m_place.dir != dir) // another was chosen meanwhile, and is being read
                return;
            m_read = true;
            if (lists.failure) {
                Q_EMIT unreadable(*lists.failure);
                return;
            }
            if (!std::exchange(m_place.seen, true))
                Q_EMIT placeChanged();
            m_studies = lists.studies;
            m_runs = lists.runs;
            m_trash = lists.trash;
            m_leftOut = lists.leftOut;
            m_readOnlyDir = lists.readOnlyDir;
            Q_EMIT changed();
        });
}

void StudyLibrary::push(const QString& text, const std::function<void()>& undo,
                        const std::function<void()>& redo)
{
    m_undo->push(new LibraryEdit(text, undo, redo));
}

/// Of an edit that was taken back or made again. Where that failed, what the stack remembers is not
/// what is on the disk.
void StudyLibrary::ended(const std::optional<Failure>& failure)
{
    if (failure) {
        m_undo->clear();
        Q_EMIT failed(*failure);
    } else {
        Q_EMIT editedBack();
    }
    refresh();
}

static Result<void> annotateIn(const LibraryPlace& place, const QString& studyDir,
                               const AnnotationEdit& edit)
{
    const auto library = place.open();
    if (!library)
        return library.failure();
    const Result<Annotation> edited = library.value()->annotate(studyDir, edit);
    return edited ? Result<void>() : edited.failure();
}

void StudyLibrary::annotate(const QString& studyDir, const Annotation& wanted,
                            const Annotation& before)
{
    inBackground(
        this,
        [place = m_place, studyDir, edit = editBetween(before, wanted)] {
            return annotateIn(place, studyDir, edit);
        },
        [this, studyDir, wanted, before](const Result<void>& done) {
            if (!done) {
                Q_EMIT failed(done.failure());
                return;
            }
            push(
                tr("tags and note"), [=, this] { write(studyDir, editBetween(wanted, before)); },
                [=, this] { write(studyDir, editBetween(before, wanted)); });
            Q_EMIT edited(tr("Tags and note are kept."));
            refresh();
        });
}

void StudyLibrary::write(const QString& studyDir, const AnnotationEdit& edit)
{
    inBackground(
        this, [place = m_place, studyDir, edit] { return annotateIn(place, studyDir, edit); },
        [this](const Result<void>& done) {
            ended(done ? std::nullopt : std::optional<Failure>(done.failure()));
        });
}

void StudyLibrary::putAway(const QStringList& studyDirs)
{
    auto away = std::make_shared<Away>();
    away->dirs = studyDirs;
    moveAway(away, true);
}

void StudyLibrary::moveAway(const std::shared_ptr<Away>& away, bool first)
{
    inBackground(
        this, [place = m_place, dirs = away->dirs] { return putAwayEach(place, dirs); },
        [this, away, first](const Done& done) {
            away->names.clear();
            for (const TrashedStudy& study : done.studies)
                away->names << study.name;
            if (!first) {
                ended(done.failure);
                return;
            }
            if (!done.studies.isEmpty()) {
                away->dirs = done.dirs;
                push(
                    tr("move to the trash"), [this, away] { moveBack(away); },
                    [this, away] { moveAway(away, false); });
                const TrashedStudy& study = done.studies.first();
                const auto count = static_cast<int>(done.studies.size());
                QString told = count == 1 ? tr("“%1” is in the trash.")
                                                .arg(study.title.isEmpty() ? study.id : study.title)
                                          : tr("%n studies are in the trash.", nullptr, count);
                if (done.failure)
                    told += u' ' + tr("Left where they are: %1. %2")
                                       .arg(QString::number(done.left), done.failure->message);
                Q_EMIT edited(told);
            } else if (done.failure) {
                Q_EMIT failed(*done.failure);
            }
            refresh();
        });
}

void StudyLibrary::moveBack(const std::shared_ptr<Away>& away)
{
    inBackground(
        this, [place = m_place, names = away->names] { return takeBackEach(place, names); },
        [this, away](const Done& done) {
            if (!done.failure)
                away->dirs = done.dirs;
            ended(done.failure);
        });
}

void StudyLibrary::takeBack(const QStringList& names)
{
    auto away = std::make_shared<Away>();
    away->names = names;
    inBackground(
        this, [place = m_place, names] { return takeBackEach(place, names); },
        [this, away](const Done& done) {
            if (!done.failure) {
                away->dirs = done.dirs;
                push(
                    tr("taking back from the trash"), [this, away] { moveAway(away, false); },
                    [this, away] { moveBack(away); });
            }
            ended(done.failure);
        });
}

void StudyLibrary::emptyTheTrash()
{
    m_undo->clear(); // what was put away cannot come back
    inBackground(
        this,
        [place = m_place]() -> Result<int> {
            const auto library = place.open();
            return library ? emptyTrash(*library.value()) : Result<int>(library.failure());
        },
        [this](const Result<int>& deleted) {
            ended(deleted ? std::nullopt : std::optional<Failure>(deleted.failure()));
        });
}

void StudyLibrary::importResults(const QStringList& paths, const imports::CsvMapping& columns)
{
    if (paths.isEmpty() || m_import)
        return;
    m_import = new ResultsImport(paths, columns, m_place, this);
    Q_EMIT importing(tr("Reading files…"));
    connect(m_import, &ResultsImport::progress, this, [this](int done, int total) {
        Q_EMIT importing(tr("Reading files: %1 of %2…").arg(done).arg(total));
    });
    connect(m_import, &ResultsImport::finished, this, [this](const ImportNews& news) {
        m_import = nullptr; // it deletes itself
        Q_EMIT imported(news);
        refresh();
    });
}

void StudyLibrary::cancelImport()
{
    if (m_import)
        m_import->cancel();
}

} // namespace scalebench
