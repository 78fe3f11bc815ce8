import { runEntry } from '@tendon/http'
import { startWorker } from './start-worker.ts'

runEntry(() => startWorker(process.env))
