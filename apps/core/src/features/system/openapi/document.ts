import type { RouteTable } from '@tendon/access'
import { openApiDocument } from '@tendon/http'
import { version } from '../../../platform/version.ts'
import { TAGS } from './tags.ts'

const DESCRIPTION = `
A multi-tenant API for clinics. The tenant is the organization.

**Sign in** with \`Authorization: Bearer <token>\`: a session token of the identity provider, or the API key of a service
account. **The organization** is the one that \`X-Organization-ID\` names, else your current one, else your first.

**Answers** are \`{"data": …}\`; lists add \`{"pagination": {"page", "limit", "total"}}\`. Lists are lenient: numbers out of
range are clamped, unknown filters dropped; only \`sort\` and dates are strict. Newest first unless \`sort\` says otherwise.

**Refusals** are \`{"error": {"code", "message"}}\`: the code for programs, the message for people. When the content is not valid,
\`fields\` has a message for each field, and \`reasons\` the same for programs: \`{"name": {"code": "too_short", "params": {"min": 2}}}\`.

**Creating** takes an \`Idempotency-Key\`: a repeat within 24 hours gives the first answer and creates nothing twice.

**Reading again** is cheap where a list has an \`ETag\` of its content: send it as \`If-None-Match\`, and the answer is 304
without a body while nothing changed. Answers over 8 KB are compressed with \`br\` or \`gzip\` where \`Accept-Encoding\` allows
it, except those that hold a token or a signed URL.
`.trim()

/** The routes that are the API: not the reference page, the web apps, and what only browsers and identity providers call. */
const isApi = ({ url }: RouteTable[number]) => url.startsWith('/v1/') || url.startsWith('/health')

export function describeApi(routes: RouteTable, serverUrl: string) {
  return openApiDocument(routes.filter(isApi), {
    title: 'Tendon core API',
    version,
    description: DESCRIPTION,
    serverUrl,
    tags: TAGS,
  })
}
