import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { type Json, type Person, sharedCore, type TestCore } from '../../../testing/core.ts'
import { plansOf, session, type TestPlans } from '../treatment-plans/plans.testing.ts'

const PAIN = { en: 'Knee pain', ro: 'Durere de genunchi' }
const JOINT = { en: 'Joint disease', ro: 'Boală articulară' }
type Language = keyof typeof PAIN

describe('the names of conditions', () => {
  let core: TestCore
  let plans: TestPlans
  let clinic: Awaited<ReturnType<TestCore['organization']>>
  let readers: Record<Language, Person>
  let exercise: string
  let patientId: string
  let conditionId: string
  before(async () => {
    core = await sharedCore()
    plans = plansOf(core)
    clinic = await core.organization()
    readers = { en: await reader('en'), ro: await reader('ro') }
    exercise = await plans.exercise(null, 'Squat')
    conditionId = await named(PAIN)
    const parent = await named(JOINT)
    await core.database.query('update taxonomy_tags set parent_id = $2 where id = $1', [conditionId, parent])
    await plans.contraindicate(exercise, parent, 'relative')
    patientId = (await core.patient(clinic)).id
    const recorded = await core.post(`/v1/patients/${patientId}/conditions`, {
      as: clinic.admin,
      body: { condition_id: conditionId },
    })
    assert.equal(recorded.status, 201, recorded.text)
  })
  after(() => core.close())

  async function named({ en, ro }: typeof PAIN): Promise<string> {
    const id = await plans.condition(null, en)
    await core.database.query('update taxonomy_tags set translations = $2 where id = $1', [id, { ro: { name: ro } }])
    return id
  }

  async function reader(language: Language): Promise<Person> {
    const person = await core.memberWith(clinic, [
      'patients.view_org',
      'treatment_plans.view_org',
      'treatment_plans.manage',
      'exercises.view_published',
    ])
    const { status, text } = await core.patch('/v1/me', { as: person, body: { preferred_language: language } })
    assert.equal(status, 200, text)
    return person
  }

  const inBoth = (what: string, check: (as: Person, language: Language) => Promise<void>): void =>
    void test(what, async () => {
      for (const language of ['en', 'ro'] as const) await check(readers[language], language)
    })

  async function get(as: Person, url: string): Promise<Json> {
    const { status, body, text } = await core.get(url, { as })
    assert.equal(status, 200, text)
    return body
  }
  const namesIn = ({ patient_condition, contraindicated_condition }: Json) => [
    patient_condition.condition.name,
    contraindicated_condition.name,
  ]

  inBoth('of a patient are in the language of the reader', async (as, language) => {
    const { data } = await get(as, `/v1/patients/${patientId}/conditions`)
    assert.deepEqual(
      data.map(({ condition }: Json) => condition.name),
      [PAIN[language]],
    )
  })

  inBoth('in the findings of the safety check are, too', async (as, language) => {
    const body = { patient_id: patientId, exercise_ids: [exercise] }
    const checked = await core.post('/v1/treatment-plans/safety-check', { as, body })
    assert.equal(checked.status, 200, checked.text)
    assert.deepEqual(namesIn(checked.body.data[0].findings[0]), [PAIN[language], JOINT[language]])
  })

  inBoth('in the findings of a plan that another wrote are, too', async (as, language) => {
    const writer = readers[language === 'ro' ? 'en' : 'ro']
    const sessions = [session([{ exercise_id: exercise, override_reason: 'Carefully.' }])]
    const written = await plans.write(writer, { patient_id: patientId, title: 'Knee', sessions })
    assert.equal(written.status, 201, written.text)
    const { data } = await get(as, `/v1/treatment-plans/${written.body.data.id}`)
    assert.deepEqual(namesIn(data.sessions[0].exercises[0].findings[0]), [PAIN[language], JOINT[language]])
  })

  inBoth('in the contraindications of an exercise are, too', async (as, language) => {
    const alone = await get(as, `/v1/exercises/${exercise}/contraindications`)
    const { data } = await get(as, `/v1/exercises/${exercise}`)
    for (const [contraindication] of [alone.contraindications, data.contraindications])
      assert.equal(contraindication.condition.name, JOINT[language])
  })

  test('the names of conditions without a translation are as they are', async () => {
    const own = await plans.condition(clinic, 'Wall fear')
    const { id } = await core.patient(clinic)
    await core.post(`/v1/patients/${id}/conditions`, { as: clinic.admin, body: { condition_id: own } })
    const { data } = await get(readers.ro, `/v1/patients/${id}/conditions`)
    assert.equal(data[0].condition.name, 'Wall fear')
  })
})
