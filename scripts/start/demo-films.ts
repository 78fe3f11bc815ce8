import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Config } from '@tendon/config'
import { BUNDLE_TYPES } from '@tendon/contracts'
import { FILMED } from '../demo-films/exercises.ts'
import { localTokens } from './api.ts'
import { OPERATOR } from './demo.ts'
import { nameOf } from './demo-patients.ts'
import { patientFetch } from './patience.ts'

// Uploads the demonstration films of the library (scripts/demo-films) through the API after the start, unless they exist:
// for each exercise a bundle and a video.

const FILMS = join(import.meta.dirname, '../demo-films/films')
const TYPES: Readonly<Record<string, string>> = BUNDLE_TYPES

/** The number of exercises that got films. */
export async function seedFilms(config: Config): Promise<number> {
  const tokenOf = localTokens(config, nameOf)
  const send = patientFetch()
  async function call(method: string, path: string, body?: string | FormData | Uint8Array<ArrayBuffer>, type?: string) {
    const response = await send(config.publicUrl + path, {
      method,
      headers: {
        authorization: `Bearer ${await tokenOf(OPERATOR)}`,
        ...(type === undefined ? {} : { 'content-type': type }),
      },
      ...(body === undefined ? {} : { body }),
    })
    const text = await response.text()
    return { status: response.status, text, body: text.startsWith('{') ? JSON.parse(text) : undefined }
  }
  const must = async (...args: Parameters<typeof call>) => {
    const answer = await call(...args)
    if (answer.status >= 400) throw new Error(`${args[0]} ${args[1]} answered ${answer.status}: ${answer.text}`)
    return answer.body
  }

  let seeded = 0
  for (const { slug } of FILMED) {
    const at = `/v1/exercises/${slug}/bundle`
    const { exercises } = await must('GET', `/v1/exercises?scope=global&limit=500`)
    const exercise = exercises.find((one: { slug: string }) => one.slug === slug)
    if (!exercise || exercise.video_url !== null || (await call('GET', at)).status === 200) continue
    const folder = join(FILMS, slug)
    await must('PUT', at, readFileSync(join(folder, 'manifest.json'), 'utf8'), 'application/json')
    for (const name of bundleFiles(folder))
      await must('PUT', `${at}/files/${name}`, readFileSync(join(folder, name)), TYPES[name.slice(-3)])
    const form = new FormData()
    form.set('file', new Blob([readFileSync(join(folder, 'film.en.mp4'))], { type: 'video/mp4' }), `${slug}.mp4`)
    await must('POST', `/v1/exercises/${exercise.id}/video`, form)
    seeded += 1
  }
  return seeded
}

function bundleFiles(folder: string): string[] {
  const names = readdirSync(folder, { recursive: true, encoding: 'utf8' })
  return names.filter((name) => !name.startsWith('film.') && name.slice(-3) in TYPES).sort()
}
