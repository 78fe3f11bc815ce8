import { resolveLanguage } from '@tendon/access'
import { ById, type ConsentReceipt, One, ReceiptVerdict, SignedConsentReceipt } from '@tendon/contracts'
import { patient, publicAccess } from '@tendon/http'
import { createSigner, parseKeyring } from '@tendon/secrets'
import type { Routes } from '../../../feature.ts'
import { textIn } from '../consent-purposes/index.ts'
import { receiptNotFound } from './errors.ts'
import { listAcceptedTexts, listClinicNames } from './preview-queries.ts'
import { findMyConsent, listPurposes } from './queries.ts'
import { nameOf } from './rules.ts'

const MAX_SIGNED_RECEIPT_BYTES = 256 * 1024

/** The members in a fixed order: JSON that was reformatted or reordered still verifies. */
const signedText = (receipt: ConsentReceipt): string =>
  JSON.stringify([
    receipt.consent_id,
    receipt.patient_profile_id,
    receipt.organization_id,
    receipt.organization_name,
    receipt.purpose_code,
    receipt.purpose_name,
    receipt.purpose_version,
    receipt.language,
    receipt.body,
    receipt.source,
    receipt.granted_at,
    receipt.withdrawn_at,
    receipt.issued_at,
  ])

export const receiptRoutes: Routes = (app, { config, now }) => {
  const signer = createSigner(parseKeyring(config.KEYRING), 'consent receipt')

  app.get(
    '/v1/me/consents/:id/receipt',
    {
      config: {
        access: patient(),
        gate: 'open',
        summary: 'Get a signed receipt of one of your consents',
        description:
          'Contains the accepted text, also after a withdrawal. POST /v1/public/consent-receipts/verify verifies it.',
        refusals: [receiptNotFound],
      },
      schema: { params: ById, response: { 200: One(SignedConsentReceipt) } },
    },
    async (request) => {
      const { caller } = request
      const [consent, texts, clinics, purposes] = await request.tenant((tx) =>
        Promise.all([
          findMyConsent(tx, request.params.id),
          listAcceptedTexts(tx),
          listClinicNames(tx),
          listPurposes(tx),
        ]),
      )
      const purpose = purposes.find(({ code }) => code === consent?.purpose_code)
      const isElsewhere = caller.impersonator_id !== null && consent?.organization_id !== caller.organization_id
      if (!consent || !purpose || isElsewhere) throw receiptNotFound()
      const language = resolveLanguage(caller.preferred_language, caller.organization_language)
      const receipt: ConsentReceipt = {
        consent_id: consent.id,
        patient_profile_id: consent.patient_profile_id,
        organization_id: consent.organization_id,
        organization_name: consent.organization_id === null ? null : (clinics.get(consent.organization_id) ?? null),
        purpose_code: consent.purpose_code,
        purpose_name: nameOf(purpose, language).name,
        purpose_version: consent.purpose_version,
        language,
        body: textIn(texts.get(consent.id) ?? {}, language),
        source: consent.source,
        granted_at: consent.granted_at,
        withdrawn_at: consent.withdrawn_at,
        issued_at: now().toISOString(),
      }
      const { key_id: key, signature } = signer.sign(signedText(receipt))
      return { data: { receipt, key, signature } }
    },
  )

  app.post(
    '/v1/public/consent-receipts/verify',
    {
      config: {
        access: publicAccess(),
        limit: 'public_resolve',
        operationId: 'verifyConsentReceipt',
        summary: 'Verify a consent receipt',
        description: 'Returns whether this platform issued exactly this receipt. Stores nothing.',
      },
      bodyLimit: MAX_SIGNED_RECEIPT_BYTES,
      schema: { body: SignedConsentReceipt, response: { 200: One(ReceiptVerdict) } },
    },
    async ({ body: { receipt, key, signature } }) => ({
      data: { valid: signer.isSigned(signedText(receipt), { key_id: key, signature }) },
    }),
  )
}
