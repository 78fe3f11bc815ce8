import { readFile, rm } from 'node:fs/promises'
import { join, sep } from 'node:path'
import { type Account, run } from './account.ts'

const STOP_TIMEOUT_S = 30

/**
 * Stops the server that a killed process left behind. The caller holds the lock of the folder, so whatever runs here
 * has no owner. A process that merely got the recorded id later is left alone, and the record removed: PostgreSQL
 * would take it for a server and refuse to start.
 */
export async function stopOrphan(
  binaries: string,
  cluster: string,
  account: Account,
  say: (line: string) => void,
): Promise<void> {
  const record = join(cluster, 'postmaster.pid')
  const pid = Number.parseInt(await readFile(record, 'utf8').catch(() => ''), 10)
  if (!(pid > 0) || !isAlive(pid)) return
  if (!(await isServerOf(pid, cluster))) return rm(record, { force: true })
  say('Stopping the database server that an earlier run left behind.')
  for (const mode of ['fast', 'immediate']) {
    const args = ['stop', '-D', cluster, '-m', mode, '-w', '-t', String(STOP_TIMEOUT_S)]
    const { ok } = await run(join(binaries, 'pg_ctl'), args, account)
    if (ok || !isAlive(pid)) return
  }
  throw new Error(
    `A database server left behind by an earlier run (process ${pid}) does not stop. End it, then try again.`,
  )
}

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0)
  } catch (error) {
    return error instanceof Error && 'code' in error && error.code === 'EPERM'
  }
}

async function isServerOf(pid: number, cluster: string): Promise<boolean> {
  const command = (await commandLine(pid)).replaceAll('\0', ' ').replaceAll('"', '').replace('.exe ', ' ')
  return command.includes(`${sep}postgres -D ${cluster} `)
}

async function commandLine(pid: number): Promise<string> {
  if (process.platform === 'linux') return readFile(`/proc/${pid}/cmdline`, 'utf8').catch(() => '')
  if (process.platform !== 'win32')
    return (await run('/bin/ps', ['-ww', '-o', 'command=', '-p', `${pid}`], undefined)).output
  const query = `(Get-CimInstance Win32_Process -Filter 'ProcessId=${pid}').CommandLine`
  return (await run('powershell.exe', ['-NoProfile', '-Command', query], undefined)).output
}
