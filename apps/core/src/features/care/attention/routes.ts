import {
  AttentionItem,
  AttentionMarkChange,
  AttentionParameters,
  AttentionQuery,
  Choices,
  MarkedAttention,
  One,
} from '@tendon/contracts'
import { membership, processingRestricted, validationFailed } from '@tendon/http'
import type { Routes } from '../../../feature.ts'
import { findAttention, listAttention } from './attention.ts'
import { attentionNotFound } from './errors.ts'
import { findMark, lockMark, lockPatient, MARKING_ATTENTION, READING_ATTENTION, saveMark } from './mark-queries.ts'
import { problemOfUntil } from './rules.ts'

export const attentionRoutes: Routes = (app, { now }) => {
  app.get(
    '/v1/attention',
    {
      config: {
        access: membership(),
        patientData: true,
        contentTag: true,
        service: READING_ATTENTION,
        summary: 'List what needs attention',
        description:
          'Returns at most 100 facts, by weight and then by time: of each kind only with the permission of its list. What was done today comes last, with who did it; what is snoozed is left out until then.',
      },
      schema: { querystring: AttentionQuery, response: { 200: Choices(AttentionItem) } },
    },
    async (request) => {
      const { scope = 'clinic' } = request.query
      return { data: await request.tenant((tx) => listAttention(tx, { caller: request.caller, now: now(), scope })) }
    },
  )

  app.put(
    '/v1/attention/:key',
    {
      config: {
        access: membership(),
        patientData: true,
        service: MARKING_ATTENTION,
        summary: 'Mark what needs attention',
        description: 'Marks are shared by the clinic, and the last one counts. A new fact has a new key, and no mark.',
        refusals: [attentionNotFound, processingRestricted],
      },
      schema: { params: AttentionParameters, body: AttentionMarkChange, response: { 200: One(MarkedAttention) } },
    },
    (request) =>
      request.tenant(async (tx) => {
        const { params, body, caller } = request
        const problem = problemOfUntil(body, now())
        if (problem !== undefined) throw validationFailed({ fields: { until: problem } })
        const fact = await findAttention(tx, { caller, now: now(), key: params.key })
        if (!fact) throw attentionNotFound()
        const { key, patient_profile_id } = fact
        if (patient_profile_id !== null && !(await lockPatient(tx, patient_profile_id))) throw attentionNotFound()
        await lockMark(tx, key)
        const before = await findMark(tx, key)
        await saveMark(tx, { key, patient_profile_id }, body, now())
        const mark = await findMark(tx, key)
        if (!mark) throw attentionNotFound()
        await request.audit(tx, {
          action: 'attention.mark',
          crud: 'U',
          target: { type: 'attention', id: null, label: key },
          changes: [
            { field: 'state', before: before?.state ?? 'open', after: mark.state },
            { field: 'until', before: before?.until ?? null, after: mark.until },
          ],
          ...(patient_profile_id === null ? {} : { patientProfileId: patient_profile_id }),
        })
        return { data: { key, mark } }
      }),
  )
}
