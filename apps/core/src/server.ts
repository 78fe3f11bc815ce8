import { runEntry } from '@tendon/http'
import { startServer } from './start-server.ts'

runEntry(() => startServer(process.env))
