import type { CompiledQuery, Kysely } from 'kysely'
import { DatabaseError, escapeLiteral, type Pool } from 'pg'
import { HandedOver } from './handed-over.ts'
import type { StatementNames } from './statement-names.ts'
import { together } from './together.ts'
import { Door, kyselyOn, TransactionConnection } from './transaction-connection.ts'
import type { DB } from './types.ts'

declare const kind: unique symbol
declare const service: unique symbol

/** A transaction as the caller, inside one organization, under row-level security. */
export type TenantTx = Kysely<DB> & { readonly [kind]: 'tenant' }
/** A part of a TenantTx that runs as the clinic's service (see `asService`). */
export type ServiceTx = TenantTx & { readonly [kind]: 'tenant'; readonly [service]: true }
/** A transaction of an endpoint without caller: restricted login, no context, so only what public functions give. */
export type PublicTx = Kysely<DB> & { readonly [kind]: 'public' }
/** A transaction above all tenants: bypasses row-level security. `grep PlatformTx` lists every use. */
export type PlatformTx = Kysely<DB> & { readonly [kind]: 'platform' }

/** The organization of a caller who has none: row-level security then gives no rows. */
export const NIL_UUID = '00000000-0000-0000-0000-000000000000'

export interface Context {
  principalId: string | null
  organizationId: string | null
  /** '*' or ',code,code,' (see database/functions/context.sql). */
  permissions: string
  /** The language of the caller, in which names are read (see database/functions/context.sql). */
  language?: string
  /** The patient profiles that the caller owns. */
  profileIds?: readonly string[]
  /** The automation rules that led to this transaction, the oldest first: events and jobs that it adds carry them. */
  automationRuleIds?: readonly string[]
  /** The permissions that `asService` may give in this transaction: those that the route declares; '*': the system's own work. */
  serviceCodes?: readonly string[] | '*'
  /** The whole transaction works as the service of the clinic. */
  isService?: boolean
}

/** For the platform's own work: no caller, no organization, no permissions. */
export const NOBODY: Context = { principalId: null, organizationId: null, permissions: '' }

/** Ids and permissions: nothing in them that would need escaping. */
const PLAIN = /^[\w.,:*{}-]*$/

/** True once it is set: what was set, permissions above all, need not come back. */
export const setting = (name: string, value: string) =>
  `set_config('${name}', ${PLAIN.test(value) ? `'${value}'` : escapeLiteral(value)}, true) is not null`

function beginMessage(context: Context, { statementTimeoutMs, inOrder }: RunOptions): string {
  const settings = [
    setting('app.org_id', context.organizationId ?? ''),
    setting('app.principal_id', context.principalId ?? ''),
    setting('app.permissions', context.permissions),
    setting('app.profile_ids', context.profileIds?.length ? `{${context.profileIds.join(',')}}` : ''),
  ]
  if (context.isService) settings.push(setting('app.service', 'on'))
  if (context.language !== undefined) settings.push(setting('app.language', context.language))
  if (context.automationRuleIds?.length)
    settings.push(setting('app.automation_rule_ids', `{${context.automationRuleIds.join(',')}}`))
  if (statementTimeoutMs !== undefined) settings.push(setting('statement_timeout', String(statementTimeoutMs)))
  // Policy and statement both name the clinic, so the planner expects one row where there are thousands, and would sort them.
  if (inOrder) settings.push(setting('enable_sort', 'off'))
  return `begin; select where ${settings.join(' and ')}`
}

/** What `asService` and `withCommit` need to know about a transaction. */
export interface Opened {
  connection: TransactionConnection
  door: Door
  context: Context
  handedOver: HandedOver | undefined
}

const opened = new WeakMap<object, Opened>()
export const openedBy = (tx: Kysely<DB>): Opened | undefined => opened.get(tx)

/**
 * Leaves a query to be sent in one message with COMMIT, once the work has returned. The transaction gives its result only
 * when the query and COMMIT have succeeded; the work cannot await the query. False: this transaction does not take
 * queries, so execute it now.
 *
 * When the query violates a constraint, the transaction is repeated, and then takes none.
 */
export function withCommit(tx: Kysely<DB>, query: CompiledQuery, onFailure = () => {}): boolean {
  const handedOver = openedBy(tx)?.handedOver
  handedOver?.take(query, onFailure)
  return handedOver !== undefined
}

interface RunOptions {
  statementTimeoutMs?: number | undefined
  /** See TransactionOptions. */
  inOrder?: boolean | undefined
  /** COMMIT travels with the last of this many queries: nobody waits for an answer in between. */
  queries?: number | undefined
  /** Work that only reads, and can be done again: it may leave queries to COMMIT (see `withCommit`). */
  repeatable?: boolean | undefined
}

export async function runTransaction<Result>(
  pool: Pool,
  names: StatementNames,
  context: Context,
  work: (tx: never) => Promise<Result>,
  options: RunOptions = {},
): Promise<Result> {
  const first = await attempt(pool, names, context, work, options)
  if ('result' in first) return first.result
  const again = await attempt(pool, names, context, work, { ...options, repeatable: false })
  if ('result' in again) return again.result
  throw again.refused
}

type Outcome<Result> = { result: Result } | { refused: unknown }

/**
 * Runs `work` in one transaction with the context set. BEGIN and the settings travel as one message in front of the
 * first query; nobody waits for them. Were they to fail, PostgreSQL would refuse every query after them.
 */
async function attempt<Result>(
  pool: Pool,
  names: StatementNames,
  context: Context,
  work: (tx: never) => Promise<Result>,
  options: RunOptions,
): Promise<Outcome<Result>> {
  const { queries, repeatable = false } = options
  const client = await pool.connect()
  const connection = new TransactionConnection(client, names, queries)
  const begun = connection.send(beginMessage(context, options))
  begun.catch(() => {})
  const door = new Door(connection, context.isService === true)
  const handedOver = repeatable ? new HandedOver(door) : undefined
  try {
    const tx = kyselyOn(door)
    opened.set(tx, { connection, door, context, handedOver })
    const result = await work(tx as never)
    const sent = handedOver?.send() ?? []
    const [, ended] = await together([begun, connection.commit(), ...sent])
    // A transaction that failed inside (and whose error was swallowed) answers COMMIT with ROLLBACK.
    if (ended.command !== 'COMMIT') throw new Error('The transaction was rolled back although its work returned.')
    client.release()
    return { result }
  } catch (error) {
    connection.open = false
    await client.query('rollback').then(
      () => client.release(hasStalePlan(error)),
      () => client.release(true),
    )
    if (error === handedOver?.failure && violatesConstraint(error)) return { refused: error }
    throw error
  }
}

/** Class 23 of the error codes of PostgreSQL. */
const violatesConstraint = (error: unknown) => error instanceof DatabaseError && error.code?.startsWith('23') === true

/** A migration changed what a prepared statement returns: a connection cannot use it again, a new one can. */
const hasStalePlan = (error: unknown) =>
  error instanceof Error && 'routine' in error && error.routine === 'RevalidateCachedQuery'
