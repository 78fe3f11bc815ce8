import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { createTestDatabase } from '@tendon/testing'
import { type AdministeredDatabase, createAdministeredDatabase } from './catalogue/administrator.fixtures.ts'
import { BREAKS } from './catalogue/breaks.fixtures.ts'
import { BREAKS_BESIDE } from './catalogue/breaks-beside.fixtures.ts'
import { EXCEPTIONS, SHAPES } from './catalogue/exceptions.ts'
import { checkCatalogue, findInCatalogue, type Query, RULES } from './catalogue/index.ts'
import { LOCK_ROLES } from './catalogue/lock-roles.fixtures.ts'
import { keepsToOrganization, type Policy } from './catalogue/policy-shape.ts'
import { POLICIES } from './catalogue/rule.ts'
import { Database } from './database.ts'
import type { Login } from './roles.ts'

describe('the catalogue', () => {
  let admin: AdministeredDatabase
  const query: Query = (text) => admin.query(text)

  before(async () => {
    admin = await createAdministeredDatabase()
  })
  after(() => admin.drop())

  test('every rule holds', async () => {
    assert.deepEqual(await checkCatalogue(query), [])
  })

  test('every exception is still needed', async () => {
    const found = (await findInCatalogue(query)).map(({ rule, object }) => `${rule}: ${object}`)
    const excepted = Object.entries(EXCEPTIONS).flatMap(([rule, objects]) =>
      Object.keys(objects).map((object) => `${rule}: ${object}`),
    )
    assert.deepEqual(excepted.sort(), found.sort())
  })

  test('no table has a shape that it does not need', async () => {
    const policies = await query<Policy>(POLICIES)
    const needed = policies
      .filter((policy) => !keepsToOrganization(policy, undefined))
      .map((policy) => policy.table_name)
    assert.deepEqual(
      Object.keys(SHAPES).filter((table) => !needed.includes(table)),
      [],
    )
  })

  test('every rule has a way to break it below', () => {
    const broken = new Set([...BREAKS, ...BREAKS_BESIDE].flatMap(({ found }) => found.map(([rule]) => rule)))
    assert.deepEqual(broken, new Set(RULES.map(({ name }) => name)))
  })

  // Inside a transaction that never commits, because logins belong to the whole cluster; and not while a migration in
  // another database of the cluster changes them.
  for (const { how, ddl, found } of [...BREAKS, ...BREAKS_BESIDE]) {
    test(`the catalogue finds ${how}`, async () => {
      await admin.run(`begin; ${LOCK_ROLES}`)
      try {
        await admin.run(ddl)
        const sentences = found.map(([rule, object, detail]) => {
          const { sentence } = RULES.find(({ name }) => name === rule) ?? {}
          return `${object} ${sentence}${detail === undefined ? '' : `: ${detail}`} (rule ${rule})`
        })
        assert.deepEqual(await checkCatalogue(query), sentences.sort())
      } finally {
        await admin.run('rollback')
      }
    })
  }

  for (const login of ['tendon_app', 'tendon_worker', 'tendon_telemetry'] satisfies Login[]) {
    test(`a server that signs in as ${login} starts, and refuses to on a broken database`, async () => {
      const own = await createTestDatabase()
      const db = new Database({ ...own.options, login })
      try {
        assert.deepEqual(await db.assertSafe(), [])
        await own.query('alter table locations no force row level security')
        await assert.rejects(db.assertSafe(), /Refusing to start:\n  - locations needs row-level security/)
      } finally {
        await db.close()
        await own.drop()
      }
    })
  }
})
