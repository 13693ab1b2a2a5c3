// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// Words and punctuation in a row, which become the text of a sentence.

#include "engine/workloads/translation/inflection.h"

#include <string>
#include <string_view>
#include <utility>

namespace scalebench::workloads::grammar {

class WordRow
{
public:
    void word(std::string_view text)
    {
        if (text.empty())
            return;
        if (!text_.empty())
            text_ += comma_ ? ", " : " ";
        comma_ = false;
        text_ += text;
    }
    /// Two in a row are one, and none stands at the end of the sentence.
    void comma() { comma_ = !text_.empty(); }

    /// With a capital at its beginning.
    std::string sentence(char end) { return capitalised(std::move(text_)) + end; }

private:
    std::string text_;
    bool comma_ = false; ///< before the next word
};

} // namespace scalebench::workloads::grammar
