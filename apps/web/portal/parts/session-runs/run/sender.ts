import { api, isApiError } from '#ui/api/client.ts'
import type { Entry, Sent } from './outbox.ts'
import { postMedia, type RunAccess } from './telemetry.ts'

const NEEDS_PERSON = new Set([401, 412])
/** Delay while the patient must sign in or consent again. */
const PERSON_WAIT_MS = 15_000

/** Sends one entry of the outbox. */
export function createSender(access: RunAccess): (entry: Entry) => Promise<Sent> {
  return async (entry) => {
    try {
      return entry.kind === 'media' ? await sendMedia(access, entry) : await sendToCore(entry)
    } catch (error) {
      if (!isApiError(error)) throw error
      if (NEEDS_PERSON.has(error.status)) return { wait_ms: PERSON_WAIT_MS }
      const { status, retryAfter } = error
      const isTemporary = status === 0 || status === 429 || status >= 500 || retryAfter !== undefined
      if (!isTemporary) return 'gone'
      return { wait_ms: retryAfter === undefined ? null : retryAfter * 1000 }
    }
  }
}

async function sendToCore(entry: Exclude<Entry, { kind: 'media' }>): Promise<Sent> {
  const call = { params: { runId: entry.run }, headers: { 'x-organization-id': entry.organization } }
  switch (entry.kind) {
    case 'exercise':
      await api('POST /v1/session-runs/{runId}/exercise-event', { ...call, body: entry.body })
      break
    case 'pain': {
      const { client_event_id } = entry.body
      await api('POST /v1/session-runs/{runId}/pain', {
        ...call,
        body: entry.body,
        ...(client_event_id ? { idempotencyKey: client_event_id } : {}),
      })
      break
    }
    case 'end':
      await api('POST /v1/session-runs/{runId}/end', { ...call, body: entry.body })
      break
    case 'feedback':
      await api('POST /v1/session-runs/{runId}/feedback', { ...call, body: entry.body })
  }
  return 'sent'
}

/** An error response is permanent, except for an expired token and for the end of a session, which must not be lost. */
async function sendMedia(
  access: RunAccess,
  { run, organization, body }: Extract<Entry, { kind: 'media' }>,
): Promise<Sent> {
  for (let attempt = 0; attempt < 2; attempt += 1) {
    const allowed = await access.of(run, organization)
    if (!allowed) return 'gone'
    const status = await postMedia(allowed, body)
    if (status === 0) return { wait_ms: null }
    if (status < 400) return 'sent'
    if (status !== 401) return body.event === 'session_end' && status !== 400 ? { wait_ms: null } : 'gone'
    access.forget(run)
  }
  return 'gone'
}
