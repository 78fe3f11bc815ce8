import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { startTemporaryPostgres, type TemporaryPostgres } from '@tendon/testing'
import pg from 'pg'
import { sequentialScans, textOf } from './plan.ts'
import { LOGGING, startPlanLog } from './server-log.ts'

describe('the log of plans', () => {
  let postgres: TemporaryPostgres
  before(async () => {
    postgres = await startTemporaryPostgres({ settings: LOGGING })
  })
  after(() => postgres.remove())

  test('has every statement of other connections with its plan, also those inside of functions', async () => {
    const log = await startPlanLog(postgres.url)
    const client = new pg.Client({ connectionString: postgres.url })
    await client.connect()
    await client.query(`
      create table visits as select n from generate_series(1, 700) n;
      create function count_visits() returns bigint language plpgsql as $$
      begin
        return (select count(*) from visits where n > 0);
      end $$`)
    const plans = await log.during(async () => {
      await client.query('select count_visits()')
      await client.query(`select 'two
        lines'`)
    })
    assert.deepEqual(plans.map(textOf), [
      '(select count(*) from visits where n > 0)',
      'select count_visits()',
      `select 'two lines'`,
    ])
    assert.deepEqual(plans.map(sequentialScans), [[{ table: 'visits', rows: 700 }], [], []])
    assert.deepEqual(await log.during(async () => {}), [])
    await client.end()
    await log.close()
  })
})
