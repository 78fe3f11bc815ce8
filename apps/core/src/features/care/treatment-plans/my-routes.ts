import { resolveLanguage } from '@tendon/access'
import {
  ById,
  listParameters,
  Many,
  MyTreatmentPlan,
  MyTreatmentPlanSummary,
  myTreatmentPlanList,
  One,
} from '@tendon/contracts'
import type { TenantTx } from '@tendon/db'
import { pageOf, parseList, patient } from '@tendon/http'
import { playableUrls, type Signers } from '@tendon/video-host'
import type { Routes } from '../../../feature.ts'
import { inOrder, listMySessions } from '../programs/index.ts'
import { treatmentPlanNotFound } from './errors.ts'
import { withHowTo } from './for-patient.ts'
import { findMyPlan, listMyPlans } from './my-queries.ts'

export const myRoutes: Routes = (app, services) => {
  app.get(
    '/v1/me/treatment-plans',
    {
      config: {
        access: patient(),
        summary: 'List your treatment plans',
        description: 'Returns your plans at each of your clinics.',
      },
      schema: { querystring: listParameters(myTreatmentPlanList), response: { 200: Many(MyTreatmentPlanSummary) } },
    },
    async (request) => {
      const list = parseList(myTreatmentPlanList, request.query)
      const { rows, total } = await request.findPage((tx) => listMyPlans(tx, list))
      return { data: rows, pagination: pageOf(list, total) }
    },
  )

  app.get(
    '/v1/me/treatment-plans/:id',
    {
      config: {
        access: patient(),
        secretAnswer: true,
        summary: 'Get one of your treatment plans',
        description: 'Includes its sessions and the instructions of each exercise in your language.',
        refusals: [treatmentPlanNotFound],
      },
      schema: { params: ById, response: { 200: One(MyTreatmentPlan) } },
    },
    async (request) => {
      const { preferred_language } = request.caller
      const plan = await request.tenant((tx) => readMyPlan(tx, request.params.id, preferred_language))
      return { data: await withMedia(services, plan) }
    },
  )
}

async function withMedia(signers: Signers, { sessions, ...plan }: MyTreatmentPlan): Promise<MyTreatmentPlan> {
  const withExercises = sessions.map(async (session) => ({
    ...session,
    exercises: await Promise.all(session.exercises.map((one) => playableUrls(signers, one))),
  }))
  return { ...plan, sessions: await Promise.all(withExercises) }
}

async function readMyPlan(tx: TenantTx, id: string, preferredLanguage: string | null): Promise<MyTreatmentPlan> {
  const plan = await findMyPlan(tx, id)
  if (!plan) throw treatmentPlanNotFound()
  const language = resolveLanguage(preferredLanguage, plan.organization_language)
  const sessions = await listMySessions(tx, id)
  const entries = await withHowTo(
    tx,
    inOrder(sessions).map(({ exercise }) => exercise),
    language,
  )
  const shown = new Map(entries.map((entry) => [entry.id, entry]))
  return {
    ...plan,
    sessions: sessions.map((session) => ({
      ...session,
      exercises: session.exercises.flatMap(({ id: entryId }) => shown.get(entryId) ?? []),
    })),
  }
}
