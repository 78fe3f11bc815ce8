import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { describe, test } from 'node:test'
import { checkNarrow, type View } from './browser.ts'
import { sessionsOf } from './sessions.ts'
import { SKIPPED, useWorld } from './world.ts'

describe('the console: a plan is completed or archived', { skip: SKIPPED }, () => {
  const world = useWorld()

  async function open(view: View = {}) {
    const clinic = await world.people.clinic()
    await world.people.publishNotice(clinic)
    const { record, email } = await world.people.patient(clinic)
    const sessions = sessionsOf(world.services)
    await sessions.consents(clinic, email)
    const plan = await sessions.plan(clinic, record.id, [{ slug: 'heel-slide', reps: 5 }])
    const [session] = plan.sessions
    const start = () => world.api.rawPost('/v1/session-runs', email, { plan_session_id: session?.id })
    const path = `${clinic.slug}/patients/${record.id}/plans/${plan.id}`
    return {
      clinic,
      record,
      plan,
      start,
      session,
      email,
      page: () => world.open({ app: 'console', as: clinic.specialist, path, ...view }),
      stored: () => world.api.get(`/v1/treatment-plans/${plan.id}`, clinic.specialist),
    }
  }

  test('the dialog names the patient who is in a session; the session can be finished, no other one started', async () => {
    const { start, session, email, page: opened, stored } = await open()
    const { run_id } = await start()
    const page = await opened()
    const complete = page.getByRole('button', { name: 'Complete', exact: true })
    await complete.click()
    const dialog = page.getByRole('dialog', { name: 'Complete this plan?' })
    await dialog.getByText('The patient can no longer start a session of this plan.').waitFor()
    const running = dialog.getByText(/^Maria Stan has been in the session “Session A” since .* can still finish it/)
    await running.waitFor()
    assert.equal(await running.locator('time').count(), 1)
    await dialog.getByText('This cannot be undone.').waitFor()
    await dialog.locator('button:focus', { hasText: 'Cancel' }).waitFor()
    await world.check(page)
    await page.keyboard.press('Escape')
    await dialog.waitFor({ state: 'detached' })
    assert.equal((await stored()).status, 'active')
    await page.locator('button:focus', { hasText: 'Complete' }).waitFor()

    await complete.click()
    await dialog.getByRole('button', { name: 'Complete', exact: true }).click()
    await page.getByText('This plan has ended').waitFor()
    assert.equal((await stored()).status, 'completed')
    const session_exercise_id = session?.exercises[0]?.id
    const event = { client_event_id: randomUUID(), session_exercise_id, type: 'completed' }
    await world.api.rawPost(`/v1/session-runs/${run_id}/exercise-event`, email, event)
    assert.equal((await start()).run_id, run_id)
    await page.getByRole('button', { name: 'Archive' }).click()
    await page.getByRole('dialog').getByText('The patient no longer sees this plan. It stays in the record.').waitFor()
    await page.getByRole('dialog').getByRole('button', { name: 'Archive', exact: true }).click()
    await page.getByText('The plan is archived.').waitFor()
    assert.equal((await stored()).status, 'archived')
    assert.equal((await start()).run_id, run_id)
    await world.api.rawPost(`/v1/session-runs/${run_id}/end`, email, { termination: 'ended_naturally' })
    await assert.rejects(start(), { status: 409 })
    await page.context().close()
  })

  test('staff and the patient read that the last day of a plan has passed', async () => {
    const { clinic, record, plan, email, page: opened } = await open()
    await world.services.database.query(
      `update treatment_plans set starts_on = null, ends_on = '2020-01-31' where id = $1`,
      [plan.id],
    )
    const page = await opened()
    await page.getByText('Past its last day').waitFor()
    await page.goto(`${world.services.url}/console/${clinic.slug}/patients/${record.id}/plans`)
    await page.getByRole('row', { name: /Active Past its last day/ }).waitFor()
    await page.context().close()
    const today = await world.open({ app: 'portal', as: email, path: clinic.slug, width: 360 })
    await today.getByText(/^Ask your clinic whether to continue this plan. Last day: .*2020/).waitFor()
    await world.check(today)
    await today.context().close()
  })

  test('unsaved changes are saved first or left behind, as somebody chose', async () => {
    const { page: opened, stored } = await open()
    const page = await opened()
    await page.locator('[name=title]').fill('Knee, second weeks')
    await page.getByRole('button', { name: 'Complete', exact: true }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByText('No session of this plan is in progress.').waitFor()
    await dialog.getByText('There are changes that are not saved').waitFor()
    assert.equal(await dialog.getByRole('button', { name: 'Complete', exact: true }).count(), 0)
    await world.check(page)
    await dialog.getByRole('button', { name: 'Save and complete' }).click()
    await page.getByText('This plan has ended').waitFor()
    const { title, status } = await stored()
    assert.deepEqual([title, status], ['Knee, second weeks', 'completed'])
    await page.context().close()

    const other = await open()
    const second = await other.page()
    await second.locator('[name=title]').fill('Not wanted')
    await second.getByRole('button', { name: 'Archive', exact: true }).click()
    await second.getByRole('dialog').getByRole('button', { name: 'Archive without the changes' }).click()
    await second.getByText('This plan has ended').waitFor()
    const left = await other.stored()
    assert.deepEqual([left.title, left.status], ['Plan', 'archived'])
    assert.equal(await second.locator('[name=title]').inputValue(), 'Plan')
    await second.context().close()
  })

  test('changes that cannot be saved keep the plan open, and the wrong field is focused', async () => {
    const { page: opened, stored } = await open()
    const page = await opened()
    await page.getByLabel('Sets').fill('0')
    await page.getByRole('button', { name: 'Complete', exact: true }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Save and complete' }).click()
    await page.locator('[name$=".sets"][aria-invalid=true]:focus').waitFor()
    const { status, version } = await stored()
    assert.deepEqual([status, version], ['active', 2])
    assert.equal(await page.getByLabel('Sets').inputValue(), '0')
    await page.context().close()
  })

  test('a plan that somebody else saved meanwhile is shown before it ends', async () => {
    const { clinic, page: opened, stored } = await open()
    const page = await opened()
    await page.locator('[name=title]').waitFor()
    const { id, version, sessions } = await stored()
    const [{ id: sessionId, exercises }] = sessions
    const [{ id: entry, exercise_id }] = exercises
    await world.api.put(`/v1/treatment-plans/${id}`, clinic.admin, {
      version,
      title: 'Theirs',
      sessions: [
        { id: sessionId, title: 'Session A', exercises: [{ id: entry, exercise_id, override_reason: 'Checked.' }] },
      ],
    })
    await page.getByRole('button', { name: 'Complete', exact: true }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Complete', exact: true }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Show theirs' }).click()
    await page.waitForFunction(() => document.querySelector<HTMLInputElement>('[name=title]')?.value === 'Theirs')
    assert.equal((await stored()).status, 'active')
    await page.context().close()
  })

  test('the dialog names the session and offers to save (ro, dark, phone)', async () => {
    const { start, page: opened } = await open({ language: 'ro', scheme: 'dark', width: 360 })
    await start()
    const page = await opened()
    await page.locator('[name=title]').fill('Genunchi')
    await page.getByRole('button', { name: 'Încheiați', exact: true }).click()
    const dialog = page.getByRole('dialog', { name: 'Încheiați acest plan?' })
    await dialog.getByText(/^Maria Stan face ședința „Session A”/).waitFor()
    await dialog.getByRole('button', { name: 'Salvați și încheiați' }).waitFor()
    await world.check(page)
    await checkNarrow(page)
    await page.context().close()
  })

  test('a draft asks before it is deleted', async () => {
    const clinic = await world.people.clinic()
    await world.people.publishNotice(clinic)
    const { record } = await world.people.patient(clinic)
    const body = { patient_id: record.id, title: 'Knee', sessions: [] }
    const { id } = await world.api.post('/v1/treatment-plans', clinic.specialist, body)
    const path = `${clinic.slug}/patients/${record.id}/plans/${id}`
    const page = await world.open({ app: 'console', as: clinic.specialist, path })
    await page.getByRole('button', { name: 'Delete the draft' }).click()
    const dialog = page.getByRole('dialog', { name: 'Delete this draft?' })
    await dialog.getByText('This cannot be undone.').waitFor()
    assert.equal((await world.api.get(`/v1/treatment-plans/${id}`, clinic.specialist)).title, 'Knee')
    await dialog.getByRole('button', { name: 'Delete the draft' }).click()
    await page.getByText('The draft was deleted.').waitFor()
    await page.waitForURL(/\/plans$/)
    await page.context().close()
  })
})
