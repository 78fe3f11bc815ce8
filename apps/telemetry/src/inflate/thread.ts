import { parentPort, workerData } from 'node:worker_threads'
import { checkPacked, type Divider, type Packed } from './packed-bodies.ts'

// The checking thread: inflates and checks the bodies it is handed, and tells what it found.

const divider = workerData as Divider

parentPort?.on('message', (packed: Packed) => parentPort?.postMessage(checkPacked(packed, divider), []))
