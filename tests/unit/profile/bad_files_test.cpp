// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/profile/document.h"

#include "tests/support/catch.h"

#include <algorithm>
#include <filesystem>
#include <set>
#include <string>
#include <vector>

using namespace tracedeck;
using profile::Problem;

namespace {

/// A file of tests/data/bad/wprp with the first error that it must give.
struct BadFile {
    const char* name;
    bool isMalformed; ///< no XML, else against the schema
    std::uint32_t line;
    std::uint32_t column;
    std::size_t errors;
    const char* message;
};

// clang-format off
const BadFile kBadFiles[] = {
    {"attribute_twice.wprp", true, 21, 51, 1, R"(attribute 'Level' is given twice)"},
    {"bad_boolean.wprp", false, 21, 5, 1, R"(Stack: 'yes': expected true or false)"},
    {"bad_mode.wprp", false, 26, 5, 1, R"(LoggingMode: 'file' is no value of LoggingMode; did you mean 'File'?)"},
    {"bad_utf8.wprp", true, 2, 52, 1, R"(the byte 0xFC is no UTF-8 text; save the file as UTF-8)"},
    {"bare_ampersand.wprp", true, 26, 67, 1, R"('&' must be written '&amp;')"},
    {"comment_ends_in_three_hyphens.wprp", true, 12, 21, 1, R"('--' is not allowed inside a comment)"},
    {"control_character.wprp", true, 2, 53, 1, R"(the control character U+0001 is not allowed in XML)"},
    {"custom_keyword_without_prefix.wprp", false, 15, 9, 1, R"(Value: '20000200': expected 0x and 1 to 8 hexadecimal digits)"},
    {"deep.wprp", true, 1, 193, 1, R"(elements are nested deeper than 64)"},
    {"dtd.wprp", true, 2, 1, 1, R"(a document type definition (DTD) is not allowed in a profile)"},
    {"duplicate_id.wprp", false, 21, 5, 1, R"(Id: 'SC' is already the id of a SystemCollector in this file)"},
    {"empty.wprp", true, 1, 1, 1, R"(no element found)"},
    {"empty_keywords.wprp", false, 22, 7, 1, R"(Keywords is empty)"},
    {"hyphens_in_comment.wprp", true, 12, 21, 1, R"('--' is not allowed inside a comment)"},
    {"id_with_blank.wprp", false, 12, 5, 1, R"(Id: 'S P': expected at least one character, no blank and no colon)"},
    {"id_with_colon.wprp", false, 21, 5, 1, R"(Id: 'E:P': expected at least one character, no blank and no colon)"},
    {"keyword_no_hex.wprp", false, 23, 9, 1, R"(Value: 'one': expected 0x and 1 to 16 hexadecimal digits)"},
    {"keyword_of_a_stack.wprp", false, 18, 9, 1, R"(Value: 'SampledProfiles' is no system stack; did you mean 'SampledProfile'?)"},
    {"keyword_too_long.wprp", false, 23, 9, 1, R"(Value: '0x12345678123456781': expected 0x and 1 to 16 hexadecimal digits)"},
    {"keyword_twice.wprp", false, 15, 9, 1, R"('ProcessThread' stands twice in this Keywords)"},
    {"latin1.wprp", true, 2, 52, 1, R"(the encoding ISO-8859-1 is not supported; save the file as UTF-8)"},
    {"level_too_large.wprp", false, 21, 5, 1, R"(Level: '256': expected a number from 0 to 255)"},
    {"many_problems.wprp", false, 9, 7, 3, R"(Value: 'x': expected a whole number up to 4294967295)"},
    {"mismatched_tag.wprp", true, 36, 7, 1, R"(</Collector> does not fit <Collectors> of line 27, which is still open)"},
    {"misspelt_element.wprp", false, 6, 7, 1, R"(element 'Bufers' is not allowed in SystemCollector; did you mean 'Buffers'?)"},
    {"misspelt_keyword.wprp", false, 15, 9, 1, R"(Value: 'SampledProfle' is no system keyword; did you mean 'SampledProfile'?)"},
    {"name_with_blank.wprp", false, 26, 5, 1, R"(Name: 'Mi ne': expected at least one character, no blank and no colon)"},
    {"namespace.wprp", false, 2, 1, 1, R"(a profile's elements are in no namespace; remove xmlns)"},
    {"negative_buffers.wprp", false, 6, 7, 1, R"(Value: '-20': expected a number)"},
    {"no_description.wprp", false, 26, 5, 1, R"(Profile lacks its attribute 'Description')"},
    {"no_profile.wprp", false, 3, 3, 1, R"(Profiles lacks its element <Profile>)"},
    {"no_version.wprp", false, 2, 1, 1, R"(WindowsPerformanceRecorder lacks its attribute 'Version')"},
    {"no_xml.wprp", true, 1, 1, 1, R"(this is no XML: text stands before the first element)"},
    {"open_comment.wprp", true, 12, 5, 1, R"(this comment is not closed by '-->')"},
    {"provider_before_collector.wprp", false, 9, 5, 1, R"(EventCollector must stand before SystemProvider in Profiles)"},
    {"quote_forgotten.wprp", true, 6, 22, 1, R"(the value of attribute 'Value' holds '<'; is its closing quote missing?)"},
    {"second_root.wprp", true, 40, 1, 1, R"(a second root element is not allowed)"},
    {"text_before_declaration.wprp", true, 2, 1, 1, R"(the XML declaration must be the very first thing in the file)"},
    {"text_inside.wprp", false, 27, 7, 1, R"(text is not allowed inside Collectors)"},
    {"truncated.wprp", true, 33, 13, 1, R"(the file ends inside this tag)"},
    {"truncated_in_tag.wprp", true, 21, 32, 1, R"(attribute 'Name' has no value)"},
    {"two_system_collectors.wprp", false, 31, 9, 1, R"(Collectors holds at most 1 SystemCollectorId)"},
    {"unknown_entity.wprp", true, 21, 34, 1, R"('&nbsp;' is no reference that XML knows)"},
    {"utf16_half_unit.wprp", true, 40, 1, 1, R"(the UTF-16 text ends in the middle of a unit)"},
    {"utf16_lone_surrogate.wprp", true, 2, 51, 1, R"(a lone surrogate 0xD800 is no UTF-16 character)"},
    {"utf16_no_mark.wprp", true, 1, 1, 1, R"(UTF-16 without a byte order mark is not supported; save the file as UTF-8)"},
    {"utf32.wprp", true, 1, 1, 1, R"(UTF-32 is not supported; save the file as UTF-8)"},
    {"wrong_case_attribute.wprp", false, 21, 5, 1, R"(attribute 'level' is not allowed on EventProvider; did you mean 'Level'?)"},
    {"wrong_case_element.wprp", false, 5, 7, 1, R"(element 'Buffersize' is not allowed in SystemCollector; did you mean 'BufferSize'?)"},
    {"wrong_case_keyword.wprp", false, 14, 9, 1, R"(Value: 'Processthread' is no system keyword; did you mean 'ProcessThread'?)"},
    {"wrong_order.wprp", false, 6, 7, 1, R"(BufferSize must stand before Buffers in SystemCollector)"},
    {"wrong_root.wprp", false, 2, 1, 1, R"(the root element is <WindowsPerformanceAnalyzer>, a profile begins with <WindowsPerformanceRecorder>)"},
};
// clang-format on

std::string folder() {
    return std::string(TRACEDECK_SOURCE_DIR) + "/tests/data/bad/wprp/";
}

} // namespace

TEST_CASE("Every bad profile gives its error at its place", "[profile][bad]") {
    for (const BadFile& bad : kBadFiles) {
        INFO(bad.name);
        std::vector<Problem> problems;
        const std::string path = folder() + bad.name;
        const Result<profile::Document> document = profile::load(path, &problems);
        REQUIRE_FALSE(document);
        CHECK(document.error().code == (bad.isMalformed ? ErrorCode::ProfileMalformed : ErrorCode::ProfileInvalid));
        std::erase_if(problems, [](const Problem& problem) { return problem.severity == Problem::Severity::Warning; });
        REQUIRE(problems.size() == bad.errors);
        CHECK(problems.front().message == bad.message);
        CHECK(problems.front().place == profile::Place{bad.line, bad.column});
        const Problem& first = problems.front();
        CHECK((bad.isMalformed || !first.element.empty())); // what is no XML may have no elements yet
        const std::string where =
            first.element.empty()
                ? std::string()
                : " [" + first.element + (first.elementId.empty() ? "" : ", Id " + first.elementId) + "]";
        const std::string expected = path + ":" + std::to_string(bad.line) + ":" + std::to_string(bad.column) + ": " +
                                     bad.message + where +
                                     (bad.errors > 1 ? " (and " + std::to_string(bad.errors - 1) + " more)" : "");
        CHECK(document.error().detail == expected);
    }
}

TEST_CASE("The table of bad profiles names every file of the folder", "[profile][bad]") {
    std::set<std::string> listed;
    for (const BadFile& bad : kBadFiles) {
        listed.insert(bad.name);
    }
    std::set<std::string> present;
    for (const auto& entry : std::filesystem::directory_iterator(folder())) {
        present.insert(entry.path().filename().string());
    }
    CHECK(listed == present);
}

TEST_CASE("All problems of a file are told in one pass and in the order of the file", "[profile][bad]") {
    std::vector<Problem> problems;
    REQUIRE_FALSE(profile::load(folder() + "many_problems.wprp", &problems));
    std::vector<std::uint32_t> lines;
    for (const Problem& problem : problems) {
        lines.push_back(problem.place.line);
    }
    CHECK(lines == std::vector<std::uint32_t>{9, 14, 21, 26});
    CHECK(problems[1].element == "Keyword");
    CHECK(problems[1].elementId == "SP"); // the nearest enclosing id
    CHECK(problems[2].elementId == "EP");
}
