import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { after, before, describe, test } from 'node:test'
import { createTestDatabase, type TestDatabase } from '@tendon/testing'
import { type Kysely, sql } from 'kysely'
import { Database } from './database.ts'
import { asService } from './service.ts'
import { together } from './together.ts'
import type { Context, TenantTx } from './transaction.ts'
import type { DB } from './types.ts'

const CODES = ['appointments.manage']

const settingsIn = async (tx: Kysely<DB>) => {
  const { rows } = await sql<{ permissions: string; service: boolean; organization: string }>`
    select current_setting('app.permissions') as permissions, current_app_is_service() as service,
      current_app_org_id() as organization`.execute(tx)
  return rows[0]
}

describe('work as the service of a clinic', () => {
  let database: TestDatabase
  let db: Database
  let clinics: string[]
  before(async () => {
    database = await createTestDatabase()
    db = new Database({ ...database.options, login: 'tendon_app' })
    const rows = await database.query<{ id: string }>(
      `insert into organizations (name, slug) values ('A', 'a-clinic'), ('B', 'b-clinic') returning id`,
    )
    clinics = rows.map(({ id }) => id)
    await database.query(`insert into locations (organization_id, name) select id, 'Main' from organizations`)
  })
  after(async () => {
    await db.close()
    await database.drop()
  })

  const contextOf = (serviceCodes: readonly string[] | undefined = CODES): Context => ({
    principalId: randomUUID(),
    organizationId: clinics[0] ?? null,
    permissions: ',patients.view_org,',
    ...(serviceCodes ? { serviceCodes } : {}),
  })
  const inside = <Result>(work: (tx: TenantTx) => Promise<Result>, context = contextOf()) => db.tenant(context, work)

  test('work as the service of a clinic has the declared permissions and the mark of the service; the caller’s are back afterwards', async () => {
    await inside(async (tx) => {
      const during = await asService(tx, CODES, settingsIn)
      assert.deepEqual(during, { permissions: ',appointments.manage,', service: true, organization: clinics[0] })
      assert.deepEqual(await settingsIn(tx), {
        permissions: ',patients.view_org,',
        service: false,
        organization: clinics[0],
      })
    })
  })

  test('work as the service of a clinic gives the caller’s permissions back when the work throws before any query fails', async () => {
    await inside(async (tx) => {
      const refused = asService(tx, CODES, async (own) => {
        await settingsIn(own)
        throw new Error('taken')
      })
      await assert.rejects(refused, /taken/)
      assert.equal((await settingsIn(tx))?.service, false)
    })
  })

  test('work as the service of a clinic refuses a query of the caller’s transaction while it runs, and one of its own after it has ended', async () => {
    await inside(async (tx) => {
      const kept = await asService(tx, CODES, async (own) => {
        await assert.rejects(settingsIn(tx), /The service is at work/)
        await assert.rejects(asService(tx, CODES, settingsIn), /The service is at work/)
        return own
      })
      await assert.rejects(settingsIn(kept), /The work of the service has ended/)
      assert.equal((await settingsIn(tx))?.service, false)
    })
  })

  test('work as the service of a clinic refuses codes that the route does not declare, and every call of a route that declares none', async () => {
    await inside(async (tx) => {
      await assert.rejects(asService(tx, ['patients.manage'], settingsIn), /does not declare .*patients\.manage/)
      assert.equal((await settingsIn(tx))?.service, false)
    })
    const { serviceCodes: _, ...undeclared } = contextOf()
    await inside((tx) => assert.rejects(asService(tx, [], settingsIn), /does not declare/), undeclared)
  })

  test('work as the service of a clinic reads and writes rows of the clinic in context only', async () => {
    const context = contextOf(['organizations.manage_locations', 'locations.manage'])
    const seen = await inside(
      (tx) => asService(tx, [], (own) => own.selectFrom('locations').select('organization_id').execute()),
      context,
    )
    assert.ok(seen.every(({ organization_id }) => organization_id === clinics[0]))
    await inside(async (tx) => {
      const changed = asService(tx, [], (own) =>
        own
          .updateTable('locations')
          .set({ name: 'Taken' })
          .where('organization_id', '=', clinics[1] ?? '')
          .executeTakeFirst(),
      )
      assert.equal((await changed).numUpdatedRows, 0n)
    }, context)
  })

  test('the mark of the service ends with its transaction', async () => {
    const one = new Database({ ...database.options, login: 'tendon_app', poolSize: 1 })
    await one.service(clinics[0] ?? '', CODES, settingsIn)
    assert.equal((await one.tenant(contextOf(), settingsIn))?.service, false)
    assert.equal((await one.public(settingsIn))?.service, false)
    await one.close()
  })
})

describe('statements that are sent together', () => {
  test('fail with the first error, not with those that it caused', async () => {
    const sent = [Promise.resolve(1), Promise.reject(new Error('first')), Promise.reject(new Error('aborted'))] as const
    await assert.rejects(together(sent), /first/)
    assert.deepEqual(await together([Promise.resolve(1), Promise.resolve('two')]), [1, 'two'])
  })
})
