import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { createTestDatabase, type TestDatabase } from '@tendon/testing'
import { dataClasses } from '../data-classes.ts'
import { type DataClass, patientColumnOf } from '../platform/data-class.ts'

const EXAMPLE = { code: 'A1B2', now: new Date() }

/** Tables that name a patient or a profile: by a column, or by a reference to one; and the two themselves. */
const TABLES_ABOUT_PATIENTS = `
  select distinct c.relname as name from pg_class c
  where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p') and not c.relispartition
    and (c.relname in ('patients', 'patient_profiles')
      or exists (select 1 from pg_attribute a where a.attrelid = c.oid and not a.attisdropped
        and a.attname in ('patient_id', 'patient_profile_id'))
      or exists (select 1 from pg_constraint k where k.conrelid = c.oid and k.contype = 'f'
        and k.confrelid in ('patients'::regclass, 'patient_profiles'::regclass)))`

const COLUMNS = `select table_name || '.' || column_name as name, is_nullable = 'YES' as nullable
  from information_schema.columns where table_schema = 'public'`

/** The sentences a newcomer reads who forgot something. */
function problemsOf(classes: readonly DataClass[], tables: readonly string[]): string[] {
  return tables.flatMap((table) => {
    const declared = classes.filter((one) => one.table === table).length
    if (declared === 1) return []
    return [
      declared === 0
        ? `${table} refers to a patient, but no feature declares it in its data-classes.ts`
        : `${table} is declared by ${declared} data classes`,
    ]
  })
}

describe('data classes', () => {
  let database: TestDatabase
  before(async () => {
    database = await createTestDatabase()
  })
  after(() => database.drop())

  const tablesAboutPatients = async () =>
    (await database.query<{ name: string }>(TABLES_ABOUT_PATIENTS)).map(({ name }) => name)

  test('every table about a patient is declared by exactly one class', async () => {
    const tables = await tablesAboutPatients()
    assert.ok(tables.length >= 8)
    assert.deepEqual(problemsOf(dataClasses, tables), [])
  })

  test('a new table that nobody declares is named', async () => {
    await database.query('create table notes_of_tomorrow (id uuid, patient_profile_id uuid)')
    await database.query('create table scans_of_tomorrow (id uuid, whose uuid references patients (id))')
    assert.deepEqual(
      problemsOf(dataClasses, await tablesAboutPatients()).sort(),
      ['notes', 'scans'].map(
        (what) => `${what}_of_tomorrow refers to a patient, but no feature declares it in its data-classes.ts`,
      ),
    )
    const twice = [...dataClasses, ...dataClasses.slice(0, 1)]
    assert.deepEqual(problemsOf(twice, ['patient_profiles']), ['patient_profiles is declared by 2 data classes'])
  })

  test('names are unique, and every column that a class names exists', async () => {
    assert.equal(new Set(dataClasses.map(({ name }) => name)).size, dataClasses.length)
    const rows = await database.query<{ name: string; nullable: boolean }>(COLUMNS)
    const nullable = new Map(rows.map((row) => [row.name, row.nullable]))
    for (const one of dataClasses) {
      for (const column of columnsOf(one)) assert.ok(nullable.has(`${one.table}.${column}`), `${one.name}: ${column}`)
      if (one.erase.strategy !== 'null') continue
      for (const column of one.erase.columns)
        assert.ok(nullable.get(`${one.table}.${column}`), `${one.name}: ${column}`)
    }
  })

  test('while processing is restricted a trigger refuses rows about the patient, unless their class says why not', async () => {
    const refusing = await database.query<{ name: string }>(
      `select distinct tgrelid::regclass::text as name from pg_trigger t join pg_proc p on p.oid = t.tgfoid
       where p.proname ~ 'refuse_restricted$'`,
    )
    const refused = new Set(refusing.map(({ name }) => name))
    for (const one of dataClasses) {
      if (one.patientColumn === null) continue
      assert.notEqual(refused.has(one.table), one.letThrough !== undefined, one.name)
    }
  })

  test('each class finds its rows, by a patient column or by its own query', () => {
    for (const one of dataClasses) {
      if (patientColumnOf(one)) continue
      assert.ok('leftOut' in one.export || typeof one.export.rows === 'function', `${one.name}: export`)
      assert.ok(one.erase.strategy === 'keep' || one.erase.run, `${one.name}: erase`)
    }
  })

  test('a row that is kept does not refer to a file that is deleted', () => {
    for (const { name, files, erase } of dataClasses) {
      if (files === undefined || erase.strategy === 'delete' || erase.strategy === 'keep') continue
      const emptied = erase.strategy === 'null' ? erase.columns : Object.keys(erase.values(EXAMPLE))
      assert.ok(emptied.includes(files), name)
    }
  })
})

function columnsOf(one: DataClass): string[] {
  const { erase } = one
  return [
    ...(patientColumnOf(one) ? [patientColumnOf(one)?.column ?? ''] : []),
    ...(one.files === undefined ? [] : [one.files]),
    ...('rows' in one.export && typeof one.export.rows !== 'function'
      ? ['id', 'organization_id', ...one.export.rows]
      : []),
    ...(erase.strategy === 'null' ? erase.columns : []),
    ...(erase.strategy === 'pseudonymise' ? Object.keys(erase.values(EXAMPLE)) : []),
  ]
}
