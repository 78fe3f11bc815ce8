import type { TestDatabase } from '@tendon/testing'

/** A field of patients that the patient has a value of, and one that nobody has. */
export async function createFields(query: TestDatabase['query'], id: string, patient: string) {
  const newField = async (key: string) => {
    const [row] = await query<{ id: string }>(
      `insert into custom_fields (organization_id, entity_type, key, label, field_type)
       values ($1, 'patient', $2, 'Sports', 'text') returning id`,
      [id, key],
    )
    if (!row) throw new Error('no field')
    return row.id
  }
  const [field, spareField] = [await newField('sports'), await newField('hobbies')]
  await query(
    `insert into custom_field_values (organization_id, custom_field_id, entity_id, value) values ($1, $2, $3, '"x"')`,
    [id, field, patient],
  )
  return { field, spareField }
}
