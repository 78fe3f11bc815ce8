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
import type { Feature } from '../../features.ts'
import { resolveLanguage } from '../../platform/language.ts'
import { inOrder, listMySessions, type StoredSession } from '../programs/index.ts'
import { treatmentPlanNotFound } from './errors.ts'
import { findExerciseTexts, findMyPlan, listMyPlans } from './my-queries.ts'
import { translated } from './rules.ts'

export const myRoutes: Feature = (app) => {
  app.get(
    '/v1/me/treatment-plans',
    {
      config: { access: patient(), summary: 'The treatment plans that were given to you, at each of your clinics' },
      schema: { querystring: listParameters(myTreatmentPlanList), response: { 200: Many(MyTreatmentPlanSummary) } },
    },
    async (request) => {
      const list = parseList(myTreatmentPlanList, request.query)
      const { rows, total } = await request.tenant((tx) => listMyPlans(tx, list))
      return { data: rows, pagination: pageOf(list, total) }
    },
  )

  app.get(
    '/v1/me/treatment-plans/:id',
    {
      config: {
        access: patient(),
        summary: 'A treatment plan of yours, with its sessions and how to do each exercise, in your language',
        refusals: [treatmentPlanNotFound],
      },
      schema: { params: ById, response: { 200: One(MyTreatmentPlan) } },
    },
    async (request) => ({
      data: await request.tenant((tx) => readMyPlan(tx, request.params.id, request.caller.preferred_language)),
    }),
  )
}

async function readMyPlan(tx: TenantTx, id: string, preferredLanguage: string | null): Promise<MyTreatmentPlan> {
  const plan = await findMyPlan(tx, id)
  if (!plan) throw treatmentPlanNotFound()
  const language = resolveLanguage(preferredLanguage, plan.organization_language)
  const sessions = await listMySessions(tx, id)
  const { exercises, instructions } = await findExerciseTexts(
    tx,
    inOrder(sessions).map(({ exercise }) => exercise.id),
  )
  const inLanguage = (entry: StoredSession['exercises'][number]) => {
    const texts = exercises.get(entry.id)
    if (!texts) throw new Error(`the exercise of ${entry.id} is missing`)
    const steps = instructions.get(entry.exercise_id) ?? []
    return {
      ...entry,
      ...translated(texts, language),
      instructions: steps.map((step) => translated(step, language)),
    }
  }
  return {
    ...plan,
    sessions: sessions.map((session) => ({ ...session, exercises: session.exercises.map(inLanguage) })),
  }
}
