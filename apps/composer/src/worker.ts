import { runEntry } from '@tendon/process'
import { startWorker } from './start-worker.ts'

runEntry(() => startWorker(process.env))
