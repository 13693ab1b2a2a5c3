// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// The library as the window sees it: its lists, read off the window's thread, and what changes it.
// Changes are edits of one undo stack.

#include "import/csv_runs.h"
#include "library/annotations.h"
#include "library/trash.h"
#include "session/library_place.h"

#include <QObject>
#include <QStringList>

class QUndoStack;

namespace scalebench {

struct ImportNews;
class ResultsImport;

class StudyLibrary : public QObject
{
    Q_OBJECT
public:
    StudyLibrary(const LibraryPlace& place, QObject* parent);
    ~StudyLibrary() override;

    const LibraryPlace& place() const { return m_place; }
    void setPlace(const LibraryPlace& place);
    /// Once, whether well or not.
    bool isRead() const { return m_read; }
    const QList<StudySummary>& studies() const { return m_studies; }
    const QList<RunSummary>& runs() const { return m_runs; }
    const QList<TrashedStudy>& trash() const { return m_trash; }
    /// Why folders that are there are not among the studies.
    const QStringList& leftOut() const { return m_leftOut; }
    /// Where it is, if it may not be written to.
    const QString& readOnlyDir() const { return m_readOnlyDir; }

    QUndoStack* undoStack() const { return m_undo; }
    void annotate(const QString& studyDir, const Annotation& wanted, const Annotation& before);
    void putAway(const QStringList& studyDirs);
    /// Studies of the trash, by their names there.
    void takeBack(const QStringList& names);
    void emptyTheTrash();
    /// Logs, tables, bundles, folders of them. One import at a time.
    void importResults(const QStringList& paths, const imports::CsvMapping& columns = {});
    void cancelImport();

public Q_SLOTS:
    void refresh();

Q_SIGNALS:
    void placeChanged();
    void changed(); ///< the lists are new
    void unreadable(const scalebench::Failure& failure);
    /// A change was made, said in `text`; undoStack() can take it back.
    void edited(const QString& text);
    /// The last change was taken back, or made again.
    void editedBack();
    void failed(const scalebench::Failure& failure);
    void importing(const QString& text);
    void imported(const scalebench::ImportNews& news);

private:
    struct Away;
    void write(const QString& studyDir, const AnnotationEdit& edit);
    void moveAway(const std::shared_ptr<Away>& away, bool first);
    void moveBack(const std::shared_ptr<Away>& away);
    void push(const QString& text, const std::function<void()>& undo,
              const std::function<void()>& redo);
    void ended(const std::optional<Failure>& failure);

    LibraryPlace m_place;
    QList<StudySummary> m_studies;
    QList<RunSummary> m_runs;
    QList<TrashedStudy> m_trash;
    QString m_readOnlyDir;
    QStringList m_leftOut;
    QUndoStack* m_undo;
    ResultsImport* m_import = nullptr;
    bool m_read = false;
};

} // namespace scalebench
