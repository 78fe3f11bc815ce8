import { runEntry } from '@tendon/http'
import { startTelemetry } from './start-telemetry.ts'

runEntry(() => startTelemetry(process.env))
