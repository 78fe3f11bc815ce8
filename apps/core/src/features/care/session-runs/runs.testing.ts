import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { AuditLog, SYSTEM, systemContext } from '@tendon/access'
import pino from 'pino'
import { createServices } from '../../../create-services.ts'
import type { Job, JobPayload, JobTools } from '../../../platform/jobs.ts'
import type { Answer, Json, Person, TestCore } from '../../../testing/core.ts'
import type { TestOrganization } from '../../../testing/people.ts'
import { plansOf } from '../treatment-plans/plans.testing.ts'

const POSE_CONFIG = {
  landmarks: ['left_hip', 'left_knee', 'left_ankle'],
  primary_angle: ['left_hip', 'left_knee', 'left_ankle'],
  thresholds: { up_degrees: 110, down_degrees: 160 },
}

/** A patient with an active plan of one session. */
export interface Patient {
  person: Person
  clinic: TestOrganization
  id: string
  profile_id: string
  plan_id: string
  plan_session_id: string
  /** Of the session, in order. */
  exercises: string[]
}

export function runsOf(core: TestCore) {
  const plans = plansOf(core)

  async function consent(of: { profile_id: string }, clinic: { id: string }, ...purposes: string[]): Promise<void> {
    await core.database.query(
      `insert into consents (organization_id, patient_profile_id, purpose_code, purpose_version, source)
       select $1, $2, unnest($3::text[]), 1, 'self_toggle'`,
      [clinic.id, of.profile_id, purposes],
    )
  }

  async function withdraw(of: { profile_id: string }, purpose: string): Promise<void> {
    await core.database.query(
      `update consents set withdrawn_at = now(), ended_as = 'withdrawn'
       where patient_profile_id = $1 and purpose_code = $2 and withdrawn_at is null`,
      [of.profile_id, purpose],
    )
  }

  const poseConfig = (exerciseId: string, version: number, values: object = {}) =>
    core.database.query(`insert into exercise_pose_configs (exercise_id, version, config) values ($1, $2, $3)`, [
      exerciseId,
      version,
      { ...POSE_CONFIG, ...values },
    ])

  interface Wish {
    person?: Person
    exercises?: (string | object)[]
    consents?: string[]
    programId?: string
  }

  /** Somebody who has agreed to everything and has a plan to work through. */
  async function patient(clinic: TestOrganization, wish: Wish = {}): Promise<Patient> {
    const person = wish.person ?? (await core.signIn())
    const record = await core.patient(clinic, person)
    await core.acceptAll(record)
    await consent(record, clinic, ...(wish.consents ?? ['telerehab', 'biometric_capture']))
    const exercises = wish.exercises ?? [await plans.exercise(null), await plans.exercise(null, 'Lunge')]
    const plan = await plans.given(clinic, record.id, exercises)
    if (wish.programId !== undefined)
      await core.database.query('update treatment_plans set program_id = $2 where id = $1', [plan.id, wish.programId])
    const [session] = plan.sessions
    return {
      person,
      clinic,
      id: record.id,
      profile_id: record.profile_id,
      plan_id: plan.id,
      plan_session_id: session.id,
      exercises: session.exercises.map((one: Json) => one.id),
    }
  }

  const start = ({ person, plan_session_id }: Patient, headers: Record<string, string> = {}): Promise<Answer> =>
    core.post('/v1/session-runs', { as: person, body: { plan_session_id }, headers })

  async function started(of: Patient): Promise<string> {
    const answer = await start(of)
    assert.equal(answer.status, 200, answer.text)
    return answer.body.run_id
  }

  const write = (of: Patient, runId: string, what: string, body: object) =>
    core.post(`/v1/session-runs/${runId}/${what}`, { as: of.person, body })
  const event = (of: Patient, runId: string, body: object) =>
    write(of, runId, 'exercise-event', {
      client_event_id: randomUUID(),
      session_exercise_id: of.exercises[0],
      type: 'started',
      ...body,
    })
  const pain = (of: Patient, runId: string, body: object = {}) =>
    write(of, runId, 'pain', { severity: 4, action: 'rest', ...body })
  const end = (of: Patient, runId: string, termination = 'ended_explicit') => write(of, runId, 'end', { termination })
  const feedback = (of: Patient, runId: string, body: object = {}) =>
    write(of, runId, 'feedback', { perceived_exertion: 5, pain: 2, ...body })

  /** Completes every exercise and ends naturally. */
  async function done(of: Patient): Promise<string> {
    const runId = await started(of)
    for (const session_exercise_id of of.exercises) await event(of, runId, { session_exercise_id, type: 'completed' })
    assert.equal((await end(of, runId, 'ended_naturally')).status, 200)
    return runId
  }

  const stored = async (runId: string) => {
    const [run] = await core.database.query<{ status: string; ended_at: Date | null }>(
      'select status, ended_at from session_runs where id = $1',
      [runId],
    )
    const events = await core.database.query<{
      session_exercise_id: string
      type: string
      client_event_id: string | null
    }>(
      'select session_exercise_id, type, client_event_id from session_run_events where session_run_id = $1 order by created_at, id',
      [runId],
    )
    assert.ok(run)
    return { ...run, events }
  }

  /** Types of the events in the outbox about a run. */
  const published = async (runId: string) =>
    core.database.query<{ type: string; payload: Json }>(
      `select type, payload from outbox_events where payload ->> 'session_run_id' = $1 order by id`,
      [runId],
    )
  /** The actions in the log about a run, by name: those of one transaction have no order. */
  const audited = async (runId: string): Promise<string[]> =>
    (
      await core.database.query<{ action: string }>(
        'select action from audit_log where target_id = $1 order by action',
        [runId],
      )
    ).map(({ action }) => action)

  const restrict = (of: Patient, restricted = true) =>
    core.database.query(`update patients set restricted_at = case when $2 then now() end where id = $1`, [
      of.id,
      restricted,
    ])

  const silent = (runId: string, hours = 3) =>
    core.database.query(`update session_runs set last_event_at = now() - make_interval(hours => $2) where id = $1`, [
      runId,
      hours,
    ])

  const writing = { start, started, event, pain, end, feedback, done, restrict, silent }
  return { ...plans, consent, withdraw, poseConfig, patient, ...writing, stored, published, audited }
}

export type TestRuns = ReturnType<typeof runsOf>

/** Runs jobs as a worker would, one at a time and on demand. */
export function workerOf(core: TestCore) {
  const services = createServices(core.config, 'tendon_worker', core.database.url)
  const auditLog = new AuditLog(services.box)
  const run = (job: Job | undefined, payload: JobPayload = {}, organizationId: string | null = null) => {
    assert.ok(job)
    const tools: JobTools = {
      services,
      log: pino({ level: 'silent' }),
      organizationId,
      tenant: (work, options) => services.db.tenant(systemContext(organizationId), work, options),
      audit: (tx, entry) => auditLog.write(tx, { ...SYSTEM, organizationId }, entry),
      lastAttempt: false,
      signal: new AbortController().signal,
    }
    return job.run(payload, tools)
  }
  return { services, run, close: () => services.close() }
}
