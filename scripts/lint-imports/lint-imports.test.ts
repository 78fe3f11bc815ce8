import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { checkFile } from './check.ts'

const FEATURE = 'apps/core/src/features/tenancy/members'

const allowed: [file: string, source: string][] = [
  ['packages/contracts/src/members.ts', "import { Type } from 'typebox'\nimport { Id } from './shapes.ts'"],
  ['packages/db/src/list.ts', "import type { List } from '@tendon/contracts'\nimport pg from 'pg'"],
  ['packages/http/src/idempotency.ts', "import type { DB } from '@tendon/db'"],
  ['packages/db/src/list.test.ts', "import { createTestDatabase } from '@tendon/testing'"],
  [
    `${FEATURE}/routes.ts`,
    "import { findMember } from './queries.ts'\nimport type { Routes } from '../../../feature.ts'",
  ],
  [`${FEATURE}/routes.ts`, "import { publish } from '../../../platform/events.ts'"],
  [`${FEATURE}/routes.ts`, "import { roleNotFound } from '../roles/index.ts'"],
  [`${FEATURE}/files/routes.ts`, "import { findMember } from '../queries.ts'"],
  [`${FEATURE}/key-routes.ts`, "import { randomBytes } from 'node:crypto'"],
  [`${FEATURE}/queries.ts`, "import { sql } from 'kysely'\nimport type { TenantTx } from '@tendon/db'"],
  [
    `${FEATURE}/rules.ts`,
    "import type { Member } from '@tendon/contracts'\nexport const at = (now: Date) => new Date(+now)",
  ],
  [`${FEATURE}/errors.ts`, "import { refusal } from '@tendon/http'"],
  [`${FEATURE}/rules.ts`, "import { isIP } from 'node:net'\nimport type { Row } from './queries.ts'"],
  [`${FEATURE}/rules.ts`, "import { type ByteRange } from '@tendon/object-store'"],
  ['apps/core/src/platform/jobs.ts', "import type { Services } from '../services.ts'"],
  [`${FEATURE}/members.test.ts`, "import { startCore } from '../../../testing/core.ts'"],
  ['apps/core/src/platform/audit.ts', "import type { SecretBox } from '@tendon/secrets'"],
  ['apps/core/src/server.ts', 'const config = readConfig(process.env)'],
  ['apps/identity/src/token.ts', 'const environment = readEnvironment(process.env)'],
  ['apps/web/portal/main.tsx', "import type { Me } from '@tendon/contracts'\nimport { api } from '#ui/api/client.ts'"],
  ['apps/web/ui/i18n/messages.ts', "import type { portalEn } from '../../portal/messages/en.ts'"],
  ['scripts/start.ts', "import { buildApp } from '../apps/core/src/app.ts'"],
  ['apps/core/src/app.ts', "// import x from '../../identity/src/provider.ts'\n/* process.env */"],
  ['apps/core/src/app.ts', "const text = 'a // b' + process.cwd()"],
]

const refused: [file: string, source: string, says: RegExp][] = [
  ['packages/contracts/src/members.ts', "import fastify from 'fastify'", /typebox and nothing else/],
  ['packages/contracts/src/members.ts', "import type { DB } from '@tendon/db'", /typebox and nothing else/],
  ['packages/db/src/list.ts', "import { ApiError } from '@tendon/http'", /packages before it/],
  ['packages/db/src/list.ts', "import { holds } from '../../../apps/core/src/platform/caller.ts'", /never apps/],
  ['packages/http/src/headers.ts', "import { createTestDatabase } from '@tendon/testing'", /packages before it/],
  ['packages/http/src/headers.ts', 'export const port = process.env.PORT', /process\.env/],
  ['packages/unknown/src/index.ts', '', /belongs to no room/],
  [`${FEATURE}/routes.ts`, "import { sql } from 'kysely'", /SQL belongs in queries\.ts/],
  [`${FEATURE}/routes.ts`, "import pg from 'pg'", /SQL belongs in queries\.ts/],
  [`${FEATURE}/routes.ts`, "import { findRole } from '../roles/queries.ts'", /other features’ index\.ts/],
  [`${FEATURE}/routes.ts`, "import { startCore } from '../../../testing/core.ts'", /routes\.ts/],
  [`${FEATURE}/routes.ts`, "const { sql } = await import('kysely')", /SQL belongs in queries\.ts/],
  [`${FEATURE}/queries.ts`, "import { notFound } from '@tendon/http'", /neither HTTP nor refusals/],
  [`${FEATURE}/queries.ts`, "import type { FastifyRequest } from 'fastify'", /neither HTTP nor refusals/],
  [`${FEATURE}/queries.ts`, "import { memberNotFound } from './errors.ts'", /neither HTTP nor refusals/],
  [`${FEATURE}/queries.ts`, "import { findRole } from '../roles/index.ts'", /its own folder/],
  [`${FEATURE}/rules.ts`, "import { readFile } from 'node:fs/promises'", /no I\/O/],
  [`${FEATURE}/rules.ts`, "import type { DB } from '@tendon/db'", /no database/],
  [`${FEATURE}/rules.ts`, "import { connect } from 'node:net'", /no I\/O/],
  [`${FEATURE}/rules.ts`, "import * as net from 'node:net'", /no I\/O/],
  [`${FEATURE}/rules.ts`, "import { type Row, findMember } from './queries.ts'", /no database/],
  [`${FEATURE}/rules.ts`, 'export const late = () => Date.now() > 5', /take `now`/],
  [`${FEATURE}/errors.ts`, "import { findMember } from './queries.ts'", /words to refusals/],
  [`${FEATURE}/index.ts`, "export { findRole } from '../roles/queries.ts'", /another feature’s insides/],
  [
    'apps/core/src/platform/audit.ts',
    "import { members } from '../features/tenancy/members/routes.ts'",
    /never a feature/,
  ],
  ['apps/core/src/app.ts', "import { createProvider } from '../../identity/src/provider.ts'", /never another app/],
  ['apps/core/src/app.ts', "import { env } from 'node:process'", /process\.env/],
  ['apps/core/src/members.test.ts', "import x from '../../identity/src/provider.ts'", /never another app/],
  ['apps/web/portal/main.tsx', "import type { DB } from '@tendon/db'", /nothing of the server/],
  ['apps/web/portal/main.tsx', "import { Me } from '@tendon/contracts'", /types of contracts/],
  ['apps/web/portal/main.tsx', "import { x } from '../console/router.tsx'", /no other app/],
  ['apps/web/portal/parts/me/devices.tsx', "import { x } from '../../routes/me/me-page.tsx'", /never a route/],
  ['apps/web/ui/theme.ts', "import { x } from '../portal/router.tsx'", /no app/],
  ['apps/web/console/router.tsx', "import { useForm } from '@mantine/form'", /may import itself/],
  ['apps/web/ui/form/rules.ts', "import { useForm } from '@mantine/form'", /may import itself/],
  ['apps/web/ui/theme.ts', "import { x } from '#portal/router.tsx'", /no app/],
]

describe('what may import what', () => {
  for (const [file, source] of allowed) {
    test(`${file} may: ${source.replaceAll('\n', ' ')}`, () => assert.deepEqual(checkFile(file, source), []))
  }
  for (const [file, source, says] of refused) {
    test(`${file} may not: ${source}`, () => {
      const [violation, ...others] = checkFile(file, source)
      assert.match(violation?.message ?? '', says)
      assert.deepEqual(others, [])
    })
  }

  test('an import over several lines is reported at the line that names the file', () => {
    const source = "import {\n  a,\n  b,\n} from '../roles/queries.ts'\n"
    assert.equal(checkFile(`${FEATURE}/routes.ts`, source)[0]?.line, 4)
  })
})
