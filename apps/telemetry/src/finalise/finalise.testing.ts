import assert from 'node:assert/strict'
import { until } from '@tendon/testing'
import { SILENCE_TIMEOUT_MS } from '../runs/ingest.ts'
import { createSurroundings, gzipOf, marksIn, type TestRun } from '../testing.ts'

export interface MediaRow {
  version: number
  is_complete: boolean
  end_reason: string | null
  event_count: number
  watch_seconds: number
  ended_at: Date
}

/** The environment of a service with a clinic, and what its tests do and check. */
export async function createFinaliseSurroundings() {
  const around = await createSurroundings()
  type Service = Awaited<ReturnType<typeof around.start>>

  const rowsOf = <Row extends object>(table: string, run: TestRun) =>
    around.database.query<Row & Record<string, unknown>>(`select * from ${table} where run_id = $1 order by id`, [
      run.id,
    ])

  return {
    ...around,
    clinic: await around.clinic(),
    rowsOf,
    flushed: (run: TestRun, version = 1) =>
      until(async () => {
        const [row] = await rowsOf<MediaRow>('media_session_metrics', run)
        return row && row.version >= version ? row : undefined
      }),
    isDone: (service: Service) => until(() => service.runs.size === 0),
    async blobs(run: TestRun): Promise<string[]> {
      const keys: string[] = []
      for await (const key of around.objects.list(`replays/${run.organizationId}/${run.id}/`)) keys.push(key)
      return keys
    },
    /** The marks in the run's replay. */
    marksOf: async ({ id }: TestRun) => marksIn((await around.replayOf(id)) ?? Buffer.alloc(0)),
    /** Sends like a client: never above the quota. */
    async pose(service: Service, run: TestRun, ...marks: number[]): Promise<void> {
      for (const mark of marks) {
        around.clock.now += 1_000
        const { status } = await service.pose(run, gzipOf(mark, 3, mark * 100))
        assert.equal(status, 202)
      }
    },
    async events(service: Service, run: TestRun, ...all: object[]): Promise<void> {
      for (const one of all) assert.equal((await service.event(run, one)).status, 202)
    },
    async silence(service: Service): Promise<void> {
      around.clock.now += SILENCE_TIMEOUT_MS
      await service.ingest.sealSilent()
    },
  }
}

export type FinaliseSurroundings = Awaited<ReturnType<typeof createFinaliseSurroundings>>
export type Service = Awaited<ReturnType<FinaliseSurroundings['start']>>
