import { listParameters, Many, MyPatientRecord, myPatientRecordList } from '@tendon/contracts'
import { pageOf, parseList, patient } from '@tendon/http'
import type { Routes } from '../../../feature.ts'
import { listMyPatientRecords } from './profile-queries.ts'

export const myRoutes: Routes = (app) => {
  app.get(
    '/v1/me/patient-records',
    {
      config: {
        access: patient(),
        summary: 'List your patient records',
        description: 'Returns your own patient record at each of your clinics.',
      },
      schema: { querystring: listParameters(myPatientRecordList), response: { 200: Many(MyPatientRecord) } },
    },
    async (request) => {
      const list = parseList(myPatientRecordList, request.query)
      const { rows, total } = await request.findPage((tx) => listMyPatientRecords(tx, list))
      return { data: rows, pagination: pageOf(list, total) }
    },
  )
}
