import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import fc from 'fast-check'
import { type AdministeredDatabase, createAdministeredDatabase } from './administrator.fixtures.ts'
import { HARMLESS } from './harmless-settings.fixtures.ts'
import type { Query } from './index.ts'
import { LOCK_ROLES } from './lock-roles.fixtures.ts'
import { DANGEROUS, DANGEROUS_NAMES, dangerousSettings, isDangerous, SETTINGS, type Setting } from './settings.ts'

/** A dangerous value for each. What is not here can be set for the cluster only. */
const VALUES: Readonly<Record<string, string>> = {
  'app.org_id': '00000000-0000-7000-8000-000000000000',
  'app.principal_id': '00000000-0000-7000-8000-000000000000',
  'app.permissions': '*',
  'app.profile_ids': '{00000000-0000-7000-8000-000000000000}',
  'app.automation_rule_ids': '{00000000-0000-7000-8000-000000000000}',
  role: 'tendon_platform',
  session_authorization: 'tendon_platform',
  session_replication_role: 'replica',
  row_security: 'off',
  search_path: 'aside, public',
  allow_system_table_mods: 'on',
  lo_compat_privileges: 'on',
  transform_null_equals: 'on',
  array_nulls: 'off',
  standard_conforming_strings: 'off',
  'plpgsql.variable_conflict': 'use_column',
  default_transaction_isolation: 'repeatable read',
  gin_fuzzy_search_limit: '10',
  datestyle: 'sql, dmy',
  intervalstyle: 'sql_standard',
  extra_float_digits: '-3',
  local_preload_libraries: 'aside',
  session_preload_libraries: 'aside',
  dynamic_library_path: '/tmp',
  zero_damaged_pages: 'on',
  ignore_checksum_failure: 'on',
}
const ONLY_FOR_THE_CLUSTER = ['ignore_system_indexes']

describe('settings of roles and databases', () => {
  let admin: AdministeredDatabase
  const query: Query = (text) => admin.query(text)

  before(async () => {
    admin = await createAdministeredDatabase()
  })
  after(() => admin.drop())

  test('every setting of PostgreSQL is either dangerous or harmless, and not both', async () => {
    const settings = await query<{ name: string }>(`select lower(name) as name from pg_settings
      where context in ('user', 'superuser', 'backend', 'superuser-backend') and category not like 'Customized%'`)
    const judged = settings.map(({ name }) => {
      const reasons = HARMLESS.filter(([names]) => names.test(name)).length + (name in DANGEROUS ? 1 : 0)
      return { name, isJudged: reasons > 0, isBoth: name in DANGEROUS && reasons > 1 }
    })
    assert.ok(judged.length > 150)
    assert.deepEqual(
      judged.filter(({ isJudged, isBoth }) => !isJudged || isBoth),
      [],
    )
  })

  test('every dangerous one has a value below', () => {
    assert.deepEqual([...Object.keys(VALUES), ...ONLY_FOR_THE_CLUSTER].sort(), [...DANGEROUS_NAMES].sort())
  })

  for (const [name, value] of Object.entries(VALUES)) {
    test(`${name} is found, for a role, for the database, for a role in it and for all`, async () => {
      const [{ current } = { current: '' }] = await query<{ current: string }>('select current_database() as current')
      const set = `set ${name} = ${name === 'search_path' || name === 'datestyle' ? value : `'${value}'`}`
      const owners = [
        'role tendon_platform',
        `database ${current}`,
        `role tendon_app in database ${current}`,
        'role all',
      ]
      for (const owner of owners) {
        await admin.run(`begin; ${LOCK_ROLES}`)
        try {
          await admin.run(`alter ${owner} ${set}`)
          assert.deepEqual(dangerousSettings(await query<Setting>(SETTINGS)), [
            {
              object: `${name} = '${value}' of ${owner}`,
              detail: `${DANGEROUS[name]?.reason}. Run: alter ${owner} reset ${name}`,
            },
          ])
          await admin.run(`alter ${owner} reset ${name}`)
          assert.deepEqual(dangerousSettings(await query<Setting>(SETTINGS)), [])
        } finally {
          await admin.run('rollback')
        }
      }
    })
  }

  test('a value is judged whatever its case and its spaces are', () => {
    fc.assert(
      fc.property(
        fc.constantFrom(...DANGEROUS_NAMES),
        fc.array(fc.constantFrom('', ' ', '  '), { minLength: 40, maxLength: 40 }),
        fc.boolean(),
        (name, spaces, upper) => {
          for (const harmless of DANGEROUS[name]?.harmless ?? []) {
            const value = harmless
              .split('')
              .map((letter, index) => `${letter}${spaces[index] ?? ''}`)
              .join('')
            const setting = { role: 'tendon_app', database: null, name, value: upper ? value.toUpperCase() : value }
            assert.equal(isDangerous(setting), false)
            if (harmless !== '') assert.equal(isDangerous({ ...setting, value: `${value}x` }), true)
          }
        },
      ),
    )
  })

  test('what a session has from its role is named once, what it has from the cluster too', () => {
    const session = { role: null, database: null, name: 'row_security', value: 'off' }
    const role = { ...session, role: 'tendon_app' }
    assert.deepEqual(
      dangerousSettings([role, session]).map(({ object }) => object),
      [`row_security = 'off' of role tendon_app`],
    )
    assert.deepEqual(dangerousSettings([session]), [
      {
        object: `row_security = 'off' of every session`,
        detail:
          'without it, statements fail instead of being filtered. Run: alter system reset row_security, or remove it from postgresql.conf, and reload',
      },
    ])
  })
})
