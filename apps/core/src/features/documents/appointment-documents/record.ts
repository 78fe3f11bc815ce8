import type { AppointmentDocument } from '@tendon/contracts'
import { recorder } from '../../../platform/recorder.ts'

const resource = {
  target: ({ id, kind }: AppointmentDocument) => ({ type: 'document', id, label: kind }),
  payload: ({ id, kind, appointment_id, form_id, treatment_plan_id, patient_profile_id }: AppointmentDocument) => ({
    document_id: id,
    kind,
    appointment_id,
    form_id,
    treatment_plan_id,
    patient_profile_id,
  }),
  acts: {
    created: { action: 'documents.create', crud: 'C', event: 'document.created' },
    downloaded: { action: 'documents.download', crud: 'E' },
  },
} as const

const ofPatient = recorder({ ...resource, patientProfileId: ({ patient_profile_id }) => patient_profile_id ?? '' })
/** For documents of bookings that are not linked to a patient. */
const ofBooking = recorder(resource)

export const recordOf = ({ patient_profile_id }: AppointmentDocument) =>
  patient_profile_id === null ? ofBooking : ofPatient
