import {
  DocumentCodeParams,
  type DocumentLanguage,
  DocumentVerification,
  One,
  VerificationQuery,
} from '@tendon/contracts'
import { publicAccess } from '@tendon/http'
import type { Routes } from '../../../feature.ts'
import { dateIn, timeIn } from '../pdf-templates/index.ts'
import { findVerification, type Verified } from './queries.ts'
import { existingPage, invalidPage, PAGE_HEADERS } from './verify-pages.ts'

const NOTHING = { issued_at: null, issued_by: null, clinic: null, sha256: null, kind: null, pages: null, size: null }
const NOT_ISSUED = { valid: false, ...NOTHING }

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
        description:
          'Returns who issued a document with this code and when, and nothing about the patient. Compare the SHA-256 of a file to know whether it is this document: a code can be copied. Browsers get an HTML page that compares a file without sending it.',
      },
      schema: {
        params: DocumentCodeParams,
        querystring: VerificationQuery,
        response: { 200: One(DocumentVerification) },
      },
    },
    async (request, reply) => {
      const found = await request.findPublic((tx) => findVerification(tx, request.params.code.toLowerCase()))
      reply.header('vary', 'accept, accept-language')
      if (request.headers.accept?.includes('text/html')) {
        const language =
          request.query.language ?? acceptedLanguage(request.headers['accept-language']) ?? found?.language
        reply.headers(PAGE_HEADERS).serializer(() => pageOf(found, language === 'ro' ? 'ro' : 'en'))
      }
      return { data: found ? { ...found, valid: true, sha256: found.sha256.toString('hex') } : NOT_ISSUED }
    },
  )
}

/** The first language of the browser that the page has. */
const acceptedLanguage = (accepted = ''): string | undefined =>
  accepted
    .split(',')
    .map((one) => one.trim().slice(0, 2).toLowerCase())
    .find((one) => one === 'en' || one === 'ro')

function pageOf(found: Verified | undefined, language: DocumentLanguage): string {
  if (!found) return invalidPage(language)
  const { issued_at, time_zone } = found
  const issued = `${dateIn(language, time_zone, issued_at)}, ${timeIn(language, time_zone, issued_at)} (${time_zone})`
  return existingPage(language, { ...found, issued, sha256: found.sha256.toString('hex') })
}
