// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// Evaluation pictures of a run with what was found and what is there. The engine draws them, in a
// process of its own, into a temporary folder when they are first looked at.

#include <QDateTime>
#include <QPixmap>
#include <QTemporaryDir>
#include <QWidget>

#include <memory>

class QLabel;
class QProcess;
class QScrollArea;
class QVBoxLayout;

namespace scalebench {

class RunPictures : public QWidget
{
    Q_OBJECT
public:
    explicit RunPictures(QWidget* parent = nullptr);
    ~RunPictures() override;

    /// Draws anew the next time this is visible, unless these are the pictures that are here.
    void setRun(const QString& runDir);
    int count() const { return int(m_views.size()); }
    /// What is said in place of pictures, or about them.
    QString message() const;

Q_SIGNALS:
    /// Everything is there, or a sentence why not.
    void drawn();

protected:
    void showEvent(QShowEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;

private:
    void draw();
    void onFinished(bool good);
    void addPicture(const QString& path, const QString& text);
    void clear();
    void fit();

    struct View {
        QLabel* picture;
        QPixmap pixmap;
    };
    QString m_runDir;
    QDateTime m_written;   ///< the pictures' notes
    bool m_wanted = false; ///< drawn when visible
    QLabel* m_message;
    QScrollArea* m_scroll;
    QVBoxLayout* m_column;
    QList<View> m_views;
    std::unique_ptr<QProcess> m_engine;
    std::unique_ptr<QTemporaryDir> m_folder;
};

} // namespace scalebench
