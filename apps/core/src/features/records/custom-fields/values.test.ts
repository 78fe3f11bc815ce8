import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import type { TenantTx } from '@tendon/db'
import { sharedCore, type TestCore } from '../../../testing/core.ts'
import type { TestOrganization } from '../../../testing/people.ts'
import { customFieldDataClasses } from './data-classes.ts'
import { findFieldsForForm, readValues, upsertValues } from './index.ts'
import { asksNationalId } from './rules.ts'

// What forms and segments build upon.

describe('values of custom fields', () => {
  let core: TestCore
  let clinic: TestOrganization
  let patient: { id: string; profile_id: string }
  before(async () => {
    core = await sharedCore()
    clinic = await core.organization()
    patient = await core.patient(clinic)
  })
  after(() => core.close())

  const inClinic = <Result>(work: (tx: TenantTx) => Promise<Result>) =>
    core.services.db.tenant({ principalId: clinic.admin.id, organizationId: clinic.id, permissions: '*' }, work)
  let count = 0
  async function field(values: object = {}, of = clinic) {
    count += 1
    const body = { entity_type: 'patient', key: `key_${count}`, label: 'Label', field_type: 'text', ...values }
    const answer = await core.post('/v1/custom-fields', { as: of.admin, body })
    assert.equal(answer.status, 201, answer.text)
    return answer.body.data as { id: string; key: string }
  }
  const systemField = async (key: string) => {
    const [row] = await core.database.query<{ id: string }>(
      'select id from custom_fields where organization_id = $1 and key = $2',
      [clinic.id, key],
    )
    return row?.id ?? ''
  }
  const save = (...values: [string, unknown][]) =>
    inClinic((tx) =>
      upsertValues(
        tx,
        patient.id,
        values.map(([custom_field_id, value]) => ({ custom_field_id, value })),
      ),
    )
  const saved = async (...ids: string[]) => {
    const rows = await inClinic((tx) => readValues(tx, patient.id, ids))
    return Object.fromEntries(rows.map(({ custom_field_id, value }) => [custom_field_id, value]))
  }

  test('values of custom fields are set, changed, cleared and kept; the result says whether anything changed', async () => {
    const [a, b] = [(await field()).id, (await field({ field_type: 'number' })).id]
    assert.equal(await save([a, 'x'], [b, 1]), true)
    assert.equal(await save([a, 'x'], [b, 1]), false)
    assert.deepEqual(await saved(a, b), { [a]: 'x', [b]: 1 })
    assert.equal(await save([a, null]), true)
    assert.equal(await save([a, '']), false)
    assert.equal(await save(), false)
    assert.deepEqual(await saved(a, b), { [b]: 1 })
    assert.deepEqual(await saved(a), {})
  })

  test('skip fields that are deleted, of another clinic, of another kind, or hold the identification number', async () => {
    const living = (await field()).id
    const deleted = (await field()).id
    await core.delete(`/v1/custom-fields/${deleted}`, { as: clinic.admin })
    const foreign = (await field({}, await core.organization())).id
    const other = (await field({ entity_type: 'specialist' })).id
    const number = await systemField('national_id')
    await save([living, 'x'], [deleted, 'x'], [foreign, 'x'], [other, 'x'], [number, '2840309410017'])
    const rows = await core.database.query(
      'select custom_field_id from custom_field_values where custom_field_id = any($1)',
      [[living, deleted, foreign, other, number]],
    )
    assert.deepEqual(rows, [{ custom_field_id: living }])
  })

  test('a form copies the last published version, whatever is being edited', async () => {
    const { id, key } = await field()
    const number = await systemField('national_id')
    await core.patch(`/v1/custom-fields/${id}`, { as: clinic.admin, body: { label: 'Draft' } })
    const [copied] = await inClinic((tx) =>
      findFieldsForForm(tx, [id, number]).then((all) => all.filter((f) => f.id === id)),
    )
    assert.deepEqual([copied?.key, copied?.label, copied?.version], [key, 'Label', 1])
    await core.post(`/v1/custom-fields/${id}/publish`, { as: clinic.admin })
    const [next] = await inClinic((tx) => findFieldsForForm(tx, [id]))
    assert.deepEqual([next?.label, next?.version], ['Draft', 2])
    await core.delete(`/v1/custom-fields/${id}`, { as: clinic.admin })
    assert.deepEqual(await inClinic((tx) => findFieldsForForm(tx, [id])), [])
  })

  test('an export for the patient has what is not private', async () => {
    const own = await core.patient(clinic)
    const [open, hidden] = [(await field({ label: 'Open' })).id, (await field({ is_private: true })).id]
    await inClinic((tx) =>
      upsertValues(
        tx,
        own.id,
        [open, hidden].map((custom_field_id) => ({ custom_field_id, value: 'x' })),
      ),
    )
    const [values] = customFieldDataClasses
    assert.ok(values && 'rows' in values.export && typeof values.export.rows === 'function')
    const { rows } = values.export
    const subject = { patient_id: own.id, patient_profile_id: own.profile_id }
    const exported = await inClinic((tx) => rows(tx, subject, undefined, 10))
    assert.deepEqual(
      exported.map(({ label, value }) => [label, value]),
      [['Open', 'x']],
    )
    assert.deepEqual(await inClinic((tx) => rows(tx, subject, exported.at(-1), 10)), [])
  })

  test('labels that ask for a national identification number are recognized', () => {
    for (const text of [
      'CNP',
      'cnp_copil',
      'Codul numeric personal',
      'National-ID',
      'Personal identification number',
      'c_n_p',
      'C.N.P.',
      'Introduceți C.N.P. al copilului',
      'C. N. P. a mamei',
      'CNPul',
      'CNP2',
      'pacientCNP',
      'CNPPacient',
      'nationalId',
      'National I.D.',
      'National identity card number',
      'Codul personal numeric',
      'Cod personal',
      'Personal code',
      'Număr personal de identificare',
      'Nr. de identificare personală',
      'Cod național de identificare',
      'S.S.N.',
    ])
      assert.ok(asksNationalId(text), text)
    for (const text of [
      'Nationality',
      'National identity',
      'Personal ideas',
      'Professional identification code',
      'SSNX',
      'Cod poștal',
      'Codul de identificare fiscală',
      'Cod unic de identificare (CUI)',
      'Numărul personalului',
      'Personal coach',
      'Vitamina C, nu P',
      'Concept',
    ])
      assert.ok(!asksNationalId(text), text)
  })
})
