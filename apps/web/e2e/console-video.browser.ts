import assert from 'node:assert/strict'
import { mkdtempSync, readFileSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, test } from 'node:test'
import type { Page } from 'playwright-core'
import { checkNarrow } from './browser.ts'
import { SKIPPED, useWorld } from './world.ts'

const SAMPLE = join(import.meta.dirname, '../../core/src/features/exercise-library/videos/samples/two-seconds.mp4')
const MB = 1024 * 1024

/** A playable video of some megabytes: what follows its end is free space, by its own header. */
function largeVideo(bytes: number): Buffer {
  const video = readFileSync(SAMPLE)
  const free = Buffer.alloc(bytes - video.length)
  free.writeUInt32BE(free.length, 0)
  free.write('free', 4, 'latin1')
  return Buffer.concat([video, free])
}

describe('console: the video of an exercise', { skip: SKIPPED }, () => {
  const world = useWorld()
  // A file on disk keeps its date, by which the page knows it again.
  const file = join(mkdtempSync(join(tmpdir(), 'tendon-video-')), 'genuflexiuni.mp4')
  writeFileSync(file, largeVideo(9 * MB))

  async function opened(options: object = {}) {
    const clinic = await world.people.clinic()
    const exercise = await world.api.post('/v1/exercises', clinic.admin, {
      name: 'Wall slide',
      slug: `wall-slide-${crypto.randomUUID().slice(0, 8)}`,
    })
    const at = `/v1/exercises/${exercise.id}`
    const page = await world.open({
      app: 'console',
      as: clinic.admin,
      path: `${clinic.slug}/settings/exercises/${exercise.id}`,
      ...options,
    })
    return { clinic, page, at, video: async () => (await world.api.get(at, clinic.admin)).video_url }
  }
  const choose = (page: Page) => page.locator('input[type=file]').setInputFiles(file)
  /** Lets the first part through and holds the next until `release`; then it is lost, or arrives. */
  async function holdSecondPart(page: Page, isLost = true) {
    const held = Promise.withResolvers<void>()
    const release = Promise.withResolvers<void>()
    let parts = 0
    await page.route('**/video/uploads/*', async (route) => {
      if (route.request().method() === 'PATCH' && ++parts === 2) {
        held.resolve()
        await release.promise
        await (isLost ? route.abort() : route.continue()).catch(() => undefined)
      } else await route.continue().catch(() => undefined)
    })
    return { held: held.promise, release: release.resolve }
  }

  test('an exercise is added, and its video uploaded with progress', async () => {
    const clinic = await world.people.clinic()
    const page = await world.open({ app: 'console', as: clinic.admin, path: `${clinic.slug}/settings/exercises` })
    await page.locator('[data-empty]').waitFor()
    await world.check(page)
    await page.getByRole('button', { name: 'New exercise' }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByRole('button', { name: 'New exercise' }).click()
    await page.locator('[name=name][aria-invalid=true]').waitFor()
    await dialog.getByLabel('Name').fill('Wall slide')
    await dialog.getByRole('button', { name: 'New exercise' }).click()
    await page.getByText('This exercise has no video yet.').waitFor()
    await world.check(page)
    await choose(page)
    await page.getByText('The video was saved.').waitFor()
    await page.getByText('This exercise has a video of 2 seconds.').waitFor()
    await page.getByRole('link', { name: 'The clinic’s own exercises' }).click()
    await page.getByRole('row', { name: /Wall slide.*Yes/ }).waitFor()
    await page.context().close()
  })

  test('an upload is paused and continued; nothing is sent twice', async () => {
    const { page, video } = await opened()
    const offsets: (string | undefined)[] = []
    page.on('request', (request) => {
      if (request.method() === 'PATCH') offsets.push(request.headers()['upload-offset'])
    })
    const { held, release } = await holdSecondPart(page)
    await choose(page)
    await held
    await page.getByRole('button', { name: 'Pause' }).click()
    await page.getByText('Paused: genuflexiuni.mp4').waitFor()
    release()
    assert.equal(await video(), null)
    await world.check(page)
    await page.getByRole('button', { name: 'Continue' }).click()
    await page.getByText('The video was saved.').waitFor()
    assert.ok(await video())
    const [first, second, ...rest] = offsets.map(Number)
    assert.deepEqual([first, second, rest], [0, 8 * MB, [8 * MB]])
    await page.context().close()
  })

  test('leaving during an upload says that it stops; once it is finished nothing is asked', async () => {
    const { page, video } = await opened()
    const { held, release } = await holdSecondPart(page, false)
    await choose(page)
    await held
    const question = page.getByRole('dialog', { name: 'Leave without saving?' })
    await page.getByRole('link', { name: 'Services' }).click()
    await question.getByText('The upload stops.', { exact: false }).waitFor()
    await world.check(page)
    await question.getByRole('button', { name: 'Keep editing' }).click()
    release()
    await page.getByText('The video was saved.').waitFor()
    assert.ok(await video())
    await page.getByRole('link', { name: 'Services' }).click()
    await page.waitForURL((url) => url.pathname.endsWith('/services'))
    assert.equal(await question.count(), 0)
    await page.context().close()
  })

  test('after a reload the same file continues where it was (ro, dark, phone)', async () => {
    const { page, video } = await opened({ language: 'ro', scheme: 'dark', width: 360 })
    const { held, release } = await holdSecondPart(page)
    await choose(page)
    await held
    await page.reload()
    release()
    await page.unroute('**/video/uploads/*')
    await page.getByText('Încărcare neterminată: genuflexiuni.mp4').waitFor()
    await page.getByText('Au ajuns 8 din 9 MB.', { exact: false }).waitFor()
    await world.check(page)
    await checkNarrow(page)
    const offsets: (string | undefined)[] = []
    page.on('request', (request) => {
      if (request.method() === 'PATCH') offsets.push(request.headers()['upload-offset'])
    })
    await choose(page)
    await page.getByText('Videoclipul a fost salvat.').waitFor()
    assert.deepEqual(offsets, [String(8 * MB)])
    assert.ok(await video())
    await page.context().close()
  })

  test('another file asks before it takes the place of an unfinished upload', async () => {
    const { clinic, page, at, video } = await opened()
    const { held, release } = await holdSecondPart(page)
    await choose(page)
    await held
    await page.reload()
    release()
    await page.unroute('**/video/uploads/*')
    await page.getByText('The upload of genuflexiuni.mp4 is not finished').waitFor()
    const offsets = async () => {
      const uploads: { offset: number }[] = await world.api.get(`${at}/video/uploads`, clinic.admin)
      return uploads.map(({ offset }) => offset)
    }
    const question = page.getByRole('dialog', { name: 'Delete the unfinished upload?' })
    const another = () => page.locator('input[type=file]').setInputFiles(SAMPLE)
    await another()
    await question.getByText('what has arrived of genuflexiuni.mp4 is deleted', { exact: false }).waitFor()
    await world.check(page)
    await question.getByRole('button', { name: 'Cancel' }).click()
    await question.waitFor({ state: 'detached' })
    assert.deepEqual(await offsets(), [8 * MB])
    await another()
    await question.getByRole('button', { name: 'Delete and upload' }).click()
    await page.getByText('The video was saved.').waitFor()
    assert.ok(await video())
    assert.deepEqual(await offsets(), [])
    await page.context().close()
  })

  test('a cancelled upload leaves nothing; a file that is no video is refused with its reason', async () => {
    const { clinic, page, at, video } = await opened()
    const { held, release } = await holdSecondPart(page)
    await choose(page)
    await held
    await page.getByRole('button', { name: 'Cancel the upload' }).click()
    await page.getByText('The upload was cancelled.').waitFor()
    release()
    await page.unroute('**/video/uploads/*')
    assert.deepEqual(await world.api.get(`${at}/video/uploads`, clinic.admin), [])
    const text = { name: 'notes.mp4', mimeType: 'video/mp4', buffer: Buffer.from('not a video at all '.repeat(50)) }
    await page.locator('input[type=file]').setInputFiles(text)
    await page.getByRole('alert').getByText('Files of this type are not accepted here.', { exact: false }).waitFor()
    assert.equal(await video(), null)
    await page.getByRole('button', { name: 'Choose a video' }).waitFor()
    await page.context().close()
  })
})
