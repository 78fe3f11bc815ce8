import type { RouteOptions } from 'fastify'
import type { Access } from '../access.ts'

/** `/v1/organizations/:id` as OpenAPI spells it: `/v1/organizations/{id}`. */
export function pathOf(url: string): string {
  return url.replace(/:(\w+)/g, '{$1}').replace(/\*$/, '{path}')
}

export function methodsOf(route: RouteOptions): string[] {
  return [route.method].flat().map((method) => method.toLowerCase())
}

/** `GET /v1/organizations/:id/members` → `getOrganizationsByIdMembers`: stable as long as the address is. */
export function operationIdOf(method: string, url: string): string {
  const words = stepsOf(url).flatMap((step) => {
    const parameter = /^\{(\w+)\}$/.exec(step)?.[1]
    return parameter === undefined ? step.split(/[^A-Za-z0-9]+/) : ['by', ...parameter.split('_')]
  })
  return method.toLowerCase() + words.map(capital).join('')
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

const stepsOf = (url: string): string[] =>
  pathOf(url)
    .split('/')
    .filter((step) => step !== '' && step !== 'v1')

const capital = (word: string): string => word.charAt(0).toUpperCase() + word.slice(1)

const ACCESS_IN_WORDS = {
  public: 'Public',
  authenticated: 'Needs a sign-in',
  membership: 'Needs membership of the organization',
  patient: 'Needs a patient record of your own',
  permission: 'Needs permission',
  superadmin: 'Needs a superadmin',
}

export function accessInWords(access: Access = { kind: 'public' }): string {
  const words = ACCESS_IN_WORDS[access.kind]
  if (access.kind === 'superadmin' && access.code !== undefined) return `${words} (${access.code})`
  if (access.kind !== 'permission') return words
  return `${words} ${access.code}${access.orPatient ? ', or a patient of the organization, about themself' : ''}`
}
