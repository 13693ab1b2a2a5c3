// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// The part of XML that annotation files use, read strictly: elements with text, attributes (read
// over), comments, a declaration, the five named entities and numbered ones. A document type is
// refused, and with it entities of the file's own. Written here rather than taken from a library:
// annotations are a few flat elements from strangers, and this is less than what a library would
// need to be told to refuse.

#include <string>
#include <string_view>
#include <vector>

namespace scalebench::detection {

struct XmlElement {
    std::string name;
    std::string text; ///< of this element itself, without blanks around
    int line = 0;
    std::vector<XmlElement> children;

    /// The first child of that name, or null.
    const XmlElement* child(std::string_view wanted) const;
};

/// The root element. `name`: for messages. Throws InvalidArgument (`data_damaged`) with the line:
/// not well formed, cut off, nested deeper than 32, more than 2^20 elements.
XmlElement parseXml(std::string_view text, const std::string& name);

} // namespace scalebench::detection
