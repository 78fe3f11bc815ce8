import type { RouteOptions } from 'fastify'
import type { Access } from '../access.ts'

/** `/v1/organizations/:id` as OpenAPI spells it: `/v1/organizations/{id}`. */
export function pathOf(url: string): string {
  return url.replace(/:(\w+)/g, '{$1}').replace(/\*$/, '{path}')
}

export function methodsOf(route: RouteOptions): string[] {
  return [route.method].flat().map((method) => method.toLowerCase())
}

/** The feature: the first segment that tells one from another. */
export function tagOf(url: string): string {
  const steps = stepsOf(url).filter((step) => step !== 'public' && step !== 'admin')
  const [first = 'root', second, third] = steps
  const feature = first === 'organizations' && second?.startsWith('{') && third ? third : first
  return feature.replace(/\.\w+$/, '')
}

/** A tag as a heading: `audit-logs` → `Audit logs`. */
export const titleOf = (tag: string): string => (tag === 'openapi' ? 'OpenAPI' : capital(tag.replaceAll('-', ' ')))

export const stepsOf = (url: string): string[] =>
  pathOf(url)
    .split('/')
    .filter((step) => step !== '' && step !== 'v1')

export const capital = (word: string): string => word.charAt(0).toUpperCase() + word.slice(1)

const ACCESS_IN_WORDS = {
  public: 'Public',
  authenticated: 'Requires sign-in',
  membership: 'Requires membership of the organization',
  patient: 'Requires a patient record of your own',
  permission: 'Requires the permission',
  superadmin: 'Requires a superadmin',
}

export function accessInWords(access: Access = { kind: 'public' }): string {
  const words = ACCESS_IN_WORDS[access.kind]
  if (access.kind === 'superadmin' && access.code !== undefined) return `${words} (${access.code})`
  if (access.kind !== 'permission') return words
  return `${words} \`${access.code}\`${access.orPatient ? ', or the patient whose data it is' : ''}`
}
