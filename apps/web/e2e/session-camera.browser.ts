import assert from 'node:assert/strict'
import { join } from 'node:path'
import { describe, test } from 'node:test'
import type { Page } from 'playwright-core'
import { checkWidth } from './browser.ts'
import { sessionsOf } from './sessions.ts'
import { workerCpuMs } from './worker-cpu.ts'
import { SKIPPED, useWorld } from './world.ts'

const PICTURE = join(import.meta.dirname, 'camera/astronaut.mjpeg')

describe('the camera of a session', { skip: SKIPPED }, () => {
  const world = useWorld({ flags: [`--use-file-for-fake-video-capture=${PICTURE}`] })

  test('camera, model and worker send frames to telemetry; a withdrawal in another tab stops the camera', async (t) => {
    const sessions = sessionsOf(world.services)
    const clinic = await world.people.clinic()
    await world.people.publishNotice(clinic)
    const { email, record } = await world.people.patient(clinic)
    await sessions.consents(clinic, email, { camera: false })
    await sessions.plan(clinic, record.id, [{ slug: 'elbow-flexion', reps: 10 }])
    const page = await world.open({ app: 'portal', as: email, path: clinic.slug, width: 768 })
    await countPictures(page)
    await page.reload()
    const batches: number[] = []
    page.on('response', (response) => {
      if (response.url().endsWith('/v1/pose/frames')) batches.push(response.status())
    })
    await page.getByRole('button', { name: /Start: Session A/ }).click()
    await page.getByRole('button', { name: 'Start with camera' }).click()

    // The consent gate asks for consent to the camera; the patient declines first.
    const gate = page.getByRole('dialog')
    await gate.getByRole('button', { name: 'Not now' }).click()
    await page.getByRole('button', { name: 'Start with camera' }).click()
    await gate.getByRole('checkbox').check()
    await world.check(page)
    await gate.getByRole('button', { name: 'Agree and continue' }).click()
    await page.getByRole('heading', { level: 1, name: 'Elbow flexion' }).waitFor()
    await page.getByLabel('You, as in a mirror').waitFor({ timeout: 120_000 })
    await page.getByRole('button', { name: 'Begin' }).click()
    await page.getByTestId('count').waitFor()
    const answered = () => page.evaluate(() => window.pictures.frame_ms.length)
    const before = { cpu: workerCpuMs(), pictures: await answered() }
    while (batches.length < 2 || (await answered()) < before.pictures + 20) await page.waitForTimeout(200)
    const after = { cpu: workerCpuMs(), pictures: await answered() }
    if (before.cpu !== undefined && after.cpu !== undefined) {
      const cost = (after.cpu - before.cpu) / (after.pictures - before.pictures)
      t.diagnostic(`a picture costs ${Math.round(cost)} ms of processor time in the worker`)
    }
    assert.ok(
      batches.every((status) => status === 202),
      batches.join(),
    )
    await checkWidth(page)
    const pictures = await page.evaluate(() => window.pictures)
    assert.equal(pictures.most, 1, 'pictures are skipped while the worker is busy, never queued')
    const median = pictures.frame_ms.toSorted((a, b) => a - b)[pictures.frame_ms.length >> 1] ?? 0
    const seconds = ((pictures.at.at(-1) ?? 0) - (pictures.at[0] ?? 0)) / 1000
    const perSecond = (pictures.at.length - 1) / seconds
    t.diagnostic(`a picture takes ${Math.round(median)} ms; ${perSecond.toFixed(1)} pictures a second`)
    const tokens = await page.evaluate(() =>
      JSON.stringify([Object.entries(localStorage), Object.entries(sessionStorage), document.cookie]),
    )
    assert.doesNotMatch(tokens, /v1\.ey/, 'the run token is in memory only')

    const isFilming = () =>
      page.evaluate(() =>
        [...document.querySelectorAll('video')].some(
          ({ srcObject }) =>
            srcObject instanceof MediaStream && srcObject.getTracks().some((one) => one.readyState === 'live'),
        ),
      )
    assert.ok(await isFilming())
    const other = await page.context().newPage()
    await other.goto(`${world.services.url}/portal/${clinic.slug}/me/consents`)
    const card = other.getByRole('heading', { name: 'Camera measurement' }).locator('xpath=ancestor::*[.//button][1]')
    await card.getByRole('button', { name: 'Withdraw', exact: true }).click()
    await other.getByRole('dialog').getByRole('button', { name: 'Withdraw', exact: true }).click()
    await page.getByText('You withdrew your consent, so the camera is off.').waitFor({ timeout: 5_000 })
    assert.equal(await isFilming(), false)
    const sent = batches.length
    await world.check(page)
    await page.getByRole('button', { name: /Tap after each/ }).click()
    assert.ok(batches.length <= sent + 1, 'nothing is filmed any more')
  })
})

declare global {
  interface Window {
    pictures: Pictures
  }
}

interface Pictures {
  /** Pictures in the worker: current and maximum number. */
  inside: number
  most: number
  frame_ms: number[]
  /** When each was answered. */
  at: number[]
}

/** Counts the pictures that the worker has received and not yet processed. */
async function countPictures(page: Page): Promise<void> {
  await page.addInitScript(() => {
    const Real = globalThis.Worker
    const pictures: Pictures = { inside: 0, most: 0, frame_ms: [], at: [] }
    Object.assign(globalThis, { pictures })
    globalThis.Worker = class extends Real {
      constructor(url: string | URL, options?: WorkerOptions) {
        super(url, options)
        this.addEventListener('message', ({ data }: MessageEvent<{ kind?: string; frame_ms?: number }>) => {
          if (data.kind !== 'free') return
          pictures.inside -= 1
          pictures.frame_ms.push(data.frame_ms ?? 0)
          pictures.at.push(performance.now())
        })
      }
      override postMessage(message: { kind?: string }, transfer?: Transferable[] | StructuredSerializeOptions): void {
        if (message.kind === 'picture') pictures.inside += 1
        pictures.most = Math.max(pictures.most, pictures.inside)
        super.postMessage(message, transfer as Transferable[])
      }
    }
  })
}
