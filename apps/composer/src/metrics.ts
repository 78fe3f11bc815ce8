import { HostError, HostPaused } from '@tendon/video-host'
import { Counter, Gauge, Histogram, type Registry } from 'prom-client'

export function createRenderMetrics(registry: Registry) {
  const registers = [registry]
  const seconds = new Histogram({
    name: 'composer_stage_seconds',
    help: 'Time of one stage of a render: normalising, joining, checking, uploading',
    labelNames: ['stage'] as const,
    buckets: [0.1, 0.5, 1, 2, 5, 15, 60, 300, 1_800],
    registers,
  })
  const hostErrors = new Counter({
    name: 'composer_host_errors_total',
    help: 'Requests that the video host refused or did not answer',
    labelNames: ['status'] as const,
    registers,
  })
  return {
    ended: new Counter({
      name: 'composer_renders_total',
      help: 'Renders that ended',
      labelNames: ['outcome'] as const,
      registers,
    }),
    bytes: new Histogram({
      name: 'composer_render_bytes',
      help: 'Size of a render, all its files together',
      buckets: [1e5, 1e6, 5e6, 2e7, 1e8, 5e8, 2e9],
      registers,
    }),
    cacheLookUps: new Counter({
      name: 'composer_cache_look_ups_total',
      help: 'Look-ups in the cache of clips',
      labelNames: ['hit'] as const,
      registers,
    }),
    cacheBytes: new Gauge({ name: 'composer_cache_bytes', help: 'Size of the cache of clips', registers }),
    kills: new Counter({
      name: 'composer_ffmpeg_kills_total',
      help: 'ffmpeg processes that were killed',
      labelNames: ['cause'] as const,
      registers,
    }),
    waits: new Counter({
      name: 'composer_render_waits_total',
      help: 'Attempts that ended with a wait: for the video host, or for room on the disk',
      labelNames: ['for'] as const,
      registers,
    }),
    backstop: new Counter({
      name: 'composer_backstop_total',
      help: 'Renders whose host was asked because no webhook arrived',
      labelNames: ['outcome'] as const,
      registers,
    }),
    countHostError: (error: unknown) => {
      if (error instanceof HostError && !(error instanceof HostPaused))
        hostErrors.inc({ status: error.status ?? 'none' })
    },
    stageEnded: (stage: string, ms: number) => seconds.observe({ stage }, ms / 1000),
    async timed<Value>(stage: string, work: () => Promise<Value>): Promise<Value> {
      const end = seconds.startTimer({ stage })
      try {
        return await work()
      } finally {
        end()
      }
    },
  }
}

export type RenderMetrics = ReturnType<typeof createRenderMetrics>
