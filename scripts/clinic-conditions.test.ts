import assert from 'node:assert/strict'
import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, test } from 'node:test'

// PostgreSQL evaluates a bare current_app_org_id() in a filter or a count once per row, and a sub-select once per
// statement. The list of patients cost half as much after the change.

const root = join(import.meta.dirname, '..')
const PER_ROW =
  /(?<!\bset\b.*)(?:[=<>]|is (?:not )?distinct from|any) *\(? *(?:public\.)?current_app_(?:org_id|scope|principal_id)\(\)/i

describe('conditions on the clinic in context', () => {
  test('statements compare with (select current_app_org_id()), which is evaluated once', () => {
    const files = globSync('{apps,packages}/*/src/**/*.ts', { cwd: root }).filter(
      (path) => !/\.(test|fixtures|cases)\.ts$/.test(path),
    )
    assert.ok(files.length > 600)
    const found = files.flatMap((path) =>
      readFileSync(join(root, path), 'utf8')
        .split('\n')
        .flatMap((line, index) => (PER_ROW.test(line) ? [`${path}:${index + 1}`] : [])),
    )
    assert.deepEqual(found, [])
  })

  test('a condition that is evaluated for each row is found', () => {
    for (const text of [
      'where organization_id = current_app_org_id()',
      'where p.organization_id is not distinct from current_app_scope()',
      'where principal_id=current_app_principal_id()',
    ])
      assert.match(text, PER_ROW)
    for (const text of [
      'where organization_id = (select current_app_org_id())',
      "select pg_advisory_xact_lock(hashtextextended('patient ' || current_app_org_id(), 0))",
      'set updated_by_principal_id = current_app_principal_id()',
      'values ($1, current_app_org_id())',
    ])
      assert.doesNotMatch(text, PER_ROW)
  })
})
