// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/utf.h"

#include "tests/support/catch.h"

using namespace tracedeck;

TEST_CASE("UTF-8 and UTF-16 turn into each other", "[base][utf]") {
    const std::string text = "a\xC3\xA4\xE2\x82\xAC\xF0\x9F\x98\x80"; // one character of each length
    const std::u16string wide = toUtf16(text);
    CHECK(wide == u"a\u00E4\u20AC\U0001F600");
    CHECK(toUtf8(wide) == text);
}

TEST_CASE("Bytes that are no UTF-8 become replacement characters", "[base][utf]") {
    CHECK(toUtf16("\x80") == u"\uFFFD");
    CHECK(toUtf16("a\xFFz") == u"a\uFFFDz");
    CHECK(toUtf16("\xC0\x80") == u"\uFFFD\uFFFD");           // overlong
    CHECK(toUtf16("\xED\xA0\x80") == u"\uFFFD\uFFFD\uFFFD"); // surrogate
    CHECK(toUtf16("\xE2\x82") == u"\uFFFD\uFFFD");           // cut off
    CHECK(toUtf8(u"\xD800x") == "\xEF\xBF\xBDx");
}
