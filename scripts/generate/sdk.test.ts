import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, test } from 'node:test'
import { openApiDocuments } from '../openapi/documents.ts'
import type { ApiDocument } from './sdk/routes.ts'
import { routesFrom } from './sdk.ts'

const root = join(import.meta.dirname, '../..')
const TSC = join(root, 'node_modules/typescript/bin/tsc')

const CALLS = `
import type { Client, WithVersions } from '../../packages/sdk/src/index.ts'
import type { ComposerRoutes, NewComposition, NewLocation, Organization, Render, Routes } from './routes.gen.ts'
declare const api: Client<Routes>
declare const composer: Client<ComposerRoutes>
const body: NewLocation = { name: 'Centre' }
const { data } = await api('GET /v1/organizations/{id}', { params: { id: '1' } })
export const organization: Organization = data
export const created: string = (await api('POST /v1/organizations/{id}/locations', { params: { id: '1' }, body })).data.id
export const names: string[] = (await api.list('GET /v1/patients', { query: { page: 2 } })).items.map(({ name }) => name)
const wanted: NewComposition = { exercise: 'squat', language: 'en', sets: [{ side: 'left', reps: 5 }], seed: 1 }
export const video: string = (await composer('POST /v1/exercises/compose', { body: wanted })).data.video_id
export const renders: Render[] = (await composer.list('GET /v1/renders', { query: { status: 'ready' } })).items
declare const file: Blob
await composer('PUT /v1/exercises/{slug}/bundle/files/{path}', { params: { slug: 'squat', path: 'intro-video-1.mp4' }, body: file })
export const patients = await api('GET /v1/patients')
export const consents = await api('GET /v1/me/consents')
// @ts-expect-error a path parameter is missing
await api('GET /v1/organizations/{id}')
// @ts-expect-error a field is missing
await api('POST /v1/organizations/{id}/locations', { params: { id: '1' }, body: {} })
declare const web: Client<WithVersions<Routes>>
const location = { id: '1', locationId: '2' }
await web('PATCH /v1/organizations/{id}/locations/{locationId}', { params: location, body: { name: 'Centru', version: 3 } })
await web('DELETE /v1/organizations/{id}/locations/{locationId}', { params: location, ifMatch: 3 })
// @ts-expect-error the web names the version that it read
await web('PATCH /v1/organizations/{id}/locations/{locationId}', { params: location, body: { name: 'Centru' } })
// @ts-expect-error the web names the version that it read
await web('DELETE /v1/organizations/{id}/locations/{locationId}', { params: location })
// @ts-expect-error there is no such route
await api('GET /v1/nothing')
`

describe('the generated client', () => {
  test('the generated client has named types, and calls that compile against them', async (t) => {
    const { core, composer, telemetry } = (await openApiDocuments()) as Record<string, ApiDocument>
    assert.ok(core && composer && telemetry)
    const text = routesFrom({ Routes: core, ComposerRoutes: composer, TelemetryRoutes: telemetry })
    assert.match(text, /^export interface Organization \{$/m)
    assert.match(
      text,
      /'GET \/v1\/organizations\/\{id\}': \{ params: \{ id: string \}; answer: \{ data: Organization \} \}/,
    )
    // Shapes that are used twice have names: the client grows with the routes and not faster.
    const routes = text.match(/^ {2}'[A-Z]+ \//gm) ?? []
    assert.ok(text.split('\n').length < 11 * routes.length)
    await mkdir(join(root, '.data'), { recursive: true })
    const folder = await mkdtemp(join(root, '.data/sdk-'))
    t.after(() => rm(folder, { recursive: true }))
    await writeFile(join(folder, 'routes.gen.ts'), text)
    await writeFile(join(folder, 'calls.ts'), CALLS)
    await writeFile(join(folder, 'package.json'), '{"type":"module"}')
    const options = { incremental: false, tsBuildInfoFile: null }
    const config = { extends: '../../tsconfig.json', include: ['calls.ts'], exclude: [], compilerOptions: options }
    await writeFile(join(folder, 'tsconfig.json'), JSON.stringify(config))
    const compiled = spawnSync(process.execPath, [TSC, '-p', folder], { encoding: 'utf8' })
    assert.equal(compiled.stdout, '')
    assert.equal(compiled.status, 0)
  })
})
