// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/etl/kernel_layouts.h"

#include <array>

namespace tracedeck::etl {
namespace {

// Facts: names, types and order as the kernel's MOF classes have them. Written with kernel_layouts.h beside it.

// EventTrace, DiskIo, PageFault, Process, FileIo, Thread, TcpIp, UdpIp, Registry.
constexpr std::string_view kFirst = R"(
0000 0 BufferSize:u32 Version:u32 ProviderVersion:u32 NumberOfProcessors:u32 EndTime:filetime TimerResolution:u32
  MaxFileSize:u32 LogFileMode:u32 BuffersWritten:u32 StartBuffers:u32 PointerSize:u32 EventsLost:u32 CPUSpeed:u32
  LoggerName:ptr LogFileName:ptr TimeZoneInformation:bytes[176] BootTime:filetime PerfFreq:u64 StartTime:filetime
  ReservedFlags:u32 BuffersLost:u32 SessionNameString:wstrz LogFileNameString:wstrz
0005,0020 0 GroupMask1:u32 GroupMask2:u32 GroupMask3:u32 GroupMask4:u32 GroupMask5:u32 GroupMask6:u32 GroupMask7:u32
  GroupMask8:u32
0005,0020 2 GroupMask1:u32 GroupMask2:u32 GroupMask3:u32 GroupMask4:u32 GroupMask5:u32 GroupMask6:u32 GroupMask7:u32
  GroupMask8:u32 KernelEventVersion:u32
0008 0
0040 2 Guid:guid Age:u32 PdbName:astrz
0042 2 BuildString:astrz
0043 2 GuidCount:u32 Guid:guid[GuidCount] BinaryPath:wstrz
0050 2 EventVersion:u16 Reserved:u16 PartitionType:u32 QpcOffsetFromRoot:i64 PartitionId:guid ParentId:guid
0052 2 TimeStampCount:u32 Padding:u32 TimeStamp:u64[TimeStampCount]
010a,010b 0 DiskNumber:u32 IrpFlags:u32 TransferSize:u32 Reserved:u32 ByteOffset:u64 FileObject:ptr
010a,010b 1 DiskNumber:u32 IrpFlags:u32 TransferSize:u32 ResponseTime:u32 ByteOffset:u64 FileObject:ptr
  HighResResponseTime:u64
010a,010b 2 DiskNumber:u32 IrpFlags:u32 TransferSize:u32 Reserved:u32 ByteOffset:u64 FileObject:ptr Irp:ptr
  HighResResponseTime:u64
010a,010b,0137,0138 3 DiskNumber:u32 IrpFlags:u32 TransferSize:u32 Reserved:u32 ByteOffset:u64 FileObject:ptr
  Irp:ptr HighResResponseTime:u64 IssuingThreadId:u32
010c,010d,010f 2 Irp:ptr
010c,010d,010f,013a,013b,013c 3 Irp:ptr IssuingThreadId:u32
010e 2 DiskNumber:u32 IrpFlags:u32 HighResResponseTime:u64 Irp:ptr
010e,0139 3 DiskNumber:u32 IrpFlags:u32 HighResResponseTime:u64 Irp:ptr IssuingThreadId:u32
0122 1 UniqMatchId:u32 RoutineAddr:ptr Irp:ptr MajorFunction:u32 MinorFunction:u32 FileObject:ptr
0122 2 MajorFunction:u32 MinorFunction:u32 RoutineAddr:ptr FileObject:ptr Irp:ptr UniqMatchId:u32
0123 1 UniqMatchId:u32 Irp:ptr
0123 2 Irp:ptr UniqMatchId:u32
0125 2 Routine:ptr IrpPtr:ptr UniqMatchId:u32
0134 1 RoutineAddr:ptr Irp:ptr UniqMatchId:u32
0135 1 Irp:ptr UniqMatchId:u32
020a,020b,020c,020d,020e,020f 2 VirtualAddress:ptr ProgramCounter:ptr
0220 2 InitialTime:i64 ReadOffset:u64 VirtualAddress:ptr FileObject:ptr TThreadId:u32 ByteCount:u32
0262,0263 2 BaseAddress:ptr RegionSize:ptr ProcessId:u32 Flags:u32
0264 2 HeapHandle:ptr HRFlags:u32 HRPid:u32 HRRangeCount:u32
0264 3 HeapHandle:ptr HRFlags:u32 HRPid:u32 HRRangeCount:u32 HRHeapTag:u64
0265 2 HeapHandle:ptr FirstRangeSize:ptr HRCreateFlags:u32
0266,0267 2 HeapHandle:ptr HRAddress:ptr HRSize:ptr
0268 2 HeapHandle:ptr
0269 2 FileObject:ptr DeviceChar:u32 FileChar:u16 LoadFlags:u16
027f 2 BaseAddress:ptr SizeInBytes:ptr
0280,0281 2 BaseAddress:ptr RegionSize:ptr ProcessId:u32 Flags:u32 CommitSizeInBytes:ptr
0286 2 BaseAddress:ptr SizeInBytes:ptr Flags:u32
0301,0302,0303,0304 0 ProcessId:ptr ParentId:ptr UserSID:sid ImageFileName:astrz
0301,0302,0303,0304 1 PageDirectoryBase:ptr ProcessId:u32 ParentId:u32 SessionId:u32 ExitStatus:i32 UserSID:sid
  ImageFileName:astrz
0301,0302,0303,0304,0327 2 UniqueProcessKey:ptr ProcessId:u32 ParentId:u32 SessionId:u32 ExitStatus:i32 UserSID:sid
  ImageFileName:astrz CommandLine:wstrz
0301,0302,0303,0304,0327 3 UniqueProcessKey:ptr ProcessId:u32 ParentId:u32 SessionId:u32 ExitStatus:i32
  DirectoryTableBase:ptr UserSID:sid ImageFileName:astrz CommandLine:wstrz
0301,0302,0303,0304,0327 4 UniqueProcessKey:ptr ProcessId:u32 ParentId:u32 SessionId:u32 ExitStatus:i32
  DirectoryTableBase:ptr Flags:u32 UserSID:sid ImageFileName:astrz CommandLine:wstrz PackageFullName:wstrz
  ApplicationId:wstrz
030b 2 ProcessId:u32
0320,0321 2 ProcessId:u32 PageFaultCount:u32 HandleCount:u32 Reserved:u32 PeakVirtualSize:ptr PeakWorkingSetSize:ptr
  PeakPagefileUsage:ptr QuotaPeakPagedPoolUsage:ptr QuotaPeakNonPagedPoolUsage:ptr VirtualSize:ptr
  WorkingSetSize:ptr PagefileUsage:ptr QuotaPagedPoolUsage:ptr QuotaNonPagedPoolUsage:ptr PrivatePageCount:ptr
0323 2 DirectoryTableBase:ptr ProcessId:u32
0327 5 UniqueProcessKey:ptr ProcessId:u32 ParentId:u32 SessionId:u32 ExitStatus:i32 DirectoryTableBase:ptr Flags:u32
  UserSID:sid ImageFileName:astrz CommandLine:wstrz PackageFullName:wstrz ApplicationId:wstrz ExitTime:filetime
0330,0331,0332,0333,0334,0340,0341,0342,0343,0344,0350,0351,0352,0353,0354 2 Object:ptr Tag:ptr ProcessId:u32
  Count:u32
0360,0361,0362,0363 2 Object:ptr
0400 0 FileObject:ptr FileName:wstrz
0420 1 FileObject:ptr FileName:wstrz
0423,0424 2 FileObject:ptr FileName:wstrz
0425,0426,0427,0428 2 ViewBase:ptr FileObject:ptr MiscInfo:u64 ViewSize:ptr ProcessId:u32
0440 2 IrpPtr:ptr TTID:ptr FileObject:ptr CreateOptions:u32 FileAttributes:u32 ShareAccess:u32 OpenPath:wstrz
0440 3 IrpPtr:ptr FileObject:ptr TTID:u32 CreateOptions:u32 FileAttributes:u32 ShareAccess:u32 OpenPath:wstrz
0441,0442,0449 2 IrpPtr:ptr TTID:ptr FileObject:ptr FileKey:ptr
0441,0442,0449 3 IrpPtr:ptr FileObject:ptr FileKey:ptr TTID:u32
0443,0444 2 Offset:u64 IrpPtr:ptr TTID:ptr FileObject:ptr FileKey:ptr IoSize:u32 IoFlags:u32
0443,0444 3 Offset:u64 IrpPtr:ptr FileObject:ptr FileKey:ptr TTID:u32 IoSize:u32 IoFlags:u32
0445,0446,0447,044a,044b 2 IrpPtr:ptr TTID:ptr FileObject:ptr FileKey:ptr ExtraInfo:ptr InfoClass:u32
0445,0446,0447,044a,044b 3 IrpPtr:ptr FileObject:ptr FileKey:ptr ExtraInfo:ptr TTID:u32 InfoClass:u32
0448,044d 2 IrpPtr:ptr TTID:ptr FileObject:ptr FileKey:ptr Length:u32 InfoClass:u32 FileIndex:u32 FileName:wstrz
0448,044d 3 IrpPtr:ptr FileObject:ptr FileKey:ptr TTID:u32 Length:u32 InfoClass:u32 FileIndex:u32 FileName:wstrz
044c 2 IrpPtr:ptr ExtraInfo:ptr NtStatus:u32
044f,0450,0451 3 IrpPtr:ptr FileObject:ptr FileKey:ptr ExtraInfo:ptr TTID:u32 InfoClass:u32 FileName:wstrz
0460,0461 3 RoutineAddr:ptr FileObject:ptr FileContext:ptr IrpPtr:ptr CallbackDataPtr:ptr MajorFunction:u32
0462,0463 3 InitialTime:i64 RoutineAddr:ptr FileObject:ptr FileContext:ptr IrpPtr:ptr CallbackDataPtr:ptr
  MajorFunction:u32
0464,0465 3 RoutineAddr:ptr FileObject:ptr FileContext:ptr IrpPtr:ptr CallbackDataPtr:ptr MajorFunction:u32
  Status:u32
0501,0502,0503,0504 0 TThreadId:u32 ProcessId:u32
0501,0503,0504 1 ProcessId:u32 TThreadId:u32 StackBase:ptr StackLimit:ptr UserStackBase:ptr UserStackLimit:ptr
  StartAddr:ptr Win32StartAddr:ptr WaitMode:i8
0501,0502,0503,0504 2 ProcessId:u32 TThreadId:u32 StackBase:ptr StackLimit:ptr UserStackBase:ptr UserStackLimit:ptr
  StartAddr:ptr Win32StartAddr:ptr TebBase:ptr SubProcessTag:u32
0501,0502,0503,0504 3 ProcessId:u32 TThreadId:u32 StackBase:ptr StackLimit:ptr UserStackBase:ptr UserStackLimit:ptr
  Affinity:ptr Win32StartAddr:ptr TebBase:ptr SubProcessTag:u32 BasePriority:u8 PagePriority:u8 IoPriority:u8
  ThreadFlags:u8 ThreadName:wstrz?
0501,0502,0503,0504 4 ProcessId:u32 TThreadId:u32 StackBase:ptr StackLimit:ptr UserStackBase:ptr UserStackLimit:ptr
  Affinity:ptr Win32StartAddr:ptr TebBase:ptr SubProcessTag:u32 BasePriority:u8 PagePriority:u8 IoPriority:u8
  ThreadFlags:u8 ThreadName:wstrz
0502 1 ProcessId:u32 TThreadId:u32
0524 1 NewThreadId:u32 OldThreadId:u32 NewThreadPriority:i8 OldThreadPriority:i8 NewThreadQuantum:i8
  OldThreadQuantum:i8 OldThreadWaitReason:i8 OldThreadWaitMode:i8 OldThreadState:i8 OldThreadWaitIdealProcessor:i8
0524 2 NewThreadId:u32 OldThreadId:u32 NewThreadPriority:i8 OldThreadPriority:i8 PreviousCState:u8 SpareByte:i8
  OldThreadWaitReason:i8 OldThreadWaitMode:i8 OldThreadState:i8 OldThreadWaitIdealProcessor:i8 NewThreadWaitTime:u32
  Reserved:u32
0524 3 NewThreadId:u32 OldThreadId:u32 NewThreadPriority:i8 OldThreadPriority:i8 PreviousCState:u8 SpareByte:i8
  OldThreadWaitReason:i8 ThreadFlags:i8 OldThreadState:i8 OldThreadWaitIdealProcessor:i8 NewThreadWaitTime:u32
  Reserved:u32
0529 2 SpinLockAddress:ptr CallerAddress:ptr AcquireTime:u64 ReleaseTime:u64 WaitTimeInCycles:u32 SpinCount:u32
  ThreadId:u32 InterruptCount:u32 Irql:u8 AcquireDepth:u8 Flag:u8 Reserved:u8[5]
0530,0531,0533,0534 3 ThreadId:u32 OldPriority:u8 NewPriority:u8 Reserved:u16
0532 2 TThreadId:u32 AdjustReason:i8 AdjustIncrement:i8 Flag:i8 Reserved:i8
0535 2 Affinity:ptr ThreadId:u32 Group:u16 Reserved:u16
0539 1 TThreadId:u32 StartTime:u64 ThreadRoutine:ptr
053c 2 ThreadId:u32 ProcessorIndex:u16 Priority:u8 Reserved:u8
053d 2 ThreadId:u32 SourceProcessorIndex:u16 TargetProcessorIndex:u16 Priority:u8 IdealProcessorAdjust:u8
  OldIdealProcessorIndex:u16
053e 2 Entry:ptr ThreadId:u32
053f 2 ThreadId:u32 EntryCount:u32 Entries:ptr[EntryCount]
0540,0541 2 CallbackRoutine:ptr
0542 2 Lock:ptr ThreadId:u32 NewCpuPriorityFloor:u8 OldCpuPriority:u8 IoPriorities:u8 BoostFlags:u8
0543 2 LockAddress:ptr ThreadId:u32 BoostBitmap:u32
0544 2 LockAddress:ptr ThreadId:u32
0545 2 OldTag:u32 NewTag:u32
0548 2 ProcessId:u32 ThreadId:u32 ThreadName:wstrz
060a,060b,060c,060d,060e,060f 0 daddr:ipv4 saddr:ipv4 dport:be16 sport:be16 size:u32 PID:u32
060a 1 PID:u32 size:u32 daddr:ipv4 saddr:ipv4 dport:be16 sport:be16 startime:u32 endtime:u32 connid:ptr seqnum:u32
060a 2 PID:u32 size:u32 daddr:ipv4 saddr:ipv4 dport:be16 sport:be16 startime:u32 endtime:u32 seqnum:u32 connid:ptr
060b,060d,060e,0610,0612,0613,0614,0615,0616 1 PID:u32 size:u32 daddr:ipv4 saddr:ipv4 dport:be16 sport:be16
  connid:ptr seqnum:u32
060b,060d,060e,0610,0612 2 PID:u32 size:u32 daddr:ipv4 saddr:ipv4 dport:be16 sport:be16 seqnum:u32 connid:ptr
060c,060f 1 PID:u32 size:u32 daddr:ipv4 saddr:ipv4 dport:be16 sport:be16 mss:u16 sackopt:u16 tsopt:u16 wsopt:u16
  rcvwin:u32 rcvwinscale:i16 sndwinscale:i16 connid:ptr seqnum:u32
060c,060f 2 PID:u32 size:u32 daddr:ipv4 saddr:ipv4 dport:be16 sport:be16 mss:u16 sackopt:u16 tsopt:u16 wsopt:u16
  rcvwin:u32 rcvwinscale:i16 sndwinscale:i16 seqnum:u32 connid:ptr
0611 1 Proto:u32
0611 2 Proto:u16 FailureCode:u16
061a 2 PID:u32 size:u32 daddr:ipv6 saddr:ipv6 dport:be16 sport:be16 startime:u32 endtime:u32 seqnum:u32 connid:ptr
061b,061d,061e,0620,0622 2 PID:u32 size:u32 daddr:ipv6 saddr:ipv6 dport:be16 sport:be16 seqnum:u32 connid:ptr
061c,061f 2 PID:u32 size:u32 daddr:ipv6 saddr:ipv6 dport:be16 sport:be16 mss:u16 sackopt:u16 tsopt:u16 wsopt:u16
  rcvwin:u32 rcvwinscale:i16 sndwinscale:i16 seqnum:u32 connid:ptr
080a,080b 0 context:ptr saddr:ipv4 sport:be16 size:u16 daddr:ipv4 dport:be16 dsize:u16
080a,080b 1 PID:u32 size:u32 daddr:ipv4 saddr:ipv4 dport:be16 sport:be16
080a,080b 2 PID:u32 size:u32 daddr:ipv4 saddr:ipv4 dport:be16 sport:be16 seqnum:u32 connid:ptr
0811 2 Proto:u16 FailureCode:u16
081a,081b 2 PID:u32 size:u32 daddr:ipv6 saddr:ipv6 dport:be16 sport:be16 seqnum:u32 connid:ptr
090a,090b,090c,090d,090e,090f,0910,0911,0912,0913,0914,0915 0 Status:ptr KeyHandle:ptr ElapsedTime:i64 KeyName:wstrz
090a,090b,090c,090d,090e,090f,0910,0911,0912,0913,0914,0915,0916 1 Status:ptr KeyHandle:ptr ElapsedTime:i64
  Index:u32 KeyName:wstrz
090a,090b,090c,090d,090e,090f,0910,0911,0912,0913,0914,0915,0916,0917,0918,0919,091a,091b,091c,091d 2
  InitialTime:i64 Status:u32 Index:u32 KeyHandle:ptr KeyName:wstrz
091e,091f,0920 2 TxrGUID:guid Status:u32 UowCount:u32 OperationTime:u64 Hive:wstrz
0922 2 Counter1:u64 Counter2:u64 Counter3:u64 Counter4:u64 Counter5:u64 Counter6:u64 Counter7:u64 Counter8:u64
  Counter9:u64 Counter10:u64 Counter11:u64
0923 2 CurrentControlSet:u32
0924 2 Hive:ptr OperationType:u32 PoolTag:u32 Size:u32 FileName:wstrz
0925 2 Hive:ptr FileName:wstrz Path:wstrz
0926 2 Hive:ptr Path:wstrz
0927 2 Size:u64 Hive:ptr LoadedKeyCount:u32 FileName:wstrz LinkPath:wstrz
0928 2 Hive:ptr LinkPath:wstrz DirtyReason:u32
0930 2 Notification:ptr KeyHandle:ptr Type:u8 WatchSubtree:u8 Primary:u8
)";

// SystemConfig, Pool, PerfInfo, Object, Power, Image, StackWalk, Ums, Alpc, SplitIo.
constexpr std::string_view kSecond = R"(
0b0a 0 MHz:u32 NumberOfProcessors:u32 MemSize:u32 PageSize:u32 AllocationGranularity:u32 ComputerName:wchars[256]
  DomainName:wchars[132] HyperThreadingFlag:ptr
0b0a 2 MHz:u32 NumberOfProcessors:u32 MemSize:u32 PageSize:u32 AllocationGranularity:u32 ComputerName:wchars[256]
  DomainName:wchars[134] HyperThreadingFlag:ptr
0b0a 3 MHz:u32 NumberOfProcessors:u32 MemSize:u32 PageSize:u32 AllocationGranularity:u32 ComputerName:wchars[256]
  DomainName:wchars[134] HyperThreadingFlag:ptr HighestUserAddress:ptr ProcessorArchitecture:u16 ProcessorLevel:u16
  ProcessorRevision:u16 PaeEnabled:u8 NxEnabled:u8 MemorySpeed:u32
0b0b 0 DiskNumber:u32 BytesPerSector:u32 SectorsPerTrack:u32 TracksPerCylinder:u32 Cylinders:u64 SCSIPort:u32
  SCSIPath:u32 SCSITarget:u32 SCSILun:u32 Manufacturer:wchars[256] PartitionCount:u32 WriteCacheEnabled:u8 Pad:u8
  BootDriveLetter:u16[3] Spare:u16[2]
0b0c 0 StartOffset:u64 PartitionSize:u64 DiskNumber:u32 Size:u32 DriveType:u32 DriveLetterString:u16[4] Pad1:u32
  PartitionNumber:u32 SectorsPerCluster:u32 BytesPerSector:u32 Pad2:u32 NumberOfFreeClusters:i64
  TotalNumberOfClusters:i64 FileSystem:wchars[16] VolumeExt:u32
0b0c 2 StartOffset:u64 PartitionSize:u64 DiskNumber:u32 Size:u32 DriveType:u32 DriveLetterString:u16[4] Pad1:u32
  PartitionNumber:u32 SectorsPerCluster:u32 BytesPerSector:u32 Pad2:u32 NumberOfFreeClusters:i64
  TotalNumberOfClusters:i64 FileSystem:wchars[16] VolumeExt:u32 Pad3:u32
0b0d 0 NICName:wchars[256] Index:u32 PhysicalAddrLen:u32 PhysicalAddr:u16[8] Size:u32 IpAddress:i32 SubnetMask:i32
  DhcpServer:i32 Gateway:i32 PrimaryWinsServer:i32 SecondaryWinsServer:i32 DnsServer1:i32 DnsServer2:i32
  DnsServer3:i32 DnsServer4:i32 Data:u32
0b0d 2 PhysicalAddr:u64 PhysicalAddrLen:u32 Ipv4Index:u32 Ipv6Index:u32 NICDescription:wstrz IpAddresses:wstrz
  DnsServerAddresses:wstrz
0b0e 0 MemorySize:u32 XResolution:u32 YResolution:u32 BitsPerPixel:u32 VRefresh:u32 ChipType:wchars[256]
  DACType:wchars[256] AdapterString:wchars[256] BiosString:wchars[256] DeviceId:wchars[256] StateFlags:u32
0b0f 0 ServiceName:wchars[34] DisplayName:wchars[256] ProcessName:wchars[34] ProcessId:u32
0b0f 2 ProcessId:u32 ServiceState:u32 SubProcessTag:u32 ServiceName:wstrz DisplayName:wstrz ProcessName:wstrz
0b0f 3 ProcessId:u32 ServiceState:u32 SubProcessTag:u32 ServiceName:wstrz DisplayName:wstrz ProcessName:wstrz
  LoadOrderGroup:wstrz SvchostGroup:wstrz
0b10 0 S1:u8 S2:u8 S3:u8 S4:u8 S5:u8 Pad1:u8 Pad2:u8 Pad3:u8
0b11 2 TcbTablePartitions:u32 MaxHashTableSize:u32 MaxUserPort:u32 TcpTimedWaitDelay:u32
0b12 2 DiskNumber:u16 BusType:u16 DeviceType:u16 MediaType:u16 StartingOffset:u64 Size:u64 NumberOfFreeBlocks:u64
  TotalNumberOfBlocks:u64 NextWritableAddress:u64 NumberOfSessions:u32 NumberOfTracks:u32 BytesPerSector:u32
  DiscStatus:u16 LastSessionStatus:u16 DriveLetter:wstrz FileSystemName:wstrz DeviceName:astrz
  ManufacturerName:astrz
0b15 0 IRQAffinity:u64 IRQNum:u32 DeviceDescriptionLen:u32 DeviceDescription:wstrz
0b15 3 IRQAffinity:u64 IRQGroup:u16 Reserved:u16 IRQNum:u32 DeviceDescriptionLen:u32 DeviceDescription:wstrz
0b16 0 IDLength:u32 DescriptionLength:u32 FriendlyNameLength:u32 DeviceID:wstrz DeviceDescription:wstrz
  FriendlyName:wstrz
0b16 3 IDLength:u32 DescriptionLength:u32 FriendlyNameLength:u32 DeviceID:wstrz DeviceDescription:wstrz
  FriendlyName:wstrz PdoName:wstrz
0b16 4 ClassGuid:guid UpperFiltersCount:u32 LowerFiltersCount:u32 DeviceID:wstrz DeviceDescription:wstrz
  FriendlyName:wstrz PdoName:wstrz ServiceName:wstrz UpperFilters:wstrz[UpperFiltersCount]
  LowerFilters:wstrz[LowerFiltersCount]
0b16 5 ClassGuid:guid UpperFiltersCount:u32 LowerFiltersCount:u32 DevStatus:u32 DevProblem:u32 DeviceID:wstrz
  DeviceDescription:wstrz FriendlyName:wstrz PdoName:wstrz ServiceName:wstrz UpperFilters:wstrz[UpperFiltersCount]
  LowerFilters:wstrz[LowerFiltersCount]
0b17 2 TargetId:u32 DeviceType:u32 DeviceTimingMode:u32 LocationInformationLen:u32 LocationInformation:wstrz
0b18 2 NodeCount:u32 NodeMap:u64[NodeCount]
0b19 2 SystemManufacturer:wstrz SystemProductName:wstrz BiosDate:wstrz BiosVersion:wstrz
0b1a 2 GroupCount:u32 Affinity:ptr[GroupCount]
0b1b 2 ProcessorCount:u32 ProcessorNumber:u32[ProcessorCount]
0b1c 2 MachineDPI:u32 UserDPI:u32
0b1d 2 CodeIntegrityInfo:u32
0b1e 2 MachineId:guid
0b1f 2 AlignmentClusters:u64 AvgFreeSpaceSize:u64 ClustersPerSlab:u64 FragmentedDirectoryExtents:u64
  FragmentedExtents:u64 FreeSpaceCount:u64 LargestFreeSpaceSize:u64 LastRunActualPurgeClusters:u64
  LastRunClustersTrimmed:u64 LastRunFullDefragTime:u64 LastRunTime:u64 MFTSize:u64 TotalClusters:u64
  TotalUsedClusters:u64 AvgFragmentsPerFile:u32 BytesPerCluster:u32 DirectoryCount:u32 FragmentedDirectories:u32
  FragmentedFiles:u32 FragmentedSpace:u32 HardwareIssue:u32 InUseMFTRecords:u32 InUseSlabs:u32
  LastRunActualPurgeSlabs:u32 LastRunInitialBackedSlabs:u32 LastRunPercentFragmentation:u32 LastRunPinnedSlabs:u32
  LastRunPotentialPurgeSlabs:u32 LastRunSpaceInefficientSlabs:u32 LastRunTrimmedSlabs:u32
  LastRunUnknownEvictFailSlabs:u32 LastRunVolsnapPinnedSlabs:u32 MFTFragmentCount:u32 MovableFiles:u32
  TotalMFTRecords:u32 TotalSlabs:u32 UnmovableFiles:u32 VolumeId:guid VolumePathNames:wstrz
0b20 2 BootLoaderVersion:wstrz FirmwareRevision:wstrz FriendlyName:wstrz HardwareRevision:wstrz Manufacturer:wstrz
  ManufacturerDisplayName:wstrz ManufacturerModelName:wstrz MobileOperatorDisplayName:wstrz MobileOperatorName:wstrz
  ModelName:wstrz RadioHardwareRevision:wstrz RadioSoftwareRevision:wstrz ROMVersion:wstrz SOCVersion:wstrz
  HardwareVariant:wstrz
0b20 3 DeviceManufacturer:wstrz DeviceManufacturerDisplayName:wstrz DeviceModel:wstrz DeviceModelDisplayName:wstrz
  MobileOperator:wstrz MobileOperatorDisplayName:wstrz HardwareVersion:wstrz SocVersion:wstrz
  RadioHardwareVersion:wstrz RadioSoftwareVersion:wstrz BspVersion:wstrz OemSoftwareVersion:wstrz
0b20 4 DeviceManufacturer:wstrz DeviceManufacturerDisplayName:wstrz DeviceModel:wstrz DeviceModelDisplayName:wstrz
  MobileOperator:wstrz SocVersion:wstrz BspVersion:wstrz
0b21 2 UAPInfo:u64 DeviceFamily:u32 DeviceForm:u32
0b22 2 UpdateId:wstrz FlightIdList:wstrz
0b23 2 ProcessorIndex:u32 FeatureSet:u32 ProcessorSpeed:u32 ProcessorName:wchars[64] VendorIdentifier:wchars[16]
  ProcessorIdentifier:wchars[128]
0b24 2 VbsEnabled:u8 HvciEnabled:u8 HyperVisorEnabled:u8 Reserved:u8
0b25 2 BootFlags:u64 FirmwareType:u32 SecureBootEnabled:u8 SecureBootCapable:u8 Reserved1:u8 Reserved2:u8
0e20,0e22 2 Type:u32 Tag:u32 NumberOfBytes:ptr Entry:ptr
0e21,0e23 2 Type:u32 Tag:u32 NumberOfBytes:ptr Entry:ptr SessionId:u32
0f22 0 Message:astrz Padding:u16
0f2e 1 InstructionPointer:ptr ThreadId:u32 Count:u16
0f2e 2 InstructionPointer:ptr ThreadId:u32 Count:u16 Reserved:u16
0f2f 2 InstructionPointer:ptr ThreadId:u32 ProfileSource:u16 Reserved:u16
0f30 2 CounterCount:u32 CounterName:wstrz[CounterCount]
0f31 2 ProcessorNumber:u32 CounterCount:u32 CounterStatus:u8[CounterCount]
0f32 2 InitialTime:i64 Routine:ptr ReturnValue:u8 Vector:u16 Reserved:u8 MessageNumber:u32
0f33 2 SysCallAddress:ptr
0f34 2 SysCallNtStatus:u32
0f3a 2
0f42,0f46 2 InitialTime:i64 Routine:ptr
0f43,0f5f 1 InitialTime:i64 Routine:ptr ReturnValue:u32
0f43,0f5f 2 InitialTime:i64 Routine:ptr ReturnValue:u8 Vector:u16 Reserved:u8
0f44,0f45 1 InitialTime:i64 Routine:ptr
0f48,0f49,0f4a 2 Source:u32 NewInterval:u32 OldInterval:u32
0f49,0f4a 3 Source:u32 NewInterval:u32 OldInterval:u32 SourceName:wstrz
0f4b,0f4c 2 SpinLockSpinThreshold:u32 SpinLockContentionSampleRate:u32 SpinLockAcquireSampleRate:u32
0f4b,0f4c 3 SpinLockSpinThreshold:u32 SpinLockContentionSampleRate:u32 SpinLockAcquireSampleRate:u32
  SpinLockHoldThreshold:u32
0f5c 2 Vector:u16
0f5d,0f5e 2 DeviceObject:ptr TimerRoutine:ptr
0f60,0f61,0f62,0f67 2 Routine:ptr
0f68,0f69 2 DueTime:u64 MaximumDueTime:u64 Period:u64 Timer:ptr Callback:ptr CallbackContext:ptr TimerFlags:u8
0f6a 2 Timer:ptr
0f6b 2 Timer:ptr DisableCallback:ptr DisableContext:ptr TimerFlags:u8
0f6c 2 Timer:ptr DisableCallback:ptr DisableContext:ptr
0f72 2 CallCode:u32 IsFast:u8 IsNested:u8
1120,1121 2 Object:ptr Handle:u32 ObjectType:u16 ObjectName:wstrz
1122 2 Object:ptr SourceHandle:u32 TargetHandle:u32 TargetProcessId:u32 ObjectType:u16
1124,1125 2 ObjectType:u16 Reserved:u16 TypeName:wstrz
1126,1127 2 Object:ptr ProcessId:u32 Handle:u32 ObjectType:u16 ObjectName:wstrz
1130,1131 2 Object:ptr ObjectType:u16
1132,1133 2 Object:ptr Tag:u32 Count:u32
123c 2 PlatformState:u32 ProcessorState:u32 ReturnLatency:u32 TotalLatency:u32
1402,1403,1404,140a 2 ImageBase:ptr ImageSize:ptr ProcessId:u32 ImageChecksum:u32 TimeDateStamp:u32 Reserved0:u32
  DefaultBase:ptr Reserved1:u32 Reserved2:u32 Reserved3:u32 Reserved4:u32 FileName:wstrz
1402,1403,1404,140a 3 ImageBase:ptr ImageSize:ptr ProcessId:u32 ImageChecksum:u32 TimeDateStamp:u32
  SignatureLevel:u8 SignatureType:u8 Reserved0:u16 DefaultBase:ptr Reserved1:u32 Reserved2:u32 Reserved3:u32
  Reserved4:u32 FileName:wstrz
140a 0 BaseAddress:ptr ModuleSize:u32 ImageFileName:wstrz
140a 1 ImageBase:ptr ImageSize:ptr ProcessId:u32 FileName:wstrz
1421 2 ImageBase:ptr
1422 2 HypercallPageVa:ptr
1490,1491,1492,1493,1494,1495,1496 2 BaseAddress:u64
14a0,14a1,14a2,14a3,14a4 2 BaseAddress:u64 ErrorOpcode:u8 Code:i8 String:wstrz
14a5,14a6,14a7,14a8,14a9,14aa,14ab,14ac,14ad,14ae,14d0,14d1,14d2,14d3 3 BaseAddress:u64 ErrorOpcode:u8 Code:i8
  String:wstrz
14b0,14b1 3 NewDllBaseAddress:ptr ParentDllBaseAddress:ptr LoadReason:u32 FilePath:wstrz
14c0,14c1 3 BaseAddress:u64 ErrorOpcode:u8 Code:i8 String1:wstrz String2:wstrz
14d4 3 LdrLoadFlags:u32 LdrSearchFlags:u32 SearchInfo:u32 LoadReason:u32 FullDllName:wstrz
14d5 3 SearchInfo:u32 Cwd:wstrz AppDir:wstrz DllDir:wstrz DllLoadDir:wstrz
1820 2 EventTimeStamp:u64 StackProcess:u32 StackThread:u32 Stack:ptr[*]
1822,1823,1824 2 key:ptr StackFrame:ptr[*]
1825,1826 2 EventTimeStamp:u64 StackProcess:u32 StackThread:u32 StackKey:ptr
1920,1921 2 ProcessId:u32 ScheduledThreadId:u32 PrimaryThreadId:u32 SwitchFlags:u32
1922 2 ProcessId:u32 ScheduledThreadId:u32 ParkFlags:u32
1923 2 ProcessId:u32 ScheduledThreadId:u32 PrimaryThreadId:u32 UmsApcControlFlags:u32 Status:u32
1924 2 ScheduledThreadId:u32 SwitchCount:u32 KernelYieldCount:u32 MixedYieldCount:u32 YieldCount:u32
1a21,1a22,1a23 2 MessageID:u32
1a24 2 IsServerPort:u32 PortName:wstrz
1a25 2 Status:u32
1b20 2 ParentIrp:ptr ChildIrp:ptr
)";

// Classic events that a merge adds: file versions, debug data, paths, volumes.
constexpr std::string_view kClassic = R"(
b3e675d7-2554-4f18-830b-2762732560de 0 0 ImageBase:ptr ImageSize:u32 ProcessId:u32 TimeDateStamp:u32
  OriginalFileName:wstrz
b3e675d7-2554-4f18-830b-2762732560de 0 2 ImageBase:ptr ImageSize:ptr ProcessId:u32 TimeDateStamp:u32
  OriginalFileName:wstrz
b3e675d7-2554-4f18-830b-2762732560de 32 2 ImageBase:ptr ProcessId:u32
b3e675d7-2554-4f18-830b-2762732560de 36 2 ImageBase:ptr ProcessId:u32 Guid:guid Age:u32 PdbFileName:astrz
b3e675d7-2554-4f18-830b-2762732560de 37 2 ImageBase:ptr ProcessId:u32 Guid:guid Age:u32 PdbFileName:astrz
b3e675d7-2554-4f18-830b-2762732560de 64 0 ImageSize:u32 TimeDateStamp:u32 OrigFileName:wstrz FileDescription:wstrz
  FileVersion:wstrz BinFileVersion:wstrz VerLanguage:wstrz ProductName:wstrz CompanyName:wstrz ProductVersion:wstrz
  FileId:wstrz ProgramId:wstrz
9b79ee91-b5fd-41c0-a243-4248e266e9d0 32 0 InstallDate:filetime BuildLab:wstrz ProductName:wstrz
9b79ee91-b5fd-41c0-a243-4248e266e9d0 33 0 SystemDirectory:wstrz SystemWindowsDirectory:wstrz
9b79ee91-b5fd-41c0-a243-4248e266e9d0 34 0 VolumeName:wstrz
9b79ee91-b5fd-41c0-a243-4248e266e9d0 35 0 NtPath:wstrz DosPath:wstrz
)";

constexpr std::array kKernel{kFirst, kSecond};

} // namespace

std::span<const std::string_view> kernelLayoutTexts() noexcept {
    return kKernel;
}

std::string_view classicLayoutText() noexcept {
    return kClassic;
}

} // namespace tracedeck::etl
