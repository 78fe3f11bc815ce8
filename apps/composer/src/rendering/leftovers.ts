import { readdir, readFile } from 'node:fs/promises'

/**
 * Kills the processes that work in the folder of a dead process. bwrap does not end with its parent when that is killed while
 * it still prepares the sandbox: its child then waits for ever. Without /proc there is no bwrap.
 */
export async function endProcessesOf(folder: string): Promise<void> {
  const names = await readdir('/proc').catch(() => [])
  for (const pid of names.filter((name) => /^\d+$/.test(name)).map(Number)) {
    const command = await readFile(`/proc/${pid}/cmdline`, 'utf8').catch(() => '')
    if (pid === process.pid || !command.includes(folder)) continue
    try {
      process.kill(pid, 'SIGKILL')
    } catch {
      // It has ended.
    }
  }
}
