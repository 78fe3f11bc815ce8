import { createHmac } from 'node:crypto'
import { type DB, ofScope, together } from '@tendon/db'
import type { SecretBox } from '@tendon/secrets'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { type Kysely, sql } from 'kysely'
import { textIn } from './errors.ts'
import { soleHeader } from './headers.ts'
import { idempotencyKeyReused, requestInProgress, validationFailed } from './refusals.ts'
import { addETag, serialized } from './versions.ts'

// The key's row is written in the transaction of the business write: a refusal or a crash takes both away, and two
// requests in flight meet at the unique index, where the second waits and then repeats the first one's bytes.

const KEY = /^[A-Za-z0-9_-]{4,128}$/
const WAIT_MS = 10_000
/** Lock timeout and deadlock: another request with the key is in the way. */
const BUSY = new Set(['55P03', '40P01'])

interface IdempotencyOptions {
  box: SecretBox
  /** Keys the fingerprint: a body can hold a number that could be guessed from a plain hash. */
  fingerprintKey: string
  organizationId: string | null
  principalId: string
  /** Keeps the keys of callers apart that share a principal: visitors have none of their own. */
  client?: string
  onStoreFailure: (error: unknown) => void
}

interface Kept {
  principal_id: string
  fingerprint: Buffer
  status: number
  response: Buffer
}

/** Runs a creating request in one transaction and answers 201 (or what `work` sets); with an Idempotency-Key, once. */
export async function createOnce<Tx extends Kysely<DB>, Body>(
  request: FastifyRequest,
  reply: FastifyReply,
  run: <Result>(work: (tx: Tx) => Promise<Result>) => Promise<Result>,
  options: IdempotencyOptions,
  work: (tx: Tx) => Promise<Body>,
): Promise<Body> {
  reply.code(201)
  const key = keyOf(request)
  if (key === undefined) return run(work)

  const path = [request.url.split('?', 1)[0], options.client].filter(Boolean).join(' ')
  const place = {
    table: 'idempotency_keys',
    column: 'response',
    organization_id: options.organizationId,
    row: `${path} ${key}`,
  }
  const fingerprint = fingerprintOf(request, options.fingerprintKey)

  const answer = await run(async (tx) => {
    const kept = await claim(tx, path, key, fingerprint, options)
    if (kept !== undefined && kept !== 'unkept') {
      if (kept.principal_id !== options.principalId || !kept.fingerprint.equals(fingerprint))
        throw idempotencyKeyReused()
      return { bytes: options.box.open(kept.response, place).toString('utf8'), replayedStatus: kept.status }
    }
    const body = await work(tx)
    addETag(reply, body)
    const bytes = serialized(reply, body)
    if (kept === undefined) {
      const keep = tx
        .updateTable('idempotency_keys')
        .set({ status: reply.statusCode, response: options.box.seal(bytes, place) })
        .where(ofScope(options.organizationId))
        .where('path', '=', path)
        .where('key', '=', key)
      const kept = await inSavepoint(tx, options, () => keep.execute())
      // An answer that could not be kept frees its key: a repeat must not find an empty one.
      if (kept === 'unkept') await inSavepoint(tx, options, () => free(tx, path, key, options))
    }
    return { bytes }
  })

  if (answer.replayedStatus !== undefined) {
    reply.code(answer.replayedStatus).header('idempotency-replayed', 'true')
    addETag(reply, JSON.parse(answer.bytes))
  }
  reply
    .header('content-type', 'application/json; charset=utf-8')
    .serializer((bytes: string) => bytes)
    .send(answer.bytes)
  return reply as never // sent: what an async handler returns to Fastify then
}

const free = (tx: Kysely<DB>, path: string, key: string, { organizationId }: IdempotencyOptions) =>
  tx
    .deleteFrom('idempotency_keys')
    .where(ofScope(organizationId))
    .where('path', '=', path)
    .where('key', '=', key)
    .execute()

function keyOf(request: FastifyRequest): string | undefined {
  const { value, repeated } = soleHeader(request, 'idempotency-key')
  if (value === undefined && !repeated) return undefined
  if (repeated || value === undefined || !KEY.test(value)) {
    throw validationFailed({
      fields: { 'Idempotency-Key': 'must be 4 to 128 letters, digits, "_" or "-", given once' },
    })
  }
  return value
}

function fingerprintOf(request: FastifyRequest, key: string): Buffer {
  const body = request.bodyBytes ?? Buffer.alloc(0)
  return createHmac('sha256', key).update(`${request.method} ${request.url}\n`).update(body).digest()
}

/** undefined: the key is new and claimed. 'unkept': the store failed, and the request goes on without it. */
async function claim(
  tx: Kysely<DB>,
  path: string,
  key: string,
  fingerprint: Buffer,
  options: IdempotencyOptions,
): Promise<Kept | undefined | 'unkept'> {
  return inSavepoint(tx, options, async () => {
    const [, { rows }] = await together([
      sql`select set_config('lock_timeout', ${String(WAIT_MS)}, true),
        set_config('statement_timeout', ${String(WAIT_MS + 1_000)}, true)`.execute(tx),
      sql<Kept>`select * from claim_idempotency_key(${path}, ${key}, ${fingerprint})`.execute(tx),
      sql`set local lock_timeout to default`.execute(tx),
      sql`set local statement_timeout to default`.execute(tx),
    ])
    return rows[0]
  })
}

/** In one message: what `work` sends may not wait for an answer. */
async function inSavepoint<Result>(
  tx: Kysely<DB>,
  { onStoreFailure }: IdempotencyOptions,
  work: () => Promise<Result>,
): Promise<Result | 'unkept'> {
  try {
    const [, result] = await together([
      sql`savepoint idempotency`.execute(tx),
      work(),
      sql`release savepoint idempotency`.execute(tx),
    ])
    return result
  } catch (error) {
    await sql`rollback to savepoint idempotency`.execute(tx)
    if (BUSY.has(textIn(error, 'code') ?? '')) throw requestInProgress({}, { 'retry-after': '1' })
    onStoreFailure(error)
    return 'unkept'
  }
}
