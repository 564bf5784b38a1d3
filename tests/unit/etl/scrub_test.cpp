// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/etl/scrub.h"

#include "core/base/own_provider.h"
#include "core/base/utf.h"
#include "core/etl/export.h"
#include "core/etl/replacer.h"
#include "core/etl/summary.h"
#include "core/etlformat/hooks.h"
#include "core/etlformat/kernel_events.h"
#include "core/etlformat/trace_logging.h"
#include "tests/support/catch.h"
#include "tests/support/failing_device.h"
#include "tests/support/shared_files.h"
#include "tests/support/temporary_folder.h"
#include "tests/unit/etl/raw_file.h"

#include <algorithm>
#include <array>
#include <filesystem>

using namespace tracedeck;
using namespace tracedeck::test;
using etl::Replacer;
using etl::TextWidth;
namespace hook = etlformat::hook;

namespace {

constexpr Ticks kStart = 1'000'000;
constexpr std::byte kStale{0xA5};

/// Every word that must be gone; each occurs in the file below, in all of its places.
const std::vector<std::string> kSecrets{
    "annasmith", "topsecretproject", "hunter2password", "annas-laptop",   "acmecorp",     "quarterlyfigures",
    "mynote",    "mymark",           "mytrouble",       "privatethread",  "ownprogram",   "stalebytes",
    "gapbytes",  "taildata",         "STKTEXTX",        "manifestsecret", "classicsecret"};

EventBytes bytesOf(std::string_view text) {
    const auto bytes = std::as_bytes(std::span(text.data(), text.size()));
    return {bytes.begin(), bytes.end()};
}

EventBytes wide(std::string_view text, std::size_t padding = 2) {
    EventBytes all;
    etlformat::ByteWriter out(all);
    for (const char16_t unit : toUtf16(text)) {
        out.put(unit);
    }
    out.zeros(padding);
    return all;
}

bool contains(const std::vector<std::byte>& bytes, const EventBytes& part) {
    return std::search(bytes.begin(), bytes.end(), part.begin(), part.end()) != bytes.end();
}

bool holds(const std::vector<std::byte>& bytes, const std::string& word) {
    return contains(bytes, bytesOf(word)) || contains(bytes, wide(word, 0));
}

EventBytes process(Ticks time, std::uint32_t id, std::string image, std::string commandLine) {
    etlformat::ProcessFields fields;
    fields.processId = id;
    fields.user = {22, 2, {1, 4242}};
    fields.imageFileName = std::move(image);
    fields.commandLine = std::move(commandLine);
    return systemEvent(hook::kProcessStart, 4, time, etlformat::encodeProcess(hook::kProcessStart, fields));
}

EventBytes image(Ticks time, std::string name) {
    etlformat::ImageFields fields;
    fields.processId = 77;
    fields.fileName = std::move(name);
    return perfinfoEvent(hook::kImageLoad, 3, time, etlformat::encodeImage(fields));
}

EventBytes own(const char* event, Ticks time, const char* field, std::string text) {
    etlformat::TraceLoggingEvent one;
    one.name = event;
    one.fields = {{field, std::move(text)}};
    return etlformat::encode(one, guidFromProviderName(kOwnProviderName), std::string(kOwnProviderName), time, 1, 2);
}

EventBytes sendIpV4(Ticks time, std::array<std::uint8_t, 4> to) {
    EventBytes payload;
    etlformat::ByteWriter out(payload);
    out.put(std::uint32_t{77});
    out.put(std::uint32_t{100});
    out.put(to);
    out.put(std::array<std::uint8_t, 4>{127, 0, 0, 1});
    out.put(std::uint32_t{0x5000BB01});
    out.put(std::uint32_t{0}), out.put(std::uint32_t{0}), out.put(std::uint32_t{0});
    out.put(std::uint64_t{0});
    return perfinfoEvent(0x060A, 2, time, payload);
}

EventBytes fileName(Ticks time, std::string_view path) {
    EventBytes payload(8);
    const EventBytes text = wide(path);
    payload.insert(payload.end(), text.begin(), text.end());
    return perfinfoEvent(0x0400, 2, time, payload);
}

EventBytes withPayload(EventBytes event, const EventBytes& payload) {
    event.insert(event.end(), payload.begin(), payload.end());
    const auto size = static_cast<std::uint16_t>(event.size());
    std::memcpy(event.data(), &size, sizeof size);
    return event;
}

/// A stack one of whose frames is a text.
EventBytes stackWithText(Ticks time, Ticks ofEvent) {
    EventBytes event = stackWalk(time, ofEvent, 3);
    std::memcpy(event.data() + event.size() - 8, "STKTEXTX", 8);
    return event;
}

std::vector<std::byte> secretFile() {
    RawFile::Options options;
    options.loggerName = "annasmith session";
    RawFile raw(options);
    Ticks t = kStart;
    etlformat::ConfigCpuFields cpu;
    cpu.computerName = "annas-laptop";
    cpu.domainName = "acmecorp";
    raw.add(0, systemEvent(hook::kConfigCpu, 3, ++t, etlformat::encodeConfigCpu(cpu)));
    raw.add(0, process(++t, 4, "System", ""));
    raw.add(0, process(++t, 77, "ownprogram", "ownprogram --password hunter2password"));
    raw.add(0, process(++t, 78, "bash", "bash /home/annasmith/topsecretproject.sh"));
    raw.add(0, image(++t, "/usr/bin/bash"));
    raw.add(0, image(++t, "/home/annasmith/topsecretproject/ownprogram.so"));
    raw.add(0, image(++t, "/usr/local/lib/ownprogram.so"));
    etlformat::ThreadFields thread;
    thread.processId = 77;
    thread.threadId = 80;
    thread.name = "privatethread";
    raw.add(0, systemEvent(hook::kThreadStart, 3, ++t, etlformat::encodeThread(thread)));
    thread.name = "bash";
    raw.add(0, systemEvent(hook::kThreadStart, 3, ++t, etlformat::encodeThread(thread)));
    raw.add(0, fileName(++t, "\\Device\\HarddiskVolume3\\Users\\annasmith\\quarterlyfigures.xlsx"));
    raw.add(0, fileName(++t, "\\Device\\HarddiskVolume3\\Users\\annasmith\\quarterlyfigures.xlsx"));
    raw.add(0, fileName(++t, "C:\\Windows\\System32\\ntdll.dll"));
    raw.add(0, sendIpV4(++t, {203, 0, 113, 9}));
    raw.add(1, own("RecordingStarted", ++t, "Note", "mynote about annasmith"));
    raw.add(1, own("RecordingStarted", ++t, "Machine", "annas-laptop"));
    raw.add(1, own("RecordingStarted", ++t, "Plan", "{\"filter\": \"ownprogram\"}"));
    raw.add(1, own("RecordingStarted", ++t, "Keywords", "CSwitch\n"));
    raw.add(1, own("Mark", ++t, "Text", "mymark"));
    raw.add(1, own("ProblemDescription", ++t, "Text", "mytrouble"));
    raw.add(1, perfinfoEvent(hook::kMark, 0, ++t, etlformat::encodeMark("mymark")));
    etlformat::TraceLoggingEvent foreign;
    foreign.name = "Login";
    foreign.fields = {{"User", std::string("annasmith")}, {"Number", std::uint32_t{7}}};
    raw.add(1, etlformat::encode(foreign, guidFromProviderName("Other"), "Other", ++t, 1, 2));
    raw.add(1, contextSwitch(t + 1)).add(1, stackWithText(t + 2, t + 1));
    t += 2;
    raw.add(1, withPayload(manifestEvent(Guid::of(1, 2, 3, {}), 5, t + 1, 0), bytesOf("manifestsecret")));
    raw.add(1, withPayload(classicEvent(Guid::of(4, 5, 6, {}), 7, t + 2), bytesOf("classicsecret")));
    std::vector<std::byte> bytes = raw.bytes();
    // What Windows leaves behind the last event of a buffer, and in the three bytes between this event and the next.
    const EventBytes last = bytesOf("classicsecret");
    std::fill_n(std::search(bytes.begin(), bytes.end(), last.begin(), last.end()) + 13, 3, kStale);
    for (std::size_t buffer = 0; buffer < bytes.size() / 8192; ++buffer) {
        const auto& header = bufferHeader(bytes, buffer);
        const std::size_t used = std::max(header.savedOffset, header.offset);
        const EventBytes tail = bytesOf("taildata stalebytes gapbytes");
        std::copy(tail.begin(), tail.end(), bytes.begin() + static_cast<std::ptrdiff_t>(buffer * 8192 + used));
        const EventBytes pointers = bytesOf("stalebytes......");
        std::copy(pointers.begin(), pointers.end(), bytes.begin() + static_cast<std::ptrdiff_t>(buffer * 8192 + 0x38));
    }
    return bytes;
}

std::string replaced(const Replacer& replacer, std::string text) {
    replacer.replacePath(std::as_writable_bytes(std::span(text.data(), text.size())), TextWidth::Narrow);
    return text;
}

etl::ScrubRequest requestOf(const TemporaryFolder& folder) {
    etl::ScrubRequest request;
    request.input = folder.file("in.etl");
    request.output = folder.file("out.etl");
    return request;
}

std::vector<std::string> jsonRows(const std::string& path) {
    std::string text;
    const auto done =
        etl::exportEvents(systemFiles(), path, etl::ExportFormat::JsonLines, [&](std::span<const char> part) {
            text.append(part.data(), part.size());
            return tracedeck::Status();
        });
    REQUIRE(done.has_value());
    std::vector<std::string> rows;
    for (std::size_t at = 0; at < text.size();) {
        const std::size_t end = text.find('\n', at);
        rows.push_back(text.substr(at, end - at));
        at = end + 1;
    }
    return rows;
}

std::string valueOf(const std::string& row, const std::string& field) {
    const std::string key = "\"" + field + "\":\"";
    const std::size_t at = row.find(key);
    REQUIRE(at != std::string::npos);
    return row.substr(at + key.size(), row.find('"', at + key.size()) - at - key.size());
}

} // namespace

TEST_CASE("No secret of a recording is left in what was scrubbed", "[etl][scrub]") {
    const TemporaryFolder folder;
    const std::vector<std::byte> before = secretFile();
    writeFile(folder.file("in.etl"), before);
    for (const std::string& secret : kSecrets) {
        CAPTURE(secret);
        REQUIRE(holds(before, secret)); // else the test proves nothing
    }
    etl::ScrubRequest request = requestOf(folder);
    request.dropsUnknown = true;
    const auto result = etl::scrub(systemFiles(), request);
    REQUIRE(result.has_value());
    const std::vector<std::byte> after = readFile(request.output);
    for (const std::string& secret : kSecrets) {
        CAPTURE(secret);
        CHECK_FALSE(holds(after, secret));
    }
    CHECK_FALSE(contains(after, {std::byte{203}, std::byte{0}, std::byte{113}, std::byte{9}}));
    CHECK_FALSE(contains(after, {std::byte{0x92}, std::byte{0x10}, std::byte{0}, std::byte{0}})); // the user 4242

    CHECK(after.size() == before.size());
    const EventBytes last = bytesOf("classicsecret");
    const auto gap = std::search(before.begin(), before.end(), last.begin(), last.end()) - before.begin() + 13;
    CHECK(before[static_cast<std::size_t>(gap)] == kStale);
    CHECK(after[static_cast<std::size_t>(gap)] == std::byte{0});
    CHECK(result->isClean(request));
    CHECK(result->commandLines == 2);
    CHECK(result->users == 3);
    CHECK(result->addresses == 1);
    CHECK(result->notes == 4);
    CHECK(result->unknownEvents == 2);
    CHECK(result->unknown.size() == 2);
    CHECK(result->damaged == 0);
}

TEST_CASE("Events stay where and when they were, and keep what analysis needs", "[etl][scrub]") {
    const TemporaryFolder folder;
    writeFile(folder.file("in.etl"), secretFile());
    const etl::ScrubRequest request = requestOf(folder);
    const auto result = etl::scrub(systemFiles(), request);
    REQUIRE(result.has_value());
    CHECK_FALSE(result->isClean(request));
    const auto before = etl::summarize(systemFiles(), request.input);
    const auto after = etl::summarize(systemFiles(), request.output);
    REQUIRE(before.has_value());
    REQUIRE(after.has_value());
    CHECK(after->verdict() == before->verdict());
    CHECK(after->events == before->events);
    CHECK(after->events == result->events);
    CHECK(after->first == before->first);
    CHECK(after->last == before->last);
    CHECK(after->recorder.at("RecordingStarted.Keywords") == "CSwitch\n");
    const auto old = jsonRows(request.input);
    const auto rows = jsonRows(request.output);
    REQUIRE(rows.size() == old.size());
    std::vector<std::string> files;
    for (std::size_t i = 0; i < rows.size(); ++i) {
        const std::size_t fields = rows[i].find("\"fields\"");
        CHECK(rows[i].substr(0, fields) == old[i].substr(0, fields));
        // The payload that nobody knows is as it was.
        if (old[i].find("@payload") != std::string::npos) {
            CHECK(rows[i] == old[i]);
        }
        if (rows[i].find("\"FileName\"") != std::string::npos) {
            files.push_back(valueOf(rows[i], "FileName"));
        }
    }
    REQUIRE(files.size() == 6);
    CHECK(files[0] == "/usr/bin/bash");
    CHECK(files[1].starts_with("/home/"));
    CHECK(files[1].ends_with(".so"));
    CHECK(files[1].size() == std::string("/home/annasmith/topsecretproject/ownprogram.so").size());
    CHECK(files[2].substr(files[2].rfind('/')) == files[1].substr(files[1].rfind('/'))); // the same name
    CHECK(files[3].starts_with("\\\\Device\\\\HarddiskVolume3\\\\Users\\\\"));
    CHECK(files[3].ends_with(".xlsx"));
    CHECK(files[3] == files[4]);
    CHECK(files[5] == "C:\\\\Windows\\\\System32\\\\ntdll.dll");
    const auto rowOf = [&](const std::string& part) {
        const auto found = std::find_if(rows.begin(), rows.end(),
                                        [&](const auto& row) { return row.find(part) != std::string::npos; });
        REQUIRE(found != rows.end());
        return *found;
    };
    CHECK(valueOf(rowOf("\"ProcessId\":4,"), "ImageFileName") == "System");
    CHECK(valueOf(rowOf("\"ProcessId\":78,"), "ImageFileName") == "bash");
    CHECK(valueOf(rowOf("\"ProcessId\":77,"), "ImageFileName") != "ownprogram");
    CHECK(rowOf("\"ThreadName\":\"bash\"").find("\"TThreadId\":80") != std::string::npos);
    CHECK(rowOf("SendIPV4").find("\"saddr\":\"127.0.0.1\"") != std::string::npos);
}

TEST_CASE("One salt gives one replacement, another one another", "[etl][scrub]") {
    const TemporaryFolder folder;
    writeFile(folder.file("in.etl"), secretFile());
    etl::ScrubRequest request = requestOf(folder);
    request.replace = true;
    const auto scrubbed = [&](std::string salt) {
        request.salt = std::move(salt);
        REQUIRE(etl::scrub(systemFiles(), request).has_value());
        return readFile(request.output);
    };
    const auto first = scrubbed("salt");
    CHECK(scrubbed("salt") == first);
    CHECK(scrubbed("pepper") != first);
    CHECK(scrubbed("") != scrubbed(""));
}

TEST_CASE("Notes are kept where the user wants it", "[etl][scrub]") {
    const TemporaryFolder folder;
    writeFile(folder.file("in.etl"), secretFile());
    etl::ScrubRequest request = requestOf(folder);
    request.keepsNotes = true;
    REQUIRE(etl::scrub(systemFiles(), request).has_value());
    const auto after = readFile(request.output);
    for (const char* note : {"mynote", "mymark", "mytrouble"}) {
        CHECK(holds(after, note));
    }
    CHECK_FALSE(holds(after, "annas-laptop"));
}

TEST_CASE("Paths are replaced part by part", "[etl][scrub]") {
    Replacer replacer("salt");
    replacer.addSystemFile("/usr/bin/gnome-terminal-server");
    replacer.addSystemFile("C:\\Windows\\System32\\ntdll.dll");
    replacer.addSystemFile("/home/me/bash");
    for (const char* kept :
         {"/usr/lib/libc.so.6", "/proc/self/exe", "vmlinux", "ext4.ko", "[vdso]", "gnome-terminal-server",
          "gnome-terminal-", "NTDLL.dll", "ntdll.pdb", "\\SystemRoot\\System32\\drivers\\ntfs.sys",
          "\\Device\\HarddiskVolume2\\Windows\\WinSxS\\x.dll", ""}) {
        CAPTURE(kept);
        CHECK(replaced(replacer, kept) == kept);
    }
    for (const char* gone :
         {"/usr/local/bin/tool", "/usr/../home/anna", "bash", "root", "D:\\Other\\Windows\\System32\\a",
          "C:\\Windows\\Temp\\anna", "C:\\Windows\\System32\\config\\systemprofile\\anna", "home"}) {
        CAPTURE(gone);
        CHECK(replaced(replacer, gone) != gone);
        CHECK(replaced(replacer, gone).size() == std::string(gone).size());
    }
    const std::string path = replaced(replacer, "/home/anna/docs/anna.txt");
    CHECK(path.starts_with("/home/"));
    CHECK(path.ends_with(".txt"));
    CHECK(path.substr(6, 4) == path.substr(16, 4)); // one name, one replacement
    CHECK(replaced(replacer, "secret.annasmith").find('.') == std::string::npos);
    CHECK(replaced(replacer, ".txt") != ".txt");
}

TEST_CASE("The same name is replaced alike, whatever its width", "[etl][scrub]") {
    const Replacer replacer("salt");
    std::string narrow = "annasmith";
    std::u16string broad = u"annasmith";
    CHECK(replacer.replaceText(std::as_writable_bytes(std::span(narrow.data(), narrow.size())), TextWidth::Narrow));
    CHECK(replacer.replaceText(std::as_writable_bytes(std::span(broad.data(), broad.size())), TextWidth::Wide));
    CHECK(toUtf8(broad) == narrow);
}

TEST_CASE("Users and addresses that say nothing stay", "[etl][scrub]") {
    const Replacer replacer("salt");
    const auto isReplaced = [&](std::vector<std::uint32_t> parts) {
        EventBytes sid;
        etlformat::ByteWriter out(sid);
        out.put(std::uint8_t{1}), out.put(static_cast<std::uint8_t>(parts.size()));
        out.zeros(5), out.put(std::uint8_t{5});
        for (const std::uint32_t part : parts) {
            out.put(part);
        }
        return replacer.replaceSid(sid);
    };
    CHECK_FALSE(isReplaced({18}));
    CHECK_FALSE(isReplaced({32, 544}));
    CHECK_FALSE(isReplaced({1, 33}));
    CHECK(isReplaced({1, 1000}));
    CHECK(isReplaced({21, 1, 2, 3, 500}));
    const auto isReplacedV4 = [&](std::array<std::uint8_t, 4> address) {
        return replacer.replaceIpV4(std::as_writable_bytes(std::span(address)));
    };
    CHECK_FALSE(isReplacedV4({0, 0, 0, 0}));
    CHECK_FALSE(isReplacedV4({127, 0, 0, 53}));
    CHECK_FALSE(isReplacedV4({239, 1, 1, 1}));
    CHECK(isReplacedV4({192, 168, 1, 1}));
    std::array<std::uint8_t, 16> v6{};
    CHECK_FALSE(replacer.replaceIpV6(std::as_writable_bytes(std::span(v6))));
    v6[15] = 1;
    CHECK_FALSE(replacer.replaceIpV6(std::as_writable_bytes(std::span(v6))));
    v6[0] = 0xFD;
    CHECK(replacer.replaceIpV6(std::as_writable_bytes(std::span(v6))));
}

TEST_CASE("A scrub that does not succeed leaves no file", "[etl][scrub]") {
    const TemporaryFolder folder;
    writeFile(folder.file("in.etl"), secretFile());
    const etl::ScrubRequest request = requestOf(folder);
    SECTION("the disk is full") {
        FailingDevice device(Bytes{10'000});
        const auto result = etl::scrub(device, request);
        REQUIRE_FALSE(result.has_value());
        CHECK(result.error().code == ErrorCode::DiskFull);
    }
    SECTION("it is no recording") {
        writeFile(request.input, EventBytes(9000, std::byte{7}));
        const auto result = etl::scrub(systemFiles(), request);
        REQUIRE_FALSE(result.has_value());
        CHECK(result.error().code == ErrorCode::NotAnEtl);
    }
    CHECK(std::distance(std::filesystem::directory_iterator(folder.path()), {}) == 1);
}

TEST_CASE("Scrubbed files of Windows are as sound as they were", "[etl][scrub]") {
    const std::string shared = sharedFolder("scrubbed files of Windows");
    if (shared.empty()) {
        return;
    }
    const TemporaryFolder folder;
    for (const auto& entry : std::filesystem::directory_iterator(shared + "/corpus/etl")) {
        if (entry.path().extension() != ".etl") {
            continue;
        }
        etl::ScrubRequest request;
        request.input = entry.path().string();
        request.output = folder.file("out.etl");
        request.replace = true;
        request.dropsUnknown = true;
        CAPTURE(request.input);
        REQUIRE(etl::scrub(systemFiles(), request).has_value());
        const auto before = etl::summarize(systemFiles(), request.input);
        const auto after = etl::summarize(systemFiles(), request.output);
        REQUIRE(before.has_value());
        REQUIRE(after.has_value());
        CHECK(after->verdict() == before->verdict());
        CHECK(after->events == before->events);
        CHECK(after->buffers == before->buffers);
        CHECK(after->stacks == before->stacks);
        CHECK(after->first == before->first);
        CHECK(after->last == before->last);
        const CheckerVerdict was = runCheckers(request.input);
        const CheckerVerdict is = runCheckers(request.output);
        CHECK(is.complaints.empty() == was.complaints.empty());
    }
}
