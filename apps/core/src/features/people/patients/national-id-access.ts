import type { Patient } from '@tendon/contracts'
import type { TenantTx } from '@tendon/db'
import type { FastifyRequest } from 'fastify'
import type { Services } from '../../../services.ts'
import { createNationalIds } from './national-id.ts'
import { findNationalId, updateNationalId } from './profile-queries.ts'
import { organizationOf, record } from './record.ts'

/**
 * The only way to the identification number and from it, for staff who see and change patients. Each reading is logged by
 * name; a change is recorded without the value.
 */
export function nationalIdsOf(services: Services) {
  const nationalIds = createNationalIds(services)
  return {
    async read(request: FastifyRequest, tx: TenantTx, patient: Patient): Promise<string | null> {
      if (!patient.has_national_id) return null
      const { national_id_encrypted } = await findNationalId(tx, patient.patient_profile_id)
      await record.nationalIdRead(request, tx, patient)
      return nationalIds.open(national_id_encrypted, organizationOf(request), patient.patient_profile_id)
    },

    /** False when it was that number already. */
    async write(request: FastifyRequest, tx: TenantTx, patient: Patient, number: string | null): Promise<boolean> {
      const before = await findNationalId(tx, patient.patient_profile_id)
      const sealed = nationalIds.seal(number, organizationOf(request), patient.patient_profile_id)
      if (isSame(before.national_id_index, sealed.national_id_index)) return false
      await updateNationalId(tx, patient.patient_profile_id, sealed)
      const changes = [{ field: 'national_id', before: null, after: 'changed' }]
      await record.nationalIdChanged(request, tx, patient, patient, { changes })
      return true
    },
  }
}

const isSame = (one: Buffer | null, other: Buffer | null): boolean =>
  one === null || other === null ? one === other : one.equals(other)
