import { holds } from '@tendon/access'
import {
  ById,
  type Patient,
  TIMELINE_KINDS,
  TIMELINE_LIMIT_DEFAULT,
  Timeline,
  type TimelineEntry,
  TimelineQuery,
} from '@tendon/contracts'
import { permission, validationFailed } from '@tendon/http'
import type { Routes } from '../../../feature.ts'
import { recorder } from '../../../platform/recorder.ts'
import { findPatient, patientNotFound, patientResource } from '../patients/index.ts'
import { findMemberNames, listTimeline, NAMING_MEMBERS, type TimelineRow } from './queries.ts'
import { kindsSeen, parseBefore, parseKinds, positionText } from './rules.ts'

const recordTimeline = recorder({
  ...patientResource,
  acts: { read: { action: 'patients.read_timeline', crud: 'R' } },
})

export const timelineRoutes: Routes = (app) => {
  app.get(
    '/v1/patients/:id/timeline',
    {
      config: {
        access: permission('patients.view_org'),
        service: NAMING_MEMBERS,
        patientData: true,
        operationId: 'getPatientTimeline',
        summary: 'Get the timeline of a patient',
        description:
          'Returns what happened and future visits, newest first, of the kinds that you may list. Access is logged.',
        refusals: [patientNotFound],
      },
      schema: { params: ById, querystring: TimelineQuery, response: { 200: Timeline } },
    },
    (request) => {
      const { before: from, kind, limit = TIMELINE_LIMIT_DEFAULT } = request.query
      const before = from === undefined ? undefined : parseBefore(from)
      if (from !== undefined && !before)
        throw validationFailed({
          fields: { before: 'must be a time such as 2026-11-15T09:30:00Z, or next_before of another page' },
        })
      const asked = parseKinds(kind)
      if (!asked) throw validationFailed({ fields: { kind: `can only contain ${TIMELINE_KINDS.join(', ')}` } })
      const kinds = kindsSeen(asked, (code) => holds(request.caller, code))
      return request.tenant(async (tx) => {
        const patient = await findPatient(tx, request.params.id)
        if (!patient) throw patientNotFound()
        // One row more says whether there is another page.
        const rows = await listTimeline(tx, patient, { kinds, limit: limit + 1, before })
        const page = rows.slice(0, limit)
        const names = await findMemberNames(tx, actorsOf(page))
        await recordTimeline.read(request, tx, patient)
        const last = page.at(-1)
        return {
          data: page.map((row) => entryOf(row, patient, names)),
          next_before: last && rows.length > limit ? positionText({ ...last, at: last.exact_at }) : null,
        }
      })
    },
  )
}

const actorsOf = (rows: readonly TimelineRow[]): string[] => [
  ...new Set(rows.flatMap(({ principal_id, by_patient }) => (by_patient ? [] : (principal_id ?? [])))),
]

function entryOf(row: TimelineRow, patient: Patient, names: ReadonlyMap<string, string | null>): TimelineEntry {
  const { kind, id, at, title, status } = row
  return { kind, id, at, title, status, actor: actorOf(row, patient, names) }
}

function actorOf(
  { specialist, principal_id, by_patient }: TimelineRow,
  { id, name }: Patient,
  names: ReadonlyMap<string, string | null>,
): TimelineEntry['actor'] {
  if (specialist) return { type: 'specialist', ...specialist }
  if (by_patient) return { type: 'patient', id, name }
  return principal_id ? { type: 'member', id: principal_id, name: names.get(principal_id) ?? null } : null
}
