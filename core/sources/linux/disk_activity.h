// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/sources/linux/activity.h"

namespace tracedeck::linux_source {

/// Disk transfers and flushes, from the block layer's tracepoints.
///
///   block_io_start       (Linux 6.5) the thread asks for a transfer: DiskIo ReadInit, WriteInit, FlushInit
///   block_rq_issue       the request goes to the device; before 6.5 the Init events are written here
///   block_bio_frontmerge the request begins earlier now
///   block_rq_complete    the device has done it, or a part of it: DiskIo Read, Write, Flush when all of it is done
///
///   DiskNumber           place in Disks
///   Irp                  a number that no other request of the recording has
///   HighResResponseTime  from the Init event to the end, waiting in the scheduler included; 0 for a request that was
///                        under way when the recording began
///   IssuingThreadId      who asked; 0xFFFFFFFF for a request that was under way when the recording began
///   FileObject           0: not known
///   IrpFlags             NOCACHE; SYNCHRONOUS_API where somebody waits for it (REQ_SYNC); PAGING_IO for read-ahead and
///                        for what the kernel writes back of itself; the priority by the class of ioprio (real time:
///                        high, idle: very low)
///
/// Several threads that wait for a flush share one, as the kernel does it: the first one's. Discards and commands that
/// are no transfers have no events, as on Windows. A request that is joined to another one before the device sees it
/// has an Init event alone.
ActivityKind diskActivityKind();

} // namespace tracedeck::linux_source
