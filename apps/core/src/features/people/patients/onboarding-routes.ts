import { holds, resolveLanguage } from '@tendon/access'
import { ById, NewPatient, One, Patient } from '@tendon/contracts'
import { newId, type TenantTx, together } from '@tendon/db'
import { forbidden, permission, processingRestricted } from '@tendon/http'
import type { FastifyRequest } from 'fastify'
import type { Routes } from '../../../feature.ts'
import { sendMail } from '../../../platform/mail.ts'
import { grantConsents, grantRefusals, recordConsent } from '../../privacy/consents/index.ts'
import {
  alreadyClaimed,
  emailExists,
  emailMissing,
  nationalIdExists,
  nationalIdTaken,
  patientNotFound,
  privacyNoticeUnpublished,
} from './errors.ts'
import { refuseUnknownLead } from './lead.ts'
import { SETTING_LEAD } from './lead-queries.ts'
import { patientInvited } from './mails.ts'
import { createNationalIds } from './national-id.ts'
import { findSamePerson, insertProfile, updateInvitation } from './profile-queries.ts'
import { findOrganizationName, findPatientOf, hasPublishedNotice, insertPatient, LOCKING_PATIENT } from './queries.ts'
import { mustSeePatients, openRecord, organizationOf, readRecord, record, refuseIfWrong } from './record.ts'
import { problemsOfPatient } from './rules.ts'

const MANAGE_CONSENTS = 'consents.manage'

export const onboardingRoutes: Routes = (app, services) => {
  const nationalIds = createNationalIds(services)

  app.post(
    '/v1/patients',
    {
      config: {
        access: permission('patients.onboard'),
        service: SETTING_LEAD,
        patientData: true,
        idempotent: true,
        summary: 'Create a patient',
        description: 'Records the consents given in person and optionally invites the patient by e-mail.',
        refusals: [privacyNoticeUnpublished, emailExists, nationalIdExists, nationalIdTaken, ...grantRefusals],
      },
      schema: { body: NewPatient, response: { 201: One(Patient) } },
    },
    (request, reply) =>
      request.tenantCreate(reply, async (tx) => {
        const { national_id, invite, allow_duplicate = false, consents = [], ...person } = request.body
        refuseIfWrong(problemsOfPatient(request.body, services.now()))
        mustSeePatients(request)
        await refuseUnknownLead(tx, person)
        const profileId = newId()
        const number = nationalIds.seal(national_id, organizationOf(request), profileId)
        const [isPublished, existing] = await together([
          hasPublishedNotice(tx),
          allow_duplicate ? undefined : findSamePerson(tx, person.email ?? null, number.national_id_index),
        ])
        if (!isPublished) throw privacyNoticeUnpublished()
        if (existing) throw duplicateOf(request, existing)
        const [, , added] = await together([
          insertProfile(tx, profileId, number),
          insertPatient(tx, profileId, person),
          findPatientOf(tx, profileId),
        ])
        await record.created(request, tx, added)
        await recordConsents(request, tx, added, consents)
        return { data: invite ? await sendInvitation(request, tx, added) : added }
      }),
  )

  app.post(
    '/v1/patients/:id/invite',
    {
      config: {
        access: permission('patients.onboard'),
        service: LOCKING_PATIENT,
        patientData: true,
        summary: 'Invite a patient',
        description:
          'Sends an invitation by e-mail. The patient gets access to the record with the next sign-in that uses this verified e-mail address.',
        refusals: [patientNotFound, emailMissing, alreadyClaimed, processingRestricted],
      },
      schema: { params: ById, response: { 200: One(Patient) } },
    },
    (request) =>
      request.tenant(async (tx) => {
        const patient = await openRecord(request, tx, request.params.id)
        return { data: await sendInvitation(request, tx, patient) }
      }),
  )
}

function duplicateOf(request: FastifyRequest, { id, field }: { id: string; field: 'national_id' | 'email' }) {
  const patientExists = field === 'email' ? emailExists : nationalIdExists
  return patientExists({ field, ...(holds(request.caller, 'patients.view_org') ? { patient_id: id } : {}) })
}

async function recordConsents(
  request: FastifyRequest,
  tx: TenantTx,
  patient: Patient,
  consents: NonNullable<NewPatient['consents']>,
): Promise<void> {
  if (consents.length === 0) return
  if (!holds(request.caller, MANAGE_CONSENTS)) throw forbidden({ required: MANAGE_CONSENTS })
  const granted = await grantConsents(tx, {
    profileId: patient.patient_profile_id,
    organizationId: organizationOf(request),
    grants: consents.map((grant) => ({ ...grant, source: 'staff_action' })),
    grantedBy: request.caller.principal_id,
    ip: request.ip,
    field: 'consents',
  })
  for (const consent of granted) {
    await recordConsent.granted(request, tx, consent)
  }
}

/** Again and again, until the person has signed in. */
async function sendInvitation(request: FastifyRequest, tx: TenantTx, patient: Patient): Promise<Patient> {
  if (patient.status === 'claimed') throw alreadyClaimed()
  if (patient.email === null) throw emailMissing()
  if (!(await updateInvitation(tx, patient.id, patient.email))) throw alreadyClaimed()
  await sendMail(tx, patientInvited, {
    to_address: patient.email,
    patient_profile_id: patient.patient_profile_id,
    language: resolveLanguage(patient.language_code, request.caller.organization_language),
    data: { organization_name: await findOrganizationName(tx), patient_id: patient.id },
  })
  const changes = [{ field: 'invited_email', before: null, after: patient.email }]
  await record.invited(request, tx, patient, patient, { changes })
  return readRecord(tx, patient.id)
}
