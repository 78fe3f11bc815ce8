import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { Page } from 'playwright-core'
import { checkNarrow, checkPrivate, settle, tabTo } from './browser.ts'
import type { TestClinic } from './people.ts'
import { sessionsOf } from './sessions.ts'
import { SKIPPED, useWorld } from './world.ts'

interface Found {
  id: string
  name: string
  translations: Record<string, { name?: string }>
  prerequisites: object[]
  contraindications: { severity: string; stages: string[] | null; condition: { id: string; name: string } }[]
}

describe('the console: the plan builder', { skip: SKIPPED }, () => {
  const world = useWorld()

  /** Exercises that the safety check refuses, allows with a reason, and allows. */
  async function exercisesFor(clinic: TestClinic, patientId: string) {
    const answer: { exercises: Found[] } = await world.api.raw('/v1/exercises?limit=100', clinic.specialist)
    // Without exercises that must follow another exercise: this test is about conditions.
    const exercises = answer.exercises.filter(({ prerequisites }) => prerequisites.length === 0)
    const of = (severity: string) =>
      exercises.flatMap(({ contraindications }) =>
        contraindications.filter((one) => one.severity === severity && one.stages === null),
      )
    const conditions = [...of('contraindicated').slice(0, 1), ...of('relative').slice(0, 1)]
    for (const condition_id of new Set(conditions.map(({ condition }) => condition.id)))
      await world.api.rawPost(`/v1/patients/${patientId}/conditions`, clinic.specialist, { condition_id })
    const { data }: { data: { exercise_id: string; findings: { level: string }[] }[] } = await world.api.rawPost(
      '/v1/treatment-plans/safety-check',
      clinic.specialist,
      { patient_id: patientId, exercise_ids: exercises.map(({ id }) => id) },
    )
    const named = (matches: (levels: string[]) => boolean, skip = 0) => {
      const result = data.filter(({ findings }) => matches(findings.map(({ level }) => level)))[skip]
      const exercise = exercises.find(({ id }) => id === result?.exercise_id)
      assert.ok(exercise)
      return exercise
    }
    return {
      refused: named((levels) => levels.includes('block')),
      doubtful: named((levels) => levels.includes('reason') && !levels.includes('block')),
      safe: named((levels) => levels.length === 0),
      alsoSafe: named((levels) => levels.length === 0, 1),
    }
  }

  const plansOf = async (clinic: TestClinic, patientId: string) =>
    world.api.get(`/v1/treatment-plans?patient_id=${patientId}`, clinic.specialist)

  async function add(page: Page, name: string, words: { open: string; add: string; done: string }) {
    await page.getByRole('button', { name: words.open }).first().click()
    const library = page.getByRole('dialog')
    await library.getByRole('searchbox').fill(name)
    await library.getByRole('button', { name: `${words.add} ${name}`, exact: true }).waitFor()
    return { library, close: () => library.getByRole('button', { name: words.done, exact: true }).click() }
  }

  for (const view of [
    { language: 'en', scheme: 'light', width: 1440 },
    { language: 'ro', scheme: 'dark', width: 360 },
  ] as const)
    test(`a plan from scratch is refused, gets a reason, is reordered and given (${view.language}, ${view.scheme}, ${view.width})`, async () => {
      const ro = view.language === 'ro'
      const clinic = await world.people.clinic()
      await world.people.publishNotice(clinic)
      const { record } = await world.people.patient(clinic)
      const { refused, doubtful, safe, alsoSafe } = await exercisesFor(clinic, record.id)
      const nameOf = (one: Found) => (ro ? (one.translations.ro?.name ?? one.name) : one.name)
      const words = ro
        ? { open: 'Adăugați un exercițiu', add: 'Adăugați', done: 'Gata' }
        : { open: 'Add an exercise', add: 'Add', done: 'Done' }
      const path = `${clinic.slug}/patients/${record.id}/plans/new`
      const page = await world.open({ app: 'console', as: clinic.specialist, path, ...view })
      await page.getByText(ro ? 'Cum doriți să începeți?' : 'How do you want to start?').waitFor()
      await world.check(page)
      await page.getByLabel(ro ? 'Ședințe pe săptămână' : 'Sessions per week').selectOption('1')
      await page.getByRole('button', { name: ro ? 'Începeți: De la zero' : 'Begin: From scratch' }).click()
      await page.locator('[name=title]').fill('Knee, first weeks')

      // The library says that an exercise is refused before it is added.
      const first = await add(page, nameOf(refused), words)
      await first.library
        .getByText(ro ? 'Refuzat' : 'Refused')
        .first()
        .waitFor()
      const addRefused = { name: `${words.add} ${nameOf(refused)}`, exact: true, disabled: true }
      await first.library.getByRole('button', addRefused).waitFor()
      await world.check(page)
      for (const exercise of [safe, alsoSafe, doubtful]) {
        await first.library.getByRole('searchbox').fill(nameOf(exercise))
        await first.library.getByRole('button', { name: `${words.add} ${nameOf(exercise)}`, exact: true }).click()
        await first.library.getByText(`${nameOf(exercise)} ${ro ? 'a fost adăugat' : 'was added'}.`).waitFor()
      }
      await first.close()

      // Without the required reason nothing is sent, and typed text is kept.
      const reason = page.getByLabel(ro ? /Motivul pentru care/ : /Reason for giving it/)
      await reason.waitFor()
      await world.check(page)
      await page
        .getByRole('button', { name: ro ? 'Salvați și dați pacientului' : 'Save and give to the patient' })
        .click()
      await page.locator('textarea[aria-invalid=true]').waitFor()
      assert.deepEqual(await plansOf(clinic, record.id), [])
      await reason.fill('Tried in the clinic, without pain.')

      // With the keyboard: the button moves the second exercise up; Space and arrow keys move the dragged one down again.
      const names = async () =>
        page.locator('main ol > li').evaluateAll((items) => items.map((item) => item.querySelector('p')?.textContent))
      assert.deepEqual(await names(), [safe, alsoSafe, doubtful].map(nameOf))
      const up = ro ? 'Mutați în sus' : 'Move up'
      await page.getByRole('button', { name: `${up}: ${nameOf(alsoSafe)}` }).press('Enter')
      assert.deepEqual(await names(), [alsoSafe, safe, doubtful].map(nameOf))
      if (!ro) {
        const handle = page.getByRole('button', { name: `Move ${nameOf(alsoSafe)}: press Space, then the arrow keys` })
        const said = (words: string) =>
          page
            .getByRole('status')
            .getByText(`${nameOf(alsoSafe)}${words}`)
            .waitFor()
        await handle.press('Space')
        await said(': place 1 of 3.')
        await handle.press('ArrowDown')
        await said(': place 2 of 3.')
        await handle.press('Space')
        await said(' is now at place 2 of 3.')
        assert.deepEqual(await names(), [safe, alsoSafe, doubtful].map(nameOf))
      }
      await checkNarrow(page)
      await page
        .getByRole('button', { name: ro ? 'Salvați și dați pacientului' : 'Save and give to the patient' })
        .click()
      await page.getByText(ro ? 'Pacientul are acum planul.' : 'The patient has the plan now.').waitFor()
      await page.waitForURL(/\/plans\/[0-9a-f-]{36}$/)
      await world.check(page)
      await checkPrivate(page, ['Stan', 'Maria'])
      const [plan] = await plansOf(clinic, record.id)
      assert.deepEqual([plan.status, plan.title], ['active', 'Knee, first weeks'])
      const stored = await world.api.get(`/v1/treatment-plans/${plan.id}`, clinic.specialist)
      const given = stored.sessions[0].exercises.find((one: { exercise_id: string }) => one.exercise_id === doubtful.id)
      assert.equal(given.override_reason, 'Tried in the clinic, without pain.')
      await page.context().close()
    })

  test('opening a plan, and opening its copy, runs the safety check once', async () => {
    const clinic = await world.people.clinic()
    await world.people.publishNotice(clinic)
    const { record } = await world.people.patient(clinic)
    const { safe, alsoSafe } = await exercisesFor(clinic, record.id)
    const plan = await world.api.post('/v1/treatment-plans', clinic.specialist, {
      patient_id: record.id,
      title: 'Knee',
      sessions: [{ title: 'Monday', exercises: [safe, alsoSafe].map(({ id }) => ({ exercise_id: id })) }],
    })
    const page = await world.open({ app: 'console', as: clinic.specialist, path: clinic.slug })
    const checks: (string | null)[] = []
    page.on('request', (request) => {
      if (request.url().endsWith('/safety-check')) checks.push(request.postData())
    })
    await page.goto(`${world.services.url}/console/${clinic.slug}/patients/${record.id}/plans/${plan.id}`)
    const checked = page.getByText('No contraindications for these exercises.')
    await checked.waitFor()
    await settle(page)
    assert.equal(checks.length, 1)
    await page.getByRole('link', { name: 'Copy' }).click()
    await page.waitForURL(/copy=/)
    await checked.waitFor()
    await settle(page)
    assert.equal(checks.length, 2)
    await page.context().close()
  })

  test('when two people edit one plan, the second sees the differences and decides', async () => {
    const clinic = await world.people.clinic()
    await world.people.publishNotice(clinic)
    const { record } = await world.people.patient(clinic)
    const { safe } = await exercisesFor(clinic, record.id)
    const sessions = [{ title: 'Monday', exercises: [{ exercise_id: safe.id, sets: 2, reps: 8 }] }]
    const plan = await world.api.post('/v1/treatment-plans', clinic.specialist, {
      patient_id: record.id,
      title: 'Knee',
      sessions,
    })
    const path = `${clinic.slug}/patients/${record.id}/plans/${plan.id}`
    const page = await world.open({ app: 'console', as: clinic.specialist, path })
    const title = page.locator('[name=title]')
    await title.fill('Knee and hip')
    await world.api.put(`/v1/treatment-plans/${plan.id}`, clinic.admin, { version: 1, title: 'Knee, later', sessions })
    await page.getByRole('button', { name: 'Save the draft' }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByText('Knee, later').waitFor()
    await world.check(page)
    await dialog.getByRole('button', { name: 'Keep mine' }).click()
    await page.getByText('The plan is saved.').waitFor()
    assert.equal((await world.api.get(`/v1/treatment-plans/${plan.id}`, clinic.admin)).title, 'Knee and hip')

    await title.fill('Mine again')
    await world.api.put(`/v1/treatment-plans/${plan.id}`, clinic.admin, { version: 3, title: 'Theirs again', sessions })
    await page.getByRole('button', { name: 'Save the draft' }).click()
    await dialog.getByRole('button', { name: 'Show theirs' }).click()
    await page.waitForFunction(() => document.querySelector<HTMLInputElement>('[name=title]')?.value === 'Theirs again')
    await page.context().close()
  })

  test('edits stay when somebody else changes the status of the plan, and can be saved', async () => {
    const clinic = await world.people.clinic()
    await world.people.publishNotice(clinic)
    const { record } = await world.people.patient(clinic)
    const { safe } = await exercisesFor(clinic, record.id)
    const { id } = await world.api.post('/v1/treatment-plans', clinic.specialist, {
      patient_id: record.id,
      title: 'Knee',
      sessions: [{ title: 'Monday', exercises: [{ exercise_id: safe.id }] }],
    })
    const at = `/v1/treatment-plans/${id}`
    const path = `${clinic.slug}/patients/${record.id}/plans/${id}`
    const page = await world.open({ app: 'console', as: clinic.specialist, path })
    const title = page.locator('[name=title]')
    const readAgain = async (minutes: number) => {
      await page.clock.setSystemTime(Date.now() + minutes * 60_000)
      const read = page.waitForResponse((response) => response.url().endsWith(at))
      await page.evaluate(() => window.dispatchEvent(new Event('visibilitychange')))
      await (await read).finished()
    }
    await title.fill('Mine')
    await world.api.put(`${at}/status`, clinic.admin, { status: 'active' })
    await readAgain(1)
    await page.getByRole('button', { name: 'Save the draft' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Keep mine' }).click()
    await page.getByText('The plan is saved.').waitFor()
    const stored = await world.api.get(at, clinic.admin)
    assert.deepEqual([stored.title, stored.status], ['Mine', 'active'])

    await title.fill('Too late')
    await world.api.put(`${at}/status`, clinic.admin, { status: 'archived' })
    await readAgain(2)
    await page.getByText('Somebody else has ended this plan').waitFor()
    assert.equal(await title.inputValue(), 'Too late')
    await world.check(page)
    await page.getByRole('button', { name: 'Show the saved plan' }).click()
    await page.getByText('This plan has ended').waitFor()
    assert.equal(await title.inputValue(), 'Mine')
    await page.context().close()
  })

  test('a plan is copied and completed; a completed plan cannot be edited', async () => {
    const clinic = await world.people.clinic()
    await world.people.publishNotice(clinic)
    const { record } = await world.people.patient(clinic)
    const { safe } = await exercisesFor(clinic, record.id)
    const plan = await world.api.post('/v1/treatment-plans', clinic.specialist, {
      patient_id: record.id,
      title: 'Knee',
      sessions: [{ title: 'Monday', exercises: [{ exercise_id: safe.id }] }],
    })
    await world.api.put(`/v1/treatment-plans/${plan.id}/status`, clinic.specialist, { status: 'active' })
    const path = `${clinic.slug}/patients/${record.id}/plans/${plan.id}`
    const page = await world.open({ app: 'console', as: clinic.specialist, path, width: 768 })
    await page.getByRole('button', { name: 'Complete' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Complete' }).click()
    await page.getByText('This plan has ended').waitFor()
    await world.check(page)
    await tabTo(page, 'a[href*="copy="]')
    await page.keyboard.press('Enter')
    await page.getByRole('button', { name: 'Save the draft' }).click()
    await page.getByText('The plan is saved.').waitFor()
    assert.deepEqual(
      (await plansOf(clinic, record.id)).map(({ status }: { status: string }) => status),
      ['draft', 'completed'],
    )
    await page.context().close()
  })

  test('a stored plan names its exercises in Romanian', async () => {
    const clinic = await world.people.clinic()
    await world.people.publishNotice(clinic)
    const { record } = await world.people.patient(clinic)
    const plan = await sessionsOf(world.services).plan(clinic, record.id, [{ slug: 'heel-slide', reps: 1 }])
    const { exercises } = await world.api.raw('/v1/exercises?limit=500', clinic.specialist)
    const { name, translations } = exercises.find(({ slug }: { slug: string }) => slug === 'heel-slide')
    assert.notEqual(translations.ro.name, name)
    await world.api.patch('/v1/me', clinic.specialist, { preferred_language: 'ro' })
    const path = `${clinic.slug}/patients/${record.id}/plans/${plan.id}`
    const page = await world.open({ app: 'console', as: clinic.specialist, path, language: 'ro' })
    await page.locator('main').getByText(translations.ro.name).first().waitFor()
    assert.equal(await page.locator('main').getByText(name).count(), 0)
    await page.context().close()
  })
})
