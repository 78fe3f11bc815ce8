import assert from 'node:assert/strict'
import { join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import { readSqlFiles } from '../migration-files.ts'
import { splitStatements } from '../sql-statements.ts'
import { type AdministeredDatabase, createAdministeredDatabase } from './administrator.fixtures.ts'
import { CLASSES } from './definer-classes.ts'

const FUNCTIONS = join(import.meta.dirname, '../../../../database/functions')

const DEFINERS = `select distinct p.proname as name from pg_proc p
  where p.pronamespace = 'public'::regnamespace and p.prosecdef and p.prorettype <> 'trigger'::regtype order by 1`

const CREATED = /^create or replace function (?:public\.)?(\w+)\(/m
const NAMED = /Security definer \(([^)]+)\)[:,] \S/

/** Function → the class that its comment names. */
async function readClasses(): Promise<Map<string, string>> {
  const classes = new Map<string, string>()
  for (const { text } of await readSqlFiles(FUNCTIONS)) {
    for (const statement of splitStatements(text)) {
      const created = CREATED.exec(statement)
      if (created?.[1] === undefined) continue
      const comment = statement.slice(0, created.index).replace(/\s*\n-- ?/g, ' ')
      const named = NAMED.exec(comment)?.[1]
      if (named !== undefined) classes.set(created[1], named)
    }
  }
  return classes
}

describe('functions that bypass row-level security', () => {
  let admin: AdministeredDatabase
  let definers: string[]
  let classes: Map<string, string>

  before(async () => {
    admin = await createAdministeredDatabase()
    definers = (await admin.query<{ name: string }>(DEFINERS)).map(({ name }) => name)
    classes = await readClasses()
  })
  after(() => admin.drop())

  test('each belongs to a class, named with its reason in its comment', () => {
    const unnamed = definers.filter((name) => !classes.has(name))
    assert.deepEqual(
      unnamed,
      [],
      'Write typed code, or name a class of definer-classes.ts: "Security definer (class): reason"',
    )
  })

  test('a comment names a class that exists', () => {
    const unknown = [...classes].filter(([, named]) => CLASSES[named] === undefined)
    assert.deepEqual(unknown, [])
  })

  test('only functions that bypass row-level security and are no triggers name a class', () => {
    assert.deepEqual(
      [...classes.keys()].filter((name) => !definers.includes(name)),
      [],
    )
  })
})
