/** What `npm run seed` is asked for. */
export interface SeedSize {
  clinics: number
  /** Of the largest clinic, which is the first. */
  patients: number
}

export interface ClinicSize {
  patients: number
  specialists: number
  services: number
  locations: number
}

const MAX_PATIENTS_OF_OTHERS = 50
export const PATIENTS_PER_SPECIALIST = 250
const SPECIALISTS_PER_SERVICE = 5
const SPECIALISTS_PER_LOCATION = 10

/**
 * The first clinic has all the patients that were asked for, every other at most fifty. The rest follows from a clinic's
 * patients, so that a service keeps about as many specialists, and a specialist as many patients, at every size.
 */
export function clinicSize(isLargest: boolean, { patients: asked }: SeedSize): ClinicSize {
  const patients = isLargest ? asked : Math.min(asked, MAX_PATIENTS_OF_OTHERS)
  const specialists = Math.ceil(patients / PATIENTS_PER_SPECIALIST)
  return {
    patients,
    specialists,
    services: Math.max(1, Math.round(specialists / SPECIALISTS_PER_SERVICE)),
    locations: Math.ceil(specialists / SPECIALISTS_PER_LOCATION),
  }
}
