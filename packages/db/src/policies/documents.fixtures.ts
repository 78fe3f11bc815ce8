import type { TestDatabase } from '@tendon/testing'

/** A template with a version, and a document of an appointment. */
export async function createDocuments(
  query: TestDatabase['query'],
  { id, profile, visit }: { id: string; profile: string; visit: string },
) {
  const [template] = await query<{ id: string }>(
    `insert into pdf_templates (organization_id, name, kind, language, blocks, version)
     values ($1, 'Letter', 'appointment_letter', 'en', '[]', 1) returning id`,
    [id],
  )
  if (!template) throw new Error('nothing was inserted')
  await query(
    `insert into pdf_template_versions (organization_id, pdf_template_id, version, name, kind, language, blocks)
     values ($1, $2, 1, 'Letter', 'appointment_letter', 'en', '[]')`,
    [id, template.id],
  )
  await query(
    `insert into appointment_documents (organization_id, kind, appointment_id, patient_profile_id, pdf_template_id,
       template_version, language, input_hash, object_key, pages, size, sha256, verification_code)
     values ($1, 'appointment_letter', $2, $3, $4, 1, 'en', '\\x00', $5, 1, 1, '\\x00', $6)`,
    [id, visit, profile, template.id, `documents/${visit}.pdf`, visit],
  )
  return { pdfTemplate: template.id }
}
