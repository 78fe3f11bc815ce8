import { type Change, type HttpApp, holds } from '@tendon/access'
import { One } from '@tendon/contracts'
import type { PlatformTx, TenantTx } from '@tendon/db'
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

export type RestorableTable =
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

export interface Restoring<Row> {
  /** The URL of one row; the route is `…/restore`. */
  url: string
  params: TSchema
  /** The URL parameter with the id of the row. */
  id?: string
  table: RestorableTable
  /** The permission that deleting needs. */
  access: string
  /** For the summary, such as `a location`. */
  one: string
  description?: string
  contract: TSchema
  notFound: Refusal
  refusals?: readonly Refusal[]
  constraints?: Constraints
  envelope?: Envelope
  transaction?: <Result>(request: FastifyRequest, work: (tx: Tx) => Promise<Result>) => Promise<Result>
  read: (tx: TenantTx, id: string) => Promise<Row | undefined>
  record: (request: FastifyRequest, tx: Tx, row: Row, changes: Change[]) => Promise<void>
}

export function addRestoreRoute<Row extends object>(app: HttpApp, restoring: Restoring<Row>): void {
  const { url, id = 'id', table, access, one, envelope = 'coded', notFound, read, record } = restoring
  const { transaction = (request, work) => request.tenant(work) } = restoring
  const refused = conflicts[envelope]
  app.post<{ Params: Record<string, string> }>(
    `${url}/restore`,
    {
      config: {
        access: permission(access),
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
    (request) =>
      transaction(request, async (tx) => {
        mustSeeDeleted(request)
        const rowId = request.params[id] ?? ''
        const { rows } = await sql<Outcome>`select * from restore_deleted(${table}, ${rowId})`.execute(tx)
        const [restored] = rows
        if (!restored) throw notFound()
        if (restored.outcome !== 'restored') throw refused[restored.outcome]()
        const row = await read(tx as TenantTx, rowId)
        if (!row) throw notFound()
        await record(request, tx, row, restoreChanges(restored.deleted_at))
        return { data: row }
      }),
  )
}

interface Outcome {
  outcome: 'restored' | 'not_deleted' | 'expired'
  deleted_at: string | null
}

export function mustSeeDeleted({ caller }: FastifyRequest): void {
  if (!holds(caller, VIEW_DELETED)) throw forbidden({ required: VIEW_DELETED })
}

export const restoreChanges = (deletedAt: string | null): Change[] => [
  { field: 'deleted_at', before: deletedAt, after: null },
]
