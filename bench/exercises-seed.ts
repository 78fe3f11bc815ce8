import type { TestDatabase } from '@tendon/testing'

const CLINICS = 200
const PER_CLINIC = 97
const PLATFORM_EXERCISES = 600

/** 20,000 exercises, each with a dozen tags, instructions and contraindications; each search finds a fifth of them. */
export async function seedExercises(database: TestDatabase) {
  const { query } = database
  const clinics = (
    await query<{ id: string }>(
      `insert into organizations (name, slug) select 'bench-' || n, 'bench-' || n from generate_series(1, ${CLINICS}) n returning id`,
    )
  ).map(({ id }) => id)
  await query('select clone_role_templates(id) from organizations')
  for (const [axis, count] of [
    ['category', 10],
    ['body_region', 7],
    ['equipment', 10],
    ['movement_pattern', 8],
    ['recovery_phase', 5],
    ['condition', 40],
    ['skill_prerequisite', 8],
  ] as const) {
    await query(
      `insert into taxonomy_tags (axis, slug, name, body_area)
       select $1, 'bench-' || n, 'Bench ' || n, case when $1 = 'body_region' then 'core' end from generate_series(1, $2::integer) n`,
      [axis, count],
    )
  }
  await query(`
    insert into exercises (organization_id, name, slug, description, difficulty, status, created_at)
    select o.id, words[1 + n % 5] || ' ' || words[6 + n % 3] || ' ' || n, 'bench-' || n,
      'Exercițiu pentru ' || words[1 + n % 5] || ', ' || repeat('cu mișcări lente și controlate ', 5),
      (array['beginner', 'intermediate', 'advanced'])[1 + n % 3], 'published', now() - n * interval '1 minute'
    from (select id, ${PER_CLINIC} as exercises from organizations union all select null, ${PLATFORM_EXERCISES}) o,
      generate_series(1, o.exercises) n,
      (values (array['Genunchi', 'Umăr', 'Spate', 'Gleznă', 'Șold', 'întindere', 'flexie', 'rotație'])) w (words)`)
  await query(`
    insert into exercise_tags (exercise_id, axis, tag_id)
    select e.id, t.axis, t.id from exercises e
      join (select *, row_number() over (partition by axis order by slug) as n from taxonomy_tags where slug like 'bench-%') t
        on (hashtext(e.id::text || t.axis) + t.n) % (case when t.axis in ('body_region', 'recovery_phase') then 2 else 8 end) = 0`)
  await query(`
    insert into exercise_instructions (exercise_id, sort_order, content, instruction_type)
    select e.id, n, 'Pasul ' || n, 'step' from exercises e, generate_series(1, 4) n`)
  await query(`
    insert into exercise_contraindications (exercise_id, condition_id, severity)
    select e.id, t.id, 'relative' from exercises e
      join taxonomy_tags t on t.axis = 'condition' and t.slug = 'bench-' || (1 + abs(hashtext(e.id::text)) % 40)`)
  const rows = await query<{ axis: string; id: string }>(
    `select axis, id from taxonomy_tags where slug like 'bench-%' and axis in ('body_region', 'recovery_phase') order by id`,
  )
  const idsOf = (wanted: string) => rows.filter(({ axis }) => axis === wanted).map(({ id }) => id)
  return { clinics, tags: { body_region: idsOf('body_region'), recovery_phase: idsOf('recovery_phase') } }
}
