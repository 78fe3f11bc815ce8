import type { Clinic } from './clinic.fixtures.ts'

export const OPERATIONS = ['select', 'insert', 'update', 'delete'] as const
export type Operation = (typeof OPERATIONS)[number]

/** Who may, of those in the organization. 'nobody': the login has no such right on the table, whatever the caller holds. */
export type Right = { all: string[] } | { any: string[] } | { service: string[] } | 'nobody'
export const all = (...codes: string[]): Right => ({ all: codes })
export const any = (...codes: string[]): Right => ({ any: codes })
/** The service of the clinic alone, with these codes: a superadmin who is not at work as the service may not. */
export const service = (...codes: string[]): Right => ({ service: codes })
export const MEMBERS = all()

export interface Case extends Record<Operation, Right> {
  /** A row of the clinic. */
  row: (of: Clinic) => string
  /** What is inserted into the clinic: columns and values. */
  fresh: (of: Clinic) => string
  /** What an update sets. */
  set: string
  /** Keeps rows of the platform too (null organization), for callers without one: the nil UUID. */
  platform?: true
  /** Shows rows of the platform to everybody. */
  shared?: true
  /** The row belongs to this member alone: nobody else may, whatever they hold. */
  owner?: 'human'
  /** What the login of the worker may do as the service of the clinic, and else nobody. */
  worker?: readonly Operation[]
  /** What the login of the telemetry service may do; without it nothing at all. */
  telemetry?: Record<Operation, Right>
}

export type Cases = Record<string, Case>

export const inClinic = (of: Clinic) => `organization_id = '${of.id}'`
