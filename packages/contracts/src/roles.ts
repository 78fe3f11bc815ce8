import { type Static, Type } from 'typebox'
import { LENIENT, listParameters } from './list.ts'
import { Body, Id, Name, Nullable, RowVersion, Text, Timestamp } from './shapes.ts'

const RoleName = Name(120, 'Front desk')
const Description = Nullable(Text(500, 'Answers the telephone and books appointments.'))
const RoleCode = Type.String({
  pattern: '^[a-z][a-z0-9_]{1,62}$',
  'x-reason': 'must be 2 to 63 lower-case letters, digits and underscores, a letter first',
  description: 'Lower-case letters, digits and underscores; starts with a letter.',
  examples: ['front_desk'],
})

export const PermissionCodes = Type.Array(Type.String({ maxLength: 120 }), {
  maxItems: 1_000,
  examples: [['organizations.view_directory']],
})

export const Role = Type.Object({
  id: Id,
  organization_id: Id,
  code: RoleCode,
  name: RoleName,
  description: Description,
  is_system: Type.Boolean({
    description: 'Whether it is a clone of a system template, which cannot be renamed or deleted.',
  }),
  customized_at: Nullable(Timestamp),
  permissions: PermissionCodes,
  member_count: Type.Integer({ description: 'Members and service accounts in this role.', examples: [3] }),
  created_at: Timestamp,
  updated_at: Timestamp,
  version: RowVersion,
})
export type Role = Static<typeof Role>

export const RoleChoice = Type.Object({ id: Id, code: RoleCode, name: RoleName, is_system: Type.Boolean() })

export const NewRole = Body({
  name: RoleName,
  code: Type.Optional({ ...RoleCode, description: 'Default: derived from the name.' }),
  description: Type.Optional(Description),
  permissions: Type.Optional(PermissionCodes),
})
export type NewRole = Static<typeof NewRole>

export const RoleChanges = Type.Object(
  {
    name: Type.Optional(RoleName),
    code: Type.Optional(RoleCode),
    description: Type.Optional(Description),
    version: Type.Optional(RowVersion),
  },
  { additionalProperties: false, minProperties: 1 },
)
export type RoleChanges = Static<typeof RoleChanges>

export const RoleGrants = Body({ permissions: PermissionCodes, version: Type.Optional(RowVersion) })

export const ByRole = Type.Object({ id: Id, roleId: Id })

export const roleList = {
  sort: ['name', 'code', 'created_at'],
  ranges: ['created_at'],
  filters: { is_system: 'boolean' },
  q: true,
} as const

export const Permission = Type.Object({
  code: Type.String({ examples: ['organizations.view_directory'] }),
  resource: Type.String({ examples: ['organizations'] }),
  action: Type.String({ examples: ['view_directory'] }),
  description: Type.String({ examples: ['See who works at the clinic'] }),
  held: Type.Boolean({ description: 'Whether you hold it and can therefore grant it.' }),
  granted: Type.Optional(Type.Boolean({ description: 'Whether the role of `role_id` has it.' })),
})
export type Permission = Static<typeof Permission>

/** Permissions of superadmins only: no role can grant them. */
export const PLATFORM_PERMISSIONS = ['catalog.tags:write'] as const

export const permissionList = { sort: ['code'], filters: { resource: 'text' }, q: true } as const

export const PermissionQuery = Type.Object(
  {
    ...listParameters(permissionList).properties,
    sort: Type.Optional(Type.String({ description: '`code` (the default) or `-code`.', examples: ['code'] })),
    role_id: Type.Optional(
      Type.String({
        description: 'A role of the organization; `granted` then shows its permissions.',
        examples: ['019a8f3e-7c1d-7e2a-9b64-3f0c5d2e8a17'],
      }),
    ),
  },
  { [LENIENT]: true },
)
