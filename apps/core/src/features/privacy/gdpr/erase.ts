import { type Language, resolveLanguage } from '@tendon/access'
import type { ErasureCertificate } from '@tendon/contracts'
import type { TenantTx } from '@tendon/db'
import { type DataClass, type Erasure, patientColumnOf } from '../../../platform/data-class.ts'
import { addJob, type JobTools } from '../../../platform/jobs.ts'
import { FINISH_ERASURE_JOB, MAX_FINISH_ATTEMPTS } from './job-names.ts'
import { certify, pseudonymOf } from './rules.ts'
import { beginErasure, eraseRows, findOrganization, listFileKeys, saveCertificate } from './work-queries.ts'

/**
 * Erases a patient in one transaction, which also keeps the certificate and leaves a job to delete the files: nothing of
 * it, or all. What refers to other rows is declared after them and erased before them.
 */
export async function erasePatient(
  { tenant, services, organizationId }: JobTools,
  classes: readonly DataClass[],
  requestId: string,
): Promise<void> {
  if (organizationId === null) throw new Error('an erasure needs an organization')
  await tenant(
    async (tx) => {
      const subject = await beginErasure(tx, requestId)
      if (!subject) return
      const { language_code } = await findOrganization(tx)
      const code = pseudonymOf(subject.patient_id)
      const erasure: Erasure = {
        ...subject,
        request_id: requestId,
        organizationId,
        services,
        code,
        now: services.now(),
      }

      const named = await fileKeys(tx, classes, erasure)
      const erased: ErasureCertificate['classes'] = []
      for (const one of classes.toReversed()) {
        erased.unshift(certified(one, await eraseClass(tx, one, erasure), resolveLanguage(null, language_code)))
      }
      const kept = new Set(await fileKeys(tx, classes, erasure))
      const keys = named.filter((key) => !kept.has(key))
      const certificate = certify({
        request_id: requestId,
        organization_id: organizationId,
        patient_id: subject.patient_id,
        requested_at: subject.requested_at,
        erased_at: erasure.now.toISOString(),
        classes: erased,
        files_deleted: keys.length,
      })
      await saveCertificate(tx, requestId, certificate)
      const work = { request_id: requestId, patient_id: subject.patient_id, keys }
      await addJob(tx, FINISH_ERASURE_JOB, work, { maxAttempts: MAX_FINISH_ATTEMPTS })
    },
    { long: true },
  )
}

async function eraseClass(tx: TenantTx, one: DataClass, erasure: Erasure): Promise<number> {
  const { table, erase } = one
  if (erase.strategy === 'keep') return 0
  if (erase.run) return erase.run(tx, erasure)
  const place = patientColumnOf(one)
  if (!place) throw new Error(`${one.name} does not name the patient column`)
  return eraseRows(tx, { table, column: place.column, value: erasure[place.holds] }, valuesOf(erase, erasure))
}

function valuesOf(erase: Exclude<DataClass['erase'], { strategy: 'keep' }>, erasure: Erasure) {
  if (erase.strategy === 'delete') return null
  if (erase.strategy === 'null') return Object.fromEntries(erase.columns.map((column) => [column, null]))
  return erase.values(erasure)
}

/** The objects that rows about the patient name. */
async function fileKeys(tx: TenantTx, classes: readonly DataClass[], erasure: Erasure): Promise<string[]> {
  const keys = classes.map(async (one) => {
    const place = patientColumnOf(one)
    if (one.files === undefined || !place) return []
    return listFileKeys(tx, { table: one.table, column: place.column, value: erasure[place.holds] }, one.files)
  })
  return (await Promise.all(keys)).flat()
}

function certified({ name, label, erase }: DataClass, rows: number, language: Language) {
  const because = 'because' in erase ? erase.because : undefined
  return { name, label: label[language], strategy: erase.strategy, rows, legal_reason: because?.[language] ?? null }
}
