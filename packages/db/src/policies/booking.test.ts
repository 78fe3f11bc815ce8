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
/** As the routes of patients and of visitors declare them (features/scheduling/appointments/service.ts). */
const PATIENT_CODES = ['data.view_deleted', 'services.view_org', 'specialists.view_org']
const VISITOR_CODES = [...PATIENT_CODES, 'appointments.manage', 'appointments.view_org', 'forms.fill_org']

/** Statements of booking, moving and cancelling whose `where` was forgotten; each returns whose rows it touched. */
const CARELESS = {
  'read appointments': 'select organization_id, patient_profile_id from appointments',
  'lock appointments': 'select organization_id, patient_profile_id from appointments for no key update',
  'cancel appointments': `update appointments set status = 'cancelled' returning organization_id, patient_profile_id`,
  'read files': 'select organization_id, patient_profile_id from appointment_files',
  'move files': `update appointment_files set appointment_id = appointment_id returning organization_id, patient_profile_id`,
  'read forms': 'select organization_id, patient_profile_id from forms where signed_at is null',
  'move forms': `update forms set appointment_id = appointment_id where signed_at is null
    returning organization_id, patient_profile_id`,
  'read patients': 'select organization_id, patient_profile_id from patients',
  'read links': `select l.organization_id, a.patient_profile_id from booking_links l join appointments a on a.id = l.appointment_id`,
  'move links': `with moved as (update booking_links set appointment_id = appointment_id returning appointment_id)
    select a.organization_id, a.patient_profile_id from moved join appointments a on a.id = moved.appointment_id`,
  'read feeds': 'select organization_id, patient_profile_id from calendar_feeds',
  'replace feeds': `update calendar_feeds set token_hash = token_hash returning organization_id, patient_profile_id`,
  'delete feeds': 'delete from calendar_feeds returning organization_id, patient_profile_id',
}
type Careless = keyof typeof CARELESS
const isCareless = (name: string): name is Careless => Object.hasOwn(CARELESS, name)
const NAMES = Object.keys(CARELESS).filter(isCareless)

describe('booking as the service of a clinic', () => {
  let database: TestDatabase
  let db: Database
  let clinic: Clinic
  let other: Clinic
  /** Another patient of the same clinic. */
  let neighbour: { profile: string; patient: string; visit: string; claim: string }
  before(async () => {
    database = await createTestDatabase()
    db = new Database({ ...database.options, login: 'tendon_app', poolSize: 2 })
    clinic = await createClinic(database)
    other = await createClinic(database)
    neighbour = await addNeighbour()
  })
  after(async () => {
    await db.close()
    await database.drop()
  })

  async function addNeighbour() {
    const insert = async (text: string, values: unknown[], returning = 'id') => {
      const [row] = await database.query<{ id: string }>(`insert into ${text} returning ${returning} as id`, [
        clinic.id,
        ...values,
      ])
      assert.ok(row)
      return row.id
    }
    const profile = await insert('patient_profiles (organization_id) values ($1)', [])
    const patient = await insert(
      `patients (organization_id, patient_profile_id, first_name, last_name) values ($1, $2, 'Ion', 'Pop')`,
      [profile],
    )
    const visit = await insert(
      `appointments (organization_id, service_id, specialist_id, patient_id, patient_profile_id, starts_at, ends_at,
         time_zone, mode, status, source)
       values ($1, $2, $3, $4, $5, '2040-01-01 09:00Z', '2040-01-01 10:00Z', 'UTC', 'phone', 'cancelled', 'staff')`,
      [clinic.offered, clinic.specialist, patient, profile],
    )
    const claim = await insert(
      `time_claims (organization_id, specialist_id, starts_at, ends_at, kind, appointment_id)
       values ($1, $2, '2040-01-01 09:00Z', '2040-01-01 10:00Z', 'appointment', $3)`,
      [clinic.specialist, visit],
    )
    await insert(
      `appointment_files (organization_id, appointment_id, patient_profile_id, object_key, name, size, mime, sha256)
       values ($1, $2, $3, $4, 'scan.pdf', 1, 'application/pdf', '\\x00')`,
      [visit, profile, `appointment-files/${visit}.pdf`],
    )
    await insert(
      `booking_links (token_hash, organization_id, appointment_id) values (gen_random_uuid()::text::bytea, $1, $2)`,
      [visit],
      'appointment_id',
    )
    await insert(
      `calendar_feeds (organization_id, patient_profile_id, token_hash, principal_id)
       values ($1, $2, gen_random_uuid()::text::bytea, gen_random_uuid())`,
      [profile],
    )
    return { profile, patient, visit, claim }
  }

  const patientRequest = (): Context => ({
    principalId: randomUUID(),
    organizationId: clinic.id,
    permissions: '',
    profileIds: [clinic.profile],
    serviceCodes: PATIENT_CODES,
  })
  const forge = (tx: TenantTx) => sql`select set_config('app.service', 'on', true)`.execute(tx)

  type Run = (work: (tx: TenantTx) => Promise<void>) => Promise<unknown>
  /** The ways in which a patient's request can be the service. */
  const asPatient: Record<string, Run> = {
    'at work as the service': (work) =>
      db.tenant(patientRequest(), (tx) => asService(tx, PATIENT_CODES, (own) => work(own))),
    'with a forged setting': (work) =>
      db.tenant(patientRequest(), async (tx) => {
        await forge(tx)
        await work(tx)
      }),
    'with the setting left on, and its codes': (work) =>
      db.tenant({ ...patientRequest(), permissions: `,${PATIENT_CODES.join(',')},` }, async (tx) => {
        await forge(tx)
        await work(tx)
      }),
  }

  interface Touched {
    organization_id: string
    patient_profile_id: string | null
  }

  /** Whose rows a statement touches; it is undone. */
  async function touched(run: Run, statement: string): Promise<Touched[]> {
    let rows: Touched[] = []
    const done = run(async (tx) => {
      rows = (await sql.raw<Touched>(statement).execute(tx)).rows
      throw ROLLBACK
    })
    await assert.rejects(done, ROLLBACK)
    return rows
  }

  async function refused(run: Run, statement: string): Promise<boolean> {
    try {
      await run(async (tx) => {
        await sql.raw(statement).execute(tx)
        throw ROLLBACK
      })
    } catch (error) {
      if (error === ROLLBACK) return false
      assert.equal((error as { code?: string }).code, '42501')
      return true
    }
    return false
  }

  test('a patient’s request touches rows of that patient only, also without a where', async () => {
    for (const [how, run] of Object.entries(asPatient)) {
      for (const name of NAMES) {
        const rows = await touched(run, CARELESS[name])
        assert.ok(rows.length > 0, `${how}: ${name} touches nothing, so it proves nothing`)
        assert.deepEqual([...new Set(rows.map((row) => row.patient_profile_id))], [clinic.profile], `${how}: ${name}`)
      }
    }
  })

  test('a patient’s request writes no appointment of another patient, and gives none away', async () => {
    const visit = (profile: string, patient: string) =>
      `insert into appointments (service_id, specialist_id, patient_id, patient_profile_id, starts_at, ends_at, time_zone,
         mode, status, source)
       values ('${clinic.offered}', '${clinic.specialist}', '${patient}', '${profile}', '2041-01-01 09:00Z',
         '2041-01-01 10:00Z', 'UTC', 'phone', 'pending', 'patient')`
    const nobody = visit(clinic.profile, clinic.patient)
      .replace(`'${clinic.patient}'`, 'null')
      .replace(`'${clinic.profile}'`, 'null')
    const give = `update appointments set patient_id = '${neighbour.patient}', patient_profile_id = '${neighbour.profile}'`
    for (const [how, run] of Object.entries(asPatient)) {
      assert.equal(await refused(run, visit(clinic.profile, clinic.patient)), false, how)
      assert.equal(await refused(run, visit(neighbour.profile, neighbour.patient)), true, how)
      assert.equal(await refused(run, nobody), true, how)
      assert.equal(await refused(run, give), true, how)
    }
  })

  test('a patient’s request neither frees nor takes the time of another patient', async () => {
    const claims = () =>
      database.query('select kind, appointment_id from time_claims where id = $1 or hold_id is not null order by id', [
        neighbour.claim,
      ])
    const before = await claims()
    const [hold] = await database.query<{ id: string }>('select id from holds where organization_id = $1', [clinic.id])
    for (const run of Object.values(asPatient)) {
      await run(async (tx) => {
        await sql`select free_time(${neighbour.visit})`.execute(tx)
        const { rows } = await sql<{ done: boolean }>`
          select convert_claim(${hold?.id}, ${neighbour.visit}) as done`.execute(tx)
        assert.equal(rows[0]?.done, false)
      })
      for (const statement of ['delete from time_claims', 'delete from appointments', 'delete from busy_times'])
        assert.equal(await refused(run, statement), true, statement)
      for (const table of ['time_claims', 'busy_times'])
        assert.deepEqual(await touched(run, `select organization_id from ${table}`), [], table)
    }
    assert.deepEqual(await claims(), before)
  })

  test('as the service, a person reaches unlinked bookings with their verified address at the clinic in context only', async () => {
    const unlinked = async (of: Clinic, email: string) => {
      const [row] = await database.query<{ id: string }>(
        `insert into appointments (organization_id, service_id, specialist_id, starts_at, ends_at, time_zone, mode, status,
           source, booker)
         values ($1, $2, $3, '2042-01-01 09:00Z', '2042-01-01 10:00Z', 'UTC', 'phone', 'cancelled', 'public', $4)
         returning id`,
        [of.id, of.offered, of.specialist, JSON.stringify({ name: 'Maria', email })],
      )
      return row?.id
    }
    const person = async (isVerified: boolean) => {
      const [row] = await database.query<{ id: string; email: string }>(
        `with p as (insert into principals (kind) values ('human') returning id)
         insert into humans (id, email, email_verified) select id, id || '@mail.example', $1 from p returning id, email`,
        [isVerified],
      )
      assert.ok(row)
      return row
    }
    const [me, unverified] = [await person(true), await person(false)]
    const mine = await unlinked(clinic, me.email.toUpperCase())
    for (const email of ['somebody@mail.example', unverified.email]) await unlinked(clinic, email)
    await unlinked(other, me.email)
    const as = (principalId: string): Context => ({
      ...patientRequest(),
      principalId,
      profileIds: [],
      serviceCodes: [],
    })
    const service =
      (principalId: string): Run =>
      (work) =>
        db.tenant(as(principalId), (tx) => asService(tx, [], (own) => work(own)))
    const statements = [
      'select id, organization_id, patient_profile_id from appointments',
      'select id, organization_id, patient_profile_id from appointments for no key update',
      'update appointments set booker = booker returning id, organization_id, patient_profile_id',
    ]
    const ids = async (run: Run, statement: string) =>
      (await touched(run, statement)).map((row) => 'id' in row && row.id)
    for (const statement of statements) {
      assert.deepEqual(await ids(service(me.id), statement), [mine], statement)
      assert.deepEqual(await ids(service(unverified.id), statement), [], statement)
      assert.deepEqual(await ids((work) => db.tenant(as(me.id), work), statement), [], statement)
    }
    const toNeighbour = `update appointments set patient_id = '${neighbour.patient}', patient_profile_id = '${neighbour.profile}'`
    assert.equal(await refused(service(me.id), toNeighbour), true)
    assert.equal(
      await refused(service(me.id), `update appointments set booker = booker || '{"email": "x@y.example"}'`),
      true,
    )
  })

  test('the service of a visitor, a forger and a superadmin touch rows of the clinic in context only', async () => {
    const everyone = { principalId: randomUUID(), organizationId: clinic.id, permissions: '*' }
    const runs: Record<string, Run> = {
      'a visitor': (work) => db.service(clinic.id, VISITOR_CODES, (tx) => work(tx)),
      'a superadmin with a forged setting': (work) =>
        db.tenant(everyone, async (tx) => {
          await forge(tx)
          await work(tx)
        }),
    }
    const statements = [...Object.values(CARELESS), 'select organization_id, null as patient_profile_id from holds']
    for (const [how, run] of Object.entries(runs)) {
      for (const statement of statements) {
        const rows = await touched(run, statement)
        assert.ok(
          rows.every(({ organization_id }) => organization_id === clinic.id),
          `${how}: ${statement}`,
        )
      }
      const foreign = `update holds set status = 'released' where organization_id = '${other.id}' returning organization_id, null as patient_profile_id`
      assert.deepEqual(await touched(run, foreign), [], how)
      await run(async (tx) => {
        await sql`select free_time(${other.visit})`.execute(tx)
      })
    }
  })

  test('without the setting nobody reads or ends holds and links, not even a superadmin', async () => {
    const run: Run = (work) =>
      db.tenant({ principalId: randomUUID(), organizationId: clinic.id, permissions: '*' }, work)
    for (const statement of [
      'select organization_id, null as patient_profile_id from holds',
      `update holds set status = 'released' returning organization_id, null as patient_profile_id`,
      'select organization_id, null as patient_profile_id from booking_links',
      'update booking_links set appointment_id = appointment_id returning organization_id, null as patient_profile_id',
      'update calendar_feeds set token_hash = token_hash returning organization_id, patient_profile_id',
      'delete from calendar_feeds returning organization_id, patient_profile_id',
      'update appointment_files set appointment_id = appointment_id returning organization_id, patient_profile_id',
    ])
      assert.deepEqual(await touched(run, statement), [], statement)
    await run(async (tx) => {
      const { rows } = await sql<{ held: unknown; day: unknown }>`
        select hold_time(${clinic.offered}, ${clinic.specialist}, null, null, 'phone', now(), 5, null, null, null, null, null, null, null)
          as held, count_day(${clinic.offered}, ${clinic.specialist}, now(), now(), null) as day`.execute(tx)
      assert.deepEqual(rows[0], { held: null, day: null })
    })
  })
})
