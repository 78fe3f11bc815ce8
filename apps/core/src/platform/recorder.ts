import { type AuditEntry, type Change, changesBetween, publish } from '@tendon/access'
import { type PlatformTx, type TenantTx, together } from '@tendon/db'

// What a write leaves behind, in its own transaction: an entry in the audit log and, for most writes, an event. A feature
// lists the acts on its resource once; a handler then records one with `await record.updated(request, tx, before, after)`.

type Tx = TenantTx | PlatformTx

/** A request, or the tools of a job. */
export interface Auditor {
  audit(tx: Tx, entry: AuditEntry, organizationId?: string | null): Promise<void>
}

/** One kind of access to a resource. Without `event` it is only audited. */
export interface Act {
  action: string
  crud: AuditEntry['crud']
  event?: string
}

interface Resource<Row, Acts> {
  target: (row: Row) => AuditEntry['target']
  /** The part of a row that the audit log compares; all of it unless given. */
  facts?: (row: Row) => object
  /** The payload of its events. */
  payload?: (row: Row) => Record<string, unknown>
  /** Fields whose values are not logged: an entry contains only the name of the field. */
  unlogged?: readonly (keyof Row & string)[]
  /** For data about a patient: the profile whose key encrypts the entry. Null for a row without a patient. */
  patientProfileId?: (row: Row) => string | null
  /** The organization of the audit entry and event, if not the caller's (null: the platform). */
  organizationId?: (row: Row) => string | null
  acts: Acts
}

interface RecordOptions {
  /** In place of what differs between the rows. */
  changes?: Change[]
  reason?: string | undefined
  outcome?: 'success' | 'failure'
  /** Added to the payload of the event. */
  payload?: Record<string, unknown>
  /** False: no event this time. */
  publish?: boolean
  /** Like the option of the resource, for one act. */
  organizationId?: string | null | undefined
}

export type Recorder<Row, Acts extends Record<string, Act>> = {
  readonly [Name in keyof Acts]: RecordAct<Row, Acts[Name]['crud']>
}

type RecordAct<Row, Crud> = Crud extends 'U'
  ? (by: Auditor, tx: Tx, before: Row, after: Row, options?: RecordOptions) => Promise<void>
  : Crud extends 'D'
    ? /** `after`: what is left of it, such as `{ deleted_at }`; nothing unless given. */
      (by: Auditor, tx: Tx, before: Row, after?: object, options?: RecordOptions) => Promise<void>
    : (by: Auditor, tx: Tx, row: Row, options?: RecordOptions) => Promise<void>

export function recorder<Row extends object, const Acts extends Record<string, Act>>(
  resource: Resource<Row, Acts>,
): Recorder<Row, Acts> {
  const { facts = (row: Row): object => row, unlogged = [] } = resource
  const shown = (change: Change): Change =>
    unlogged.some((field) => field === change.field) ? { field: change.field, before: null, after: null } : change

  function methodOf(act: Act) {
    const write = (by: Auditor, tx: Tx, row: Row, changes: Change[] | undefined, options: RecordOptions = {}) =>
      writeAct(resource, act, { by, tx, row, options, changes: options.changes ?? changes?.map(shown) })
    if (act.crud === 'C')
      return (by: Auditor, tx: Tx, row: Row, options?: RecordOptions) =>
        write(by, tx, row, changesBetween({}, facts(row)), options)
    if (act.crud === 'U')
      return (by: Auditor, tx: Tx, before: Row, after: Row, options?: RecordOptions) =>
        write(by, tx, after, changesBetween(facts(before), facts(after)), options)
    if (act.crud === 'D')
      return (by: Auditor, tx: Tx, before: Row, after?: object, options?: RecordOptions) =>
        write(by, tx, before, after ? changesBetween(facts(before), after) : goneFrom(facts(before)), options)
    return (by: Auditor, tx: Tx, row: Row, options?: RecordOptions) => write(by, tx, row, undefined, options)
  }

  const methods = Object.entries(resource.acts).map(([name, act]) => [name, methodOf(act)])
  return Object.fromEntries(methods) as Recorder<Row, Acts> // the compiler does not follow `crud` through the list
}

interface Write<Row> {
  by: Auditor
  tx: Tx
  row: Row
  changes: Change[] | undefined
  options: RecordOptions
}

async function writeAct<Row>(
  resource: Resource<Row, unknown>,
  { action, crud, event }: Act,
  { by, tx, row, changes, options }: Write<Row>,
): Promise<void> {
  const { target, payload } = resource
  const patientProfileId = resource.patientProfileId?.(row) ?? null
  const { reason, outcome, organizationId = resource.organizationId?.(row) } = options
  const entry: AuditEntry = {
    action,
    crud,
    target: target(row),
    ...(changes && { changes }),
    ...(reason !== undefined && { reason }),
    ...(outcome && { outcome }),
    ...(patientProfileId !== null && { patientProfileId }),
  }
  await together([
    by.audit(tx, entry, organizationId),
    event !== undefined &&
      options.publish !== false &&
      publish(tx, event, { ...payload?.(row), ...options.payload }, organizationId ?? undefined),
  ])
}

const goneFrom = (facts: object): Change[] =>
  Object.entries(facts).map(([field, before]) => ({ field, before, after: null }))
