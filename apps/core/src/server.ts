import { keepCompiled } from '@tendon/process/compiled'

keepCompiled()
const { runEntry } = await import('@tendon/process')
const { startServer } = await import('./entries/start-server.ts')

runEntry(() => startServer(process.env))
