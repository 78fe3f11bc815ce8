import { keepCompiled } from '@tendon/process/compiled'

keepCompiled()
const { runEntry } = await import('@tendon/process')
const { startServer } = await import('./start-server.ts')

runEntry(() => startServer(process.env))
