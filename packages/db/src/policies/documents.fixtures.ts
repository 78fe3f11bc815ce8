import type { TestDatabase } from '@tendon/testing'

/** A template with a version, a document of an appointment, settings, saved views and an image. */
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
  await query(
    `insert into appointment_files (organization_id, appointment_id, patient_profile_id, object_key, name, size, mime, sha256)
     values ($1, $2, $3, $4, 'scan.pdf', 1, 'application/pdf', '\\x00')`,
    [id, visit, profile, `appointment-files/${visit}.pdf`],
  )
  await query(`insert into organization_settings (organization_id, brand_color) values ($1, '#0b7a61')`, [id])
  await query(
    `insert into saved_views (organization_id, principal_id, list, views)
     select m.organization_id, m.principal_id, 'patients', '[]' from organization_memberships m
     join humans h on h.id = m.principal_id where m.organization_id = $1`,
    [id],
  )
  await query(
    `insert into clinic_images (organization_id, purpose, object_key, name, mime, size, width, height, sha256)
     values ($1, 'template', $2, 'map.png', 'image/png', 1, 1, 1, '\\x00')`,
    [id, `clinic-images/${visit}.png`],
  )
  return { pdfTemplate: template.id }
}
