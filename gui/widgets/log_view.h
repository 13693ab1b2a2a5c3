// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// What the runs print, by run and source, with search and a filter for errors.

#include <QList>
#include <QString>
#include <QWidget>

class QCheckBox;
class QComboBox;
class QLineEdit;
class QPlainTextEdit;

namespace scalebench {

class LogView : public QWidget
{
    Q_OBJECT
public:
    explicit LogView(QWidget* parent = nullptr);

    void clear();
    void append(const QString& run, const QString& source, const QString& text);
    void setErrorsOnly(bool on);
    QString shownText() const;
    static bool looksLikeError(const QString& line);

protected:
    void changeEvent(QEvent* event) override;

private:
    void retranslate();
    struct Line {
        QString run, source, text;
        bool error = false;
    };
    void setupTools();
    bool isShown(const Line& line) const;
    QString formatted(const Line& line) const;
    void addChoice(QComboBox* box, const QString& text);
    void refill();
    void find(bool forward);

    static constexpr int kMaxLines = 50000;
    QList<Line> m_lines;
    QComboBox* m_run;
    QComboBox* m_source;
    QCheckBox* m_errors;
    QLineEdit* m_search;
    QPlainTextEdit* m_text;
};

} // namespace scalebench
