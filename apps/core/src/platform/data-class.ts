import type { AuditLog, Language } from '@tendon/access'
import type { DB, TenantTx } from '@tendon/db'
import type { Services } from '../services.ts'

// What the platform stores about a patient, by kind. A feature declares its tables in its own data-classes.ts and names
// them in its feature.ts: exports and erasures then include them. A test fails for a table with a reference to a patient
// that no feature declares.

export type Words = Readonly<Record<Language, string>>
export type Row = Record<string, unknown>

/** Whose data: a clinic's record of a person, and the profile behind it. */
export interface Subject {
  patient_id: string
  patient_profile_id: string
}

export interface DataClass {
  /** Unique; also the name of its file in an export. */
  name: string
  table: keyof DB
  label: Words
  /** The column by which a row belongs to the patient; null: it holds no more than ids, or `erase.run` knows how to find it. */
  patientColumn: 'patient_id' | 'patient_profile_id' | OtherColumn | null
  export: Exported | { leftOut: Words }
  erase: Erase
  /** The column with the key of an object in the store. Exports include the object; erasures delete it with its row. */
  files?: string
  /** Why rows are written even while processing is restricted; without it a trigger refuses them (refuse_restricted). */
  letThrough?: string
}

/** A column of another name, and what it holds. */
interface OtherColumn {
  column: string
  holds: 'patient_id' | 'patient_profile_id'
}

export interface ExportTools {
  services: Services
  organizationId: string
  auditLog: AuditLog
}

export interface Exported {
  /** Columns of the table, read in the order of their ids; or the next rows after `last`, for what is kept elsewhere. */
  rows: readonly string[] | ((tx: TenantTx, subject: Subject, last: Row | undefined, limit: number) => Promise<Row[]>)
  /** What the person gets to see of a row. */
  show?: (row: Row, tools: ExportTools) => Row
  /** Only in the data file, not on the page for people, which may be printed. */
  fileOnly?: string
}

export interface Erasure extends Subject {
  request_id: string
  services: Services
  organizationId: string
  /** Short and meaningless: the replacement of a name. */
  code: string
  now: Date
}

/** `run` replaces the general way; it gives the number of rows. `because`: the law that lets rows stay. */
export type Erase =
  | { strategy: 'delete'; run?: EraseRows; because?: Words }
  | { strategy: 'null'; columns: readonly string[]; run?: EraseRows; because?: Words }
  | {
      strategy: 'pseudonymise'
      values: (erasure: Pick<Erasure, 'code' | 'now'>) => Row
      run?: EraseRows
      because?: Words
    }
  | { strategy: 'keep'; because: Words }

type EraseRows = (tx: TenantTx, erasure: Erasure) => Promise<number>

/** The column of the patient in the table, and which of the two ids it holds. */
export function patientColumnOf({ patientColumn }: DataClass): OtherColumn | null {
  return typeof patientColumn === 'string' ? { column: patientColumn, holds: patientColumn } : patientColumn
}
