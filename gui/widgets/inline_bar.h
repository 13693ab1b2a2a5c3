// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// A message inside the page instead of a modal box: what happened, what to do, Details on demand.

#include <QFrame>

#include <functional>

class QHBoxLayout;
class QLabel;
class QPlainTextEdit;
class QToolButton;

namespace scalebench {

struct Failure;

class InlineBar : public QFrame
{
    Q_OBJECT
public:
    enum class Level { Info, Warning, Error };
    explicit InlineBar(QWidget* parent = nullptr);

    void showMessage(Level level, const QString& text, const QString& details = {});
    void showFailure(const Failure& failure);
    /// One button with an action of the caller's; replaces an earlier one.
    void setAction(const QString& text, const std::function<void()>& action);
    /// A second one, left of Details.
    void setOtherAction(const QString& text, const std::function<void()>& action);
    /// A help button, where there is a page on this code.
    void setCode(const QString& code);
    const QString& code() const { return m_code; }
    void clear();
    QString text() const;

    /// The window's language is about to change: what is said here is remembered in English.
    void keepEnglish();
    /// Says in the new language what the other one said in the old; a text of nobody's sentences
    /// as it was. The other's buttons go: they act on what is gone.
    void takeOver(const InlineBar& before);

private:
    QLabel* m_icon;
    QLabel* m_text;
    QToolButton* m_action;
    QToolButton* m_otherAction;
    QToolButton* m_detailsButton;
    QToolButton* m_help;
    QToolButton* m_close;
    QPlainTextEdit* m_details;
    std::function<void()> m_run;
    std::function<void()> m_runOther;
    Level m_level = Level::Info;
    QString m_english, m_englishDetails;
    QString m_code;
    void updateIcon();
};

} // namespace scalebench
