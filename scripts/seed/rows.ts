import type pg from 'pg'

const ROWS_PER_STATEMENT = 2_000

/** Sends rows to a statement that reads them as JSON from its first parameter, some thousand at a time. */
export async function inBatches(client: pg.ClientBase, statement: string, rows: Iterable<object>): Promise<void> {
  let batch: object[] = []
  const send = async () => {
    if (batch.length > 0) await client.query(statement, [JSON.stringify(batch)])
    batch = []
  }
  for (const row of rows) {
    batch.push(row)
    if (batch.length === ROWS_PER_STATEMENT) await send()
  }
  await send()
}
