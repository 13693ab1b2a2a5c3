// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// Small helpers for building pages: labels and buttons whose looks come from the style sheet.

#include <QFrame>
#include <QLabel>
#include <QPushButton>
#include <QStringList>

class QBoxLayout;
class QComboBox;
class QDropEvent;
class QMimeData;
class QScrollArea;
class QStackedWidget;
class QVBoxLayout;

namespace scalebench {

/// role: "title", "subtitle", "section", "muted", "small", "error", "warning".
QLabel* makeLabel(const QString& text, const char* role = nullptr, QWidget* parent = nullptr);
/// A rounded state word; kind as in kChipRole.
QLabel* makeChip(const QString& text, const QString& kind, QWidget* parent = nullptr);
void setChip(QLabel* chip, const QString& text, const QString& kind);
QFrame* makeCard(QWidget* parent = nullptr);
/// Adds a page whose column scrolls where the window is too small for it. The stack owns all.
/// What a page scrolls.
QScrollArea* makeScrolled(QWidget* body);
QVBoxLayout* addScrolledColumn(QStackedWidget* stack);
/// A scrolled column in the middle of a page, at most `maxWidth` wide.
QVBoxLayout* addCentredColumn(QWidget* page, int maxWidth);
/// Adds a page for when there is nothing yet: what, why, and what to do, the first of it stressed.
void addEmptyState(QStackedWidget* stack, const QString& title, const QStringList& lines,
                   const QList<QPushButton*>& buttons);
/// Sets a dynamic property and has the style sheet look again.
void setStyleProperty(QWidget* widget, const char* name, const QVariant& value);
/// The widget and all in it keep the theme's icon `name` up to date.
void setThemeIcon(QAbstractButton* button, const QString& name, bool onAccent = false);

/// The files of this computer that are dropped.
QStringList droppedFiles(const QMimeData& data);
/// Of a drag or a drop: what is read here stays where it is. Who was told that it was moved may
/// delete it.
void acceptCopy(QDropEvent* event);
/// What is no mnemonic, for a menu.
QString menuText(QString text);
/// Asks the windows that this widget lies in for the help page on an error code; they get it as
/// QWhatsThisClickedEvent.
void askForHelp(QWidget* widget, const QString& code);

} // namespace scalebench
