// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/etlformat/kernel_events.h"
#include "tests/support/catch.h"
#include "tests/unit/linux/memory_sink.h"

namespace tracedeck::etlformat {
namespace {

test::SinkEvent eventOf(std::vector<std::byte> payload) {
    test::SinkEvent event;
    event.payload = std::move(payload);
    return event;
}

} // namespace

TEST_CASE("a process is encoded with its user, name and command line", "[etlformat][kernel]") {
    ProcessFields process;
    process.uniqueProcessKey = 0xFFFF800000000007;
    process.processId = 12;
    process.parentId = 3;
    process.sessionId = 4;
    process.user = {22, 2, {1, 1000}};
    process.imageFileName = "true";
    process.commandLine = "true -x";
    const auto event = eventOf(encodeProcess(hook::kProcessStart, process));
    CHECK(event.at<std::uint64_t>(0) == process.uniqueProcessKey);
    CHECK(event.at<std::uint32_t>(8) == 12);
    CHECK(event.at<std::uint32_t>(12) == 3);
    CHECK(event.at<std::uint32_t>(16) == 4);
    CHECK(event.at<std::uint32_t>(20) == 0x103);
    CHECK(event.at<std::uint32_t>(36) != 0); // TOKEN_USER: a SID follows
    CHECK(event.at<std::uint8_t>(52) == 1);
    CHECK(event.at<std::uint8_t>(53) == 2);
    CHECK(event.at<std::uint8_t>(59) == 22);
    CHECK(event.at<std::uint32_t>(60) == 1);
    CHECK(event.at<std::uint32_t>(64) == 1000);
    CHECK(event.processName() == "true");
    CHECK(event.commandLine() == "true -x");
    CHECK(event.payload.size() == 68 + 5 + 2 * 8 + 2 + 2);
}

TEST_CASE("a process without user has four zero bytes in its place", "[etlformat][kernel]") {
    ProcessFields process;
    process.imageFileName = "x";
    const auto event = eventOf(encodeProcess(hook::kProcessEnd, process));
    CHECK(event.payload.size() == 40 + 2 + 3 * 2);
    CHECK(event.processName() == "x");
}

TEST_CASE("a defunct process ends in its exit time", "[etlformat][kernel]") {
    ProcessFields process;
    process.exitTime = 132273837514816615;
    const auto event = eventOf(encodeProcess(hook::kProcessDefunct, process));
    CHECK(event.at<FileTime>(event.payload.size() - 8) == process.exitTime);
}

TEST_CASE("texts that no event could hold are cut", "[etlformat][kernel]") {
    ProcessFields process;
    process.imageFileName.assign(100'000, 'n');
    process.commandLine.assign(1'000'000, 'c');
    const auto bytes = encodeProcess(hook::kProcessStart, process);
    CHECK(bytes.size() + sizeof(SystemHeader) <= kLargestEvent);
    CHECK(bytes.back() == std::byte{0});
    CHECK(encodeMark(std::string(100'000, 'm')).size() + sizeof(PerfinfoHeader) <= kLargestEvent);
    ImageFields image;
    image.fileName.assign(1'000'000, 'i');
    CHECK(encodeImage(image).size() + sizeof(SystemHeader) <= kLargestEvent);
}

TEST_CASE("a thread has 72 bytes and its name", "[etlformat][kernel]") {
    ThreadFields thread;
    thread.processId = 1;
    thread.threadId = 2;
    thread.affinity = 3;
    thread.basePriority = 8;
    thread.name = "worker";
    const auto event = eventOf(encodeThread(thread));
    CHECK(event.payload.size() == 72 + 14);
    CHECK(event.at<std::uint32_t>(4) == 2);
    CHECK(event.at<std::uint64_t>(40) == 3);
    CHECK(event.at<std::uint8_t>(68) == 8);
    CHECK(event.at<std::uint8_t>(69) == 5);
    CHECK(event.at<std::uint8_t>(70) == 2);
    CHECK(event.wideText(72) == "worker");
}

TEST_CASE("an image has 56 bytes and its name", "[etlformat][kernel]") {
    ImageFields image;
    image.base = 0x7f0000000000;
    image.size = 0x1000;
    image.processId = 9;
    image.defaultBase = 0x400000;
    image.fileName = "/usr/lib/libc.so.6";
    const auto event = eventOf(encodeImage(image));
    CHECK(event.at<std::uint64_t>(0) == image.base);
    CHECK(event.at<std::uint64_t>(8) == image.size);
    CHECK(event.at<std::uint32_t>(16) == 9);
    CHECK(event.at<std::uint64_t>(32) == image.defaultBase);
    CHECK(event.imageName() == image.fileName);
    CHECK(event.payload.size() == 56 + 2 * (image.fileName.size() + 1));
}

TEST_CASE("the processor configuration has 828 bytes", "[etlformat][kernel]") {
    ConfigCpuFields config;
    config.mhz = 2600;
    config.computerName = std::string(300, 'h');
    config.processorArchitecture = 9;
    config.hasNx = true;
    const auto event = eventOf(encodeConfigCpu(config));
    CHECK(event.payload.size() == 828);
    CHECK(event.at<std::uint32_t>(0) == 2600);
    CHECK(event.wideText(20).size() == 255);
    CHECK(event.at<std::uint16_t>(816) == 9);
    CHECK(event.at<std::uint8_t>(823) == 1);
}

TEST_CASE("intervals and marks carry their texts", "[etlformat][kernel]") {
    const auto interval = eventOf(encodeProfileInterval(0, 10000, 20000, "Timer"));
    CHECK(interval.payload.size() == 24);
    CHECK(interval.at<std::uint32_t>(4) == 10000);
    CHECK(interval.at<std::uint32_t>(8) == 20000);
    CHECK(interval.wideText(12) == "Timer");
    const auto mark = eventOf(encodeMark("here"));
    CHECK(mark.text(0) == "here");
    CHECK(mark.payload.size() == 4 + 1 + 2);
}

} // namespace tracedeck::etlformat
