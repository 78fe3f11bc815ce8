import { Type } from 'typebox'
import { Enum } from './shapes.ts'

const Count = Type.Integer({ examples: [4] })

export const Health = Type.Object({
  status: Enum(['healthy', 'degraded', 'unhealthy']),
  checks: Type.Object({
    postgresql: Type.Object({
      status: Enum(['healthy', 'unhealthy']),
      metrics: Type.Object({
        total_conns: Count,
        acquired_conns: Count,
        idle_conns: Count,
        max_conns: Count,
        utilization_pct: Type.Number({ examples: [12.5] }),
      }),
    }),
    redis: Type.Object({ status: Enum(['healthy', 'unhealthy', 'disabled']) }),
  }),
  uptime_seconds: Type.Integer({ examples: [3600] }),
})

export const Readiness = Type.Object({
  status: Enum(['ready', 'not_ready']),
  checks: Type.Record(Type.String(), Type.Object({ status: Enum(['healthy', 'unhealthy', 'disabled']) }), {
    examples: [{ postgresql: { status: 'healthy' } }],
  }),
})
