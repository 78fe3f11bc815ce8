import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { migrate } from '@tendon/db'
import { createTestDatabase, TEST_ROLE_SECRET } from '@tendon/testing'
import { type Json, sharedCore, type TestCore } from '../../../testing/core.ts'
import type { TestOrganization } from '../../../testing/people.ts'

const OLD_TEXT = 'Lean your back against a smooth wall, feet two steps in front of it and as far apart as your hips.'

describe('the safety check with the shipped library', () => {
  let core: TestCore
  let clinic: TestOrganization
  let library: Json[]
  before(async () => {
    core = await sharedCore()
    clinic = await core.organization()
    const path = '/v1/exercises?scope=global&limit=500&status=published'
    const { exercises } = (await core.get(path, { as: clinic.admin })).body
    const shipped = exercises.filter((one: Json) => one.categories.some(({ slug }: Json) => slug === 'demonstration'))
    library = await Promise.all(
      shipped.map(async ({ id }: Json) => (await core.get(`/v1/exercises/${id}`, { as: clinic.admin })).body.data),
    )
  })
  after(() => core.close())

  const tag = async (slug: string): Promise<Json> => {
    const [row] = await core.database.query<Json>(
      `select id, icd10_code from taxonomy_tags where axis = 'condition' and slug = $1 and organization_id is null`,
      [slug],
    )
    assert.ok(row, slug)
    return row
  }
  const idOf = (slug: string): string => library.find((one) => one.slug === slug)?.id ?? assert.fail(slug)

  /** Exercise → its most severe finding for a patient with the condition. */
  async function levelsFor(condition: string, slugs: string[], state: object = {}): Promise<string[]> {
    const patient = await core.patient(clinic)
    const recorded = await core.post(`/v1/patients/${patient.id}/conditions`, {
      as: clinic.admin,
      body: { condition_id: (await tag(condition)).id, ...state },
    })
    assert.equal(recorded.status, 201, recorded.text)
    const checked = await core.post('/v1/treatment-plans/safety-check', {
      as: clinic.admin,
      body: { patient_id: patient.id, exercise_ids: slugs.map(idOf) },
    })
    return checked.body.data.map(({ findings }: Json) => {
      const found = findings.filter(({ kind }: Json) => kind === 'contraindication').map(({ level }: Json) => level)
      return ['block', 'reason', 'notice'].find((level) => found.includes(level)) ?? ''
    })
  }

  test('warns for conditions that had no contraindication before', async () => {
    const expected: [string, string[], string][] = [
      ['parkinsons_disease', ['single-leg-stance', 'step-up', 'forward-lunge'], 'reason'],
      ['parkinsons_disease', ['tandem-stance', 'heel-to-toe-walk'], 'notice'],
      ['hemiplegia', ['single-leg-stance', 'tandem-stance', 'step-up', 'forward-lunge'], 'reason'],
      ['heart_failure', ['wall-squat-hold', 'forearm-plank'], 'reason'],
      ['hip_replacement', ['hip-hinge', 'squat'], 'reason'],
      ['hip_replacement', ['step-up'], 'notice'],
      ['knee_replacement', ['squat'], 'reason'],
      ['knee_replacement', ['hip-hinge', 'step-up'], 'notice'],
      ['pregnancy', ['forearm-plank', 'prone-press-up'], 'reason'],
      ['multiple_sclerosis', ['single-leg-stance', 'tandem-stance'], 'reason'],
      ['vertebral_fracture', ['hip-hinge', 'seated-thoracic-rotation'], 'block'],
      ['coronary_disease', ['wall-squat-hold'], 'reason'],
      ['cauda_equina_syndrome', ['prone-press-up'], 'block'],
      ['deep_vein_thrombosis', ['ankle-pumps'], 'reason'],
    ]
    for (const [condition, slugs, level] of expected)
      assert.deepEqual(
        await levelsFor(condition, slugs),
        slugs.map(() => level),
        condition,
      )
  })

  test('every exercise of isometric strength has a statement about heart failure', () => {
    const holds = library.filter(({ categories }) => categories.some(({ slug }: Json) => slug === 'isometric_strength'))
    assert.ok(holds.length >= 4)
    for (const { slug, contraindications } of holds)
      assert.ok(
        contraindications.some(({ condition }: Json) => condition.slug === 'heart_failure'),
        slug,
      )
  })

  test('the safety check with the shipped library gives sciatica, low back pain with sciatica and lumbar radiculopathy the same warning', async () => {
    for (const condition of [
      'sciatica',
      'low_back_pain_with_sciatica',
      'lumbar_disc_radiculopathy',
      'lumbar_radiculopathy',
    ])
      assert.deepEqual(await levelsFor(condition, ['straight-leg-raise', 'hip-hinge']), ['reason', 'reason'], condition)
  })

  test('knows the new conditions with their ICD-10 codes', async () => {
    const codes = ['pregnancy', 'multiple_sclerosis', 'vertebral_fracture', 'coronary_disease', 'cauda_equina_syndrome']
    assert.deepEqual(
      (await Promise.all(codes.map(tag))).map(({ icd10_code }) => icd10_code),
      ['Z33', 'G35', 'T08', 'I25.9', 'G83.4'],
    )
  })

  test('lifts every absolute contraindication that says "not before" when the patient is cleared', async () => {
    const timed = library.flatMap(({ slug, contraindications }) =>
      contraindications
        .filter(({ severity, description }: Json) => severity === 'contraindicated' && /\bnot\b/i.test(description))
        .map((one: Json) => ({ slug, ...one })),
    )
    assert.ok(timed.length >= 15, `${timed.length}`)
    for (const { slug, condition, until_cleared_for } of timed)
      assert.ok(until_cleared_for, `${slug} ${condition.slug}`)
    assert.deepEqual(await levelsFor('femoral_neck_fracture', ['squat']), ['block'])
    assert.deepEqual(await levelsFor('femoral_neck_fracture', ['squat'], { cleared_for: ['full_load'] }), [''])
    assert.deepEqual(await levelsFor('femoral_neck_fracture', ['squat'], { status: 'history' }), ['notice'])
    assert.deepEqual(await levelsFor('spondylolisthesis', ['prone-press-up'], { cleared_for: ['full_load'] }), [
      'block',
    ])
  })

  test('every exercise has a dose, a progression, a regression and titles, and every statement a source', () => {
    assert.ok(library.length >= 47)
    for (const { slug, translations, ...one } of library) {
      assert.ok(one.default_dose.sets > 0 && (one.default_dose.reps ?? one.default_dose.hold_seconds) > 0, slug)
      assert.ok(one.progression && one.regression && one.source, slug)
      assert.ok(translations.ro.progression && translations.ro.regression, slug)
      for (const { title, translations: words } of one.instructions) assert.ok(title && words.ro.title, slug)
      for (const { source, condition } of one.contraindications) assert.ok(source, `${slug} ${condition.slug}`)
    }
    const textsOf = (slug: string) =>
      library
        .find((one) => one.slug === slug)
        ?.instructions.map(({ content }: Json) => content)
        .join(' ')
    assert.match(textsOf('wall-squat-hold'), /about 40 cm/)
    assert.match(textsOf('prone-press-up'), /bladder or bowel/)
    const thrombosis = library
      .find(({ slug }) => slug === 'ankle-pumps')
      ?.contraindications.find(({ condition }: Json) => condition.slug === 'deep_vein_thrombosis')
    assert.match(thrombosis?.clinical_basis, /do not raise the risk of embolism/)
  })

  test('a database from before the review gets it once; changes made afterwards stay', async (t) => {
    const database = await createTestDatabase()
    t.after(() => database.drop())
    const seed = () => migrate({ url: database.url, roleSecret: TEST_ROLE_SECRET })
    const of = `(select id from exercises where slug = 'wall-squat-hold')`
    await database.query(
      `update exercises set source = null, default_dose = null, progression = null where slug = 'wall-squat-hold'`,
    )
    await database.query(`delete from exercise_contraindications where exercise_id = ${of} and source like 'ESC%'`)
    await database.query(
      `update exercise_instructions set title = null,
         content = case when content like 'Lean your back%' then $1 else content end where exercise_id = ${of}`,
      [OLD_TEXT],
    )
    const state = () =>
      database.query<Json>(
        `select (select count(*)::int from exercise_contraindications where exercise_id = e.id) as contraindications,
           (select count(title)::int from exercise_instructions where exercise_id = e.id) as titles,
           (select content from exercise_instructions where exercise_id = e.id order by sort_order limit 1) as text,
           default_dose from exercises e where slug = 'wall-squat-hold'`,
      )
    await seed()
    const [reviewed] = await state()
    assert.deepEqual(reviewed?.default_dose, { sets: 3, reps: 3, hold_seconds: 20, rest_seconds: 60 })
    assert.ok(reviewed?.titles >= 5 && /40 cm/.test(reviewed?.text), JSON.stringify(reviewed))
    assert.equal(reviewed?.contraindications, 5)
    await database.query(`delete from exercise_contraindications where exercise_id = ${of}`)
    await seed()
    assert.equal((await state())[0]?.contraindications, 0)
  })
})
