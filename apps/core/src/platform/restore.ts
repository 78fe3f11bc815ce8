import { type Change, type HttpApp, holds } from '@tendon/access'
import { One } from '@tendon/contracts'
import { asService, type PlatformTx, type TenantTx } from '@tendon/db'
import {
  type Constraints,
  type Envelope,
  forbidden,
  namedConflict,
  permission,
  type Refusal,
  refusal,
} from '@tendon/http'
import type { FastifyRequest } from 'fastify'
import { sql } from 'kysely'
import type { TSchema } from 'typebox'

// Undoes a soft delete. Needs the delete permission of the resource and data.view_deleted.

type Tx = TenantTx | PlatformTx

export const MAX_RESTORE_DAYS = 30
const VIEW_DELETED = 'data.view_deleted'

const NOT_DELETED = 'This is not deleted, so there is nothing to restore.'
const EXPIRED = `This was deleted more than ${MAX_RESTORE_DAYS} days ago and cannot be restored. Create it again instead.`
export const notDeleted = refusal(409, 'not_deleted', NOT_DELETED)
export const restoreExpired = refusal(409, 'restore_expired', EXPIRED)
const conflicts = {
  coded: { not_deleted: notDeleted, expired: restoreExpired },
  named: {
    not_deleted: namedConflict('not_deleted', NOT_DELETED),
    expired: namedConflict('restore_expired', EXPIRED),
  },
}

type RestorableTable =
  | 'locations'
  | 'specialists'
  | 'custom_fields'
  | 'form_templates'
  | 'pdf_templates'
  | 'exercises'
  | 'programs'
  | 'services'
  | 'service_plans'
  | 'products'

/** What a restore does in its transaction. */
export interface Work<Result> {
  tenant: (tx: TenantTx) => Promise<Result>
  platform: (tx: PlatformTx) => Promise<Result>
}

interface Restoring<Row> {
  /** The URL of one row; the route is `…/restore`. */
  url: string
  params: TSchema
  /** The URL parameter with the id of the row. */
  id?: string
  table: RestorableTable
  /** The permission that deleting needs. */
  access: string
  /** The permission to see the row, if `access` does not include it. */
  sees?: string
  /** For the summary, such as `a location`. */
  one: string
  description?: string
  contract: TSchema
  notFound: Refusal
  refusals?: readonly Refusal[]
  constraints?: Constraints
  envelope?: Envelope
  transaction?: <Result>(request: FastifyRequest, work: Work<Result>) => Promise<Result>
  read: (tx: TenantTx, id: string) => Promise<Row | undefined>
  record: (request: FastifyRequest, tx: Tx, row: Row, changes: Change[]) => Promise<void>
}

export function addRestoreRoute<Row extends object>(app: HttpApp, restoring: Restoring<Row>): void {
  const { url, id = 'id', table, access, one, envelope = 'coded', notFound, read, record } = restoring
  const { transaction = (request, work) => request.tenant(work.tenant), sees } = restoring
  const refused = conflicts[envelope]
  const service = {
    codes: [access, VIEW_DELETED, ...(sees === undefined ? [] : [sees])],
    why: 'Only the service changes a deleted row.',
  }

  async function restore(request: FastifyRequest, tx: Tx, rowId: string, undo: () => Promise<Deleted | undefined>) {
    mustSeeDeleted(request)
    const deleted = await undo()
    if (!deleted) throw notFound()
    const outcome = outcomeOf(deleted)
    if (outcome !== 'restored') throw refused[outcome]()
    const row = await read(tx as TenantTx, rowId)
    if (!row) throw notFound()
    await record(request, tx, row, restoreChanges(deleted.deleted_at))
    return { data: row }
  }

  app.post<{ Params: Record<string, string> }>(
    `${url}/restore`,
    {
      config: {
        access: permission(access),
        service,
        envelope,
        summary: `Restore ${one}`,
        description: `Undoes the deletion of the last ${MAX_RESTORE_DAYS} days. Also needs the permission ${VIEW_DELETED}.${
          restoring.description === undefined ? '' : ` ${restoring.description}`
        }`,
        refusals: [notFound, ...Object.values(refused), ...(restoring.refusals ?? [])],
        ...(restoring.constraints ? { constraints: restoring.constraints } : {}),
      },
      schema: { params: restoring.params, response: { 200: One(restoring.contract) } },
    },
    (request) => {
      const rowId = request.params[id] ?? ''
      return transaction(request, {
        tenant: (tx) =>
          restore(request, tx, rowId, () => asService(tx, service.codes, (own) => undoDeletion(own, table, rowId))),
        platform: (tx) => restore(request, tx, rowId, () => undoDeletion(tx, table, rowId)),
      })
    },
  )
}

interface Deleted {
  deleted_at: string | null
  /** Deleted too long ago. */
  is_late: boolean
}

/** Whether a deletion can be undone. */
export function outcomeOf({ deleted_at, is_late }: Deleted): 'restored' | 'not_deleted' | 'expired' {
  if (deleted_at === null) return 'not_deleted'
  return is_late ? 'expired' : 'restored'
}

/**
 * Undoes the deletion, if that is possible, and says when the row was deleted. Undefined when there is no such row. Without an
 * organization in context the caller is a superadmin, who manages the exercises of all. Fails with a unique violation when another
 * row has taken a unique value.
 */
async function undoDeletion(tx: Tx, table: RestorableTable, id: string): Promise<Deleted | undefined> {
  const row = sql`id = ${id} and (organization_id = (select current_app_org_id()) or current_app_scope() is null)`
  const { rows } = await sql<Deleted>`
    select deleted_at, coalesce(deleted_at < now() - make_interval(days => ${MAX_RESTORE_DAYS}), false) as is_late
    from ${sql.table(table)} where ${row} for update`.execute(tx)
  const [found] = rows
  if (found && outcomeOf(found) === 'restored')
    await sql`update ${sql.table(table)} set deleted_at = null where ${row}`.execute(tx)
  return found
}

export function mustSeeDeleted({ caller }: FastifyRequest): void {
  if (!holds(caller, VIEW_DELETED)) throw forbidden({ required: VIEW_DELETED })
}

export const restoreChanges = (deletedAt: string | null): Change[] => [
  { field: 'deleted_at', before: deletedAt, after: null },
]
