import { systemContext } from '@tendon/access'
import { Gauge } from 'prom-client'
import type { Services } from '../services.ts'
import { countActiveRenders } from './queries.ts'

const ACTIVE = ['queued', 'rendering', 'uploading', 'transcoding'] as const

/** Counts unfinished renders of all organizations whenever metrics are read. */
export function gaugeQueue({ metrics, db, now }: Pick<Services, 'metrics' | 'db' | 'now'>): void {
  const count = () => db.tenant(systemContext(null), (tx) => countActiveRenders(tx))
  new Gauge({
    name: 'composer_renders',
    help: 'Renders that have not ended, by status',
    labelNames: ['status'] as const,
    registers: [metrics],
    async collect() {
      const rows = await count().catch(() => [])
      for (const status of ACTIVE) this.set({ status }, rows.find((row) => row.status === status)?.count ?? 0)
    },
  })
  new Gauge({
    name: 'composer_queue_age_seconds',
    help: 'How long the render that is due for the longest time waits; 0 when none is due',
    registers: [metrics],
    async collect() {
      const rows = await count().catch(() => [])
      const oldest = rows.find(({ status }) => status === 'queued')?.oldest_at
      this.set(oldest ? Math.max(0, (now().getTime() - new Date(oldest).getTime()) / 1000) : 0)
    },
  })
}
