import { keepCompiled } from '@tendon/process/compiled'

keepCompiled()
const { runEntry } = await import('@tendon/process')
const { startWorker } = await import('./start-worker.ts')

runEntry(() => startWorker(process.env))
