import type { TestDatabase } from '@tendon/testing'

/** A segment with a version, a member and an evaluation, and one without. */
export async function createSegments(query: TestDatabase['query'], id: string, patient: string) {
  const newSegment = async () => {
    const [row] = await query<{ id: string }>(
      `insert into segments (organization_id, name, match_mode, rules) values ($1, 'Knees', 'all', '[]') returning id`,
      [id],
    )
    if (!row) throw new Error('no segment')
    return row.id
  }
  const [segment, spareSegment] = await Promise.all([newSegment(), newSegment()])
  await query(
    `insert into segment_versions (organization_id, segment_id, version, match_mode, rules) values ($1, $2, 1, 'all', '[]')`,
    [id, segment],
  )
  await query(
    'insert into segment_members (organization_id, segment_id, patient_id, matched_at) values ($1, $2, $3, now())',
    [id, segment, patient],
  )
  await query('insert into segment_evaluations (organization_id, segment_id) values ($1, $2)', [id, segment])
  return { segment, spareSegment }
}
