// The run token: `v1.` and a JWT, HS256. Core mints it when a run starts; for telemetry it is the only proof of the
// patient, the clinic and the run.
//
//   header   {"alg":"HS256","typ":"JWT","kid":"<key>"}, these three members and no other
//   payload  iss, aud, sub, iat, exp, run_id, org_id, patient_id (equal to sub), consents.pose

export const PREFIX = 'v1.'
export const ISSUER = 'platform-api'
export const AUDIENCE = 'platform-telemetry'

/** "`exp`: `iat` + 90 minutes". */
export const RUN_TOKEN_LIFETIME_SECONDS = 90 * 60

/** The content of a token. */
export interface Run {
  runId: string
  organizationId: string
  /** The principal id of the patient, `sub` and `patient_id`. */
  patientId: string
  /** The patient has consented to motion capture. */
  pose: boolean
}

export interface Claims {
  iss: string
  aud: string
  sub: string
  iat: number
  exp: number
  run_id: string
  org_id: string
  patient_id: string
  consents: { pose: boolean }
}
