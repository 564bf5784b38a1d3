// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/support/failing_device.h"

#include <algorithm>

namespace tracedeck::test {

class FailingDevice::Output final : public OutputFile {
public:
    Output(std::unique_ptr<OutputFile> file, std::shared_ptr<std::atomic<std::uint64_t>> left,
           std::shared_ptr<std::atomic<bool>> refusesClose, Error failure)
        : m_file(std::move(file)), m_left(std::move(left)), m_refusesClose(std::move(refusesClose)),
          m_failure(std::move(failure)) {}
    tracedeck::Status writeAt(std::uint64_t offset, std::span<const std::byte> data) override {
        const std::uint64_t end = offset + data.size();
        const std::uint64_t more = end > m_size ? end - m_size : 0;
        std::uint64_t left = m_left->load();
        do {
            if (more > left) {
                return fail(m_failure);
            }
        } while (!m_left->compare_exchange_weak(left, left - more));
        m_size = std::max(m_size, end);
        return m_file->writeAt(offset, data);
    }
    tracedeck::Status resize(std::uint64_t size) override { return m_file->resize(size); }
    tracedeck::Status sync() override { return m_file->sync(); }
    tracedeck::Status close() override {
        tracedeck::Status closed = m_file->close();
        return *m_refusesClose ? tracedeck::Status(fail(m_failure)) : closed;
    }

private:
    std::unique_ptr<OutputFile> m_file;
    std::shared_ptr<std::atomic<std::uint64_t>> m_left;
    std::shared_ptr<std::atomic<bool>> m_refusesClose;
    Error m_failure;
    std::uint64_t m_size = 0;
};

FailingDevice::FailingDevice(Bytes capacity, Error failure)
    : m_left(std::make_shared<std::atomic<std::uint64_t>>(capacity.count)), m_failure(std::move(failure)) {}

Result<std::unique_ptr<OutputFile>> FailingDevice::create(const std::string& path, Existing existing) {
    auto file = systemFiles().create(path, existing);
    if (!file) {
        return file;
    }
    return std::make_unique<Output>(std::move(*file), m_left, m_refusesClose, m_failure);
}

Result<std::unique_ptr<InputFile>> FailingDevice::open(const std::string& path) {
    return systemFiles().open(path);
}

Result<Bytes> FailingDevice::freeSpace(const std::string&) {
    return Bytes{m_left->load()};
}

Result<std::uint64_t> FailingDevice::volumeOf(const std::string& path) {
    return systemFiles().volumeOf(path);
}

tracedeck::Status FailingDevice::rename(const std::string& from, const std::string& to, Existing existing) {
    return systemFiles().rename(from, to, existing);
}

tracedeck::Status FailingDevice::remove(const std::string& path) {
    return systemFiles().remove(path);
}

} // namespace tracedeck::test
