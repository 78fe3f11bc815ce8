import { runEntry } from '@tendon/process'
import { startServer } from './start-server.ts'

runEntry(() => startServer(process.env))
