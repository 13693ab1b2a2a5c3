// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// What a person chooses once for all studies: looks, language, library, desktop, exports, keys.
// Each choice holds at once; there is nothing to apply.

#include "pages/page.h"

class QBoxLayout;
class QCheckBox;
class QComboBox;
class QLabel;
class QToolButton;

namespace scalebench {

class Session;

class SettingsPage : public Page
{
    Q_OBJECT
public:
    explicit SettingsPage(Session* session, QWidget* parent = nullptr);
    bool showsLibraryEdits() const override { return false; }
    InlineBar* bar() const override { return m_bar; }

private:
    void addLooks(QBoxLayout* column);
    void addColors(QBoxLayout* column);
    void addLibrary(QBoxLayout* column);
    void addDesktop(QBoxLayout* column);
    void addExports(QBoxLayout* column);
    void addKeys(QBoxLayout* column);
    void chooseLibrary();
    void chooseColor(int slot);
    void refreshColors();
    void refresh();
    void refreshLooks();

    Session* m_session;
    QComboBox* m_theme;
    QComboBox* m_language;
    QLabel* m_atStart;            ///< where something else than what is saved is in force
    QList<QToolButton*> m_colors; ///< by slot
    QLabel* m_library;
    InlineBar* m_bar;
    QCheckBox* m_awake;
    QCheckBox* m_notices;
    QComboBox* m_scale;
    QCheckBox* m_light;
};

} // namespace scalebench
