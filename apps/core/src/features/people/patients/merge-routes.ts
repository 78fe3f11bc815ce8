import { ById, NoContent, One, PatientMerge, PatientRecord } from '@tendon/contracts'
import { permission, processingRestricted } from '@tendon/http'
import type { Routes } from '../../../feature.ts'
import { alreadyMerged, beingErased, differentPeople, notMerged, patientNotFound, sameRecord } from './errors.ts'
import { listLinkedRecords, MERGING, mergePatient, unmergePatient } from './merge-queries.ts'
import { findPatient, findPatientForUpdate } from './queries.ts'
import { mustSeePatients, openRecord, readRecord, record } from './record.ts'

const refused = {
  restricted: processingRestricted,
  being_erased: beingErased,
  linked: alreadyMerged,
  different_people: differentPeople,
}

export const mergeRoutes: Routes = (app) => {
  app.put(
    '/v1/patients/:id/merged-into',
    {
      config: {
        access: permission('patients.merge'),
        service: MERGING,
        patientData: true,
        versioned: 'version',
        operationId: 'mergePatient',
        summary: 'Link two records of the same person',
        description:
          'No data is moved: both records keep their rows, consents, seals and audit keys. Lists of one record then show rows of both, and exports and erasures include both. DELETE undoes it at any time.',
        refusals: [patientNotFound, sameRecord, ...Object.values(refused)],
      },
      schema: { params: ById, body: PatientMerge, response: { 200: One(PatientRecord) } },
    },
    (request) =>
      request.tenant(async (tx) => {
        const [id, patient_id] = [request.params.id.toLowerCase(), request.body.patient_id.toLowerCase()]
        if (patient_id === id) throw sameRecord(sameRecord.example)
        mustSeePatients(request)
        // Lock in the order of ids, to avoid deadlocks between opposite links.
        for (const one of [id, patient_id].toSorted()) await findPatientForUpdate(tx, one)
        const before = await openRecord(request, tx, id)
        await request.mustMatch(tx, before, async () => ({
          ...before,
          linked_records: await listLinkedRecords(tx, before.id),
        }))
        const main = await readRecord(tx, patient_id)
        const outcome = await mergePatient(tx, before.id, main.id)
        if (outcome === null) throw patientNotFound()
        if (outcome !== 'merged') throw refused[outcome]()
        const after = await readRecord(tx, before.id)
        await record.merged(request, tx, before, after, { payload: { merged_into_id: main.id } })
        // Also record it in the other record's log, encrypted with that patient's key.
        const changes = [{ field: 'linked_record', before: null, after: before.id }]
        await record.merged(request, tx, main, main, { changes, publish: false })
        return { data: { ...after, linked_records: await listLinkedRecords(tx, after.id) } }
      }),
  )

  app.delete(
    '/v1/patients/:id/merged-into',
    {
      config: {
        access: permission('patients.merge'),
        service: MERGING,
        patientData: true,
        versioned: 'header',
        operationId: 'unmergePatient',
        summary: 'Unlink two records',
        description: 'Possible at any time, even while processing is restricted.',
        refusals: [patientNotFound, notMerged],
      },
      schema: { params: ById, response: { 204: NoContent } },
    },
    async (request, reply) => {
      await request.tenant(async (tx) => {
        mustSeePatients(request)
        const before = await readRecord(tx, request.params.id)
        const into = await unmergePatient(tx, before.id)
        if (into === null) throw notMerged()
        const after = await readRecord(tx, before.id)
        // Compare with the version before: unlinking has incremented it.
        await request.mustMatch(tx, { ...before, version: after.version - 1 })
        await record.unmerged(request, tx, before, after)
        const main = await findPatient(tx, into)
        if (!main) return
        const changes = [{ field: 'linked_record', before: before.id, after: null }]
        await record.unmerged(request, tx, main, main, { changes, publish: false })
      })
      return reply.code(204).send(null)
    },
  )
}
