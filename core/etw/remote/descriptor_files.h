// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/file.h"
#include "core/etw/remote/descriptor.h"

#include <atomic>
#include <cstdint>
#include <map>
#include <memory>
#include <mutex>
#include <string>

namespace tracedeck::etw::remote {

/// Whether a client's descriptor may be written to for it: a regular file, open for reading and writing and not for
/// appending, that belongs to `owner` (a uid), on a local file system of this machine. What a process in user space
/// serves (FUSE), a server elsewhere, or memory without a limit is refused: writing there could wait for ever, and with
/// it everybody's host. AccessDenied or InvalidArgument says what is wrong.
[[nodiscard]] Status checkOffered(int file, std::uint32_t owner);

/// Whether looking at a descriptor, or closing it, may wait for somebody: for a process in user space or for a network.
/// Does not wait itself.
[[nodiscard]] bool mayWait(int file);

/// The files of one user's sessions in a host: descriptors that clients have opened. No way leads from here to a path;
/// a path is no more than the name by which a session asks for the descriptor that was offered with it.
///
/// remove() empties the file, since only the client can take its name away. rename() is refused.
///
/// Threading: any thread. Ownership: offers and files may outlive it.
class DescriptorFiles final : public FileSystem {
    class Account;
    struct Entry;
    class Output;
    class Input;

public:
    /// `mostDisk`: what open files may have grown by, all together; 0: unlimited. Beyond it writing fails as on a full
    /// disk.
    explicit DescriptorFiles(Bytes mostDisk);
    ~DescriptorFiles() override;

    /// Keeps a descriptor at hand under its name, until it is withdrawn and no file made of it is open.
    ///
    /// Threading: copies are one offer; they may go on any thread, withdraw() is one thread's.
    class [[nodiscard]] Offer {
    public:
        /// For all copies. The last one's end does the same.
        void withdraw() { m_kept->reset(); }

    private:
        friend class DescriptorFiles;
        std::shared_ptr<std::shared_ptr<Entry>> m_kept;
    };
    /// SessionNameTaken where a file of that name is in use.
    [[nodiscard]] Result<Offer> offer(const std::string& path, Descriptor file);
    /// The client has no descriptor: whoever asks for the file gets its error.
    [[nodiscard]] Result<Offer> offer(const std::string& path, Error whyNot);

    /// Refuse: the file must be empty. AccessDenied where nothing was offered.
    [[nodiscard]] Result<std::unique_ptr<OutputFile>> create(const std::string& path, Existing existing) override;
    /// An empty file counts as none: FileNotFound.
    [[nodiscard]] Result<std::unique_ptr<InputFile>> open(const std::string& path) override;
    [[nodiscard]] Result<Bytes> freeSpace(const std::string& path) override;
    [[nodiscard]] Result<std::uint64_t> volumeOf(const std::string& path) override;
    [[nodiscard]] Status rename(const std::string& from, const std::string& to, Existing existing) override;
    [[nodiscard]] Status remove(const std::string& path) override;

private:
    [[nodiscard]] Result<Offer> add(std::shared_ptr<Entry> entry);
    [[nodiscard]] std::shared_ptr<Entry> find(const std::string& path);

    std::shared_ptr<Account> m_account;
    std::mutex m_mutex;
    std::map<std::string, std::weak_ptr<Entry>> m_entries; ///< guarded by m_mutex
};

} // namespace tracedeck::etw::remote
