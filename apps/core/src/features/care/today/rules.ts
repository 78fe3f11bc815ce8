import type { Today } from '@tendon/contracts'

export type Clinic = Today['forms'][number]['organization']
export type OfClinic<Row> = Omit<Row, 'organization'> & { organization_id: string }

/** Rows with the clinic they belong to; rows of other clinics are left out. */
export const atTheirClinics = <Row extends { organization_id: string }>(
  clinics: readonly Clinic[],
  rows: readonly Row[],
) => {
  const byId = new Map(clinics.map((clinic) => [clinic.id, clinic]))
  return rows.flatMap(({ organization_id, ...row }) => {
    const organization = byId.get(organization_id)
    return organization ? [{ ...row, organization }] : []
  })
}
