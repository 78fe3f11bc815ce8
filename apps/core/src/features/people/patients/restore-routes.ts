import { ById, One, Patient } from '@tendon/contracts'
import { permission, processingRestricted } from '@tendon/http'
import type { Routes } from '../../../feature.ts'
import {
  MAX_RESTORE_DAYS,
  mustSeeDeleted,
  notDeleted,
  restoreChanges,
  restoreExpired,
} from '../../../platform/restore.ts'
import { lockProfiles } from '../../privacy/consents/index.ts'
import { nationalIdTaken, patientNotFound, restoreRefused } from './errors.ts'
import { createNationalIds } from './national-id.ts'
import { findNationalId } from './profile-queries.ts'
import { mustSeePatients, organizationOf, readRecord, record } from './record.ts'
import { RESTORING_PATIENT, restorePatient } from './restore-queries.ts'

const refused = {
  not_deleted: notDeleted,
  expired: restoreExpired,
  final: restoreRefused,
  restricted: processingRestricted,
}

export const restoreRoutes: Routes = (app, services) => {
  const nationalIds = createNationalIds(services)

  app.post(
    '/v1/patients/:id/restore',
    {
      config: {
        access: permission('patients.delete'),
        service: RESTORING_PATIENT,
        patientData: true,
        summary: 'Restore a patient',
        description: `Undoes a deletion by staff in the last ${MAX_RESTORE_DAYS} days. Also needs the permission data.view_deleted. Consents stay withdrawn. A patient who left the clinic, or who was or will be erased, cannot be restored.`,
        refusals: [patientNotFound, ...Object.values(refused), nationalIdTaken],
      },
      schema: { params: ById, response: { 200: One(Patient) } },
    },
    (request) =>
      request.tenant(async (tx) => {
        mustSeeDeleted(request)
        mustSeePatients(request)
        const { id, patient_profile_id: profileId } = await readRecord(tx, request.params.id)
        // Locks the record: a concurrent erasure either waits or is visible here.
        await lockProfiles(tx, [profileId])
        const { national_id_encrypted } = await findNationalId(tx, profileId)
        const organizationId = organizationOf(request)
        const number = nationalIds.open(national_id_encrypted, organizationId, profileId)
        const { national_id_index } = nationalIds.seal(number, organizationId, profileId)
        const restored = await restorePatient(tx, id, national_id_index)
        if (!restored) throw patientNotFound()
        if (restored.outcome !== 'restored') throw refused[restored.outcome]()
        const patient = await readRecord(tx, id)
        await record.restored(request, tx, patient, patient, { changes: restoreChanges(restored.deleted_at) })
        return { data: patient }
      }),
  )
}
