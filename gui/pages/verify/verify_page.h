// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// Is a study as fast as a reference says it should be? Item by item, with likely causes, and as a
// report.

#include "analysis/verification.h"
#include "pages/page.h"
#include "run/study.h"

class QLabel;
class QPushButton;
class QSpinBox;
class QStackedWidget;
class QVBoxLayout;

namespace scalebench {

class DataTable;
class InlineBar;
class Session;
class StudyChoice;
class VerifyModel;

class VerifyPage : public Page
{
    Q_OBJECT
public:
    explicit VerifyPage(Session* session, QWidget* parent = nullptr);

    /// Both are read once the page is in front.
    void showStudy(const QString& studyDir);
    void setReferenceStudy(const QString& studyDir);
    void showLoaded(const Study& study);
    void setReference(const Study& reference);
    const Study& study() const { return m_sides[0].study; }
    /// Of what is shown, or will be once the page is in front; empty: it has no folder.
    QString studyDir() const { return m_sides[0].dir(); }
    QString referenceDir() const { return m_sides[1].dir(); }
    const Verification& verification() const { return m_verification; }
    /// Writes the report; the bar says where it is.
    void writeReport(const QString& dir);

    InlineBar* bar() const override { return m_bar; }
    ChartPanel* currentChart() override { return m_chart; }
    void activate() override;
    bool isSettled() const override { return m_loading == 0; }
    void takeOver(Page& before) override;
    ShownStudy shownStudy() const override;

protected:
    void showEvent(QShowEvent* event) override;

private:
    /// The study, and what it is held against.
    struct Side {
        StudyChoice* choice;
        Study study = {};
        QString wanted = {}; ///< a folder that is to be read once the page is in front
        QString figure = {}; ///< or published results, where no folder is
        int request = 0;
        QString dir() const { return wanted.isEmpty() ? study.dir : wanted; }
    };
    void connectSession();
    void setupEmpty();
    void setupHead(QVBoxLayout* column);
    void setupBody(QVBoxLayout* column);
    void catchUp();
    void want(int side, const QString& studyDir);
    void load(int side, const QString& studyDir);
    void loadPublished(int side, const QString& figure);
    void take(int side, const Study& study);
    void guessReference();
    void readRemarks();
    void rebuild();
    void chooseFolder();

    Session* m_session;
    Side m_sides[2];
    Verification m_verification;
    QStringList m_points; ///< what the library's reference convergence points say of the study
    QSpinBox* m_margin;
    QPushButton* m_export;
    InlineBar* m_bar;
    QStackedWidget* m_stack;
    QLabel* m_summary;
    QLabel* m_remarks;
    QLabel* m_method;
    ChartPanel* m_chart;
    VerifyModel* m_model;
    DataTable* m_table;
    int m_loading = 0;
    bool m_stale = false;
    bool m_pinned = false;          ///< a person chose the study
    bool m_referencePinned = false; ///< and what it is held against
};

} // namespace scalebench
