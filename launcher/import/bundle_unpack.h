// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// The zip file of a bundle, which may be anybody's: only ordinary files that a bundle may hold, all
// of them in its manifest with their size and checksum, no more than was said.

#include "base/result.h"
#include "bundle.h"

#include <QByteArray>
#include <QString>

#include <memory>

namespace scalebench::imports {

class BundleFile
{
public:
    /// Reads the manifest. Codes "bundle_damaged", "bundle_refused", "not_readable".
    static Result<BundleFile> open(const QString& path);
    ~BundleFile();
    BundleFile(BundleFile&&) noexcept;
    BundleFile& operator=(BundleFile&&) noexcept;

    const BundleManifest& manifest() const;
    const QByteArray& manifestBytes() const;
    /// Every file of the manifest into the new folder `dir`; once. What a failure leaves there is
    /// for the caller to remove. Codes as above and of file_io.h.
    Result<void> unpackTo(const QString& dir);

private:
    BundleFile();
    struct Private;
    std::unique_ptr<Private> d;
};

} // namespace scalebench::imports
