import { ClinicRun, clinicRunList, listParameters, Many } from '@tendon/contracts'
import { pageOf, parseList, permission } from '@tendon/http'
import type { Routes } from '../../../feature.ts'
import { recorder } from '../../../platform/recorder.ts'
import { findPatient, patientResource } from '../../people/patients/index.ts'
import { mustSeePatients } from '../patient-conditions/index.ts'
import { listClinicRuns } from './clinic-queries.ts'

const recordPatient = recorder({ ...patientResource, acts: { listed: { action: 'session_runs.list', crud: 'R' } } })

export const clinicRunRoutes: Routes = (app) => {
  app.get(
    '/v1/session-runs',
    {
      config: {
        access: permission('session_runs.view_org'),
        patientData: true,
        contentTag: true,
        summary: 'List session runs',
        description: 'Returns the runs of the clinic’s patients, those that need attention first.',
      },
      schema: { querystring: listParameters(clinicRunList), response: { 200: Many(ClinicRun) } },
    },
    (request) => {
      mustSeePatients(request)
      const list = parseList(clinicRunList, request.query)
      return request.tenant(async (tx) => {
        // A list about one patient is an access to that patient's record.
        for (const id of list.filters.patient_id ?? []) {
          const patient = await findPatient(tx, id)
          if (patient) await recordPatient.listed(request, tx, patient)
        }
        const { rows, total } = await listClinicRuns(tx, list)
        return { data: rows, pagination: pageOf(list, total) }
      })
    },
  )
}
