import assert from 'node:assert/strict'
import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import { DIFFICULTIES, EXERCISE_KINDS, TAG_KEYS, TAXONOMY_AXES } from '@tendon/contracts'
import { migrate } from '@tendon/db'
import { parsePoseConfig } from '@tendon/pose'
import { createTestDatabase, TEST_ROLE_SECRET } from '@tendon/testing'
import { type Json, type Person, startCore, type TestCore } from '../../../testing/core.ts'

const SEED_DIR = join(import.meta.dirname, '../../../../../../database/seed')
const JSON_DOCUMENT = /\$json\$(.*)\$json\$/s

/** The shipped exercises. */
const WRITTEN: Json[] = globSync('0016_exercise_library_*.sql', { cwd: SEED_DIR })
  .toSorted()
  .flatMap((file) => JSON.parse(JSON_DOCUMENT.exec(readFileSync(join(SEED_DIR, file), 'utf8'))?.[1] ?? '[]'))

/** What the clinical review added to the exercises. */
const REVIEW: Json = JSON.parse(
  JSON_DOCUMENT.exec(readFileSync(join(SEED_DIR, '0017_exercise_review.sql'), 'utf8'))?.[1] ?? '{}',
)
const addedTo = (slug: string): Json[] =>
  REVIEW.contraindications
    .filter(([slugs]: Json) => slugs.includes(slug))
    .map(([_slugs, condition, severity, _cleared, _source, ...texts]: Json) => [condition, severity, ...texts])

const PARTS = ['instructions', 'tags', 'contraindications', 'prerequisites', 'pose_configs']
const TABLES = ['taxonomy_tags', 'exercises', ...PARTS.map((part) => `exercise_${part}`)]

const slugsOf = (rows: Json[]) => rows.map(({ slug }): string => slug).toSorted()
const namesOf = (rows: Json[]): string[] => rows.map(({ name }) => name)

describe('the shipped exercise library', () => {
  let core: TestCore
  let as: Person
  let library: Json[]
  /** Slug → its prerequisites, with their texts. */
  let needed: Map<string, Json[]>
  const find = async (query: string): Promise<Json[]> =>
    (await core.get(`/v1/exercises?scope=global&limit=500&${query}`, { as })).body.exercises

  before(async () => {
    core = await startCore()
    as = (await core.organization()).admin
    const shown = await find('status=published')
    const whole = await Promise.all(shown.map(({ id }) => core.get(`/v1/exercises/${id}`, { as })))
    library = whole.map(({ body }) => body.data)
    const asked = library.map(({ id }) => core.get(`/v1/exercises/${id}/prerequisites`, { as }))
    needed = new Map((await Promise.all(asked)).map(({ body }, index) => [library[index]?.slug, body.prerequisites]))
  })
  after(() => core.close())

  test('the shipped exercise library matches its files', () => {
    assert.deepEqual(slugsOf(library), slugsOf(WRITTEN))
    for (const written of WRITTEN) {
      const { slug } = written
      const shown = library.find((one) => one.slug === slug)
      assert.ok(shown)
      const { ro } = shown.translations
      assert.deepEqual([shown.name, shown.description, shown.instructions_summary], written.en, slug)
      assert.deepEqual([ro.name, ro.description, ro.instructions_summary], written.ro, slug)
      for (const axis of TAXONOMY_AXES) {
        const named: string[] = [...(written.tags[axis] ?? []), ...(axis === 'category' ? ['demonstration'] : [])]
        assert.deepEqual(slugsOf(shown[TAG_KEYS[axis]]), named.toSorted(), `${slug}: ${axis}`)
      }
      assert.deepEqual(
        Object.fromEntries(
          (needed.get(slug) ?? []).map((one) => [one.slug, [one.clinical_basis, one.translations.ro.clinical_basis]]),
        ),
        written.prerequisites,
        slug,
      )
      assert.deepEqual(slugsOf(shown.prerequisites), Object.keys(written.prerequisites).toSorted(), slug)
      assert.deepEqual(
        shown.contraindications.map((one: Json) => [
          one.condition.slug,
          one.severity,
          one.description,
          one.clinical_basis,
          one.translations.ro.description,
          one.translations.ro.clinical_basis,
        ]),
        [...written.contraindications, ...addedTo(slug)],
        slug,
      )
    }
  })

  test('the shipped exercise library has exercises for every common region, of every kind and difficulty, all marked as demonstration', () => {
    assert.ok(library.length >= 32, `${library.length}`)
    for (const [region, least] of Object.entries({
      knee: 6,
      hip: 6,
      ankle: 6,
      shoulder: 6,
      wrist: 3,
      lower_back: 6,
      upper_back: 3,
      neck: 4,
      abdomen: 3,
    })) {
      const count = library.filter(({ body_regions }) => slugsOf(body_regions).includes(region)).length
      assert.ok(count >= least, `${region}: ${count}`)
    }
    assert.deepEqual(new Set(library.map(({ kind }) => kind)), new Set(EXERCISE_KINDS))
    assert.deepEqual(new Set(library.map(({ difficulty }) => difficulty)), new Set(DIFFICULTIES))
    assert.ok(library.every(({ status, organization_id }) => status === 'published' && organization_id === null))
    assert.ok(library.every(({ categories }) => slugsOf(categories).includes('demonstration')))
    assert.ok(library.every(({ estimated_duration_seconds }) => estimated_duration_seconds >= 30))
  })

  test('the shipped exercise library has values of every axis, and of the main ones on each exercise', () => {
    for (const axis of TAXONOMY_AXES)
      assert.ok(
        library.some((one) => one[TAG_KEYS[axis]].length > 0),
        axis,
      )
    for (const one of library) {
      assert.ok(one.categories.length >= 2, one.slug)
      for (const key of ['body_regions', 'recovery_phases', 'conditions']) assert.ok(one[key].length > 0, one.slug)
    }
  })

  test('the shipped exercise library has every text in English and in Romanian, with the right letters', () => {
    for (const one of library) {
      const { slug, name, description, instructions_summary, translations } = one
      const pairs = [
        [name, translations.ro.name],
        [description, translations.ro.description],
        [instructions_summary, translations.ro.instructions_summary],
        ...one.instructions.map((part: Json) => [part.content, part.translations.ro.content]),
        ...[...one.contraindications, ...(needed.get(slug) ?? [])].map((part: Json) => [
          part.clinical_basis,
          part.translations.ro.clinical_basis,
        ]),
        ...one.contraindications.map((part: Json) => [part.description, part.translations.ro.description]),
      ]
      for (const [en, ro] of pairs) {
        assert.notEqual(en, ro, slug)
        for (const text of [en, ro]) {
          assert.match(text, /^[\p{Lu}\d].*\S$/su, `${slug}: ${text}`)
          assert.equal(text, text.normalize('NFC'))
          assert.doesNotMatch(text, /[şţŞŢãõ"]| {2}/, `${slug}: ${text}`)
        }
        assert.match(en, /^[\x20-\x7e]+$/, `${slug}: ${en}`)
      }
    }
    const romanian = library.map(({ translations }) => translations.ro.name)
    for (const names of [namesOf(library), romanian]) assert.equal(new Set(names).size, names.length)
  })

  test('the shipped exercise library has instructions on preparation, movement, attention and when to stop', () => {
    for (const { slug, instructions, pose_config } of library) {
      const types = instructions.map(({ instruction_type }: Json) => instruction_type)
      const steps = types.filter((type: string) => type === 'step').length
      assert.ok(steps >= 2 && steps <= 4, slug)
      const preparation = Array(pose_config ? 2 : 1).fill('preparation')
      assert.deepEqual(types, [...preparation, ...Array(steps).fill('step'), 'form_cue', 'safety'], slug)
      assert.equal(/camera/.test(instructions[1].content), pose_config !== null, slug)
    }
  })

  test('the shipped exercise library has contraindications with severity and reason, never for the conditions an exercise treats', () => {
    const all = library.flatMap((one) => one.contraindications)
    assert.ok(library.every(({ contraindications }) => contraindications.length > 0))
    assert.ok(all.every(({ description, clinical_basis }) => description && clinical_basis))
    assert.deepEqual(
      new Set(all.map(({ severity }) => severity)),
      new Set(['contraindicated', 'relative', 'precaution']),
    )
    for (const { slug, conditions, contraindications } of library) {
      const strict = contraindications.filter(({ severity }: Json) => severity !== 'precaution')
      const refused = slugsOf(strict.map(({ condition }: Json) => condition))
      assert.deepEqual(
        slugsOf(conditions).filter((condition) => refused.includes(condition)),
        [],
        slug,
      )
    }
  })

  test('the shipped exercise library has prerequisites from easier to harder exercises, without cycles', () => {
    const bySlug = new Map(library.map((one) => [one.slug, one]))
    const rank = (slug: string) => DIFFICULTIES.indexOf(bySlug.get(slug)?.difficulty)
    const walk = (slug: string, path: string[]): void => {
      assert.ok(!path.includes(slug), [...path, slug].join(' → '))
      for (const first of slugsOf(bySlug.get(slug)?.prerequisites ?? [])) {
        assert.ok(rank(first) <= rank(slug), `${first} is harder than ${slug}`)
        walk(first, [...path, slug])
      }
    }
    for (const { slug } of library) walk(slug, [])
    const building = library.filter(({ prerequisites }) => prerequisites.length > 0)
    assert.ok(building.length >= 10)
    assert.ok(library.every(({ difficulty, prerequisites }) => difficulty !== 'advanced' || prerequisites.length > 0))
  })

  test('the shipped exercise library has pose configurations that the measurement accepts as they are, with messages in both languages', async () => {
    const rows = await core.database.query<{ slug: string; config: Json }>(
      `select e.slug, p.config from exercise_pose_configs p join exercises e on e.id = p.exercise_id order by 1`,
    )
    assert.deepEqual(slugsOf(rows), slugsOf(WRITTEN.filter(({ pose }) => pose)))
    assert.ok(rows.length >= 15)
    for (const { slug, config } of rows) {
      assert.deepEqual(parsePoseConfig(config), { config }, slug)
      const { up_degrees: up, down_degrees: down } = config.thresholds
      const { min, max } = config.target_range_degrees
      assert.ok(up > down ? min > down && min <= up && max > up : max < down && max >= up && min < up, slug)
      for (const { when, value, message } of config.feedback_rules) {
        assert.ok(message.en && message.ro, slug)
        if (when === 'range_below') assert.ok(value > Math.abs(up - down), `${slug}: no repetition is that small`)
      }
    }
    const squat = library.find(({ slug }) => slug === 'squat')
    assert.equal(squat?.pose_config.tracking_enabled, true)
    assert.ok(namesOf(await find('tracking_enabled=true&q=squat')).includes('Squat'))
  })

  test('the shipped exercise library is found in both languages, with and without accents', async () => {
    for (const [q, slug] of [
      ['genuflexiuni', 'squat'],
      ['SQUAT', 'squat'],
      ['ridicarea pe varfuri', 'heel-raise'],
      ['ridicarea pe vârfuri', 'heel-raise'],
      ['umarului baston', 'assisted-shoulder-flexion'],
      ['gat', 'neck-isometric'],
      ['barbiei', 'chin-tuck'],
    ] as const) {
      assert.ok(slugsOf(await find(`q=${encodeURIComponent(q)}`)).includes(slug), q)
    }
    assert.ok((await find('q=genuflexiuni')).length < 5)
    const [knee] = (await core.get('/v1/exercise-body-regions', { as })).body.body_regions.filter(
      ({ slug }: Json) => slug === 'knee',
    )
    assert.ok(slugsOf(await find(`body_region_id=${knee.id}&difficulty=advanced`)).includes('forward-lunge'))
  })

  test('the shipped exercise library is seeded once: a second seed changes nothing, keeps changes of operators, and adds new exercises', async (t) => {
    const database = await createTestDatabase()
    t.after(() => database.drop())
    const seed = () => migrate({ url: database.url, roleSecret: TEST_ROLE_SECRET })
    const contents = () =>
      Promise.all(TABLES.map((table) => database.query(`select * from ${table} t order by t::text collate "C"`)))
    const shipped = await contents()
    await seed()
    assert.deepEqual(await contents(), shipped)

    const of = (slug: string) => `(select id from exercises where slug = '${slug}')`
    for (const change of [
      `update exercises set slug = 'our-squat', name = 'Our squat', status = 'archived' where slug = 'squat'`,
      `update exercises set deleted_at = now() where slug = 'bridge'`,
      `delete from exercise_tags where exercise_id = ${of('clamshell')}`,
      `delete from exercise_contraindications where exercise_id = ${of('clamshell')}`,
      `delete from exercise_prerequisites where exercise_id = ${of('step-up')}`,
      `update exercise_pose_configs set tracking_enabled = false where exercise_id = ${of('heel-raise')}`,
    ])
      await database.query(change)
    const changed = await contents()
    await seed()
    assert.deepEqual(await contents(), changed)

    const counts = async () => (await contents()).map((rows) => rows.length)
    const before = await counts()
    for (const part of PARTS)
      await database.query(`delete from exercise_${part} where exercise_id = ${of('neck-isometric')}`)
    await database.query(`delete from exercises where slug = 'neck-isometric'`)
    assert.notDeepEqual(await counts(), before)
    await seed()
    assert.deepEqual(await counts(), before)
  })
})
