import type { TestClinic } from './people.ts'
import type { useWorld } from './world.ts'

type World = ReturnType<typeof useWorld>

/** Gives a patient a form with a text and a choice. `values`: further values of the template. */
export async function intakeFormOf({ api }: World, { admin }: TestClinic, profileId: string, values: object = {}) {
  const template = await api.post('/v1/form-templates', admin, {
    title: 'Intake',
    type: 'intake',
    fields: [
      { key: 'complaint', label: 'What brings you here?', type: 'textarea', required: true },
      { key: 'smoker', label: 'Do you smoke?', type: 'radio', options: ['Yes', 'No'], required: true },
    ],
    ...values,
  })
  await api.post(`/v1/form-templates/${template.id}/publish`, admin, {})
  return api.post('/v1/forms', admin, { form_template_id: template.id, patient_profile_id: profileId })
}
