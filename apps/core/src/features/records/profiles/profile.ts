import { crc32 } from 'node:zlib'
import type { CustomField, ProfileValues } from '@tendon/contracts'
import type { TenantTx } from '@tendon/db'
import { invalid } from '@tendon/http'
import {
  listProfileFields,
  lockValues,
  type PublishedDefinition,
  readValues,
  upsertValues,
} from '../custom-fields/index.ts'
import { type Change, changedKeys, problemsOfChanges, valuesByKey } from './rules.ts'

// What the profiles of patients and specialists share.

type EntityType = CustomField['entity_type']

/** A record, and how much of its profile the caller gets to see. */
export interface Subject {
  type: EntityType
  id: string
  /** A patient never sees or writes what is private to the clinic. */
  asPatient: boolean
}

export async function listFieldsOf(tx: TenantTx, { type, asPatient }: Subject): Promise<PublishedDefinition[]> {
  const fields = await listProfileFields(tx, type)
  return asPatient ? fields.filter(({ is_private }) => !is_private) : fields
}

export async function readProfile(
  tx: TenantTx,
  { id }: Subject,
  fields: PublishedDefinition[],
): Promise<ProfileValues> {
  const values = await readValues(
    tx,
    id,
    fields.map((field) => field.id),
  )
  return valuesByKey(fields, values)
}

/** A hash of the values: equal values have equal versions. */
export const versionOf = (profile: ProfileValues): number => crc32(JSON.stringify(profile)) >>> 1

interface Changes {
  given: Readonly<Record<string, unknown>>
  /** The field of the national identification number, which is not written here. */
  number?: PublishedDefinition | undefined
  numberProblem?: (number: string) => string | undefined
}

/** Writes what is given and leaves the rest. Refuses the whole when one value does not fit its field. */
export async function changeProfile(
  tx: TenantTx,
  subject: Subject,
  fields: PublishedDefinition[],
  { given, number, numberProblem }: Changes,
): Promise<Change[]> {
  const problems = problemsOfChanges(fields, given, number, numberProblem)
  if (problems.length > 0) throw invalid(problems)
  await lockValues(tx, subject.id)
  const before = await readProfile(tx, subject, fields)
  const values = fields
    .filter((field) => field !== number && Object.hasOwn(given, field.key))
    .map(({ id, key }) => ({ custom_field_id: id, value: given[key] }))
  await upsertValues(tx, subject.id, values, subject.type)
  return changedKeys(fields, before, await readProfile(tx, subject, fields))
}
