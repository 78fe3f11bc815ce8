import type { TestDatabase } from '@tendon/testing'

interface Of {
  id: string
  profile: string
  human: string
}

/** A template with a version, a form of it that nobody of the clinic's staff has made, and a file in that form. */
export async function createForms(query: TestDatabase['query'], { id, profile, human }: Of) {
  const insert = async (text: string, values: unknown[]) => {
    const [row] = await query<{ id: string }>(`insert into ${text} returning id`, values)
    if (!row) throw new Error(`nothing was inserted: ${text}`)
    return row.id
  }
  const formTemplate = await insert(
    `form_templates (organization_id, title, type, fields, version) values ($1, 'Intake', 'intake', '[]', 1)`,
    [id],
  )
  await query(
    `insert into form_template_versions (organization_id, form_template_id, version, title, type, fields, translations, consent_purposes)
     values ($1, $2, 1, 'Intake', 'intake', '[]', '{}', '{}')`,
    [id, formTemplate],
  )
  const form = await insert(
    `forms (organization_id, form_template_id, template_version, patient_profile_id, title, type, fields, created_by_principal_id)
     values ($1, $2, 1, $3, 'Intake', 'intake', '[]', $4)`,
    [id, formTemplate, profile, human],
  )
  await query(
    `insert into form_files (organization_id, form_id, patient_profile_id, field_key, object_key, name, size, mime, sha256)
     values ($1, $2, $3, 'field_scan', $4, 'scan.pdf', 1, 'application/pdf', '\\x00')`,
    [id, form, profile, `form-files/${form}.pdf`],
  )
  return { formTemplate, form }
}
