import { isObject } from '@tendon/contracts'
import type { DB } from '@tendon/db'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { type Kysely, sql } from 'kysely'
import { soleHeader } from './headers.ts'
import { answerContract, schemaIn } from './json-schema.ts'
import { staleVersion, validationFailed } from './refusals.ts'

// Every editable row has a version; its ETag is the version in quotes. A route with `versioned` refuses a change when the
// version in If-Match, or in a member of the body, is not the current one. Without either it does not check.

const TAG = /^(?:W\/)?"?(\d{1,10})"?$/
const MAX_VERSION = 2_147_483_647
const EXPECTED = Symbol('expected versions')

/** The member of row and body: `revision` where `version` counts what was published; `header`: If-Match alone. */
export type VersionMember = 'version' | 'revision' | 'header'

interface Expected {
  /** Every list must contain the row's version. */
  lists: number[][]
  present: (row: object) => unknown
}

interface VersionedRow {
  id?: string
  version: number
}

declare module 'fastify' {
  interface FastifyRequest {
    /**
     * Refuses the change (409 stale_version) when the client read another version than that of this row, which the
     * transaction has locked. `current` returns the response of the route, if it contains more than the row.
     */
    mustMatch(tx: Kysely<DB>, row: VersionedRow, current?: () => Promise<object>): Promise<void>
    [EXPECTED]: Expected | null
  }
}

export function addVersions(app: FastifyInstance): void {
  app.decorateRequest(EXPECTED, null)
  app.decorateRequest('mustMatch', async function (tx, row, current) {
    const expected = this[EXPECTED]
    if (!expected || expected.lists.every((list) => list.includes(row.version))) return
    throw staleVersion({
      current_version: row.version,
      current: expected.present(current ? await current() : row),
      ...(row.id === undefined ? {} : await lastChangeOf(tx, row.id)),
    })
  })
  app.addHook('preValidation', async (request, reply) => {
    const { versioned } = request.routeOptions.config
    if (versioned === undefined) return
    const lists = [readIfMatch(request), takeFromBody(request, versioned)].filter((list) => list !== undefined)
    // The answer of a DELETE is not the row, so nothing says what of the row may be shown.
    const present = (row: object) => (request.method === 'DELETE' ? undefined : presented(row, reply))
    if (lists.length > 0) request[EXPECTED] = { lists, present }
  })
  app.addHook('preSerialization', async (_request, reply, payload) => {
    addETag(reply, payload)
    return payload
  })
}

/** Sets the ETag of an answer that is one versioned row. */
export function addETag(reply: FastifyReply, payload: unknown): void {
  if (reply.statusCode >= 300 || typeof payload !== 'object' || payload === null) return
  const row = ('data' in payload ? (payload.data ?? {}) : payload) as { version?: unknown; revision?: unknown }
  const tag = row.revision ?? row.version
  if (Number.isInteger(tag)) reply.header('etag', `"${String(tag)}"`)
}

function readIfMatch(request: FastifyRequest): number[] | undefined {
  const { value, repeated } = soleHeader(request, 'if-match')
  if ((value === undefined && !repeated) || value?.trim() === '*') return undefined
  const versions = (value ?? '').split(',').map((tag) => Number(TAG.exec(tag.trim())?.[1] ?? Number.NaN))
  if (versions.some(Number.isNaN))
    throw validationFailed({ fields: { 'If-Match': 'must be the ETag of the row that was read, such as "3"' } })
  return versions
}

/** Removes the version from the body, unless the contract requires it. The contract refuses a wrong type. */
function takeFromBody(request: FastifyRequest, member: VersionMember): number[] | undefined {
  const { body, routeOptions } = request
  if (member === 'header' || !isObject(body) || !Object.hasOwn(body, member)) return undefined
  const version = body[member]
  if (typeof version !== 'number' || !Number.isInteger(version) || version < 1 || version > MAX_VERSION)
    return undefined
  const required = schemaIn(routeOptions.schema?.body)?.required ?? []
  if (!required.includes(member)) Reflect.deleteProperty(body, member)
  return [version]
}

/** The row as the response contract of the route shows it. */
function presented(row: object, reply: FastifyReply): unknown {
  const { current } = reply.routeOptions.config
  if (isObject(current)) return JSON.parse(reply.serializeInput({ ...row }, current))
  const properties = answerContract(reply.routeOptions.schema?.response, '200')?.properties
  if (properties === undefined) return undefined
  const { data } = properties
  // Without the other members of the answer, such as what a change affects.
  if (isObject(data)) return JSON.parse(reply.serializeInput(Object.fromEntries(Object.entries(row)), data))
  return JSON.parse(serialized(reply, row))
}

/** The answer as it is sent. Our serializers write text. */
export function serialized(reply: FastifyReply, answer: unknown): string {
  const text = reply.serialize(answer)
  if (typeof text !== 'string') throw new TypeError('A serializer did not write text.')
  return text
}

interface LastChange {
  changed_at: string
  principal_id: string | null
  name: string | null
}

async function lastChangeOf(tx: Kysely<DB>, id: string) {
  const { rows } = await sql<LastChange>`select * from last_change(${id})`.execute(tx)
  const [change] = rows
  if (!change) return {}
  const { changed_at, principal_id, name } = change
  return { changed_at, changed_by: { principal_id, name } }
}
