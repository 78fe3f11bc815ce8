import { existsSync, readdirSync, readFileSync } from 'node:fs'

const WORKER_THREAD = 'DedicatedWorker'
const MS_PER_TICK = 10

const read = (file: string): string => {
  try {
    return readFileSync(file, 'utf8')
  } catch {
    return '' // the process or thread has ended
  }
}
/** The fields of a stat file after the name, which may contain spaces. */
const fieldsOf = (stat: string): string[] => stat.slice(stat.lastIndexOf(')') + 2).split(' ')

/** Processor time, in milliseconds, of the workers in browsers that this process started; undefined where there is no /proc. */
export function workerCpuMs(): number | undefined {
  if (!existsSync('/proc/self/task')) return undefined
  const parents = new Map(
    readdirSync('/proc')
      .filter((name) => /^\d+$/.test(name))
      .map((pid) => [Number(pid), Number(fieldsOf(read(`/proc/${pid}/stat`))[1])]),
  )
  const isOurs = (pid: number): boolean => {
    const parent = parents.get(pid)
    return parent === process.pid || (parent !== undefined && parent > 1 && isOurs(parent))
  }
  let ticks = 0
  for (const pid of [...parents.keys()].filter(isOurs))
    for (const task of existsSync(`/proc/${pid}/task`) ? readdirSync(`/proc/${pid}/task`) : []) {
      const thread = `/proc/${pid}/task/${task}`
      if (!read(`${thread}/comm`).startsWith(WORKER_THREAD)) continue
      const fields = fieldsOf(read(`${thread}/stat`))
      ticks += Number(fields[11]) + Number(fields[12])
    }
  return ticks * MS_PER_TICK
}
