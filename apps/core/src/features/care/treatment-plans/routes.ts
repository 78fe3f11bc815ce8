import { changesBetween } from '@tendon/access'
import {
  ById,
  listParameters,
  MAX_SESSIONS_BYTES,
  Many,
  NewTreatmentPlan,
  NoContent,
  One,
  TreatmentPlan,
  TreatmentPlanReplacement,
  TreatmentPlanSummary,
  treatmentPlanList,
} from '@tendon/contracts'
import type { TenantTx } from '@tendon/db'
import { pageOf, parseList, permission, processingRestricted, validationFailed } from '@tendon/http'
import type { FastifyRequest } from 'fastify'
import type { Routes } from '../../../feature.ts'
import { recorder } from '../../../platform/recorder.ts'
import {
  findPatient,
  LOCKING_PATIENT,
  patientNotFound,
  patientResource,
  setFirstLead,
} from '../../people/patients/index.ts'
import { mustSeePatients, openPatient, READING_CONTRAINDICATED } from '../patient-conditions/index.ts'
import { acceptSessions, deleteSessions, mustSeePlans, saveSessions } from '../programs/index.ts'
import {
  contraindicated,
  exercisesUnavailable,
  overrideRequired,
  planClosed,
  planEmpty,
  planNotDraft,
  programArchived,
  treatmentPlanNotFound,
} from './errors.ts'
import { draftOf, loadPlan, openPlan, ownerOf, present, record, recordOverrides, WRITING_PLAN } from './plan.ts'
import { deletePlan, insertPlan, listPlans, updatePlan } from './queries.ts'
import { isComplete, isOpen, problemsOfDays } from './rules.ts'
import { CHECKING_SAFETY, checkSafety, withBlocks } from './safety.ts'

const VIEW = permission('treatment_plans.view_org')
const MANAGE = permission('treatment_plans.manage')

function refuseWrongDays(body: { starts_on?: string | null; ends_on?: string | null }): void {
  const fields = problemsOfDays(body)
  if (Object.keys(fields).length > 0) throw validationFailed({ fields })
}

const recordPatient = recorder({ ...patientResource, acts: { listed: { action: 'treatment_plans.list', crud: 'R' } } })

/** Listing the plans of one patient is an access to that patient's record. */
async function auditListOf(request: FastifyRequest, tx: TenantTx, patientIds: readonly string[] = []): Promise<void> {
  for (const id of patientIds) {
    const patient = await findPatient(tx, id)
    if (patient) await recordPatient.listed(request, tx, patient)
  }
}

export const treatmentPlanRoutes: Routes = (app) => {
  app.get(
    '/v1/treatment-plans',
    {
      config: {
        access: VIEW,
        service: READING_CONTRAINDICATED,
        patientData: true,
        summary: 'List treatment plans',
      },
      schema: { querystring: listParameters(treatmentPlanList), response: { 200: Many(TreatmentPlanSummary) } },
    },
    async (request) => {
      mustSeePatients(request)
      const list = parseList(treatmentPlanList, request.query)
      return request.tenant(async (tx) => {
        await auditListOf(request, tx, list.filters.patient_id)
        const { rows, total } = await listPlans(tx, list)
        return { data: await withBlocks(tx, rows), pagination: pageOf(list, total) }
      })
    },
  )

  app.get(
    '/v1/treatment-plans/:id',
    {
      config: {
        access: VIEW,
        service: CHECKING_SAFETY,
        patientData: true,
        summary: 'Get a treatment plan',
        description: 'Includes the findings of today’s safety check. Access is logged.',
        refusals: [treatmentPlanNotFound],
      },
      schema: { params: ById, response: { 200: One(TreatmentPlan) } },
    },
    async (request) => {
      mustSeePatients(request)
      return request.tenant(async (tx) => {
        const plan = await loadPlan(tx, request.params.id)
        await record.read(request, tx, plan)
        return { data: await present(tx, plan) }
      })
    },
  )

  app.post(
    '/v1/treatment-plans',
    {
      config: {
        access: MANAGE,
        service: WRITING_PLAN,
        patientData: true,
        idempotent: true,
        summary: 'Create a treatment plan',
        description: 'Creates a draft for a patient, either empty or from a program.',
        refusals: [
          patientNotFound,
          processingRestricted,
          programArchived,
          exercisesUnavailable,
          contraindicated,
          overrideRequired,
        ],
      },
      bodyLimit: MAX_SESSIONS_BYTES,
      schema: { body: NewTreatmentPlan, response: { 201: One(TreatmentPlan) } },
    },
    (request, reply) =>
      request.tenantCreate(reply, async (tx) => {
        const { body } = request
        mustSeePlans(request)
        refuseWrongDays(body)
        const { patient_profile_id } = await openPatient(request, tx, body.patient_id)
        const draft = await draftOf(tx, body)
        const { sessions: wanted, overrides } = await checkSafety(tx, patient_profile_id, [], draft.sessions)
        const of = { patient_profile_id, program_id: body.program_id ?? null }
        const id = await insertPlan(tx, of, { ...body, title: draft.title })
        const owner = { treatment_plan_id: id, patient_profile_id }
        await saveSessions(tx, owner, { before: [], wanted, keep: false })
        await setFirstLead(request, tx, body.patient_id, { human_id: request.caller.principal_id })
        const after = await loadPlan(tx, id)
        await record.created(request, tx, after)
        await recordOverrides(request, tx, after, overrides)
        return { data: await present(tx, after) }
      }),
  )

  app.put(
    '/v1/treatment-plans/:id',
    {
      config: {
        access: MANAGE,
        service: WRITING_PLAN,
        patientData: true,
        versioned: 'version',
        summary: 'Update a treatment plan',
        description: 'Replaces a draft or active plan and its sessions.',
        refusals: [
          treatmentPlanNotFound,
          patientNotFound,
          processingRestricted,
          planClosed,
          planEmpty,
          contraindicated,
          overrideRequired,
        ],
      },
      bodyLimit: MAX_SESSIONS_BYTES,
      schema: { params: ById, body: TreatmentPlanReplacement, response: { 200: One(TreatmentPlan) } },
    },
    (request) =>
      request.tenant(async (tx) => {
        const { body } = request
        refuseWrongDays(body)
        const before = await openPlan(request, tx, request.params.id)
        if (!isOpen(before.status)) throw planClosed({ status: before.status })
        await request.mustMatch(tx, before, () => present(tx, before))
        const accepted = await acceptSessions(tx, before.sessions, body.sessions)
        if (before.status === 'active' && !isComplete(accepted)) throw planEmpty()
        const checked = await checkSafety(tx, before.patient_profile_id, before.sessions, accepted)
        await updatePlan(tx, before.id, body)
        await saveSessions(tx, ownerOf(before), {
          before: before.sessions,
          wanted: checked.sessions,
          keep: before.activated_at !== null,
        })
        const after = await loadPlan(tx, before.id)
        const { overrides } = checked
        await record.updated(request, tx, before, after)
        await recordOverrides(request, tx, after, overrides)
        return { data: await present(tx, after) }
      }),
  )

  app.delete(
    '/v1/treatment-plans/:id',
    {
      config: {
        access: MANAGE,
        service: LOCKING_PATIENT,
        versioned: 'header',
        patientData: true,
        summary: 'Delete a treatment plan',
        description: 'Only a draft can be deleted.',
        refusals: [treatmentPlanNotFound, patientNotFound, processingRestricted, planNotDraft],
      },
      schema: { params: ById, response: { 204: NoContent } },
    },
    async (request, reply) => {
      await request.tenant(async (tx) => {
        const plan = await openPlan(request, tx, request.params.id)
        if (plan.status !== 'draft') throw planNotDraft()
        await request.mustMatch(tx, plan)
        await deleteSessions(tx, plan.sessions)
        await deletePlan(tx, plan.id)
        const changes = changesBetween({}, plan).map(({ field, after }) => ({ field, before: after, after: null }))
        await record.deleted(request, tx, plan, undefined, { changes })
      })
      return reply.code(204).send(null)
    },
  )
}
