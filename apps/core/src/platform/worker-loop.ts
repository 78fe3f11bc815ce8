import type { Logger } from 'pino'
import type { Services } from '../services.ts'

/** Work that every worker repeats; several workers share it, so each round takes its rows with SKIP LOCKED. */
export interface WorkerLoop {
  name: string
  idleMs: number
  /** Made once when the worker starts. */
  start(services: Services, log: Logger): Round
}

export interface Round {
  (): Promise<{ more: boolean }>
  /** Waits for unfinished work of earlier rounds when the worker stops. */
  drain?(): Promise<void>
}
