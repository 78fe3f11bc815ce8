import { Ajv, type ValidateFunction } from 'ajv'
import formats from 'ajv-formats'

// Which providers may be configured at run time, and what each needs. Issuer and store are settings: nobody changes them
// while the platform runs.

interface Allowed {
  provider: string
  config: object
  credentials: object
}

const text = { type: 'string', minLength: 1, maxLength: 500 }
const url = { type: 'string', format: 'uri', pattern: '^https?://', maxLength: 2_048 }
const closed = (properties: object, required: string[]) => ({
  type: 'object',
  additionalProperties: false,
  properties,
  required,
})

const EMAIL: Allowed = {
  provider: 'ses',
  config: closed(
    {
      region: { type: 'string', pattern: '^[a-z0-9-]{1,40}$' },
      from_address: { type: 'string', format: 'email', maxLength: 254 },
      configuration_set: { type: 'string', maxLength: 64 },
      endpoint_url: { anyOf: [url, { const: '' }] },
    },
    ['region', 'from_address'],
  ),
  credentials: closed({ access_key_id: text, secret_access_key: text }, ['access_key_id', 'secret_access_key']),
}

const OAUTH_CLIENT: Allowed = {
  provider: 'oauth2',
  config: closed(
    {
      issuer: url,
      authorization_endpoint: url,
      token_endpoint: url,
      revocation_endpoint: url,
      userinfo_endpoint: url,
      api_url: url,
    },
    [],
  ),
  credentials: closed({ client_id: text, client_secret: text }, ['client_id', 'client_secret']),
}

const ajv = new Ajv({ allErrors: true, strict: false })
formats.default(ajv)
const compiled = new Map<object, ValidateFunction>()

/** What a capability may be given; undefined: it cannot be configured at run time. */
export function allowedFor(capability: string): Allowed | undefined {
  if (capability === 'email') return EMAIL
  return /^oauth_client_[a-z0-9_]{1,40}$/.test(capability) ? OAUTH_CLIENT : undefined
}

/** Field → reason, for what does not fit. Values are not repeated: they may be secrets. */
export function problemsOf(schema: object, value: unknown, name: string): Record<string, string> {
  let validate = compiled.get(schema)
  if (!validate) {
    validate = ajv.compile(schema)
    compiled.set(schema, validate)
  }
  if (validate(value)) return {}
  return Object.fromEntries(
    (validate.errors ?? []).map(({ instancePath, keyword, params, message }) => {
      const field = keyword === 'required' ? `/${String(params.missingProperty)}` : instancePath
      const extra = keyword === 'additionalProperties' ? `/${String(params.additionalProperty)}` : ''
      const path = `${name}${field}${extra}`.replaceAll('/', '.')
      if (keyword === 'required') return [path, 'is required']
      return [path, keyword === 'additionalProperties' ? 'is not known' : (message ?? 'is not valid')]
    }),
  )
}
