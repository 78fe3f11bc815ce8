import { keepCompiled } from '@tendon/process/compiled'

keepCompiled()
const { runEntry } = await import('@tendon/process')
const { startTelemetry } = await import('./start-telemetry.ts')

runEntry(() => startTelemetry(process.env))
