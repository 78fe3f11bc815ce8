import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { settle } from './browser.ts'
import { SKIPPED, useWorld } from './world.ts'

const PER_MINUTE = 150

describe('the console when the server is busy, and on paper', { skip: SKIPPED }, () => {
  const world = useWorld({ env: { RATE_LIMIT_ENTRY_PER_MINUTE: String(PER_MINUTE) } })

  test('after too many requests (429) the refusal is in the person’s language, the button counts down, and what was typed stays', async () => {
    const clinic = await world.people.clinic()
    await world.people.publishNotice(clinic)
    const path = `${clinic.slug}/patients`
    const page = await world.open({ app: 'console', as: clinic.admin, path, language: 'ro' })
    await page.getByRole('button', { name: 'Pacient nou' }).first().click()
    const dialog = page.getByRole('dialog')
    await dialog.locator('[name=first_name]').fill('Ioana')
    await dialog.locator('[name=last_name]').fill('Bradeanu')
    const status = await page.evaluate(async (most) => {
      for (let sent = 0; sent <= most; sent++) {
        const response = await fetch('/v1/me', { headers: { 'x-tendon-web': 'console' } })
        if (response.status !== 200) return response.status
      }
      return 200
    }, PER_MINUTE)
    assert.equal(status, 429)
    await page.keyboard.press('Enter')
    await dialog.getByRole('alert').waitFor()
    const button = dialog.locator('button[type=submit]')
    await page.waitForFunction(() => /\(\d+\)/.test(document.querySelector('dialog [type=submit]')?.textContent ?? ''))
    assert.equal(await button.isDisabled(), true)
    assert.match(await dialog.getByRole('alert').innerText(), /Prea multe cereri/)
    assert.equal(await dialog.locator('[name=last_name]').inputValue(), 'Bradeanu')
    await world.check(page)
    await page.context().close()
  })

  test('while the server is busy (503) a read is repeated after Retry-After, once; a write waits and is sent again with the same key', async () => {
    const clinic = await world.people.clinic()
    await world.people.publishNotice(clinic)
    const page = await world.open({ app: 'console', as: clinic.admin, path: clinic.slug })
    const busy = {
      status: 503,
      headers: { 'retry-after': '1' },
      json: { error: { code: 'unavailable', message: 'The service is temporarily unavailable.' } },
    }
    // A database that cannot be reached: nothing a test of a browser can provoke in the server.
    const keys: (string | undefined)[] = []
    let reads = 0
    await page.route(/\/v1\/patients(\?|$)/, (route) => {
      const request = route.request()
      if (request.method() === 'GET') return (reads += 1) === 1 ? route.fulfill(busy) : route.continue()
      keys.push(request.headers()['idempotency-key'])
      return keys.length === 1 ? route.fulfill(busy) : route.continue()
    })
    await page.goto(`${world.services.url}/console/${clinic.slug}/patients`)
    await page
      .getByRole('heading', { level: 2, name: 'No patients yet' })
      .or(page.locator('[data-empty]'))
      .first()
      .waitFor()
    assert.equal(reads, 2)
    await page.getByRole('button', { name: 'New patient' }).first().click()
    const dialog = page.getByRole('dialog')
    await dialog.locator('[name=first_name]').fill('Ioana')
    await dialog.locator('[name=last_name]').fill('Bradeanu')
    await page.keyboard.press('Enter')
    await dialog.getByRole('alert').waitFor()
    await page.waitForFunction(() => !document.querySelector<HTMLButtonElement>('dialog [type=submit]')?.disabled)
    await dialog.locator('button[type=submit]').click()
    await page.getByRole('heading', { level: 1, name: 'Ioana Bradeanu' }).waitFor()
    assert.equal(keys.length, 2)
    assert.equal(keys[0], keys[1])
    await page.context().close()
  })

  test('the record and a plan are printed whole, without the frame and without buttons', async () => {
    const clinic = await world.people.clinic()
    await world.people.publishNotice(clinic)
    const { record } = await world.people.patient(clinic)
    const { exercises } = await world.api.raw('/v1/exercises?limit=100', clinic.specialist)
    const safe = exercises.filter((one: { prerequisites: unknown[] }) => one.prerequisites.length === 0).slice(0, 12)
    const plan = await world.api.post('/v1/treatment-plans', clinic.specialist, {
      patient_id: record.id,
      title: 'Knee, first weeks',
      sessions: [{ title: 'Monday', exercises: safe.map(({ id }: { id: string }) => ({ exercise_id: id, sets: 2 })) }],
    })
    const at = `${clinic.slug}/patients/${record.id}`
    const page = await world.open({ app: 'console', as: clinic.specialist, path: at })
    for (const path of [at, `${at}/plans/${plan.id}`]) {
      await page.goto(`${world.services.url}/console/${path}`)
      if (path !== at)
        await page
          .locator('main ol > li')
          .nth(safe.length - 1)
          .waitFor()
      await settle(page)
      await page.emulateMedia({ media: 'print' })
      if (path !== at) await page.locator('article[data-paper]').waitFor()
      const shown = await page.evaluate(() => {
        const visible = (selector: string) =>
          [...document.querySelectorAll<HTMLElement>(selector)].filter((one) => one.checkVisibility()).length
        const main = document.querySelector('main')
        return {
          frame: visible('nav') + visible('header button'),
          buttons: visible('main button'),
          heading: document.querySelector('h1')?.textContent,
          isWhole: main !== null && main.scrollHeight <= main.clientHeight + 1,
        }
      })
      assert.deepEqual(shown, { frame: 0, buttons: 0, heading: 'Maria Stan', isWhole: true }, path)
      await page.emulateMedia({ media: 'screen' })
    }
    await page.emulateMedia({ media: 'print' })
    const printed = page.locator('article[data-paper] li')
    await printed.nth(safe.length - 1).waitFor()
    assert.equal(await printed.filter({ visible: true }).count(), safe.length)
    assert.match((await page.pdf({ format: 'A4' })).subarray(0, 5).toString(), /%PDF-/)
    await page.context().close()
  })

  test('“Sign out everywhere” ends the sessions of all devices', async () => {
    const clinic = await world.people.clinic()
    const here = await world.open({ app: 'console', as: clinic.admin, path: clinic.slug })
    const there = await world.open({ app: 'console', as: clinic.admin, path: clinic.slug })
    await here.getByRole('button', { name: /Account/ }).click()
    await here.getByRole('button', { name: 'Sign out everywhere' }).click()
    await here.getByRole('dialog').getByRole('button', { name: 'Sign out everywhere' }).click()
    await here.getByRole('link', { name: 'Sign in' }).waitFor()
    await there.reload()
    await there.getByRole('link', { name: 'Sign in' }).waitFor()
    await Promise.all([here.context().close(), there.context().close()])
  })
})
