import type { Access } from '@tendon/http'
import { code, HEAD, lines, table } from './markdown.ts'
import { nameOf } from './routes.ts'
import type { Source } from './source.ts'

interface Permission {
  code: string
  description: string
  templates: string[]
}

const PERMISSIONS = `
  select p.code, p.description,
    array(select r.code from role_permissions g join roles r on r.id = g.role_id
      where g.permission_code = p.code and r.organization_id is null order by r.code) as templates
  from permissions p order by p.code`

const codeOf = (access: Access | undefined) => (access !== undefined && 'code' in access ? access.code : undefined)

export async function permissionTable({ query, routes, composer }: Source): Promise<string> {
  const permissions = await query<Permission>(PERMISSIONS)
  const listed = [
    ...routes.map((route) => ({ route, name: nameOf(route) })),
    ...composer.routes.map((route) => ({ route, name: `composer: ${nameOf(route)}` })),
  ]
  const needing = Map.groupBy(listed, ({ route }) => codeOf(route.config?.access) ?? '')
  const shipped = new Set(permissions.map((permission) => permission.code))
  for (const [needed, [first]] of needing) {
    if (needed !== '' && !shipped.has(needed)) {
      throw new Error(`${first?.name} needs the permission ${needed}, which no seed ships (database/seed).`)
    }
  }
  const rows = permissions.map((permission) => [
    code(permission.code),
    permission.description,
    permission.templates.join(', '),
    lines((needing.get(permission.code) ?? []).map(({ name }) => code(name))),
  ])
  return `${HEAD}# Permissions

Permissions come with deployments only. Templates are the roles that every new organization gets a copy of; a clinic may
change what its copies grant. A permission without routes acts in row-level policies or inside handlers.

${table(['Code', 'Lets its holder', 'Templates', 'Routes'], rows)}`
}
