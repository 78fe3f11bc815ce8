import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { after, before, describe, test } from 'node:test'
import { systemContext } from '@tendon/access'
import {
  fold,
  MAX_SEGMENT_AMOUNT,
  RULE_KIND_OF_FIELD,
  RULE_OPERATORS,
  type SegmentDefinition,
  SegmentPreviewRequest,
  type SegmentRule,
  todayIn,
} from '@tendon/contracts'
import { Database, type TenantTx } from '@tendon/db'
import { createTestDatabase, soakRuns, type TestDatabase } from '@tendon/testing'
import fc from 'fast-check'
import { type RawBuilder, sql } from 'kysely'
import { definitionIn } from './definition.ts'
import { findFacts, findKnown } from './facts-queries.ts'
import { matches } from './judging-rules.ts'
import { matchingPatients } from './matching-queries.ts'
import { conditionsOf, placeOf } from './rules.ts'

// Generated rules over generated data: held against each patient in memory and against all in the database, they agree.

const PATIENTS = 8
const TYPES = Object.keys(RULE_KIND_OF_FIELD)
const STATUSES = ['pending', 'in_progress', 'completed', 'signed'] as const
const TEXTS = [
  'Ana',
  'ana',
  'ANĂ',
  'A\u0306na',
  'Ștefan',
  'şTEFAN',
  'İz',
  'ı',
  'I',
  'k',
  '\u212a',
  'an',
  'N',
  '\u0301',
  '_',
  'ΟΔΟΣ',
  'οδος',
  'Straße',
  'ﬁ',
  '\u212b',
  '각',
  ' ',
  '%',
  '\\',
  '🦴',
]
const DAYS = [
  '2026-03-31',
  '2026-03-30',
  '2026-03-01',
  '2026-02-28',
  '2025-03-31',
  '2026-04-01',
  '2027-01-01',
  '2025-12-31',
  '2024-02-29',
  '0001-01-01',
  '9999-12-31',
]
/** Written like days, but in no calendar; and nearly written like days. */
const NO_DAYS = ['2026-02-30', '2024-02-31', '2026-04-31', '2025-02-29', '2026-03-31\n', ' 2026-03-31', '+2026-03-31']
const NUMBERS = [0, -0, 1, -1, 0.1, 0.30000000000000004, 7, 1e21, -1e-7, 2 ** 53]

// Letters whose case is older than any ICU that a PostgreSQL is built with: newer ones it may not know.
const LETTERS = [
  [0x20, 0x24f],
  [0x300, 0x52f],
  [0x1e00, 0x1fff],
  [0xac00, 0xd7a3],
  [0x1f600, 0x1f640],
] as const
const letter = fc
  .oneof(...LETTERS.map(([min, max]) => fc.integer({ min, max })))
  .map((code) => String.fromCodePoint(code))
const text = fc.oneof(
  { weight: 4, arbitrary: fc.constantFrom(...TEXTS) },
  fc.string({ unit: letter, minLength: 1, maxLength: 6 }),
)
const day = fc.constantFrom(...DAYS)
const number = fc.oneof(fc.constantFrom(...NUMBERS), fc.double({ noNaN: true, noDefaultInfinity: true }))
const wrong = fc.constantFrom(
  null,
  true,
  '',
  [],
  {},
  [1],
  [''],
  '2026-13-01',
  '2026-3-1',
  ' 7',
  '7',
  7,
  'Ana',
  ['Ana'],
  { a: 1 },
)
const VALUES: Record<string, fc.Arbitrary<unknown>> = {
  text,
  number,
  date: fc.oneof({ weight: 3, arbitrary: day }, fc.constantFrom(...NO_DAYS)),
  choice: text,
  choices: fc.array(text, { maxLength: 3 }),
}
/** What is stored for a field of a type: mostly of its kind, often nothing, now and then something else. */
const stored = (type: string) =>
  fc.oneof(
    { weight: 5, arbitrary: VALUES[RULE_KIND_OF_FIELD[type] ?? 'text'] ?? text },
    { weight: 2, arbitrary: wrong },
    { weight: 2, arbitrary: fc.constant(undefined) },
  )
const record = fc.record(Object.fromEntries(TYPES.map((type) => [type, stored(type)])))

const patient = fc.record({
  profile: record,
  forms: fc.array(
    fc.record({ values: record, status: fc.constantFrom(...STATUSES), completed: fc.integer({ min: 0, max: 3 }) }),
    {
      maxLength: 3,
    },
  ),
  appointments: fc.array(fc.record({ status: fc.constantFrom('completed', 'no_show'), day }), { maxLength: 3 }),
  gone: fc.constantFrom(null, null, null, null, 'deleted_at', 'restricted_at'),
})

type Generated = typeof patient extends fc.Arbitrary<infer Value> ? Value : never

const pair = <Value extends number | string>(of: fc.Arbitrary<Value>) =>
  fc.tuple(of, of).map(([a, b]) => (a <= b ? [a, b] : [b, a]))
const relative = fc.record({
  amount: fc.oneof({ weight: 4, arbitrary: fc.integer({ min: 1, max: 40 }) }, fc.constantFrom(5, MAX_SEGMENT_AMOUNT)),
  unit: fc.constantFrom('days', 'weeks', 'months', 'years'),
})
const texts = fc.array(text, { minLength: 1, maxLength: 3 })

function valueFor(kind: keyof typeof RULE_OPERATORS, op: string): fc.Arbitrary<unknown> {
  if (op === 'is_set' || op === 'is_not_set') return fc.constant(undefined)
  if (['in', 'not_in', 'contains_any', 'contains_all'].includes(op)) return texts
  if (['in_last', 'not_in_last', 'in_next'].includes(op)) return relative
  if (op === 'between' || op === 'not_between') return kind === 'number' ? pair(number) : pair(day)
  return kind === 'number' ? number : kind === 'date' ? day : text
}
const asked = (kind: keyof typeof RULE_OPERATORS) =>
  fc.constantFrom<string[]>(...RULE_OPERATORS[kind]).chain((op) => valueFor(kind, op).map((value) => ({ op, value })))

describe('the rules of a segment, in memory and in the database', () => {
  let database: TestDatabase
  let db: Database
  let organizationId: string
  let templateId: string
  const fields = new Map(TYPES.map((type) => [type, randomUUID()]))
  const patients: { id: string; patient_profile_id: string }[] = []

  before(async () => {
    database = await createTestDatabase()
    db = new Database({ ...database.options, login: 'tendon_worker', poolSize: 2 })
    organizationId = await insert(`organizations (name, slug) values ('Clinic', 'clinic')`, [])
    templateId = await insert(
      `form_templates (organization_id, title, type, fields, version) values ($1, 'Intake', 'intake', '[]', 1)`,
      [organizationId],
    )
    await database.query(
      `insert into form_template_versions (organization_id, form_template_id, version, title, type, fields, translations, consent_purposes)
       values ($1, $2, 1, 'Intake', 'intake', '[]', '{}', '{}')`,
      [organizationId, templateId],
    )
    for (const [type, id] of fields)
      await database.query(
        `insert into custom_fields (id, organization_id, entity_type, key, label, field_type, options) values ($1, $2, 'patient', $3, $3, $3, case when $3 in ('select', 'radio', 'checkbox') then '{x}'::text[] end)`,
        [id, organizationId, type],
      )
    for (let count = 0; count < PATIENTS; count += 1) {
      const patient_profile_id = await insert('patient_profiles (organization_id) values ($1)', [organizationId])
      const id = await insert(
        `patients (organization_id, patient_profile_id, first_name, last_name) values ($1, $2, 'Maria', 'Stan')`,
        [organizationId, patient_profile_id],
      )
      patients.push({ id, patient_profile_id })
    }
    // Forms are signed without a signature and taken away again; those who left get values.
    await database.query('alter table forms disable trigger user, drop constraint forms_signed_complete_check')
    await database.query('alter table custom_field_values disable trigger user')
    await database.query('create table visits (patient_id uuid, status text, day text)')
    await database.query('grant select on visits to tendon_worker')
  })
  after(async () => {
    await db.close()
    await database.drop()
  })

  async function insert(what: string, values: unknown[]): Promise<string> {
    const [row] = await database.query<{ id: string }>(`insert into ${what} returning id`, values)
    assert.ok(row)
    return row.id
  }

  const fieldOf = (type: string) => fields.get(type) ?? ''
  const appointmentRule = fc.constantFrom('count' as const, 'last_date' as const).chain((metric) =>
    fc
      .record({
        asked: asked(metric === 'count' ? 'number' : 'date'),
        filters: fc.constantFrom(undefined, {}, { status: 'completed' }, { status: ['no_show', 'completed'] }),
      })
      .map(({ asked, filters }) => ({ source: 'appointments', metric, filters, ...asked }) as SegmentRule),
  )
  const fieldRule = fc.constantFrom(...TYPES).chain((type) =>
    fc.tuple(fc.constantFrom('profile', 'form'), asked(RULE_KIND_OF_FIELD[type] ?? 'text')).map(
      ([source, asked]) =>
        ({
          source,
          custom_field_id: fieldOf(type),
          ...(source === 'form' ? { template_id: templateId } : {}),
          ...asked,
        }) as SegmentRule,
    ),
  )
  const definition: fc.Arbitrary<SegmentDefinition> = fc.record({
    match_mode: fc.constantFrom('all', 'any'),
    rules: fc.array(fc.oneof({ weight: 5, arbitrary: fieldRule }, appointmentRule), { minLength: 1, maxLength: 4 }),
  })

  const countVisits = (statuses: string[] | null): RawBuilder<unknown> => sql`
    select patient_id, count(*) as count, max(day) as last_date from visits
    where ${statuses}::text[] is null or status = any(${statuses}) group by patient_id`

  async function store(data: Generated[]): Promise<void> {
    const values = data.flatMap(({ profile }, index) =>
      Object.entries(profile)
        .filter(([, value]) => value !== undefined)
        .map(([type, value]) => ({
          custom_field_id: fieldOf(type),
          entity_id: patients[index]?.id,
          value,
        })),
    )
    const forms = data.flatMap(({ forms }, index) =>
      forms.map(({ values, status, completed }) => ({
        patient_profile_id: patients[index]?.patient_profile_id,
        status,
        completed_at: status === 'completed' || status === 'signed' ? `2026-01-0${completed + 1}` : null,
        values: Object.fromEntries(Object.entries(values).map(([type, value]) => [`field_${fieldOf(type)}`, value])),
      })),
    )
    const visits = data.flatMap(({ appointments }, index) =>
      appointments.map((one) => ({ patient_id: patients[index]?.id, ...one })),
    )
    const states = data.map(({ gone }, index) => ({ id: patients[index]?.id, gone }))
    await database.query(
      `with a as (delete from custom_field_values), b as (delete from forms), c as (delete from visits)
       update patients p set deleted_at = case when s.gone = 'deleted_at' then now() end,
         restricted_at = case when s.gone = 'restricted_at' then now() end
       from jsonb_to_recordset($1::jsonb) as s (id uuid, gone text) where p.id = s.id`,
      [JSON.stringify(states)],
    )
    await database.query(
      `with v as (
         insert into custom_field_values (organization_id, custom_field_id, entity_id, value)
         select $1, custom_field_id, entity_id, coalesce(value, 'null')
         from jsonb_to_recordset($2::jsonb) as r (custom_field_id uuid, entity_id uuid, value jsonb)),
       f as (
         insert into forms (organization_id, form_template_id, template_version, patient_profile_id, title, type, fields, values,
           status, completed_at)
         select $1, $3, 1, patient_profile_id, 'Intake', 'intake', '[]', values, status, completed_at
         from jsonb_to_recordset($4::jsonb) as r (patient_profile_id uuid, status text, completed_at timestamptz, values jsonb))
       insert into visits select * from jsonb_to_recordset($5::jsonb) as r (patient_id uuid, status text, day text)`,
      [organizationId, JSON.stringify(values), templateId, JSON.stringify(forms), JSON.stringify(visits)],
    )
  }

  const inDatabase = async (tx: TenantTx, query: RawBuilder<unknown>) =>
    ((await sql`${query}`.execute(tx)).rows as { id: string }[]).map(({ id }) => id).sort()

  test('the rules of a segment, in memory and in the database agree about every patient', async () => {
    const zones = fc.constantFrom('Europe/Bucharest', 'Pacific/Kiritimati', 'America/Los_Angeles')
    const times = fc.constantFrom('2026-03-31T10:30:00Z', '2026-03-31T22:30:00Z', '2028-02-29T12:00:00Z')
    const data = fc.array(patient, { minLength: PATIENTS, maxLength: PATIENTS })
    const definitions = fc.array(definition, { minLength: 12, maxLength: 12 })
    const seen = new Set<string>()
    let both = 0
    await fc.assert(
      fc.asyncProperty(data, definitions, zones, times, async (given, segments, zone, time) => {
        await store(given)
        await db.tenant(systemContext(organizationId), async (tx) => {
          const known = await findKnown(tx, [...fields.values()], [templateId])
          const every = new Set(fields.values())
          const nameable = {
            ...known,
            patientFields: every,
            sealedFields: new Set<string>(),
            templateFields: new Map([[templateId, every]]),
            fieldOptions: new Map<string, Set<string>>(),
          }
          for (const segment of segments)
            assert.ok('value' in definitionIn(SegmentPreviewRequest, segment, nameable), JSON.stringify(segment))
          const today = todayIn(zone, new Date(time))
          const judged = segments.map((segment) => ({ ...segment, ...conditionsOf(segment, known, today) }))
          const places = segments.flatMap(({ rules }) => rules.map(placeOf))
          const facts = await Promise.all(patients.map((one) => findFacts(tx, one.id, places, countVisits)))
          for (const segment of judged) {
            assert.ok('conditions' in segment)
            const { match_mode, conditions, rules } = segment
            const found = await inDatabase(tx, matchingPatients(match_mode, conditions, countVisits))
            const inMemory = patients.filter((_, index) => {
              const its = facts[index]
              return given[index]?.gone === null && its !== undefined && matches(match_mode, conditions, its)
            })
            assert.deepEqual(found, inMemory.map(({ id }) => id).sort(), JSON.stringify({ match_mode, rules, given }))
            if (found.length > 0 && found.length < PATIENTS) both += 1
            for (const { source, op } of rules) seen.add(`${source} ${op}`)
          }
        })
      }),
      { numRuns: soakRuns(20, 20) },
    )
    assert.ok(both > 50, 'rules let some in and keep others out')
    const operators = new Set(Object.values(RULE_OPERATORS).flat())
    for (const op of operators) assert.ok(seen.has(`profile ${op}`) || seen.has(`form ${op}`), op)
  })

  test('the rules of a segment, in memory and in the database fold text alike', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(text, { minLength: 50, maxLength: 50 }), async (given) => {
        const [row] = await database.query<{ folded: string[] }>(
          'select array(select fold_segment_text(t) from unnest($1::text[]) with ordinality u (t, n) order by n) as folded',
          [given],
        )
        assert.deepEqual(row?.folded, given.map(fold))
      }),
      { numRuns: soakRuns(20) },
    )
  })
})
