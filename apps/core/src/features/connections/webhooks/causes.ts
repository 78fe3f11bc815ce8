import { timingSafeEqual } from 'node:crypto'
import { blindIndex } from '@tendon/secrets'
import type { Services } from '../../../services.ts'

// `webhook-cause` names the automation rules that led to a webhook. A relay that turns the webhook into a message to an
// inbound webhook copies the header, so that a rule does not start again what it caused. It names no organization: a loop
// may lead through two clinics.

type Config = Pick<Services['config'], 'BLIND_INDEX_KEY'>

const MAX_CAUSES = 8
const CAUSE = new RegExp(`^v1\\.([0-9a-f-]{36}(?:_[0-9a-f-]{36}){0,${MAX_CAUSES - 1}})\\.([\\w-]{43})$`)

const signatureOf = ({ BLIND_INDEX_KEY }: Config, ids: string) =>
  blindIndex(BLIND_INDEX_KEY, { table: 'webhook_events', column: 'automation_rule_ids', organization_id: '' }, ids)

/** The header of a webhook; nothing for one that no rule caused. */
export function causeHeader(config: Config, ruleIds: readonly string[]): Record<string, string> {
  if (ruleIds.length === 0) return {}
  const ids = ruleIds.slice(-MAX_CAUSES).join('_')
  return { 'webhook-cause': `v1.${ids}.${signatureOf(config, ids).toString('base64url')}` }
}

/** The rules in a header that we signed; none in any other. */
export function causesIn(config: Config, header: unknown): string[] {
  const [, ids, signature] = CAUSE.exec(typeof header === 'string' ? header : '') ?? []
  if (ids === undefined || signature === undefined) return []
  const [given, expected] = [Buffer.from(signature, 'base64url'), signatureOf(config, ids)]
  return given.length === expected.length && timingSafeEqual(given, expected) ? ids.split('_') : []
}
