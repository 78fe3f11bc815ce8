import { readdirSync, readFileSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'

const SAMPLE_EVERY_MS = 15

const TICKS_PER_SECOND = 100

/** The peak memory of a process with this text in its command line, while the work runs. */
export async function peakUse(text: string, work: () => Promise<unknown>): Promise<Use> {
  const peak = { bytes: 0, processorSeconds: 0 }
  const done = new AbortController()
  const working = work().finally(() => done.abort())
  const sampling = (async () => {
    while (!done.signal.aborted) {
      for (const { bytes, processorSeconds } of processesWith(text)) {
        peak.bytes = Math.max(peak.bytes, bytes)
        peak.processorSeconds = Math.max(peak.processorSeconds, processorSeconds)
      }
      await sleep(SAMPLE_EVERY_MS)
    }
  })()
  await Promise.all([working, sampling])
  return peak
}

export interface Use {
  /** Peak resident memory. */
  bytes: number
  processorSeconds: number
}

export interface ProcessFacts extends Use {
  pid: number
  command: string
  /** The soft limit by its name in /proc, such as `Max address space`. */
  limit: (name: string) => string | undefined
}

/** Other processes with this text in their command line. */
export function processesWith(text: string): ProcessFacts[] {
  return readdirSync('/proc').flatMap((pid) => {
    if (!/^\d+$/.test(pid) || Number(pid) === process.pid) return []
    try {
      const read = (name: string) => readFileSync(`/proc/${pid}/${name}`, 'utf8')
      const command = read('cmdline')
      if (!command.includes(text)) return []
      const [, kilobytes] = /^VmHWM:\s+(\d+) kB$/m.exec(read('status')) ?? []
      const limits = read('limits')
      const limit = (name: string) => new RegExp(`^${name}\\s+(\\S+)`, 'm').exec(limits)?.[1]
      const ticks = (read('stat').split(') ')[1] ?? '').split(' ').slice(11, 13)
      const processorSeconds = ticks.reduce((sum, one) => sum + Number(one), 0) / TICKS_PER_SECOND
      return [{ pid: Number(pid), command, bytes: Number(kilobytes ?? 0) * 1024, processorSeconds, limit }]
    } catch {
      return [] // the process has ended
    }
  })
}
