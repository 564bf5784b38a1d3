// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/file.h"

#include <memory>
#include <mutex>
#include <string>
#include <utility>
#include <vector>

namespace tracedeck::test {

/// Another file system that writes down what is done with files, in order.
///
/// Threading: any thread. Ownership: `files` must outlive it.
class NotingFiles final : public FileSystem {
public:
    enum class Call { Create, Write, Resize, Sync, Close, Rename, Remove };
    struct Note {
        Call call{};
        std::string path;         ///< of Rename: the former one
        std::string to{};         ///< of Rename
        std::uint64_t offset = 0; ///< of Write
        std::uint64_t size = 0;   ///< of Write
    };

    explicit NotingFiles(FileSystem& files) : m_files(files) {}

    [[nodiscard]] std::vector<Note> notes() const {
        const std::lock_guard lock(m_notes->mutex);
        return m_notes->all;
    }
    /// Every call on `path` from now on, by order: "write", "header" (a write at 0), "sync", "close", … Several writes
    /// one after another are one.
    [[nodiscard]] std::vector<std::string> storyOf(const std::string& path) const {
        std::vector<std::string> story;
        for (const Note& note : notes()) {
            if (note.path == path) {
                std::string word = wordOf(note);
                if (word != "write" || story.empty() || story.back() != word) {
                    story.push_back(std::move(word));
                }
            }
        }
        return story;
    }

    [[nodiscard]] Result<std::unique_ptr<OutputFile>> create(const std::string& path, Existing existing) override {
        auto file = m_files.create(path, existing);
        if (!file) {
            return file;
        }
        m_notes->add({Call::Create, path});
        return std::make_unique<Output>(std::move(*file), path, m_notes);
    }
    [[nodiscard]] Result<std::unique_ptr<InputFile>> open(const std::string& path) override {
        return m_files.open(path);
    }
    [[nodiscard]] Result<Bytes> freeSpace(const std::string& path) override { return m_files.freeSpace(path); }
    [[nodiscard]] Result<std::uint64_t> volumeOf(const std::string& path) override { return m_files.volumeOf(path); }
    [[nodiscard]] tracedeck::Status rename(const std::string& from, const std::string& to, Existing existing) override {
        m_notes->add({Call::Rename, from, to});
        return m_files.rename(from, to, existing);
    }
    [[nodiscard]] tracedeck::Status remove(const std::string& path) override {
        m_notes->add({Call::Remove, path});
        return m_files.remove(path);
    }

private:
    struct Notes {
        void add(Note note) {
            const std::lock_guard lock(mutex);
            all.push_back(std::move(note));
        }
        mutable std::mutex mutex;
        std::vector<Note> all;
    };
    class Output final : public OutputFile {
    public:
        Output(std::unique_ptr<OutputFile> file, std::string path, std::shared_ptr<Notes> notes)
            : m_file(std::move(file)), m_path(std::move(path)), m_notes(std::move(notes)) {}
        [[nodiscard]] tracedeck::Status writeAt(std::uint64_t offset, std::span<const std::byte> data) override {
            m_notes->add({Call::Write, m_path, {}, offset, data.size()});
            return m_file->writeAt(offset, data);
        }
        [[nodiscard]] tracedeck::Status resize(std::uint64_t size) override {
            m_notes->add({Call::Resize, m_path});
            return m_file->resize(size);
        }
        void beginSync(std::uint64_t offset, std::uint64_t size) noexcept override { m_file->beginSync(offset, size); }
        [[nodiscard]] tracedeck::Status sync() override {
            m_notes->add({Call::Sync, m_path});
            return m_file->sync();
        }
        [[nodiscard]] tracedeck::Status close() override {
            m_notes->add({Call::Close, m_path});
            return m_file->close();
        }

    private:
        std::unique_ptr<OutputFile> m_file;
        std::string m_path;
        std::shared_ptr<Notes> m_notes;
    };

    static std::string wordOf(const Note& note) {
        switch (note.call) {
        case Call::Create:
            return "create";
        case Call::Write:
            return note.offset == 0 ? "header" : "write";
        case Call::Resize:
            return "resize";
        case Call::Sync:
            return "sync";
        case Call::Close:
            return "close";
        case Call::Rename:
            return "rename";
        case Call::Remove:
            return "remove";
        }
        return {};
    }

    FileSystem& m_files;
    std::shared_ptr<Notes> m_notes = std::make_shared<Notes>();
};

} // namespace tracedeck::test
