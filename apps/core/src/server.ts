import { runEntry } from '@tendon/process'
import { startServer } from './entries/start-server.ts'

runEntry(() => startServer(process.env))
