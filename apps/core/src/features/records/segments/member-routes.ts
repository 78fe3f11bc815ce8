import { holds } from '@tendon/access'
import {
  ById,
  MAX_SEGMENT_MEMBERS_PAGE,
  One,
  PatientSegments,
  SEGMENT_MEMBERS_PAGE_DEFAULT,
  SegmentExplainParams,
  SegmentExplanation,
  SegmentMembers,
  segmentMemberParameters,
} from '@tendon/contracts'
import type { TenantTx } from '@tendon/db'
import { parseList, permission, processingRestricted } from '@tendon/http'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Routes } from '../../../feature.ts'
import { recorder } from '../../../platform/recorder.ts'
import type { Services } from '../../../services.ts'
import { findPatient, patientResource } from '../../people/patients/index.ts'
import { evaluationFailed, freshTooSoon, ownExplanation, patientUnknown, segmentNotFound } from './errors.ts'
import { explainSegment, rebuildSegment } from './evaluation.ts'
import { findSegment, isMember, listMembers, listSegmentsOfPatient } from './queries.ts'
import { claimFreshEvaluation, completeEvaluation, findEvaluatedAt, insertRunningEvaluation } from './queue-queries.ts'
import { evaluating, INTERACTIVE_TIMEOUTS, mustSeePatients, SEGMENTS, VIEW_FORMS } from './request.ts'

/** "1 request per minute per segment". */
const FRESH_INTERVAL_MS = 60_000

const recordPatient = recorder({
  ...patientResource,
  acts: {
    read: { action: 'segments.read_patient', crud: 'R' },
    explained: { action: 'segments.explain', crud: 'R' },
  },
})

export const memberRoutes: Routes = (app, services) => {
  app.get(
    '/v1/segments/:id/members',
    {
      config: {
        ...SEGMENTS,
        access: permission('segments.view'),
        summary: 'List the members of a segment',
        description: 'With `fresh=true` the segment is re-evaluated first, at most once per minute.',
        refusals: [segmentNotFound, freshTooSoon],
      },
      schema: { params: ById, querystring: segmentMemberParameters, response: { 200: SegmentMembers } },
    },
    async (request, reply) => {
      mustSeePatients(request)
      const { page, perPage, fresh } = pageOf(request.query)
      const segment = await request.tenant((tx) => findSegment(tx, request.params.id))
      if (!segment) throw segmentNotFound()
      // Under break-glass nothing is evaluated: it opens data only to read.
      if (fresh && request.caller.break_glass_id === null) await refresh(services, request, reply, segment)
      const { rows, total } = await request.tenant((tx) => listMembers(tx, segment.id, page, perPage))
      const pagination = { page, per_page: perPage, total, total_pages: Math.ceil(total / perPage) }
      return { members: rows, pagination }
    },
  )

  app.get(
    '/v1/patients/:id/segments',
    {
      config: {
        ...SEGMENTS,
        access: permission('segments.view'),
        summary: 'List the segments of a patient',
        refusals: [patientUnknown],
      },
      schema: { params: ById, response: { 200: PatientSegments } },
    },
    (request) =>
      request.tenant(async (tx) => {
        mustSeePatients(request)
        const patient = await findPatient(tx, request.params.id)
        if (!patient) throw patientUnknown()
        await recordPatient.read(request, tx, patient)
        return { segments: await listSegmentsOfPatient(tx, patient.id) }
      }),
  )

  app.get(
    '/v1/segments/:id/members/:patientId/explain',
    {
      config: {
        ...SEGMENTS,
        access: permission('segments.view'),
        operationId: 'explainSegmentMember',
        summary: 'Explain the membership of a patient in a segment',
        description: 'Returns each rule with the value found and whether it matches.',
        refusals: [segmentNotFound, patientUnknown, ownExplanation, processingRestricted, evaluationFailed],
      },
      schema: { params: SegmentExplainParams, response: { 200: One(SegmentExplanation) } },
    },
    async (request) => {
      mustSeePatients(request)
      const { id, patientId } = request.params
      const [segment, patient] = await request.tenant((tx) =>
        Promise.all([findSegment(tx, id), findPatient(tx, patientId)]),
      )
      if (!segment) throw segmentNotFound()
      if (!patient || patient.deleted_at !== null) throw patientUnknown()
      // Not even without the values: the author of the rules could infer them from the result.
      if (request.caller.profile_ids?.includes(patient.patient_profile_id)) throw ownExplanation()
      if (patient.restricted_at !== null) throw processingRestricted()
      const [is_member, found] = await evaluating(services, request, (tx) =>
        Promise.all([
          isMember(tx, id, patientId),
          explainSegment(tx, segment, patientId, services),
          recordPatient.explained(request, tx, patient),
        ]),
      )
      if ('broken' in found) throw evaluationFailed({ segment_id: id, patient_id: patientId, ...found.broken })
      const seesForms = holds(request.caller, VIEW_FORMS)
      const rules = found.rules.map((one) =>
        one.rule.source === 'form' && !seesForms ? { ...one, value: null, withheld: true } : one,
      )
      const { match_mode } = segment
      return { data: { segment_id: id, patient_id: patientId, match_mode, matches: found.matches, is_member, rules } }
    },
  )
}

function pageOf({ page, per_page, fresh }: { page?: unknown; per_page?: unknown; fresh?: unknown }) {
  const list = parseList({ sort: [] }, { page, limit: per_page ?? String(SEGMENT_MEMBERS_PAGE_DEFAULT) })
  return { page: list.page, perPage: Math.min(list.limit, MAX_SEGMENT_MEMBERS_PAGE), fresh: fresh === 'true' }
}

/** Re-evaluates the members; when that fails, headers contain the age of the returned ones. */
async function refresh(
  services: Services,
  request: FastifyRequest,
  reply: FastifyReply,
  segment: { id: string; name: string },
) {
  const asEvaluator = <Result>(work: (tx: TenantTx) => Promise<Result>) => evaluating(services, request, work)
  const retryAfter = await asEvaluator(async (tx) => {
    const seconds = await claimFreshEvaluation(tx, segment.id, services.now(), FRESH_INTERVAL_MS)
    const target = { type: 'segment', id: segment.id, label: segment.name }
    if (seconds === 0) await request.audit(tx, { action: 'segments.evaluate', crud: 'U', target })
    return seconds
  })
  if (retryAfter === undefined) throw segmentNotFound()
  if (retryAfter > 0) throw freshTooSoon({ retry_after: retryAfter }, { 'retry-after': String(retryAfter) })
  const startedAt = performance.now()
  try {
    await asEvaluator(async (tx) => {
      const outcome = await rebuildSegment(tx, segment.id, services, INTERACTIVE_TIMEOUTS)
      if (outcome === undefined) return
      if ('broken' in outcome) throw new Error(outcome.broken.error)
      const evaluationId = await insertRunningEvaluation(tx, segment.id, services.now())
      await completeEvaluation(tx, evaluationId, outcome, services.now(), performance.now() - startedAt)
    })
  } catch (error) {
    request.log.warn({ err: error, segment: segment.id }, 'segment evaluation failed; members unchanged')
    const evaluatedAt = await asEvaluator((tx) => findEvaluatedAt(tx, segment.id))
    reply.header('x-segment-freshness', 'stale')
    if (evaluatedAt !== null) reply.header('x-segment-last-evaluated', evaluatedAt)
  }
}
