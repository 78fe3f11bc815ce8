import { mintRunToken, parseRunTokenKeys } from '@tendon/run-token'
import type { Services } from '../../../services.ts'
import type { OwnRun } from './queries.ts'

/** `patient_id` in the token is the principal, as the specification says; pose mirrors the consent of this moment. */
export function createTokens({ config, now }: Services) {
  const keys = parseRunTokenKeys(config.RUN_TOKEN_KEYS)
  return async (run: OwnRun, principalId: string, pose: boolean) => {
    const { id: runId, organization_id: organizationId } = run
    const { token, expiresAt } = await mintRunToken(
      keys,
      { runId, organizationId, patientId: principalId, pose },
      now(),
    )
    return { telemetry_token: token, telemetry_token_expires_at: expiresAt.toISOString() }
  }
}

export type Tokens = ReturnType<typeof createTokens>
