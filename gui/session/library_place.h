// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// Where the window's library is.

#include "library/library.h"

namespace scalebench {

struct LibraryPlace {
    QString dir; ///< empty: Library::defaultDir()
    /// It was there before: when it is gone (moved, unmounted) that is said, and no empty one takes
    /// its place.
    bool seen = false;

    Result<std::shared_ptr<Library>> open() const
    {
        return Library::open(dir, seen ? Library::IfMissing::Fail : Library::IfMissing::Create);
    }
};

} // namespace scalebench
