import { createTestDatabase } from '@tendon/testing'
import { Client, type QueryResultRow } from 'pg'

/** One connection of an administrator, for transactions that a test rolls back. */
export async function connectAdministrator(url: string) {
  const client = new Client({ connectionString: url })
  await client.connect()
  client.on('error', () => {}) // a temporary cluster ends before its clients
  return {
    run: (text: string) => client.query(text),
    query: async <Row extends object>(text: string) => (await client.query<Row & QueryResultRow>(text)).rows,
    close: () => client.end(),
  }
}

export type AdministeredDatabase = Awaited<ReturnType<typeof createAdministeredDatabase>>

/** A database of its own for a test, with an administrator's connection. */
export async function createAdministeredDatabase() {
  const database = await createTestDatabase()
  const { run, query, close } = await connectAdministrator(database.url)
  return {
    url: database.url,
    run,
    query,
    async drop() {
      await close()
      await database.drop()
    },
  }
}
