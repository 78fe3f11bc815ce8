import type { DocumentLanguage } from '@tendon/contracts'
import type { TenantTx } from '@tendon/db'
import { patientNotFound } from '../../people/patients/index.ts'
import { dayIn } from '../pdf-templates/index.ts'
import { findPerson } from './queries.ts'

/** The patient of a document. Refuses patients who left the clinic or were erased. */
export async function personValues(tx: TenantTx, profileId: string, language: DocumentLanguage) {
  const person = await findPerson(tx, profileId)
  if (!person) throw patientNotFound()
  return {
    'patient.name': `${person.first_name} ${person.last_name}`.trim(),
    'patient.birth_date': person.birth_date ? dayIn(language, person.birth_date) : '',
  }
}
