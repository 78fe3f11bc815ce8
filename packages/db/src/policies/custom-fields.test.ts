import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { after, before, describe, test } from 'node:test'
import { createTestDatabase, type TestDatabase } from '@tendon/testing'
import { sql } from 'kysely'
import { Database } from '../database.ts'
import { asService } from '../service.ts'
import type { Context, TenantTx } from '../transaction.ts'
import { type Clinic, createClinic } from './clinic.fixtures.ts'

const ROLLBACK = new Error('undone')

describe('row-level security of custom fields', () => {
  let database: TestDatabase
  let db: Database
  let clinic: Clinic
  let other: Clinic
  let privateField: string
  before(async () => {
    database = await createTestDatabase()
    db = new Database({ ...database.options, login: 'tendon_app', poolSize: 2 })
    clinic = await createClinic(database)
    other = await createClinic(database)
    const [row] = await database.query<{ id: string }>(
      `insert into custom_fields (organization_id, entity_type, key, label, field_type, is_private)
       values ($1, 'patient', 'secret', 'Secret', 'text', true) returning id`,
      [clinic.id],
    )
    privateField = row?.id ?? ''
    await database.query(
      `insert into custom_field_values (organization_id, custom_field_id, entity_id, value) values ($1, $2, $3, '"x"')`,
      [clinic.id, privateField, clinic.patient],
    )
  })
  after(async () => {
    await db.close()
    await database.drop()
  })

  const patient = (organizationId: string, ...profileIds: string[]): Context => ({
    principalId: randomUUID(),
    organizationId,
    permissions: '',
    profileIds,
  })
  const staff = (of: Clinic): Context => ({ principalId: randomUUID(), organizationId: of.id, permissions: '*' })

  /** Runs a statement, rolls it back, and returns the outcome. */
  async function attempt(context: Context, statement: string): Promise<string> {
    let rows = 0n
    try {
      await db.tenant(context, async (tx) => {
        const run = async (own: TenantTx) => {
          rows = (await sql.raw(statement).execute(own)).numAffectedRows ?? 0n
        }
        await (context.serviceCodes === undefined ? run(tx) : asService(tx, context.serviceCodes, run))
        throw ROLLBACK
      })
    } catch (error) {
      if (error === ROLLBACK) return `${rows} rows`
      const { code, constraint, message } = error as { code?: string; constraint?: string; message: string }
      return code === '42501' ? 'refused' : (constraint ?? message)
    }
    return 'not run'
  }
  const insertValue = (field: string, entity: string) =>
    `insert into custom_field_values (custom_field_id, entity_id, value) values ('${field}', '${entity}', '"x"')`

  test('patients see and write their own values at the clinic in context, and nothing private', async () => {
    const owner = patient(clinic.id, clinic.profile)
    const privateOne = `custom_field_id = '${privateField}'`
    assert.equal(await attempt(owner, 'select 1 from custom_field_values'), '1 rows')
    assert.equal(await attempt(owner, 'select 1 from custom_fields where is_private'), '0 rows')
    assert.equal(await attempt(owner, `update custom_field_values set value = '"y"'`), '1 rows')
    assert.equal(await attempt(owner, `update custom_field_values set value = '"y"' where ${privateOne}`), '0 rows')
    assert.equal(await attempt(owner, 'delete from custom_field_values'), '1 rows')
    assert.equal(await attempt(owner, insertValue(clinic.spareField, clinic.patient)), '1 rows')
    await database.query('delete from custom_field_values where custom_field_id = $1', [privateField])
    assert.equal(await attempt(owner, insertValue(privateField, clinic.patient)), 'refused')
    for (const stranger of [patient(clinic.id, other.profile), patient(other.id, clinic.profile), patient(clinic.id)]) {
      assert.equal(await attempt(stranger, 'select 1 from custom_field_values'), '0 rows')
      assert.notEqual(await attempt(stranger, insertValue(clinic.spareField, clinic.patient)), '1 rows')
    }
  })

  test('a value belongs to a record of the clinic, of the kind that its field is for', async () => {
    const wrong = 'custom_field_values_entity_fkey'
    assert.equal(await attempt(staff(clinic), insertValue(clinic.spareField, clinic.patient)), '1 rows')
    for (const entity of [other.patient, clinic.specialist, clinic.id, randomUUID()])
      assert.equal(await attempt(staff(clinic), insertValue(clinic.spareField, entity)), wrong)
    for (const field of [other.spareField, randomUUID()])
      assert.equal(await attempt(staff(clinic), insertValue(field, clinic.patient)), wrong)
  })

  test('fields of the platform do not change, and nobody makes one', async () => {
    const system = 'system_key is not null'
    assert.equal(await attempt(staff(clinic), `update custom_fields set label = 'Mine' where ${system}`), '0 rows')
    assert.equal(await attempt(staff(clinic), `update custom_fields set system_key = 'x'`), 'refused')
    const values = `('patient', 'mine', 'Mine', 'text', 'x')`
    const columns = '(entity_type, key, label, field_type, system_key)'
    assert.equal(await attempt(staff(clinic), `insert into custom_fields ${columns} values ${values}`), 'refused')
  })

  test('only the service deletes a field: one of the clinic in context, and none of the platform', async () => {
    const deleting = (field: string) => `update custom_fields set deleted_at = now() where ${field}`
    const service = (of: Clinic): Context => ({ ...staff(of), isService: true })
    const own = `id = '${clinic.field}'`
    assert.equal(await attempt(service(clinic), deleting(own)), '1 rows')
    assert.equal(await attempt(staff(clinic), deleting(own)), 'refused')
    assert.equal(await attempt(service(other), deleting(own)), '0 rows')
    assert.equal(await attempt(service(clinic), deleting('system_key is not null')), '0 rows')
    const codes = { permissions: ',custom_fields.view,data.view_deleted,' }
    assert.equal(await attempt({ ...service(clinic), ...codes }, deleting(own)), '0 rows')
  })

  test('those who write appointments neither change nor lock custom fields, also as the service', async () => {
    const codes = ['appointments.manage', 'patients.view_org']
    const desk = (of: Clinic, serviceCodes = codes): Context => ({ ...staff(of), permissions: '', serviceCodes })
    const here = `where id = '${clinic.field}'`
    const lock = `select 1 from custom_fields ${here} for key share`
    const change = `update custom_fields set draft = '{}' ${here}`
    assert.equal(await attempt(desk(clinic, ['custom_fields.manage']), lock), '1 rows')
    for (const by of [desk(clinic), desk(other), { ...staff(clinic), permissions: `,${codes.join(',')},` }]) {
      assert.equal(await attempt(by, lock), '0 rows')
      assert.equal(await attempt(by, change), '0 rows')
    }
  })

  test('published content changes only together with its version, one at a time', async () => {
    const one = `where id = '${clinic.field}'`
    const wrong = 'custom_fields_version_check'
    assert.equal(await attempt(staff(clinic), `update custom_fields set label = 'New' ${one}`), wrong)
    assert.equal(await attempt(staff(clinic), `update custom_fields set version = 3 ${one}`), wrong)
    assert.equal(await attempt(staff(clinic), `update custom_fields set label = 'New', version = 2 ${one}`), '1 rows')
  })
})
