import {
  ById,
  EvaluationQueued,
  EvaluationStatus,
  One,
  PatientEvaluation,
  SegmentPreview,
  SegmentPreviewRequest,
} from '@tendon/contracts'
import { permission, processingRestricted } from '@tendon/http'
import type { Routes } from '../../../feature.ts'
import { addJob } from '../../../platform/jobs.ts'
import { recorder } from '../../../platform/recorder.ts'
import { findPatient, patientResource } from '../../people/patients/index.ts'
import { evaluationFailed, patientUnknown, segmentNotFound } from './errors.ts'
import { evaluatePatient, previewSegment } from './evaluation.ts'
import { patientChanged } from './index.ts'
import { REBUILD_JOB } from './job-names.ts'
import { findEvaluation, findSegment } from './queries.ts'
import { estimateSeconds, queueEvaluation } from './queue-queries.ts'
import { evaluating, INTERACTIVE_TIMEOUTS, mustSeePatients, readBody, SEGMENTS } from './request.ts'

const recordPatient = recorder({
  ...patientResource,
  acts: { evaluated: { action: 'segments.evaluate_patient', crud: 'U' } },
})

export const evaluationRoutes: Routes = (app, services) => {
  app.post(
    '/v1/segments/:id/evaluate',
    {
      config: {
        ...SEGMENTS,
        access: permission('segments.manage'),
        summary: 'Re-evaluate a segment in the background',
        refusals: [segmentNotFound],
      },
      schema: { params: ById, response: { 202: EvaluationQueued } },
    },
    async (request, reply) => {
      const queued = await request.tenant(async (tx) => {
        const segment = await findSegment(tx, request.params.id)
        if (!segment) throw segmentNotFound()
        const job_id = await queueEvaluation(tx, segment.id)
        await addJob(tx, REBUILD_JOB, {}, { key: 'waiting' })
        const target = { type: 'segment', id: segment.id, label: segment.name }
        await request.audit(tx, { action: 'segments.evaluate', crud: 'U', target })
        return { status: 'queued' as const, job_id, estimated_time: await estimateSeconds(tx, segment.id) }
      })
      return reply.code(202).send(queued)
    },
  )

  app.get(
    '/v1/segments/:id/evaluation-status',
    {
      config: {
        ...SEGMENTS,
        access: permission('segments.view'),
        summary: 'Get the status of the last evaluation of a segment',
        refusals: [segmentNotFound],
      },
      schema: { params: ById, response: { 200: EvaluationStatus } },
    },
    async (request) => {
      const evaluation = await request.tenant((tx) => findEvaluation(tx, request.params.id))
      if (!evaluation) throw segmentNotFound()
      return evaluation
    },
  )

  app.post(
    '/v1/segments/preview',
    {
      config: {
        ...SEGMENTS,
        access: permission('segments.manage'),
        summary: 'Preview a segment',
        description: 'Returns how many patients match the rules, and some of them. Nothing is saved.',
        refusals: [evaluationFailed],
      },
      schema: { body: SegmentPreviewRequest, response: { 200: One(SegmentPreview) } },
    },
    async (request) => {
      mustSeePatients(request)
      const definition = await request.tenant((tx) => readBody(tx, request, SegmentPreviewRequest))
      const preview = await evaluating(services, request, (tx) =>
        previewSegment(tx, definition, services, INTERACTIVE_TIMEOUTS),
      )
      if ('broken' in preview) throw evaluationFailed({ segment_id: null, patient_id: null, ...preview.broken })
      return { data: preview }
    },
  )

  app.post(
    '/v1/patients/:id/evaluate-segments',
    {
      config: {
        ...SEGMENTS,
        access: permission('segments.manage'),
        operationId: 'evaluatePatientSegments',
        summary: 'Re-evaluate the segments of a patient',
        description: 'Evaluates them now. The response contains the result.',
        refusals: [patientUnknown, evaluationFailed],
      },
      schema: { params: ById, response: { 200: PatientEvaluation } },
    },
    async (request) => {
      mustSeePatients(request)
      const patient = await request.tenant((tx) => findPatient(tx, request.params.id))
      if (!patient || patient.deleted_at !== null) throw patientUnknown()
      if (patient.restricted_at !== null) throw processingRestricted()
      const outcome = await evaluating(services, request, async (tx) => {
        const found = await evaluatePatient(tx, patient.id, services)
        if (!found) throw patientUnknown()
        if (found.left > 0) await patientChanged(tx, patient.id)
        const { added_to, removed_from } = found
        const changes = Object.entries({ added_to, removed_from })
          .filter(([, ids]) => ids.length > 0)
          .map(([field, ids]) => ({ field, before: null, after: ids }))
        await recordPatient.evaluated(request, tx, patient, patient, { changes })
        return found
      })
      // The others are evaluated all the same.
      const [broken] = outcome.broken
      if (broken) throw evaluationFailed({ patient_id: patient.id, ...broken })
      const { evaluated, added_to, removed_from } = outcome
      return { evaluated, added_to, removed_from }
    },
  )
}
