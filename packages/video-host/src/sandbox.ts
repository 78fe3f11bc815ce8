import { execute, INPUT_DESCRIPTOR } from './processes.ts'
import { findProgram } from './programs.ts'
import { systemCallFilter } from './seccomp.ts'

// What bounds a program that reads files of strangers: limits, and where bubblewrap works no network, no other files and
// processes, no capabilities, a user namespace of its own, and a filter of system calls.

/**
 * `full`: everything above. `without_user_namespace`: the system forbids user namespaces, and this process may do without; the
 * rest holds. All others: limits only, because bubblewrap is not installed, may not create namespaces, or runs on a processor
 * for which there is no filter.
 */
export type Isolation = 'full' | 'without_user_namespace' | 'forbidden' | 'not_installed' | 'unknown_processor'

export interface Bounded {
  command: string[]
  /** For INPUT_DESCRIPTOR. */
  input: Buffer | undefined
}

export interface Sandbox {
  isolation: Isolation
  /** What bubblewrap wrote when it did not start. */
  complaint: string
  bound(command: readonly string[], access: Access): Bounded
}

export interface Access {
  /** Files and folders that it reads. */
  reads: readonly string[]
  /** The folder that it writes. */
  writes: string
  processorSeconds: number
}

interface SandboxOptions {
  /** Where to search the tools; the system's folders unless a test names others. */
  searchPath?: string | undefined
  arch?: string
}

const MEMORY_MAX_BYTES = 3_000_000_000
const FILE_MAX_BYTES = 2_000_000_000
const OPEN_FILES_MAX = 64
const PROBE_MAX_MS = 10_000
/** What a dynamically linked program reads; everything else of the machine is out of its sight. */
const SYSTEM = ['/usr', '/bin', '/lib', '/lib64', '/opt', '/etc/alternatives', '/etc/ld.so.cache', '/nix/store']
const ALONE =
  `--unshare-net --unshare-pid --unshare-ipc --unshare-uts --unshare-cgroup-try --cap-drop ALL --die-with-parent --seccomp ${INPUT_DESCRIPTOR}`.split(
    ' ',
  )
const OWN_USERS = ['--unshare-user']

export async function openSandbox({ searchPath, arch = process.arch }: SandboxOptions = {}): Promise<Sandbox> {
  const anything = findProgram('true')
  const start = async (words: readonly string[], input?: Buffer) => {
    if (anything === undefined) return { works: false, complaint: '' }
    const { code, output } = await execute([...words, anything], PROBE_MAX_MS, { input })
    return { works: code === 0, complaint: output.trim() }
  }
  const installed = async (name: string, ...args: string[]) => {
    const path = findProgram(name, searchPath)
    return path !== undefined && (await start([path, ...args])).works ? path : undefined
  }
  const bwrap = findProgram('bwrap', searchPath)
  const filter = systemCallFilter(arch)

  async function findIsolation(): Promise<{ isolation: Isolation; complaint: string }> {
    if (bwrap === undefined) return { isolation: 'not_installed', complaint: '' }
    if (filter === undefined) return { isolation: 'unknown_processor', complaint: '' }
    const all = ['--ro-bind', '/', '/', '--dev', '/dev', '--']
    const { works, complaint } = await start([bwrap, ...OWN_USERS, ...ALONE, ...all], filter)
    if (works) return { isolation: 'full', complaint: '' }
    const rest = await start([bwrap, ...ALONE, ...all], filter)
    return { isolation: rest.works ? 'without_user_namespace' : 'forbidden', complaint }
  }

  const [setpriv, prlimit, { isolation, complaint }] = await Promise.all([
    installed('setpriv', '--pdeathsig', 'KILL', '--'),
    installed('prlimit', `--as=${MEMORY_MAX_BYTES}`, '--core=0', '--'),
    findIsolation(),
  ])
  const alone = isolation === 'full' ? [...OWN_USERS, ...ALONE] : isolation === 'without_user_namespace' ? ALONE : null

  return {
    isolation,
    complaint,
    bound(command, { reads, writes, processorSeconds }) {
      let bounded = [...command]
      if (bwrap !== undefined && alone) {
        const binds = SYSTEM.flatMap((folder) => ['--ro-bind-try', folder, folder])
        const files = reads.flatMap((file) => ['--ro-bind', file, file])
        bounded = [bwrap, ...alone, ...binds, '--dev', '/dev', ...files, '--bind', writes, writes, '--', ...bounded]
      }
      if (prlimit !== undefined) {
        const limits = `--as=${MEMORY_MAX_BYTES} --cpu=${processorSeconds}:${processorSeconds + 5} --fsize=${FILE_MAX_BYTES} --nofile=${OPEN_FILES_MAX} --core=0`
        bounded = [prlimit, ...limits.split(' '), '--', ...bounded]
      }
      if (setpriv !== undefined) bounded = [setpriv, '--pdeathsig', 'KILL', '--', ...bounded]
      return { command: bounded, input: alone ? filter : undefined }
    },
  }
}
