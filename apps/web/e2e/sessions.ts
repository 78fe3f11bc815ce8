import { spawnSync } from 'node:child_process'
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { TestClinic } from './people.ts'
import type { WebServices } from './services.ts'

export interface Prescribed {
  slug: string
  sets?: number
  reps?: number
  hold_seconds?: number
  rest_seconds?: number
  side?: 'left' | 'right' | 'both'
}

const FILMS = join(import.meta.dirname, '../../../scripts/demo-films/films')
const TYPES: Record<string, string> = {
  m3u8: 'application/vnd.apple.mpegurl',
  m4s: 'video/iso.segment',
  mp4: 'video/mp4',
}

/** Plans for the tests of sessions, created through the API. */
export function sessionsOf({ api, services, database }: WebServices) {
  return {
    /** An active plan with one session. */
    async plan(of: TestClinic, patient: string, prescribed: readonly Prescribed[], title = 'Session A') {
      const { exercises } = await api.raw('/v1/exercises?limit=500', of.specialist)
      const plan = await api.post('/v1/treatment-plans', of.specialist, {
        patient_id: patient,
        title: 'Plan',
        sessions: [
          {
            title,
            exercises: prescribed.map(({ slug, ...more }) => ({
              exercise_id: exercises.find((one: { slug: string }) => one.slug === slug)?.id,
              sets: 1,
              rest_seconds: 2,
              override_reason: 'Checked at the clinic.',
              ...more,
            })),
          },
        ],
      })
      await api.put(`/v1/treatment-plans/${plan.id}/status`, of.specialist, { status: 'active' })
      return plan as { id: string; sessions: { id: string; exercises: { id: string }[] }[] }
    },

    /** Consents to exercising at home and, unless `camera` is false, to the camera. */
    async consents(of: TestClinic, email: string, { camera = true } = {}) {
      const purposes: { code: string; current: { version: number } | null }[] = await api.get(
        '/v1/consent-purposes?limit=100',
        email,
      )
      const codes = ['telerehab', ...(camera ? ['biometric_capture'] : [])]
      await api.rawPost('/v1/me/consents', email, {
        grants: codes.map((purpose_code) => ({
          organization_id: of.id,
          purpose_code,
          purpose_version: purposes.find(({ code }) => code === purpose_code)?.current?.version ?? 1,
          source: 'self_toggle',
        })),
      })
    },

    /** Gives a library exercise its demonstration film: as HLS if ffmpeg is installed, otherwise as one file. */
    async film(slug: string) {
      const source = join(FILMS, slug, 'film.en.mp4')
      const folder = mkdtempSync(join(tmpdir(), 'tendon-film-'))
      const words = `-v error -i ${source} -c copy -f hls -hls_playlist_type vod -hls_segment_type fmp4 -hls_flags single_file`
      const isHls = spawnSync('ffmpeg', [...words.split(' '), join(folder, 'master.m3u8')]).status === 0
      const files = isHls ? readdirSync(folder).map((name) => join(folder, name)) : [source]
      const nameOf = (file: string) => file.split('/').at(-1) ?? ''
      for (const file of files) {
        const type = TYPES[file.split('.').at(-1) ?? ''] ?? 'video/mp4'
        await services.objects.put(`videos/e2e/${slug}/${nameOf(file)}`, readFileSync(file), {
          contentType: type,
          maxBytes: 5_000_000,
        })
      }
      rmSync(folder, { recursive: true })
      const main = isHls ? 'master.m3u8' : 'film.mp4'
      await database.query(
        `update exercises set video_url = $1, video_provider = 'local', video_duration_seconds = 23 where slug = $2`,
        [`object:videos/e2e/${slug}/${main}`, slug],
      )
    },
  }
}
