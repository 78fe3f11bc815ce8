import { channel } from 'node:diagnostics_channel'
import type { PoolClient } from 'pg'

/** What notify_rights_change raises on the connection that writes, with the id in the detail. */
const MARKER = 'rights changed'

/** The channel of PostgreSQL on which other processes learn the same. */
export const RIGHTS_CHANNEL = 'rights'

/** One channel for the whole process, for all its connections. */
const changes = channel('tendon:db:rights-change')
const publish = (id: string | null) => changes.publish(id)

/**
 * Calls back when a connection of this process has changed rights, with the id of the person, role, organization or
 * session; with null when a connection was lost and nobody knows what it committed. Calls back after the write and again
 * after the end of its transaction, before the code that awaits COMMIT continues.
 */
export function onRightsChange(callback: (id: string | null) => void): () => void {
  const tell = (id: unknown) => callback(typeof id === 'string' ? id : null)
  changes.subscribe(tell)
  return () => {
    changes.unsubscribe(tell)
  }
}

/** Publishes what this connection changes. */
export function watchRights(client: PoolClient): void {
  const changed = new Set<string>()
  const publishAgain = () => changed.forEach(publish)
  client.on('notice', ({ message, detail }) => {
    if (message !== MARKER || detail === undefined) return
    changed.add(detail)
    publish(detail)
  })
  client.connection.prependListener('errorMessage', publishAgain)
  client.connection.prependListener('readyForQuery', ({ status }: { status: string }) => {
    if (changed.size === 0 || status !== 'I') return
    publishAgain()
    changed.clear()
  })
  client.on('error', () => publish(null))
}
