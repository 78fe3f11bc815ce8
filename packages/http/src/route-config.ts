import type { Access } from './access.ts'
import type { Constraints } from './error-handler.ts'
import type { Envelope, Refusal } from './errors.ts'
import type { LatencyClass } from './latency.ts'
import type { LimitPolicy } from './rate-limit.ts'
import type { VersionMember } from './versions.ts'

declare module 'fastify' {
  interface FastifyContextConfig {
    /** Optional only in the type, for Fastify's own routes: a route of ours without it stops the boot. */
    access?: Access
    /** The title of the endpoint in the API reference: `Create a location`. */
    summary?: string
    /** What the title does not say, in full sentences. */
    description?: string
    /** The name of the operation in generated clients, where the one derived from method and URL reads badly. */
    operationId?: string
    /** The refusals of the endpoint's own. Common ones (401, 403, 422 …) need no mention. */
    refusals?: readonly Refusal[]
    /** Constraints that this route refuses in words of its own. */
    constraints?: Constraints
    /** `named`: refusals about the content of a request are `{status, name, message, details}`. */
    envelope?: Envelope
    /** Refuses invalid content, given `fields`. Default: 422 `validation_failed`. */
    invalid?: Refusal
    /** A stricter limit beside that of all routes; `none` for health and static files. */
    limit?: LimitPolicy | 'none'
    /** The stricter limit counts per value of this URL parameter, instead of per IP address. */
    limitBy?: string
    /** The latency class. Default: a simple read or write, by the method. */
    latency?: LatencyClass
    /** The universal consent gate lets this route through, so that nobody is locked out. */
    gate?: 'open'
    /** Calling this route does not accept a pending invitation, as all others do. */
    invitation?: 'waits'
    /** The feature gate: the patient must have agreed to this purpose at the clinic in scope. */
    consent?: string
    /** Serves a clinic's patient data: a superadmin needs break-glass. */
    patientData?: boolean
    /** Works in part as the service of the clinic, with these permissions (`asService`), and why the caller's are not enough. */
    service?: { codes: readonly string[]; why: string }
    /** Answers a POST that creates: takes Idempotency-Key. */
    idempotent?: boolean
    /** Takes If-Match, and this member of the body: 409 stale_version for another version. The handler calls mustMatch. */
    versioned?: VersionMember
    /** The contract of `current` in that refusal, where the route does not answer with the row. */
    current?: object
    /** The answer holds a secret, such as a token or a signed URL: it is never compressed. */
    secretAnswer?: boolean
    /** The answer has an ETag of its content, and If-None-Match is answered with 304: for what pages read again and again. */
    contentTag?: boolean
    /** Takes one file as multipart/form-data, which the handler reads itself. */
    upload?: boolean
    /** Bodies that the handler reads itself, by media type, for the reference. */
    consumes?: Readonly<Record<string, object>>
    /** Another service answers, checks access and has the route in its own OpenAPI document. */
    forwarded?: boolean
    /** Media type of the answer when it is not JSON, for the reference. */
    produces?: string
  }
}
