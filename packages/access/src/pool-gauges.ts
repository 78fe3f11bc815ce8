import type { Database } from '@tendon/db'
import { Gauge, type Registry } from 'prom-client'

export function gaugePools(registry: Registry, db: Database): void {
  new Gauge({
    name: 'database_pool_connections',
    help: 'Connections of the restricted pool',
    labelNames: ['state'] as const,
    registers: [registry],
    collect() {
      const { acquired_conns, idle_conns, max_conns } = db.metrics()
      this.set({ state: 'acquired' }, acquired_conns)
      this.set({ state: 'idle' }, idle_conns)
      this.set({ state: 'max' }, max_conns)
    },
  })
}
