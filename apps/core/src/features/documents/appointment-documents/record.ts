import type { AppointmentDocument } from '@tendon/contracts'
import { recorder } from '../../../platform/recorder.ts'

export const record = recorder({
  target: ({ id, kind }: AppointmentDocument) => ({ type: 'document', id, label: kind }),
  payload: ({ id, kind, appointment_id, form_id, treatment_plan_id, patient_profile_id }) => ({
    document_id: id,
    kind,
    appointment_id,
    form_id,
    treatment_plan_id,
    patient_profile_id,
  }),
  patientProfileId: ({ patient_profile_id }) => patient_profile_id,
  acts: {
    created: { action: 'documents.create', crud: 'C', event: 'document.created' },
    downloaded: { action: 'documents.download', crud: 'E' },
  },
})
