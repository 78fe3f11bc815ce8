import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { after, before, describe, test } from 'node:test'
import type { TestDatabase } from '@tendon/testing'
import { Attempts, LOGINS } from './policies/attempts.fixtures.ts'
import { holding, NIL_UUID } from './policies/callers.fixtures.ts'
import type { Clinic } from './policies/clinic.fixtures.ts'
import { furtherCases } from './policies/further.cases.ts'
import { CASES, inClinic, PLATFORM_TABLES } from './policies/index.ts'
import type { Context } from './transaction.ts'

describe('row-level security', () => {
  let on: Attempts
  let database: TestDatabase
  let clinic: Clinic
  let other: Clinic
  before(async () => {
    on = await Attempts.create()
    ;({ database, clinic, other } = on)
  })
  after(() => on.drop())

  const attempt = (context: Context, statement: string) => on.attempt(context, statement)
  const inside = (permissions: string, of = clinic) => on.callers.inside(permissions, of)
  const without = (...missing: string[]) => on.callers.without(...missing)

  // The worker is a member of the app and sees what it sees; telemetry has no business with most of these tables.
  for (const login of LOGINS) {
    for (const [table, entry] of Object.entries(CASES)) {
      test(`${login} on ${table}`, async () => {
        const { met, expected } = await on.onTable(login, table, entry)
        assert.deepEqual(met, expected)
      })
    }
  }

  test('patients write at the clinic in context only, and what belongs to the service only as the service', async () => {
    for (const further of furtherCases(on.callers))
      assert.equal(await on.further(further), further.outcome, further.name)
  })

  test('every table and view is in the table of cases', async () => {
    const rows = await database.query<{ name: string }>(
      `select relname as name from pg_class where relnamespace = 'public'::regnamespace and relkind in ('r', 'p', 'v', 'm')
        and not exists (select 1 from pg_depend d where d.objid = pg_class.oid and d.deptype = 'e')`,
    )
    assert.deepEqual(
      rows.map(({ name }) => name).sort(),
      [...Object.keys(CASES), ...Object.keys(PLATFORM_TABLES)].sort(),
    )
  })

  for (const [table, how] of Object.entries(PLATFORM_TABLES)) {
    test(`tables of the platform: ${table} is ${how === 'read' ? 'read-only' : 'out of reach'}`, async () => {
      const outcome = await attempt(inside('*'), `select 1 from ${table}`)
      assert.ok(how === 'refused' ? outcome === 'refused' : outcome === 'rows' || outcome === 'none', outcome)
      assert.equal(await attempt(inside('*'), `delete from ${table}`), 'refused')
      assert.equal(await attempt(inside('*'), `insert into ${table} default values`), 'refused')
    })
  }

  test('without context there is not one row, of an organization or of the platform', async () => {
    const context = { principalId: null, organizationId: null, permissions: '*' }
    for (const [table, { platform, shared, fresh }] of Object.entries(CASES)) {
      if (platform) await database.query(`insert into ${table} ${fresh(clinic).replace(`'${clinic.id}'`, 'null')}`)
      const rows = shared ? `${table} where organization_id is not null` : table
      assert.match(await attempt(context, `select 1 from ${rows}`), /^(none|refused)$/, table)
    }
  })

  test('with every right in one organization a superadmin sees that one only', async () => {
    for (const [table, { select, shared }] of Object.entries(CASES)) {
      if (select === 'nobody' || table === 'members' || table === 'humans') continue
      const column = table === 'organizations' ? 'id' : 'organization_id'
      const differs = shared ? '<>' : 'is distinct from'
      const statement = `select 1 from ${table} where ${column} ${differs} '${clinic.id}'`
      assert.equal(await attempt(inside('*'), statement), 'none', table)
    }
  })

  test('rows of the platform are written by callers without organization, never by those of one', async () => {
    for (const [table, { platform, fresh }] of Object.entries(CASES)) {
      if (!platform) continue
      const statement = `insert into ${table} ${fresh(clinic).replace(`'${clinic.id}'`, 'null')}`
      assert.equal(await attempt({ ...inside(''), organizationId: NIL_UUID }, statement), 'rows', table)
      assert.equal(await attempt(inside('*'), statement), 'refused', table)
      assert.equal(await attempt({ ...inside('*'), organizationId: null }, statement), 'refused', table)
    }
  })

  test('clinics cannot write rows of the platform that they see', async () => {
    for (const [table, { shared, fresh, set }] of Object.entries(CASES)) {
      if (!shared) continue
      const ofPlatform = fresh(clinic).replace(`'${clinic.id}'`, 'null')
      for (const statement of [
        // A part of something is given to whom the whole belongs, so what was inserted is asked.
        `with written as (insert into ${table} ${ofPlatform} returning *) select 1 from written where organization_id is null`,
        `update ${table} set ${set} where organization_id is null`,
        `delete from ${table} where organization_id is null`,
      ])
        assert.match(await attempt(inside('*'), statement), /^(none|refused)$/, statement)
    }
  })

  test('no row can be moved to another organization', async () => {
    const tables = await database.query<{ name: string }>(
      `select table_name as name from information_schema.columns where table_schema = 'public' and column_name = 'organization_id'`,
    )
    assert.ok(tables.length > 10)
    for (const { name } of tables) {
      const statement = `update ${name} set organization_id = '${other.id}' where ${inClinic(clinic)}`
      assert.equal(await attempt(inside('*'), statement), 'refused', name)
    }
    assert.equal(await attempt(inside('*'), `update organizations set id = '${randomUUID()}'`), 'refused')
  })

  test('an insert without an organization uses the one in context', async () => {
    const columns = await database.query<{ name: string; column_default: string | null }>(
      `select table_name as name, column_default from information_schema.columns c
        join information_schema.tables t using (table_schema, table_name)
        where table_schema = 'public' and column_name = 'organization_id' and table_type = 'BASE TABLE'`,
    )
    const unfilled = columns.filter(({ column_default }) => column_default !== 'current_app_scope()')
    assert.deepEqual(unfilled.map(({ name }) => name).sort(), [
      'break_glass_grants', // written above all organizations
      'consents', // null is the scope of the platform, so an insert says which it means
      'principals', // humans have none
    ])
  })

  test('a row of another organization cannot be referred to, and nobody learns whether it exists', async () => {
    const references: [string, (foreign: Clinic) => string][] = [
      ['organization_memberships', (of) => `(principal_id, role_id) values ('${clinic.spareHuman}', '${of.role}')`],
      ['role_permissions', (of) => `(role_id, permission_code) values ('${of.role}', 'locations.manage')`],
      ['service_accounts', (of) => `(id, name) values ('${of.spareService}', 'New')`],
      ['patients', (of) => `(patient_profile_id, first_name, last_name) values ('${of.spareProfile}', 'Ion', 'Pop')`],
      [
        'impersonations',
        (of) => `(patient_id, principal_id, hash, expires_at)
        values ('${of.patient}', current_app_principal_id(), '\\x01', now())`,
      ],
      ['taxonomy_tags', (of) => `(axis, slug, name, parent_id) values ('category', 'new', 'New', '${of.tag}')`],
      ['api_keys', (of) => `(service_account_id, name, prefix, hash) values ('${of.service}', 'New', 'tk_', '\\x01')`],
      [
        'exercise_tags',
        (of) => `(exercise_id, axis, tag_id) values ('${clinic.spareExercise}', 'category', '${of.tag}')`,
      ],
      [
        'exercise_prerequisites',
        (of) => `(exercise_id, prerequisite_exercise_id) values ('${clinic.exercise}', '${of.exercise}')`,
      ],
      [
        'exercise_contraindications',
        (of) => `(exercise_id, condition_id, severity) values ('${clinic.exercise}', '${of.condition}', 'relative')`,
      ],
    ]
    const ids = ['role', 'spareService', 'service', 'spareProfile', 'patient', 'exercise', 'condition', 'tag'].map(
      (name) => [name, randomUUID()],
    )
    const unknown: Clinic = { ...other, ...Object.fromEntries(ids) }
    for (const [table, fresh] of references) {
      const met = await attempt(inside('*'), `insert into ${table} ${fresh(other)}`)
      assert.match(met, /^23503 /, table)
      assert.equal(met, await attempt(inside('*'), `insert into ${table} ${fresh(unknown)}`), table)
    }
  })

  test('people see and change themselves without any right', async () => {
    const self = { ...inside(''), principalId: clinic.human }
    assert.equal(await attempt(self, `select 1 from humans where id = '${clinic.human}'`), 'rows')
    assert.equal(
      await attempt(self, `select 1 from organization_memberships where principal_id <> '${clinic.human}'`),
      'none',
    )
    assert.equal(await attempt(self, `update humans set name = 'Me' where id = '${clinic.human}'`), 'rows')
    assert.equal(await attempt(self, `update humans set name = 'Me' where id <> '${clinic.human}'`), 'none')
    assert.equal(await attempt({ ...self, organizationId: NIL_UUID }, `update humans set name = 'Me'`), 'rows')
    assert.equal(await attempt({ ...inside('*') }, `update humans set name = 'Not me'`), 'none')
  })

  test('patients see their own rows at every clinic, and change only their consents', async () => {
    const owner = { ...inside('', other), principalId: clinic.spareHuman, profileIds: [clinic.profile] }
    const contexts = [owner, { ...owner, organizationId: NIL_UUID }, { ...owner, organizationId: clinic.id }]
    const consent = (profile: string, source: string) =>
      `insert into consents (organization_id, patient_profile_id, purpose_code, purpose_version, source)
        values ('${clinic.id}', '${profile}', 'telerehab', 1, '${source}')`
    for (const context of contexts) {
      for (const table of ['patients', 'consents']) {
        assert.equal(
          await attempt(context, `select 1 from ${table} where patient_profile_id = '${clinic.profile}'`),
          'rows',
        )
        assert.equal(
          await attempt(context, `select 1 from ${table} where patient_profile_id <> '${clinic.profile}'`),
          'none',
        )
      }
      assert.equal(await attempt(context, `select 1 from patient_profiles where id <> '${clinic.profile}'`), 'none')
      assert.equal(await attempt(context, `update patients set notes = 'Mine'`), 'none')
      assert.equal(await attempt(context, `update patient_profiles set invited_at = now()`), 'none')
      assert.equal(await attempt(context, consent(clinic.profile, 'self_toggle')), 'rows')
      assert.equal(await attempt(context, consent(clinic.profile, 'staff_action')), 'refused')
      assert.equal(await attempt(context, consent(clinic.spareProfile, 'self_toggle')), 'refused')
      assert.equal(await attempt(context, `update consents set withdrawn_at = now(), ended_as = 'withdrawn'`), 'rows')
    }
    const elsewhere = consent(clinic.profile, 'self_toggle').replace(clinic.id, other.id)
    assert.equal(await attempt(owner, elsewhere), '23503 consents_patient_fkey')
  })

  test('clinics can neither read nor write templates, and nobody can create a system role', async () => {
    assert.equal(await attempt(inside('*'), 'select 1 from roles where organization_id is null'), 'none')
    assert.equal(await attempt(inside('*'), `update roles set name = 'Mine' where organization_id is null`), 'none')
    assert.equal(await attempt(inside('*'), `delete from roles where organization_id is null`), 'none')
    for (const fresh of [
      `(organization_id, code, name) values (null, 'mine', 'Mine')`,
      `(code, name, is_system) values ('mine', 'Mine', true)`,
      `(code, name, is_system, template_id) select 'mine', 'Mine', true, '${clinic.role}'`,
    ]) {
      assert.equal(await attempt(inside('*'), `insert into roles ${fresh}`), 'refused', fresh)
    }
    assert.equal(await attempt(inside('*'), `update roles set is_system = true`), 'refused')
    assert.equal(await attempt(inside('*'), `update roles set template_id = null`), 'refused')
  })

  test('deleted rows show only with data.view_deleted, and do not change', async () => {
    const row = `id = '${clinic.deletedLocation}'`
    assert.equal(await attempt(without('data.view_deleted'), `select 1 from locations where ${row}`), 'none')
    assert.equal(await attempt(inside(holding(['data.view_deleted'])), `select 1 from locations where ${row}`), 'rows')
    assert.equal(await attempt(inside('*'), `update locations set name = 'Open' where ${row}`), 'none')
    assert.equal(await attempt(inside('*'), `update locations set deleted_at = null where ${row}`), 'none')
    const living = `id = '${clinic.location}'`
    assert.equal(await attempt(inside('*'), `update locations set deleted_at = now() where ${living}`), 'refused')
  })
})
