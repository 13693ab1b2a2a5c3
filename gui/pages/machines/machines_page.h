// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// The target machines: list, editor, check. What is typed is saved by itself as soon as nothing is
// wrong with it; until then the machine is a draft that only this page knows.

#include "base/file_version.h"
#include "machine/machines.h"
#include "models/machine_list_model.h"
#include "pages/page.h"
#include "study/machine_info.h"

#include <functional>
#include <optional>

class QFileSystemWatcher;
class QLabel;
class QListView;
class QPushButton;
class QSplitter;
class QStackedWidget;
class QTimer;
class QToolButton;
class QVBoxLayout;

namespace scalebench {

class CheckPanel;
class ElidedLabel;
class InlineBar;
class MachineChecks;
class MachineForm;
class Session;

class MachinesPage : public Page
{
    Q_OBJECT
public:
    explicit MachinesPage(Session* session, QWidget* parent = nullptr);
    ~MachinesPage() override;

    void activate() override;
    bool isWriting() override;
    void takeOver(Page& before) override;
    /// What was found out about this computer.
    void setThisComputer(const MachineInfo& machine);
    /// Reads the file again: the command line may have changed it. What is being typed stays.
    void reload();
    void select(const QString& name);

    QList<TargetMachine> savedMachines() const;
    MachineListModel* model() const { return m_model; }
    MachineForm* form() const { return m_form; }
    MachineChecks* checks() const { return m_checks; }
    CheckPanel* checkPanel() const { return m_panel; }
    PageProperties properties() const override;
    InlineBar* bar() const override { return m_bar; }
    bool showsLibraryEdits() const override { return false; }
    QListView* list() const { return m_list; }
    /// All that was typed is in the file, or cannot be.
    bool isSaved() const;

public Q_SLOTS:
    void addMachine(scalebench::TargetMachine::Kind kind);
    void duplicate();
    void remove();
    /// A machine whose hosts are those of the file.
    void addFromHostfile(const QString& path);
    /// Writes what can be written, off the window's thread: another program may hold the file.
    void saveNow();

Q_SIGNALS:
    /// The file has changed.
    void machinesChanged();

protected:
    void dragEnterEvent(QDragEnterEvent* event) override;
    void dragLeaveEvent(QDragLeaveEvent* event) override;
    void dropEvent(QDropEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;

private:
    void setupList(QVBoxLayout* column);
    void setupEditor(QVBoxLayout* column);
    QWidget* setupLocal();
    struct Change;
    QList<Change> changes() const;
    void write(const QList<Change>& changes);
    void written(const QList<Change>& changes);
    void takeFile();
    void whenWritten(const std::function<void()>& then);
    void removeFromFile(const MachineListModel::Entry& entry);
    void wasRemoved(const MachineListModel::Entry& entry);
    void insertEntry(const MachineListModel::Entry& entry);
    int current() const;
    void showCurrent();
    void edited();
    void revert();
    void showState();
    void fillLocal();
    void keepCheck(const QString& name, bool checking);
    QStringList otherNames(int row) const;
    void shareHeight();

    Session* m_session;
    std::optional<MachineFile> m_file;
    MachineListModel* m_model;
    MachineChecks* m_checks;
    QListView* m_list;
    QToolButton* m_add;
    QToolButton* m_duplicate;
    QToolButton* m_remove;
    InlineBar* m_bar;
    ElidedLabel* m_title;
    QLabel* m_saved;
    QPushButton* m_revert;
    QPushButton* m_plan;
    QSplitter* m_splitter;
    QStackedWidget* m_stack;
    MachineForm* m_form;
    QLabel* m_local;
    CheckPanel* m_panel;
    QTimer* m_saveTimer;
    QFileSystemWatcher* m_watcher; ///< of the file's folder, for the file is replaced
    FileVersion m_version;         ///< of the file as last read
    TargetMachine m_before;        ///< the machine as it was when it was chosen
    MachineInfo m_computer;
    bool m_loading = false;
    bool m_writing = false;
    bool m_writeAgain = false;
    QList<std::function<void()>> m_afterwards; ///< once nothing is being written
};

} // namespace scalebench
