import type { TestDatabase } from '@tendon/testing'

/** A field of patients that the patient has a value of, one that nobody has, and a field of appointments. */
export async function createFields(query: TestDatabase['query'], id: string, patient: string) {
  const newField = async (key: string, entity = 'patient') => {
    const [row] = await query<{ id: string }>(
      `insert into custom_fields (organization_id, entity_type, key, label, field_type)
       values ($1, $3, $2, 'Sports', 'text') returning id`,
      [id, key, entity],
    )
    if (!row) throw new Error('no field')
    return row.id
  }
  const [field, spareField] = [await newField('sports'), await newField('hobbies')]
  await newField('room', 'appointment')
  await query(
    `insert into custom_field_values (organization_id, custom_field_id, entity_id, value) values ($1, $2, $3, '"x"')`,
    [id, field, patient],
  )
  return { field, spareField }
}
