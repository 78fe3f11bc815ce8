import type { MediaEvent, RunPayload } from '@tendon/sdk'
import { api } from '#ui/api/client.ts'

/** The telemetry URL and token of a run. Kept only in this tab's memory. */
export interface Access {
  url: string
  token: string
  expires: number
}

export interface RunAccess {
  /** null when the run no longer accepts telemetry. */
  of(run: string, organization: string): Promise<Access | null>
  keep(payload: RunPayload): void
  /** Discards a refused token, so that the next call fetches a new one. */
  forget(run: string): void
}

const EXPIRES_SOON_MS = 60_000

export const accessOf = ({ telemetry_url, telemetry_token, telemetry_token_expires_at }: RunPayload): Access | null =>
  telemetry_token === null
    ? null
    : { url: telemetry_url, token: telemetry_token, expires: Date.parse(telemetry_token_expires_at ?? '') }

export function createRunAccess(): RunAccess {
  const known = new Map<string, Access | null>()
  return {
    keep: (payload) => void known.set(payload.run_id, accessOf(payload)),
    forget: (run) => void known.delete(run),
    async of(run, organization) {
      const kept = known.get(run)
      if (kept && kept.expires - EXPIRES_SOON_MS > Date.now()) return kept
      const { data } = await api('GET /v1/session-runs/{runId}/payload', {
        params: { runId: run },
        headers: { 'x-organization-id': organization },
      })
      const access = accessOf(data)
      known.set(run, access)
      return access
    },
  }
}

/** Whether the run's token allows pose frames, which depends on the camera consent when the token was created. */
export function allowsCamera(token: string | null): boolean {
  const claims = token?.replace(/^v1\./, '').split('.')[1]
  if (claims === undefined) return false
  const json = atob(claims.replaceAll('-', '+').replaceAll('_', '/'))
  return (JSON.parse(json) as { consents?: { pose?: boolean } }).consents?.pose === true
}

/** The status of the response; 0 without a response. */
export async function postMedia({ url, token }: Access, event: MediaEvent): Promise<number> {
  return post(`${url}/v1/media/events`, token, 'application/json', JSON.stringify(event))
}

export async function postFrames({ url, token }: Access, bytes: Uint8Array<ArrayBuffer>): Promise<number> {
  return post(`${url}/v1/pose/frames`, token, 'application/octet-stream', bytes)
}

async function post(url: string, token: string, type: string, body: BodyInit): Promise<number> {
  const headers = { authorization: `Bearer ${token}`, 'content-type': type }
  return fetch(url, { method: 'POST', headers, body, credentials: 'omit' }).then(
    ({ status }) => status,
    () => 0,
  )
}
