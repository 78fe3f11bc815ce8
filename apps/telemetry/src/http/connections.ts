import type { Server } from 'node:http'
import type { Logger } from 'pino'

export const MAX_CONNECTIONS = 20_000
/** File descriptors reserved for the log, the database, the object store and metrics. */
const RESERVED_FILES = 200

/** Reserve file descriptors for the log; otherwise it cannot open its next segment. */
export function fitConnections(server: Server, log: Logger): void {
  const openFiles = maxOpenFiles()
  const connections = connectionsWithin(openFiles)
  if (connections === MAX_CONNECTIONS) return
  server.maxConnections = connections
  log.warn(
    { connections, open_files: openFiles },
    'fewer connections than usual: raise the limit of open files (ulimit -n)',
  )
}

export const connectionsWithin = (openFiles: number): number =>
  Math.min(MAX_CONNECTIONS, openFiles - Math.min(RESERVED_FILES, Math.floor(openFiles / 2)))

/** Infinity on systems without such a limit. */
function maxOpenFiles(): number {
  // Otherwise the report resolves the name of every connection by DNS. The types do not know the flag yet.
  Object.assign(process.report, { excludeNetwork: true })
  const { userLimits } = process.report.getReport() as { userLimits?: { open_files?: { soft?: unknown } } }
  const limit = userLimits?.open_files?.soft
  return typeof limit === 'number' ? limit : Number.POSITIVE_INFINITY
}
