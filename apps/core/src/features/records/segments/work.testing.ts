import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { systemContext } from '@tendon/access'
import type { SegmentRule } from '@tendon/contracts'
import { until } from '@tendon/testing'
import { buildWorker } from '../../../build-worker.ts'
import { createServices } from '../../../create-services.ts'
import type { Services } from '../../../services.ts'
import { type CallOptions, type Json, startCore } from '../../../testing/core.ts'
import type { TestOrganization } from '../../../testing/people.ts'
import { rebuildSegment } from './evaluation.ts'
import { patientChanged } from './index.ts'

interface Patient {
  id: string
  profile_id: string
  organization_id: string
}

/** A core API with a worker beside it. Fields, values and forms are written by SQL, so that no test needs their features. */
export async function startSegments(replaced: Partial<Services> = {}) {
  const core = await startCore({ services: replaced })
  const made = createServices(core.config, 'tendon_worker', core.database.url)
  const services = { ...made, ...replaced }
  const log: string[] = []
  const worker = await buildWorker(services, core.database.url, { logStream: { write: (line) => void log.push(line) } })
  const { query } = core.database

  async function field(of: { id: string }, type: string, entity = 'patient'): Promise<string> {
    const id = randomUUID()
    await query(
      `insert into custom_fields (id, organization_id, entity_type, key, label, field_type, options) values ($1, $2, $3, $4, $4, $5, $6)`,
      [id, of.id, entity, `f_${id}`, type, ['select', 'radio', 'checkbox'].includes(type) ? ['knee', 'hip'] : null],
    )
    return id
  }

  async function template(of: { id: string }, fieldIds: string[]): Promise<string> {
    const id = randomUUID()
    const fields = JSON.stringify(fieldIds.map((custom_field_id) => ({ custom_field_id })))
    await query(
      `insert into form_templates (id, organization_id, title, type, fields, version, status) values ($1, $2, 'Intake', 'intake', $3, 1, 'published')`,
      [id, of.id, fields],
    )
    await query(
      `insert into form_template_versions (organization_id, form_template_id, version, title, type, fields, translations, consent_purposes)
       values ($1, $2, 1, 'Intake', 'intake', $3, '{}', '{}')`,
      [of.id, id, fields],
    )
    return id
  }

  async function value(patient: Patient, fieldId: string, given: unknown): Promise<void> {
    await query(
      `insert into custom_field_values (organization_id, custom_field_id, entity_id, value) values ($1, $2, $3, $4)
       on conflict (custom_field_id, entity_id) do update set value = excluded.value`,
      [patient.organization_id, fieldId, patient.id, JSON.stringify(given)],
    )
  }

  async function form(
    patient: Patient,
    templateId: string,
    values: Record<string, unknown>,
    { status = 'completed', completedAt = '2026-01-01' } = {},
  ): Promise<void> {
    const keyed = Object.fromEntries(Object.entries(values).map(([id, one]) => [`field_${id}`, one]))
    await query(
      `insert into forms (organization_id, form_template_id, template_version, patient_profile_id, title, type, fields, values, status, completed_at)
       values ($1, $2, 1, $3, 'Intake', 'intake', '[]', $4, $5, $6)`,
      [
        patient.organization_id,
        templateId,
        patient.profile_id,
        JSON.stringify(keyed),
        status,
        status === 'completed' ? completedAt : null,
      ],
    )
  }

  /** What profiles and forms do after a write, in a transaction of somebody who has no right to segments. */
  const changed = (patient: Patient) =>
    core.services.db.tenant(
      { principalId: null, organizationId: patient.organization_id, permissions: '', profileIds: [patient.profile_id] },
      (tx) => patientChanged(tx, patient.id),
    )

  async function segment(
    of: TestOrganization,
    rules: SegmentRule[],
    match_mode = 'all',
    name = 'Segment',
  ): Promise<string> {
    const answer = await core.post('/v1/segments', { as: of.admin, body: { name, match_mode, rules } })
    assert.equal(answer.status, 201, answer.text)
    await evaluated(of, answer.body.data.id)
    return answer.body.data.id
  }

  async function ok(method: string, path: string, options: CallOptions): Promise<Json> {
    const answer = await core.call(method, path, options)
    assert.ok(answer.status < 300, `${method} ${path}: ${answer.text}`)
    return answer.body
  }

  /** The last evaluation once it has come to an end. */
  const evaluated = (of: TestOrganization, id: string): Promise<Json> =>
    until(async () => {
      const status = await ok('GET', `/v1/segments/${id}/evaluation-status`, { as: of.admin })
      return ['completed', 'failed'].includes(status.status) ? status : undefined
    })

  async function members(of: TestOrganization, id: string): Promise<string[]> {
    const { members } = await ok('GET', `/v1/segments/${id}/members?per_page=200`, { as: of.admin })
    return members.map(({ patient_id }: { patient_id: string }) => patient_id).sort()
  }

  /** Waits until nothing is left to do in the background. A job that another replaced while it ran has no attempts left. */
  const quiet = () =>
    until(async () => {
      const [row] = await query<{ waiting: number }>(
        `select (select count(*) from graphile_worker.jobs where task_identifier like 'segments.%' and (attempts < max_attempts or locked_at is not null))
          + (select count(*) from outbox_events where dispatched_at is null) as waiting`,
      )
      return Number(row?.waiting) === 0
    })

  const events = async (segmentId: string) =>
    (
      await query<{ type: string; payload: Json; occurred_at: Date }>(
        `select type, payload, occurred_at from outbox_events where payload ->> 'segment_id' = $1 and type like 'segment.member.%' order by id`,
        [segmentId],
      )
    ).map(({ type, payload }) => ({ type, ...payload }))

  const inClinic = <Result>(of: { id: string }, work: Parameters<typeof services.db.tenant<Result>>[1]) =>
    services.db.tenant<Result>(systemContext(of.id), work)

  /** Runs `meanwhile` while the segment is being rebuilt: its new members are found, and not yet kept. */
  const rebuilding = <Result>(
    of: { id: string },
    segmentId: string,
    meanwhile: () => Promise<Result>,
  ): Promise<Result> =>
    inClinic(of, async (tx) => {
      await rebuildSegment(tx, segmentId, services, { lockWaitMs: 60_000, timeoutMs: 60_000 })
      return meanwhile()
    })

  return {
    ...core,
    rebuilding,
    workerServices: services,
    workerLog: log,
    field,
    template,
    value,
    form,
    changed,
    segment,
    ok,
    evaluated,
    members,
    quiet,
    events,
    inClinic,
    async close() {
      await worker.stop()
      await made.close()
      await core.close()
    },
  }
}

export type SegmentsCore = Awaited<ReturnType<typeof startSegments>>
