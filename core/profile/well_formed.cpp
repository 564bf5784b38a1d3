// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/profile/well_formed.h"

#include <algorithm>
#include <array>
#include <string>

namespace tracedeck::profile {

namespace {

constexpr std::size_t kDeepestNesting = 64;
constexpr std::size_t kMostAttributes = 64;
constexpr std::size_t kMostProblems = 100;

bool isSpace(char c) {
    return c == ' ' || c == '\t' || c == '\n' || c == '\r';
}

bool isNameStart(char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_' || c == ':' || static_cast<signed char>(c) < 0;
}

bool isNameCharacter(char c) {
    return isNameStart(c) || (c >= '0' && c <= '9') || c == '-' || c == '.';
}

/// One pass over the text. Each read function consumes one construct; fatal() ends the pass.
class Scanner {
public:
    Scanner(std::string_view text, const Places& places) : m_text(text), m_places(places) {}

    WellFormedness run() {
        if (m_text.starts_with("<?xml") && m_text.size() > 5 && isSpace(m_text[5])) {
            readInstruction();
        }
        while (!m_isDone && m_pos < m_text.size()) {
            readNext();
        }
        if (!m_isDone && !m_open.empty()) {
            const Place opened = m_places.at(m_open.back().offset);
            fatal(m_text.size(), "the file ends although <" + std::string(m_open.back().name) + "> of line " +
                                     std::to_string(opened.line) + " is not closed");
        }
        if (!m_isDone && !m_hasRoot) {
            fatal(m_text.size(), "no element found");
        }
        return std::move(m_result);
    }

private:
    struct Open {
        std::string_view name;
        std::size_t offset;
    };

    void problem(std::size_t offset, std::string message) {
        Problem found;
        found.place = m_places.at(offset);
        found.element = m_open.empty() ? std::string() : std::string(m_open.back().name);
        found.message = std::move(message);
        m_result.problems.push_back(std::move(found));
        if (m_result.problems.size() >= kMostProblems) {
            m_isDone = true;
            m_result.canContinue = false;
        }
    }

    void fatal(std::size_t offset, std::string message) {
        problem(offset, std::move(message));
        m_isDone = true;
        m_result.canContinue = false;
    }

    [[nodiscard]] bool at(std::string_view what) const { return m_text.substr(m_pos).starts_with(what); }

    void readNext() {
        if (m_text[m_pos] != '<') {
            readText();
        } else if (at("<!--")) {
            readComment();
        } else if (at("<![CDATA[")) {
            readCharacterData();
        } else if (at("<!DOCTYPE")) {
            fatal(m_pos, "a document type definition (DTD) is not allowed in a profile");
        } else if (at("<?")) {
            readInstruction();
        } else if (at("</")) {
            readEndTag();
        } else {
            readStartTag();
        }
    }

    void readText() {
        const std::size_t start = m_pos;
        const std::size_t end = std::min(m_text.find('<', m_pos), m_text.size());
        const std::string_view text = m_text.substr(start, end - start);
        m_pos = end;
        const auto word = std::find_if(text.begin(), text.end(), [](char c) { return !isSpace(c); });
        if (word == text.end()) {
            return;
        }
        const std::size_t offset = start + static_cast<std::size_t>(word - text.begin());
        if (m_open.empty() && !m_hasRoot) {
            fatal(offset, "this is no XML: text stands before the first element");
            return;
        }
        if (m_open.empty()) {
            problem(offset, "text is not allowed after the last element");
        }
        if (const std::size_t bracket = text.find("]]>"); bracket != std::string_view::npos) {
            problem(start + bracket, "']]>' is not allowed in text");
        }
        checkReferences(start, text);
    }

    void readComment() {
        const std::size_t start = m_pos;
        const std::size_t end = m_text.find("-->", start + 4);
        if (end == std::string_view::npos) {
            fatal(start, "this comment is not closed by '-->'");
            return;
        }
        // "--->" holds "--" too, one character before the end.
        const std::size_t hyphens = m_text.find("--", start + 4);
        if (hyphens < end) {
            problem(hyphens, "'--' is not allowed inside a comment");
        }
        m_pos = end + 3;
    }

    void readCharacterData() {
        const std::size_t end = m_text.find("]]>", m_pos);
        if (m_open.empty()) {
            fatal(m_pos, "text is not allowed outside of the root element");
        } else if (end == std::string_view::npos) {
            fatal(m_pos, "this CDATA section is not closed by ']]>'");
        } else {
            m_pos = end + 3;
        }
    }

    void readInstruction() {
        const std::size_t start = m_pos;
        const std::size_t end = m_text.find("?>", start + 2);
        if (end == std::string_view::npos) {
            fatal(start, "this processing instruction is not closed by '?>'");
            return;
        }
        m_pos = start + 2;
        const std::string_view name = readName();
        if (name.empty()) {
            fatal(start, "a processing instruction must begin with a name");
            return;
        }
        const bool isReserved =
            name.size() == 3 && (name[0] | 0x20) == 'x' && (name[1] | 0x20) == 'm' && (name[2] | 0x20) == 'l';
        if (isReserved && start != 0) {
            problem(start, "the XML declaration must be the very first thing in the file");
        }
        m_pos = end + 2;
    }

    std::string_view readName() {
        const std::size_t start = m_pos;
        if (m_pos < m_text.size() && isNameStart(m_text[m_pos])) {
            while (m_pos < m_text.size() && isNameCharacter(m_text[m_pos])) {
                ++m_pos;
            }
        }
        return m_text.substr(start, m_pos - start);
    }

    bool skipSpace() {
        const std::size_t start = m_pos;
        while (m_pos < m_text.size() && isSpace(m_text[m_pos])) {
            ++m_pos;
        }
        return m_pos != start;
    }

    void readEndTag() {
        const std::size_t start = m_pos;
        m_pos += 2;
        const std::string_view name = readName();
        skipSpace();
        if (name.empty() || m_pos >= m_text.size() || m_text[m_pos] != '>') {
            fatal(start, "this end tag is not complete");
        } else if (m_open.empty()) {
            fatal(start, "</" + std::string(name) + "> closes nothing: no element is open");
        } else if (m_open.back().name != name) {
            const Place opened = m_places.at(m_open.back().offset);
            fatal(start, "</" + std::string(name) + "> does not fit <" + std::string(m_open.back().name) +
                             "> of line " + std::to_string(opened.line) + ", which is still open");
        } else {
            m_open.pop_back();
            ++m_pos;
        }
    }

    void readStartTag() {
        const std::size_t start = m_pos++;
        const std::string_view name = readName();
        if (name.empty()) {
            fatal(start, "'<' must be followed by a name; write '&lt;' for the character itself");
            return;
        }
        if (m_open.empty() && m_hasRoot) {
            problem(start, "a second root element is not allowed");
        }
        m_hasRoot = true;
        m_open.push_back({name, start});
        if (m_open.size() > kDeepestNesting) {
            fatal(start, "elements are nested deeper than " + std::to_string(kDeepestNesting));
            return;
        }
        readAttributes(start);
    }

    void readAttributes(std::size_t start) {
        std::vector<std::string_view> seen;
        while (!m_isDone) {
            const bool isSeparated = skipSpace();
            if (at(">")) {
                ++m_pos;
                return;
            }
            if (at("/>")) {
                m_pos += 2;
                m_open.pop_back();
                return;
            }
            const std::size_t offset = m_pos;
            const std::string_view name = readName();
            if (name.empty()) {
                fatal(m_pos < m_text.size() ? m_pos : start,
                      m_pos < m_text.size()
                          ? "this is no attribute and no end of <" + std::string(m_open.back().name) + ">"
                          : "the file ends inside this tag");
                return;
            }
            if (!isSeparated) {
                problem(offset, "a blank must stand before attribute '" + std::string(name) + "'");
            }
            if (std::find(seen.begin(), seen.end(), name) != seen.end()) {
                problem(offset, "attribute '" + std::string(name) + "' is given twice");
            }
            seen.push_back(name);
            if (seen.size() > kMostAttributes) {
                fatal(offset, "an element has more than " + std::to_string(kMostAttributes) + " attributes");
                return;
            }
            readAttributeValue(name);
        }
    }

    void readAttributeValue(std::string_view name) {
        skipSpace();
        if (!at("=")) {
            fatal(m_pos, "attribute '" + std::string(name) + "' has no value");
            return;
        }
        ++m_pos;
        skipSpace();
        if (!at("\"") && !at("'")) {
            fatal(m_pos, "the value of attribute '" + std::string(name) + "' must stand in quotes");
            return;
        }
        const std::size_t start = m_pos + 1;
        const std::size_t end = m_text.find(m_text[m_pos], start);
        if (end == std::string_view::npos) {
            fatal(m_pos, "the value of attribute '" + std::string(name) + "' is not closed");
            return;
        }
        const std::string_view value = m_text.substr(start, end - start);
        if (const std::size_t less = value.find('<'); less != std::string_view::npos) {
            // What follows a forgotten quote would be misread, too.
            fatal(m_pos, "the value of attribute '" + std::string(name) + "' holds '<'; is its closing quote missing?");
            return;
        }
        checkReferences(start, value);
        m_pos = end + 1;
    }

    void checkReferences(std::size_t start, std::string_view text) {
        for (std::size_t i = text.find('&'); i != std::string_view::npos && !m_isDone; i = text.find('&', i + 1)) {
            const std::size_t end = text.find(';', i);
            const std::string_view name = end == std::string_view::npos ? "" : text.substr(i + 1, end - i - 1);
            if (!isKnownReference(name)) {
                problem(start + i, name.empty() || name.size() > 32
                                       ? "'&' must be written '&amp;'"
                                       : "'&" + std::string(name) + ";' is no reference that XML knows");
            }
        }
    }

    static bool isKnownReference(std::string_view name) {
        constexpr std::array<std::string_view, 5> kEntities{"amp", "lt", "gt", "quot", "apos"};
        if (!name.starts_with('#')) {
            return std::find(kEntities.begin(), kEntities.end(), name) != kEntities.end();
        }
        const bool isHexadecimal = name.starts_with("#x");
        name.remove_prefix(isHexadecimal ? 2 : 1);
        std::uint32_t value = 0;
        for (const char c : name) {
            const char folded = static_cast<char>(c | 0x20);
            const bool isLetter = folded >= 'a' && folded <= 'f';
            if (!(c >= '0' && c <= '9') && !(isHexadecimal && isLetter)) {
                return false;
            }
            const int digit = isLetter ? folded - 'a' + 10 : c - '0';
            value = value * (isHexadecimal ? 16U : 10U) + static_cast<std::uint32_t>(digit);
            if (value > 0x10FFFF) {
                return false;
            }
        }
        const bool isCharacter = value == 9 || value == 10 || value == 13 || (value >= 0x20 && value < 0xD800) ||
                                 (value > 0xDFFF && value != 0xFFFE && value != 0xFFFF);
        return !name.empty() && isCharacter;
    }

    std::string_view m_text;
    const Places& m_places;
    std::size_t m_pos = 0;
    std::vector<Open> m_open;
    bool m_hasRoot = false;
    bool m_isDone = false;
    WellFormedness m_result;
};

} // namespace

WellFormedness checkWellFormed(std::string_view text, const Places& places) {
    return Scanner(text, places).run();
}

} // namespace tracedeck::profile
