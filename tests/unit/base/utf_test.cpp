// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/utf.h"

#include "tests/support/catch.h"

#include <algorithm>
#include <iterator>
#include <span>

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

TEST_CASE("text is copied as UTF-16 with its zero, as far as there is room for whole characters", "[base][utf]") {
    char16_t room[8];
    const auto copied = [&](std::string_view text, std::size_t units) {
        std::fill(std::begin(room), std::end(room), u'!');
        const auto written = copyUtf16(text, std::span(room).first(units));
        REQUIRE(written.data() == room);
        REQUIRE(written.back() == u'\0');
        for (std::size_t i = written.size(); i < std::size(room); ++i) {
            REQUIRE(room[i] == u'!');
        }
        return std::u16string(written.data(), written.size() - 1);
    };
    CHECK(copied("", 1).empty());
    CHECK(copied("abc", 4) == u"abc");
    CHECK(copied("abc", 3) == u"ab");
    CHECK(copied(std::string_view("a\0b", 3), 8) == u"a");
    CHECK(copied("\xC3\xA4\xE2\x82\xAC", 8) == u"\u00E4\u20AC");
    CHECK(copied("a\xF0\x9F\x98\x80", 4) == u"a\U0001F600");
    CHECK(copied("a\xF0\x9F\x98\x80", 3) == u"a"); // no half of a pair
    CHECK(copied("\xFF\xC3", 8) == u"\uFFFD\uFFFD");
}
