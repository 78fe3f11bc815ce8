import { DocumentCodeParams, DocumentVerification, One } from '@tendon/contracts'
import { publicAccess } from '@tendon/http'
import type { Routes } from '../../../feature.ts'
import { dateIn } from '../pdf-templates/index.ts'
import { findVerification, type Verified } from './queries.ts'
import { invalidPage, PAGE_HEADERS, validPage } from './verify-pages.ts'

const NOT_ISSUED = { valid: false, issued_at: null, clinic: null, sha256: null }

/** The target of the QR code on every document. Browsers get a page. */
export const verifyRoutes: Routes = (app) => {
  app.get(
    '/v1/public/documents/verify/:code',
    {
      config: {
        access: publicAccess(),
        limit: 'public_resolve',
        operationId: 'verifyDocument',
        summary: 'Verify a document by its code',
        description: 'Returns who issued it and when, and nothing about the patient. Browsers get an HTML page.',
      },
      schema: { params: DocumentCodeParams, response: { 200: One(DocumentVerification) } },
    },
    async (request, reply) => {
      const found = await request.public((tx) => findVerification(tx, request.params.code.toLowerCase()))
      const verification = found ? { ...found, valid: true, sha256: found.sha256.toString('hex') } : NOT_ISSUED
      reply.header('vary', 'accept')
      if (request.headers.accept?.includes('text/html'))
        reply.headers(PAGE_HEADERS).serializer(() => pageOf(verification, request.headers['accept-language']))
      return { data: verification }
    },
  )
}

function pageOf(
  verification: (Omit<Verified, 'sha256'> & { sha256: string }) | typeof NOT_ISSUED,
  accepted = '',
): string {
  if (verification.clinic === null) return invalidPage(accepted.startsWith('ro') ? 'ro' : 'en')
  const { clinic, issued_at, sha256 } = verification
  const language = verification.language === 'ro' ? 'ro' : 'en'
  return validPage(language, { clinic, date: dateIn(language, 'UTC', issued_at), sha256 })
}
