import type { Server } from 'node:http'
import type { Logger } from 'pino'

export const CONNECTIONS_MAX = 20_000
/** Of the files that a process may open: for the log, the database, the object store and metrics. */
const RESERVED_FILES = 200

/** Each connection is an open file. If they took them all, the log could not open its next one, and nothing were stored. */
export function fitConnections(server: Server, log: Logger): void {
  const openFiles = openFilesMax()
  const connections = connectionsWithin(openFiles)
  if (connections === CONNECTIONS_MAX) return
  server.maxConnections = connections
  log.warn({ connections, open_files: openFiles }, 'takes fewer connections: raise the limit of open files (ulimit -n)')
}

export const connectionsWithin = (openFiles: number): number =>
  Math.min(CONNECTIONS_MAX, openFiles - Math.min(RESERVED_FILES, Math.floor(openFiles / 2)))

/** Infinite where there is no such limit. */
function openFilesMax(): number {
  // Else it may ask DNS for the name of every connection. The types do not know it yet.
  Object.assign(process.report, { excludeNetwork: true })
  const { userLimits } = process.report.getReport() as { userLimits?: { open_files?: { soft?: unknown } } }
  const limit = userLimits?.open_files?.soft
  return typeof limit === 'number' ? limit : Number.POSITIVE_INFINITY
}
