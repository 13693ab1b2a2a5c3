// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// An Open MPI hostfile: where it is, what is in it, what is wrong with it line by line, and one
// button that puts that right.

#include "machine/machines.h"

#include <QWidget>

class QLabel;
class QLineEdit;
class QPlainTextEdit;
class QPushButton;

namespace scalebench {

class LatestJob;

class HostfileEditor : public QWidget
{
    Q_OBJECT
public:
    explicit HostfileEditor(QWidget* parent = nullptr);

    void setPath(const QString& path);
    QString path() const;
    /// Hosts and remarks of the text shown.
    const Hostfile& hostfile() const { return m_hostfile; }
    /// What keeps the file from being used; empty: nothing. While it is being read, that.
    QString problem() const { return m_problem; }
    bool isReading() const;

public Q_SLOTS:
    void browse();
    /// Writes the text as it should be; one step back takes it back.
    void fixAll();

Q_SIGNALS:
    void edited();
    /// hostfile() and problem() are those of the file.
    void wasRead();

private:
    void setupRemarks();
    struct Contents;
    static Contents readContents(const QString& path);
    void readFile();
    void show(const Contents& contents);
    /// Then reads it again; `undo`: what was there before can be put back.
    void writeFile(const QByteArray& text, bool undo);
    void textEdited();
    void showRemarks();

    QLineEdit* m_path;
    QPlainTextEdit* m_text;
    QLabel* m_remarks;
    QPushButton* m_fix;
    QPushButton* m_undo;
    QPushButton* m_save;
    Hostfile m_hostfile;
    QString m_problem;
    QString m_readProblem;
    QByteArray m_raw;    ///< the file, or the text as edited
    QByteArray m_before; ///< the file before "Fix all"
    bool m_loading = false;
    LatestJob* m_file;
};

} // namespace scalebench
