import { randomUUID } from 'node:crypto'
import { open } from 'node:fs/promises'
import { join } from 'node:path'
import { until } from '@tendon/testing'
import pg from 'pg'
import type { Explained } from './plan.ts'

/** One record per line, whatever the statement contains. */
export const LOGGING = {
  logging_collector: 'on',
  log_destination: 'jsonlog',
  log_rotation_size: '0',
  log_rotation_age: '0',
}

/** Statements inside functions too, as the role that runs them. */
const EXPLAINING = {
  session_preload_libraries: 'auto_explain',
  'auto_explain.log_min_duration': '0',
  'auto_explain.log_analyze': 'on',
  'auto_explain.log_buffers': 'on',
  'auto_explain.log_nested_statements': 'on',
  'auto_explain.log_timing': 'off',
  'auto_explain.log_format': 'json',
}

interface PlanLog {
  /** The plans of what other connections to the database did during the work. */
  during(work: () => Promise<void>): Promise<Explained[]>
  close(): Promise<void>
}

/** From now on the server logs the plans of every new connection to the database. */
export async function startPlanLog(databaseUrl: string): Promise<PlanLog> {
  const client = new pg.Client({ connectionString: databaseUrl })
  await client.connect()
  const name = pg.escapeIdentifier(client.database ?? '')
  for (const [setting, value] of Object.entries(EXPLAINING))
    await client.query(`alter database ${name} set ${setting} = ${pg.escapeLiteral(value)}`)
  const { rows } = await client.query<{ folder: string; file: string }>(
    `select current_setting('data_directory') as folder, pg_current_logfile('jsonlog') as file`,
  )
  const [found] = rows
  if (!found) throw new Error('the server writes no log')
  const handle = await open(join(found.folder, found.file), 'r')
  let position = (await handle.stat()).size
  let rest = ''

  async function newRecords(): Promise<string[]> {
    const { size } = await handle.stat()
    if (size === position) return []
    const { buffer, bytesRead } = await handle.read(Buffer.alloc(size - position), 0, size - position, position)
    position += bytesRead
    const lines = (rest + buffer.toString('utf8', 0, bytesRead)).split('\n')
    rest = lines.pop() ?? ''
    return lines
  }

  /** The collector writes in the order in which the server answered: what is before the mark is complete. */
  async function untilMark(): Promise<Explained[]> {
    const mark = randomUUID()
    await client.query(`do $$ begin raise log '${mark}'; end $$`)
    const plans: Explained[] = []
    await until(async () => {
      for (const line of await newRecords()) {
        const record: { message: string; dbname?: string } = JSON.parse(line)
        if (record.message === mark) return true
        const plan = planIn(record.message)
        if (plan && record.dbname === client.database) plans.push(plan)
      }
      return false
    })
    return plans
  }

  return {
    async during(work) {
      await untilMark()
      await work()
      return untilMark()
    },
    async close() {
      await handle.close()
      await client.end()
    },
  }
}

const PLAN = /^duration: [0-9.]+ ms {2}plan:\n/

function planIn(message: string): Explained | undefined {
  return PLAN.test(message) ? JSON.parse(message.replace(PLAN, '')) : undefined
}
