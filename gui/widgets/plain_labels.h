// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// Qt guesses from a text whether it is markup, and then obeys it: headings, links, pictures from
// any file. Much of what is shown here was written by others, so no label, tooltip or message box
// guesses; the few with markup of ours say so (Qt::RichText).

class QCoreApplication;

namespace scalebench {

/// For all widgets of the program; calling it again does nothing. Done by itself at the start of
/// every program that links the widgets.
void makeLabelsPlain(QCoreApplication* app);

} // namespace scalebench
