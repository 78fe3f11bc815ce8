import { type Static, Type } from 'typebox'
import { Body, Enum, Id, Nullable, Timestamp } from './shapes.ts'

export const DOMAIN_STATUSES = ['pending', 'verified', 'failed'] as const

const DomainName = Type.String({
  description: 'In lower case; internationalized names in Punycode.',
  examples: ['portal.mladita.example'],
})

const domain = {
  id: Id,
  domain: DomainName,
  status: Enum(DOMAIN_STATUSES),
  txt_record: Type.Object(
    {
      name: Type.String({ examples: ['_tendon-challenge.portal.mladita.example'] }),
      type: Enum(['TXT']),
      value: Type.String({ examples: ['tendon-verify=5f0c1e9d7a3b48629c54d1f7e80ab236'] }),
    },
    { description: 'The DNS record to publish before verifying.' },
  ),
  verified_at: Nullable(Timestamp),
  last_checked_at: Nullable(Timestamp),
  record_missing_since: Nullable(
    Type.String({
      format: 'date-time',
      description:
        'Since when the DNS record of a verified domain is missing. After seven days the domain stops resolving.',
      examples: ['2026-03-01T10:00:00.000Z'],
    }),
  ),
  created_at: Timestamp,
  updated_at: Timestamp,
}

export const Domain = Type.Object(domain)
export type Domain = Static<typeof Domain>

export const CheckedDomain = Type.Object({
  ...domain,
  problem: Nullable(
    Type.String({
      description: 'What was found in the DNS and what to do; null when the record is correct.',
      examples: ['There is no TXT record named _tendon-challenge.portal.mladita.example.'],
    }),
  ),
})
export type CheckedDomain = Static<typeof CheckedDomain>

/** Longer than any domain, so that the words of the refusal come from the rules of the feature. */
export const NewDomain = Body({
  domain: Type.String({ minLength: 1, maxLength: 1000, examples: ['portal.mladita.example'] }),
})

export const DomainParams = Type.Object({ id: Id, domainId: Id })

export const domainList = {
  sort: ['domain', 'created_at'],
  ranges: ['created_at'],
  filters: { status: DOMAIN_STATUSES },
  q: true,
} as const
