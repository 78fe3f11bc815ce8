import type { WebhookCatalogue } from '@tendon/contracts'
import { signatureHeaders, signingKeysOf } from './signatures.ts'
import { CATALOGUE, exampleOf, WEBHOOK_TEST } from './webhook-events.ts'

/** Belongs to no subscription. Receivers test their signature verification with it. */
const EXAMPLE_SECRET = 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSwMfKQ9r8GKYo='
const SIGNED_AT = new Date('2026-11-15T09:30:00.000Z')

export function catalogue(): WebhookCatalogue {
  const example = exampleOf(WEBHOOK_TEST)
  const body = JSON.stringify(example)
  const signed = {
    id: example.id,
    body: Buffer.from(body),
    at: SIGNED_AT,
    keys: [signingKeysOf(EXAMPLE_SECRET)] as const,
  }
  return {
    events: CATALOGUE.map((published) => ({
      event: published.event,
      description: published.description,
      always_delivered: published.always === true,
      fields: Object.entries(published.fields).map(([name, field]) => ({
        name,
        type: typeof field === 'string' ? field : 'choice',
        nullable: published.nullable?.includes(name) === true,
        choices: typeof field === 'string' ? null : [...field],
      })),
      example: exampleOf(published),
    })),
    signature_test_vector: { secret: EXAMPLE_SECRET, body, headers: signatureHeaders(signed) },
  }
}
