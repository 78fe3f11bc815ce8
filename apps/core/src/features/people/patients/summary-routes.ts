import { ById, One, PatientOverview } from '@tendon/contracts'
import { permission } from '@tendon/http'
import type { Routes } from '../../../feature.ts'
import { patientNotFound } from './errors.ts'
import { readRecord, record } from './record.ts'
import { overviewOf } from './summary.ts'

export const summaryRoutes: Routes = (app) => {
  app.get(
    '/v1/patients/:id/summary',
    {
      config: {
        access: permission('patients.view_org'),
        patientData: true,
        summary: 'Get the summary of a patient',
        description:
          'Returns the state of a patient at a glance. A part that you may not list is null. Access is logged; to read the record as well with one entry in the log, use GET /v1/patients/{id}?include=summary.',
        refusals: [patientNotFound],
      },
      schema: { params: ById, response: { 200: One(PatientOverview) } },
    },
    (request) =>
      request.tenant(async (tx) => {
        const patient = await readRecord(tx, request.params.id)
        const data = await overviewOf(tx, request.caller, patient)
        await record.read(request, tx, patient)
        return { data }
      }),
  )
}
