import assert from 'node:assert/strict'
import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, test } from 'node:test'
import { unboundTables } from './service-statements.ts'

const TABLES = new Set(['appointments', 'exercises', 'forms', 'patients', 'services'])
const unbound = (statement: string) => unboundTables(statement, TABLES)
/** Functions in SQL that run with the rights of their caller and name no organization, and why. */
const WITHOUT: Readonly<Record<string, string>> = {
  current_app_holds_role:
    'with a condition, a role of another clinic would have no permissions, and anybody would hold them',
  role_permission_codes: 'finds the permissions of a caller, before an organization is in context',
  ship_permission: 'a deployment adds a permission to the templates of roles, which belong to no clinic',
}

const OWN = 'organization_id = current_app_org_id()'

describe('statements of the service of a clinic', () => {
  test('a statement that names the clinic for each of its tables is accepted', () => {
    for (const statement of [
      `select "id" from "patients" where ${OWN} and "id" = $1 for update`,
      `select 1 from "appointments" as "a" where "a"."organization_id" = current_app_org_id()`,
      `select 1 from appointments a join services s on s.organization_id = a.organization_id where a.${OWN}`,
      `delete from forms f using patients p where f.${OWN} and p.organization_id = f.organization_id`,
      `update appointments as a set notes = null where ${OWN} and a.patient_id is null`,
      `select 1 from patients where ${OWN} and id in (select patient_id from forms where ${OWN})`,
      `select 1 from exercises e where (e.organization_id is null or e.${OWN})`,
      `select 1 from patients where organization_id is not distinct from $1`,
    ])
      assert.deepEqual(unbound(statement), [], statement)
  })

  test('a statement that reads or changes no table of clinics needs no condition', () => {
    for (const statement of [
      'savepoint try',
      'select free_time($1)',
      'insert into "appointments" ("id", "starts_at") values ($1, $2) on conflict do nothing',
      `select 'from patients', time_zone from organizations where id = $1`,
    ])
      assert.deepEqual(unbound(statement), [], statement)
  })

  test('a forgotten condition is found', () => {
    for (const [statement, tables] of [
      ['select id, organization_id from patients where id = $1', ['patients']],
      ['update "appointments" as "a" set "status" = $1 where "a"."id" = $2', ['appointments']],
      ['delete from forms where id = $1', ['forms']],
      [`insert into forms (title) select title from forms where id = $1`, ['forms']],
      [
        `select 1 from patients where ${OWN} and id = (select patient_id from forms where id = $1)`,
        ['patients', 'forms'],
      ],
      [`select 1 from appointments a join exercises e on e.id = a.exercise_id where a.${OWN}`, ['exercises']],
      [`select 1 from appointments a, services s where s.id = a.service_id and a.${OWN}`, ['services']],
    ] as const)
      assert.deepEqual(unbound(statement), tables, statement)
  })

  test('a function in SQL that runs with the rights of its caller names the clinic too', () => {
    const folder = join(import.meta.dirname, '../../../../database')
    const schema = readFileSync(join(folder, 'schema.sql'), 'utf8')
    const tables = [...schema.matchAll(/^create table (\w+) \(([^;]*)\);/gm)]
      .filter(([, , columns = '']) => /^ {2}organization_id /m.test(columns))
      .map(([, name = '']) => name)
    assert.ok(tables.length > 80)
    const files = globSync('functions/*.sql', { cwd: folder }).map((path) => readFileSync(join(folder, path), 'utf8'))
    const functions = files
      .flatMap((text) => [...text.matchAll(/^create or replace function (\w+)\(([^;]*?)as \$\$(.*?)\$\$;/gms)])
      .filter(([, , head = '']) => !/security definer|returns trigger/.test(head))
    assert.ok(functions.length > 20)
    const found = functions.filter(([, , , body = '']) =>
      body
        .replaceAll(/= p_organization(?:_id)?\b/g, '= current_app_org_id()')
        .split(';')
        .some((statement) => unboundTables(statement, new Set(tables)).length > 0),
    )
    assert.deepEqual(new Set(found.map(([, name]) => name)), new Set(Object.keys(WITHOUT)))
  })
})
