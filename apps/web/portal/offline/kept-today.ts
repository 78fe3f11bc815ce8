import type { Me, Today } from '@tendon/sdk'
import { type DBSchema, deleteDB, openDB } from 'idb'

/** The last content of Today, for use without a connection. Does not contain the person's name. */
export interface KeptToday {
  me: Me
  today: Today
  /** When it was read. */
  at: string
}

interface Schema extends DBSchema {
  today: { key: 'last'; value: KeptToday }
}

const NAME = 'tendon-today'

const open = () => openDB<Schema>(NAME, 1, { upgrade: (db) => void db.createObjectStore('today') })

export async function keepToday(me: Me, today: Today, now: Date): Promise<void> {
  const nameless = { ...me, name: null, email: null, memberships: [], permissions: [] }
  const db = await open()
  await db.put('today', { me: nameless, today, at: now.toISOString() }, 'last')
  db.close()
}

export async function keptToday(): Promise<KeptToday | undefined> {
  const db = await open()
  const kept = await db.get('today', 'last')
  db.close()
  return kept
}

export const forgetToday = (): Promise<void> => deleteDB(NAME)

/** Removes the data of other people from this device, and all data when nobody is signed in. */
export async function forgetOthers(me: Me | null): Promise<void> {
  if (!me) return forgetToday()
  const kept = await keptToday()
  if (kept && kept.me.principal_id !== me.principal_id) await forgetToday()
}
