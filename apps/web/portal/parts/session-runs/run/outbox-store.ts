import { type DBSchema, type IDBPDatabase, openDB } from 'idb'
import type { Entry, OutboxStore } from './outbox.ts'

interface Schema extends DBSchema {
  entries: { key: number; value: Omit<Entry, 'id'> & { id?: number }; indexes: { person: string } }
}

const NAME = 'tendon-outbox'

/** Stored in IndexedDB, so that reports survive when the tab is closed. */
export function createOutboxStore(): OutboxStore {
  let opened: Promise<IDBPDatabase<Schema>> | undefined
  const open = () =>
    (opened ??= openDB<Schema>(NAME, 1, {
      upgrade(db) {
        db.createObjectStore('entries', { keyPath: 'id', autoIncrement: true }).createIndex('person', 'person')
      },
    }))
  return {
    async add(entry) {
      return (await open()).add('entries', entry)
    },
    async all(person) {
      return (await (await open()).getAllFromIndex('entries', 'person', person)) as Entry[]
    },
    async replace(entry) {
      await (await open()).put('entries', entry)
    },
    async remove(id) {
      await (await open()).delete('entries', id)
    },
  }
}
