// DEMO ONLY. Four weeks of sessions, written directly into the database, since the API has no past. Sessions are
// planned like those of `npm run simulate`, and their results are computed by the code that finalises real runs. Only
// audit log and events are missing. One transaction, the same rows for the same day.
import { createHash } from 'node:crypto'
import { gzipSync } from 'node:zlib'
import type { Config } from '@tendon/config'
import type { MediaEvent } from '@tendon/contracts'
import { openObjectStore } from '@tendon/object-store'
import { encodeBatch, measure } from '@tendon/pose'
import { randomFrom } from '@tendon/testing'
import pg from 'pg'
import { type ManifestItem, manifestOf } from '../../apps/core/src/features/care/session-runs/rules.ts'
import { rowsOf } from '../../apps/telemetry/src/finalise/flush.ts'
import { reduceMedia } from '../../apps/telemetry/src/media/reducer.ts'
import { framesOf } from '../simulate/frames.ts'
import { cameraAtHome, type Random, whole } from '../simulate/movement.ts'
import { rehearse } from '../simulate/session.ts'
import { recordsOf } from './demo-history-records.ts'
import type { PastRun, Patient } from './demo-history-run.ts'

const WEEKS = 4
const DAY_MS = 24 * 3_600_000
const COMES = 0.85
/** Few frames without noise, so that the first start stays short. */
const FRAMES_PER_SECOND = 6
/** Closes the page without `session_end`. */
const VANISHES = 0.5

type Row = Record<string, unknown>

export async function hasRuns(databaseUrl: string, organizationId: string): Promise<boolean> {
  return connected(databaseUrl, async (client) => {
    const { rows } = await client.query(
      'select exists (select 1 from session_runs where organization_id = $1) as has_runs',
      [organizationId],
    )
    return rows[0]?.has_runs === true
  })
}

export async function seedHistory(
  config: Config,
  databaseUrl: string,
  patientIds: readonly string[],
  { now = new Date(), weeks = WEEKS } = {},
): Promise<void> {
  await connected(databaseUrl, async (client) => {
    const patients = await listPatients(client, patientIds)
    const today = Math.floor(now.getTime() / DAY_MS) * DAY_MS
    const first = today - weeks * 7 * DAY_MS
    await backdate(client, patients, new Date(first - DAY_MS))
    const rows: Record<string, Row[]> = {}
    for (const [place, patient] of patients.entries()) {
      const runs = runsOf(patient, first, weeks, randomFrom(1_000 + place))
      for (const run of runs) {
        const written = { ...recordsOf(run), ...(await telemetryOf(config, run, run === runs.at(-1))) }
        for (const [table, more] of Object.entries(written)) (rows[table] ??= []).push(...more)
      }
    }
    for (const [table, all] of Object.entries(rows)) await insertAll(client, table, all)
    await client.query('select refresh_exercise_outcomes()')
  })
}

/** One transaction with the login of seeds, which bypasses row-level security. */
async function connected<Result>(databaseUrl: string, work: (client: pg.Client) => Promise<Result>): Promise<Result> {
  const client = new pg.Client({ connectionString: databaseUrl })
  await client.connect()
  try {
    await client.query('begin; set local role tendon_definer; set local search_path = public')
    const result = await work(client)
    await client.query('commit')
    return result
  } finally {
    await client.end()
  }
}

async function listPatients(client: pg.Client, ids: readonly string[]): Promise<Patient[]> {
  const { rows } = await client.query<Patient>(
    `select p.organization_id, p.patient_profile_id, t.id as treatment_plan_id,
       has_consent(p.patient_profile_id, p.organization_id, 'biometric_capture') as is_filmed,
       (select jsonb_agg(jsonb_build_object('id', s.id, 'exercises', (
          select jsonb_agg(jsonb_build_object('id', e.id, 'exercise_id', e.exercise_id, 'sets', e.sets, 'reps', e.reps,
              'hold_seconds', e.hold_seconds, 'rest_seconds', e.rest_seconds, 'side', e.side, 'pose_config', (
                select jsonb_build_object('id', c.id, 'version', c.version, 'tracking_enabled', c.tracking_enabled,
                  'engine_code', c.engine_code, 'config', c.config)
                from exercise_pose_configs c where c.exercise_id = e.exercise_id and c.status = 'active'
                order by c.version desc limit 1)) order by e.position)
          from session_exercises e where e.plan_session_id = s.id and e.removed_at is null)) order by s.position)
        from plan_sessions s where s.treatment_plan_id = t.id and s.removed_at is null) as sessions
     from unnest($1::uuid[]) with ordinality wanted (id, place)
     join patients p on p.id = wanted.id
     join treatment_plans t on t.organization_id = p.organization_id and t.patient_profile_id = p.patient_profile_id
       and t.status = 'active'
     order by wanted.place`,
    [ids],
  )
  return rows
}

/** The account of a patient with a history is older than the history. */
async function backdate(client: pg.Client, patients: readonly Patient[], to: Date): Promise<void> {
  const profiles = patients.map(({ patient_profile_id }) => patient_profile_id)
  for (const [table, columns] of [
    ['patients', ['created_at']],
    ['consents', ['granted_at', 'created_at']],
    ['treatment_plans', ['created_at', 'activated_at']],
  ] as const) {
    const set = columns.map((column) => `${column} = $2`).join(', ')
    await client.query(`update ${table} set ${set} where patient_profile_id = any ($1::uuid[])`, [profiles, to])
  }
}

/** On three days a week, the sessions of the plan in rotation; the patient improves. */
function runsOf(patient: Patient, first: number, weeks: number, random: Random): PastRun[] {
  const camera = patient.is_filmed ? { ...cameraAtHome(random, FRAMES_PER_SECOND), noise: 0 } : null
  const days = [0, 2, 4].map((day) => day + whole(random, 0, 1))
  const hour = whole(random, 6, 16)
  const runs: PastRun[] = []
  for (let week = 0; week < weeks; week += 1)
    for (const day of days) {
      if (random() > COMES) continue
      const planned = patient.sessions[runs.length % patient.sessions.length]
      if (!planned) continue
      const started = first + (week * 7 + day) * DAY_MS + Math.round((hour + 2 * random()) * 3_600_000)
      const progress = (week + random()) / weeks
      const exercises = planned.exercises.map((one) => ({
        ...one,
        pose_config: manifestOf([one])[0]?.pose_config ?? null,
      }))
      const session = rehearse(exercises, { camera, progress }, random)
      const vanished = session.ending === 'left' && random() < VANISHES
      runs.push({ id: idAt(started, random), patient, plan_session_id: planned.id, started, session, vanished })
    }
  return runs
}

/** As the telemetry service writes it; keeps the replay of one run per patient. */
async function telemetryOf(config: Config, run: PastRun, isLast: boolean): Promise<Record<string, Row[]>> {
  const { id: run_id, patient, started, session, vanished } = run
  const { organization_id, patient_profile_id } = patient
  const planned = patient.sessions.find(({ id }) => id === run.plan_session_id)?.exercises ?? []
  const items: ManifestItem[] = manifestOf(planned)
  const events = session.acts.flatMap((act): MediaEvent[] => {
    if (act.kind !== 'media' || (vanished && act.event === 'session_end')) return []
    const { event, media_id, data } = act
    const timestamp = new Date(started + act.at_ms).toISOString()
    return [{ event, session_id: run_id, media_id, media_type: 'video', timestamp, data }]
  })
  const media = reduceMedia(events)
  const batches = [...framesOf(session)]
  const recordingId = idOf(run_id)
  const key = `replays/${organization_id}/${run_id}/v1-${recordingId}.gz`
  const replay = isLast && batches.length > 0 ? await storeReplay(config, key, batches.map(encodeBatch)) : undefined
  const written = rowsOf({
    runId: run_id,
    recordingId,
    profileId: patient_profile_id,
    version: 1,
    baseVersion: 0,
    hasEnded: !vanished,
    isDamaged: false,
    media,
    views: [],
    events,
    pose: batches.length > 0 ? measure(batches, { spans: media.spans, exercises: items }) : undefined,
    exerciseIds: new Map(items.map(({ media_id, exercise_id }) => [media_id, exercise_id])),
    replay: replay && { ...replay, key, frames: batches.reduce((sum, one) => sum + one.timestamps.length, 0) },
  })
  const created_at = new Date(started + session.end_ms + 2_000).toISOString()
  const owner = { organization_id, run_id, patient_profile_id }
  const taken = { recording_id: recordingId, version: 1, reason: vanished ? 'silence' : 'ended' }
  return {
    run_manifests: [{ ...owner, items, created_at: new Date(started).toISOString() }],
    run_finalisations: [{ ...owner, ...taken, claimed_at: created_at, flushed_at: created_at }],
    ...Object.fromEntries(
      Object.entries(written).map(([table, rows]) => [table, rows.map((row) => ({ ...owner, ...row, created_at }))]),
    ),
  }
}

async function storeReplay(config: Config, key: string, batches: Uint8Array[]) {
  const body = gzipSync(Buffer.concat(batches), { level: 4 })
  const options = { contentType: 'application/gzip', maxBytes: body.length }
  const { bytes } = await openObjectStore(config).put(key, body, options)
  return { bytes, batches: batches.length, capture: null, unreadable: 0 }
}

/** Inserts rows with the same keys. */
async function insertAll(client: pg.Client, table: string, rows: readonly Row[]): Promise<void> {
  const [first] = rows
  if (!first) return
  const columns = Object.keys(first)
    .map((column) => pg.escapeIdentifier(column))
    .join(', ')
  await client.query(
    `insert into ${table} (${columns}) select ${columns} from jsonb_populate_recordset(null::${table}, $1)`,
    [JSON.stringify(rows)],
  )
}

/** A UUID of version 7: its first half is the time. */
function idAt(ms: number, random: Random): string {
  const part = (digits: number) =>
    whole(random, 0, 16 ** digits - 1)
      .toString(16)
      .padStart(digits, '0')
  const time = ms.toString(16).padStart(12, '0')
  return `${time.slice(0, 8)}-${time.slice(8)}-7${part(3)}-8${part(3)}-${part(6)}${part(6)}`
}

const idOf = (runId: string): string => {
  const hash = createHash('sha256').update(runId).digest('hex')
  return `${runId.slice(0, 14)}7${hash.slice(0, 3)}-8${hash.slice(3, 6)}-${hash.slice(6, 18)}`
}
