import { runEntry } from '@tendon/process'
import { startWorker } from './entries/start-worker.ts'

runEntry(() => startWorker(process.env))
