import { answerContract, type JsonSchema } from './json-schema.ts'

/** The last word of a name that is usual for a secret, or for an address that works without signing in. */
const SECRET = /(^|_)(token|secret|password|credentials?|key|signature|otp|pin|csrf|nonce|cookie|code|url|uri|link)$/

/** Names that look like secrets but are none, each with the reason. A name with a dot is the end of a path. */
const HARMLESS: Readonly<Record<string, string>> = {
  code: 'of a role, a purpose, a problem or a feedback rule: public names',
  engine_code: 'the name of a measurement',
  icd10_code: 'of a diagnosis',
  language_code: 'of a language',
  last_error_code: 'a public name',
  postal_code: 'of an address',
  purpose_code: 'of a consent purpose',
  verification_code: 'printed on the document: who has the document may read it',
  field_key: 'the name of a field',
  key: 'the name of a field, or the public half of a key pair',
  s3_key: 'the name of a file, which only the API can read',
  system_key: 'the name of a field',
  signature: 'of a receipt, for everybody to verify',
  avatar_url: 'a public image',
  icon_url: 'a public image',
  logo_url: 'a public image',
  meeting_url: 'a room; the lists that have it repeat only numbers of the request',
  telemetry_url: 'of the service',
  'signature_test_vector.secret': 'published, for receivers to test with',
  'signature_test_vector.signature': 'published, for receivers to test with',
}

interface Read {
  schema?: { response?: unknown } | undefined
}

/** The members of the answer that look like a secret, by their path: those of text, or without a type. */
export function secretMembers({ schema }: Read): string[] {
  const contract = answerContract(schema?.response, '200')
  return contract ? [...new Set(membersIn(contract, ''))].filter(looksSecret) : []
}

function looksSecret(path: string): boolean {
  const [name = '', parent] = path.split('.').reverse()
  return SECRET.test(name) && !(name in HARMLESS) && !(`${parent}.${name}` in HARMLESS)
}

/** The paths of all members that can be text. */
function membersIn(schema: JsonSchema, path: string): string[] {
  const {
    properties = {},
    patternProperties = {},
    items,
    additionalProperties,
    anyOf = [],
    oneOf = [],
    allOf = [],
  } = schema
  const inner = [
    ...[items, additionalProperties, ...Object.values(patternProperties)].filter((one) => typeof one === 'object'),
    ...anyOf,
    ...oneOf,
    ...allOf,
  ]
  const own = Object.entries(properties).flatMap(([name, one]) =>
    membersIn(one, path === '' ? name : `${path}.${name}`),
  )
  const isOpen = own.length === 0 && inner.length === 0 && schema.type === undefined
  const isText = isOpen || [schema.type].flat().includes('string')
  return [...(isText ? [path] : []), ...own, ...inner.flatMap((one) => membersIn(one, path))]
}
