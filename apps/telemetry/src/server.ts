import { runEntry } from '@tendon/process'
import { startTelemetry } from './start-telemetry.ts'

runEntry(() => startTelemetry(process.env))
