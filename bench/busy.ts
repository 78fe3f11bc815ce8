import { cpus } from 'node:os'
import type { BenchServer } from './bench.ts'

/** Shares of processor time during a measurement, over all cores. */
export interface Busy {
  cores: number
  server: number
  /** This process. */
  load: number
  /** Everything else: PostgreSQL, on an otherwise idle machine. */
  others: number
  idle: number
}

type Timed = Pick<BenchServer, 'cpuSeconds'>

/** Runs `work` and reports whether cores, the server's code or waiting limited it. */
export async function withBusy<Result>(server: Timed, work: () => Promise<Result>): Promise<[Result, Busy]> {
  const before = await secondsOf(server)
  const result = await work()
  const after = await secondsOf(server)
  const all = after.busy - before.busy + after.idle - before.idle
  const share = (name: keyof typeof before) => (after[name] - before[name]) / all
  const others = Math.max(0, share('busy') - share('server') - share('load'))
  return [result, { cores: cpus().length, server: share('server'), load: share('load'), others, idle: share('idle') }]
}

async function secondsOf(server: Timed) {
  const { user, system } = process.cpuUsage()
  let busy = 0
  let idle = 0
  for (const { times } of cpus()) {
    idle += times.idle / 1e3
    busy += (times.user + times.nice + times.sys + times.irq) / 1e3
  }
  return { busy, idle, load: (user + system) / 1e6, server: await server.cpuSeconds() }
}
