// The system calls that a converted file can never need, as a classic BPF program for `bwrap --seccomp`: reading and writing
// files, memory and threads stay; debugging, mounting, namespaces, keys, sockets, kernel modules and clocks do not.
// https://www.kernel.org/doc/html/latest/userspace-api/seccomp_filter.html

/** The names of Node for the processors whose system calls are known here. */
type FilteredArch = 'x64' | 'arm64'

interface Numbers {
  x64: number
  arm64: number
}

const both = (number: number): Numbers => ({ x64: number, arm64: number })
const of = (x64: number, arm64: number): Numbers => ({ x64, arm64 })

/** They fail with EPERM. Numbers above 423 are the same on every processor. */
export const DENIED: Readonly<Record<string, Numbers>> = {
  ptrace: of(101, 117),
  process_vm_readv: of(310, 270),
  process_vm_writev: of(311, 271),
  process_madvise: both(440),
  kcmp: of(312, 272),
  pidfd_open: both(434),
  pidfd_getfd: both(438),
  unshare: of(272, 97),
  setns: of(308, 268),
  mount: of(165, 40),
  umount2: of(166, 39),
  pivot_root: of(155, 41),
  chroot: of(161, 51),
  open_tree: both(428),
  move_mount: both(429),
  fsopen: both(430),
  fsconfig: both(431),
  fsmount: both(432),
  fspick: both(433),
  mount_setattr: both(442),
  name_to_handle_at: of(303, 264),
  open_by_handle_at: of(304, 265),
  fanotify_init: of(300, 262),
  quotactl: of(179, 60),
  quotactl_fd: both(443),
  swapon: of(167, 224),
  swapoff: of(168, 225),
  acct: of(163, 89),
  add_key: of(248, 217),
  request_key: of(249, 218),
  keyctl: of(250, 219),
  bpf: of(321, 280),
  perf_event_open: of(298, 241),
  userfaultfd: of(323, 282),
  io_uring_setup: both(425),
  io_uring_enter: both(426),
  io_uring_register: both(427),
  socket: of(41, 198),
  init_module: of(175, 105),
  finit_module: of(313, 273),
  delete_module: of(176, 106),
  kexec_load: of(246, 104),
  kexec_file_load: of(320, 294),
  reboot: of(169, 142),
  syslog: of(103, 116),
  sethostname: of(170, 161),
  setdomainname: of(171, 162),
  settimeofday: of(164, 170),
  clock_settime: of(227, 112),
  clock_adjtime: of(305, 266),
  adjtimex: of(159, 171),
  personality: of(135, 92),
  vhangup: of(153, 58),
  move_pages: of(279, 239),
  migrate_pages: of(256, 238),
}
const DENIED_ON_X64_ONLY = { iopl: 172, ioperm: 173, modify_ldt: 154, uselib: 134 }
const CLONE = of(56, 220)
/** Its flags are behind a pointer, which a filter cannot follow; the C library then uses `clone`. */
const CLONE3 = 435
/** Mount, cgroup, UTS, IPC, user, process and network namespaces. */
export const NEW_NAMESPACES = 0x7e02_0000

const AUDIT_ARCH: Readonly<Record<FilteredArch, number>> = { x64: 0xc000_003e, arm64: 0xc000_00b7 }
/** System calls of the x32 ABI have this bit, and numbers of their own. */
const X32_BIT = 0x4000_0000

const [LOAD, IF_EQUAL, IF_AT_LEAST, IF_ANY_BIT, RETURN] = [0x20, 0x15, 0x35, 0x45, 0x06]
const [NUMBER_AT, ARCH_AT, FIRST_ARGUMENT_AT] = [0, 4, 16]
export const KILL = 0x8000_0000
export const ALLOW = 0x7fff_0000
const failing = (errno: number) => 0x0005_0000 + errno
export const EPERM = failing(1)
export const ENOSYS = failing(38)

type Instruction = readonly [code: number, ifTrue: number, ifFalse: number, operand: number]

/** Skips the next instruction unless the loaded value is this one. */
const onlyIf = (value: number): Instruction => [IF_EQUAL, 0, 1, value]
const answer = (verdict: number): Instruction => [RETURN, 0, 0, verdict]
const load = (at: number): Instruction => [LOAD, 0, 0, at]

export function instructionsFor(arch: FilteredArch): Instruction[] {
  const denied = [
    ...Object.values(DENIED).map((numbers) => numbers[arch]),
    ...(arch === 'x64' ? Object.values(DENIED_ON_X64_ONLY) : []),
  ]
  const x32: Instruction[] = [[IF_AT_LEAST, 0, 1, X32_BIT], answer(KILL)]
  return [
    load(ARCH_AT),
    [IF_EQUAL, 1, 0, AUDIT_ARCH[arch]],
    answer(KILL),
    load(NUMBER_AT),
    ...(arch === 'x64' ? x32 : []),
    ...denied.flatMap((number) => [onlyIf(number), answer(EPERM)]),
    onlyIf(CLONE3),
    answer(ENOSYS),
    [IF_EQUAL, 0, 3, CLONE[arch]],
    load(FIRST_ARGUMENT_AT),
    [IF_ANY_BIT, 0, 1, NEW_NAMESPACES],
    answer(EPERM),
    answer(ALLOW),
  ]
}

/** The program in the format of the kernel; undefined for a processor whose numbers are not known. */
export function systemCallFilter(arch: string): Buffer | undefined {
  if (arch !== 'x64' && arch !== 'arm64') return undefined
  const instructions = instructionsFor(arch)
  const program = Buffer.alloc(instructions.length * 8)
  for (const [n, [code, ifTrue, ifFalse, operand]] of instructions.entries()) {
    program.writeUInt16LE(code, n * 8)
    program.writeUInt8(ifTrue, n * 8 + 2)
    program.writeUInt8(ifFalse, n * 8 + 3)
    program.writeUInt32LE(operand, n * 8 + 4)
  }
  return program
}
