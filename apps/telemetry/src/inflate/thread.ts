import { parentPort } from 'node:worker_threads'
import { checkPacked, type Packed } from './packed-bodies.ts'

// The checking thread: inflates and checks the bodies it receives and posts the results.

parentPort?.on('message', (packed: Packed) => parentPort?.postMessage(checkPacked(packed), []))
