import { timingSafeEqual } from 'node:crypto'
import { type Caller, changesBetween, holds } from '@tendon/access'
import { ById, FormSignature, FormVerification, One, SignedForm } from '@tendon/contracts'
import type { TenantTx } from '@tendon/db'
import { forbidden, permissionOrPatient, processingRestricted, unavailable } from '@tendon/http'
import type { FastifyRequest } from 'fastify'
import type { Routes } from '../../../feature.ts'
import { grantConsents, grantRefusals, lockProfiles, recordConsent } from '../../privacy/consents/index.ts'
import { invalidForm } from '../form-templates/index.ts'
import {
  formAlreadySigned,
  formNotCompleted,
  formNotFound,
  patientSigns,
  signerMustBeHuman,
  staleForm,
} from './errors.ts'
import { findChangedFiles } from './files/intact.ts'
import { listFiles, type StoredFormFile } from './files/queries.ts'
import { shownForm } from './privacy.ts'
import { type FormRow, signForm } from './queries.ts'
import { fileHashesOf, isAbout, isComplete, openForm, READING_FORM, readForm, record, SIGNING_FORM } from './record.ts'
import { sealOf } from './seal.ts'

const STORE_RETRY_SECONDS = '10'

export const signingRoutes: Routes = (app, services) => {
  app.post(
    '/v1/forms/:id/sign',
    {
      config: {
        access: permissionOrPatient('forms.sign'),
        service: SIGNING_FORM,
        patientData: true,
        summary: 'Sign a form',
        description:
          'Signs a completed form. Its template says who signs: staff, or the patient it is about. A signed form cannot be changed. A consent form also records the consents it contains.',
        invalid: invalidForm,
        refusals: [
          formNotFound,
          formAlreadySigned,
          formNotCompleted,
          staleForm,
          signerMustBeHuman,
          patientSigns,
          processingRestricted,
          ...grantRefusals,
        ],
      },
      schema: { params: ById, body: FormSignature, response: { 200: SignedForm } },
    },
    (request) =>
      request.tenant(async (tx) => {
        const { caller } = request
        if (caller.kind !== 'human') throw signerMustBeHuman()
        const form = await openFormToSign(request, tx, request.params.id)
        refuseOtherSigner(caller, form)
        if (form.status === 'signed') throw formAlreadySigned()
        const files = await listFiles(tx, form.id)
        if (!isComplete(form, files)) throw formNotCompleted()
        refuseUnread(form, request.body?.completed_at)
        const signature = { signed_at: services.now().toISOString(), signed_by_principal_id: caller.principal_id }
        const seal = sealOf({ ...form, ...signature }, fileHashesOf(files))
        if (!(await signForm(tx, form, { ...signature, seal }))) throw formNotCompleted()
        await recordConsents(request, tx, form)
        const changes = changesBetween(
          { status: form.status },
          { status: 'signed', ...signature, seal: seal.toString('hex') },
        )
        await record.signed(request, tx, form, form, { changes })
        return { id: form.id, status: 'signed' as const, signed_at: signature.signed_at }
      }),
  )

  app.get(
    '/v1/forms/:id/verify',
    {
      config: {
        access: permissionOrPatient('forms.view_org'),
        service: READING_FORM,
        patientData: true,
        operationId: 'verifyForm',
        summary: 'Verify a signed form',
        description:
          'Recomputes the seal of the form, reads its files again, and reports whether they match what was signed.',
        refusals: [formNotFound],
      },
      schema: { params: ById, response: { 200: One(FormVerification) } },
      handlerTimeout: services.config.LONG_REQUEST_TIMEOUT_MS,
    },
    async (request) => {
      const { form, files, shown } = await request.tenant(async (tx) => {
        const form = await readForm(request, tx, request.params.id)
        if (!isAbout(request.caller, form)) await record.verified(request, tx, form)
        return { form, files: await listFiles(tx, form.id), shown: (await shownForm(tx, request, form)).files }
      })
      const { id, status, seal, signed_at, signed_by_principal_id } = form
      const isSealed = seal !== null && isSame(seal, sealOf(form, fileHashesOf(files)))
      const changed = status === 'signed' ? await changedFiles(request, files) : []
      const valid = status === 'signed' && isSealed && changed.length === 0
      const changed_files = changed.map(({ field_key }) => field_key).filter((key) => Object.hasOwn(shown, key))
      const proof = { seal: seal?.toString('hex') ?? null, signed_at, signed_by_principal_id }
      return { data: { id, status, valid, changed_files, ...proof } }
    },
  )

  async function changedFiles(request: FastifyRequest, files: readonly StoredFormFile[]): Promise<StoredFormFile[]> {
    try {
      return await findChangedFiles(services.objects, files, request.signal)
    } catch (error) {
      request.log.warn({ err: error }, 'files of a form could not be read')
      throw unavailable({}, { 'retry-after': STORE_RETRY_SECONDS })
    }
  }
}

const isSame = (one: Buffer, other: Buffer): boolean => one.length === other.length && timingSafeEqual(one, other)

/** Locked; what it agrees to before the form itself, as an erasure takes them. */
async function openFormToSign(request: FastifyRequest, tx: TenantTx, id: string): Promise<FormRow> {
  const { consent_purposes, patient_profile_id } = await readForm(request, tx, id)
  if (consent_purposes.length > 0) await lockProfiles(tx, [patient_profile_id])
  return openForm(request, tx, id)
}

/** A form is signed by its patient or by staff with forms.sign, as its template says. */
function refuseOtherSigner(caller: Caller, form: FormRow): void {
  if (form.signed_by === 'patient' && !isAbout(caller, form)) throw patientSigns()
  if (form.signed_by === 'staff' && !holds(caller, 'forms.sign')) throw forbidden({ required: 'forms.sign' })
}

/** Every save of a complete form changes `completed_at`, so a stale signature is detected. */
function refuseUnread({ completed_at }: FormRow, read: string | undefined): void {
  if (read !== undefined && completed_at !== null && Date.parse(read) !== Date.parse(completed_at))
    throw staleForm({ completed_at })
}

/** "Signing a form of type consent writes the ledger rows it stands for." */
async function recordConsents(request: FastifyRequest, tx: TenantTx, form: FormRow): Promise<void> {
  const granted = await grantConsents(tx, {
    profileId: form.patient_profile_id,
    organizationId: form.organization_id,
    grants: form.consent_purposes.map((consent) => ({ ...consent, source: 'form', source_form_id: form.id })),
    grantedBy: request.caller.principal_id,
    ip: request.ip,
  })
  for (const consent of granted.filter(({ source_form_id }) => source_form_id === form.id)) {
    await recordConsent.granted(request, tx, consent)
  }
}
