import { timingSafeEqual } from 'node:crypto'
import { blindIndex } from '@tendon/secrets'
import type { Services } from '../../../services.ts'

type Config = Services['config']

const signatureOf = ({ BLIND_INDEX_KEY }: Config, mailId: string) =>
  blindIndex(BLIND_INDEX_KEY, { table: 'mail_outbox', column: 'unsubscribe', organization_id: '' }, mailId)

/** The same for every attempt to send a mail, so the link of an earlier copy goes on working. */
export function unsubscribeUrl(config: Config, mailId: string): string {
  return `${config.publicUrl}/v1/public/unsubscribe/${mailId}.${signatureOf(config, mailId).toString('base64url')}`
}

/** The mail of a token; undefined when the token is not one of ours. */
export function mailOfToken(config: Config, token: string): string | undefined {
  const [, mailId, signature] = /^([0-9a-f-]{36})\.([\w-]{43})$/.exec(token) ?? []
  if (mailId === undefined || signature === undefined) return undefined
  const [given, expected] = [Buffer.from(signature, 'base64url'), signatureOf(config, mailId)]
  return given.length === expected.length && timingSafeEqual(given, expected) ? mailId : undefined
}
