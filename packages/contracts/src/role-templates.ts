import { type Static, Type } from 'typebox'
import { PermissionCodes } from './roles.ts'
import { Id, Name, Nullable, RowVersion, Text, Timestamp } from './shapes.ts'

const TemplateName = Name(120, 'Specialist')
const Description = Nullable(Text(500, 'Treats patients.'))

export const RoleTemplate = Type.Object({
  id: Id,
  organization_id: Type.Null({ description: 'Always null: a template belongs to no organization.' }),
  code: Type.String({ examples: ['specialist'] }),
  name: TemplateName,
  description: Description,
  is_system: Type.Boolean({ examples: [true] }),
  customized_at: Nullable(Timestamp),
  permissions: PermissionCodes,
  created_at: Timestamp,
  updated_at: Timestamp,
  version: RowVersion,
})
export type RoleTemplate = Static<typeof RoleTemplate>

export const RoleTemplateChanges = Type.Object(
  { name: Type.Optional(TemplateName), description: Type.Optional(Description), version: Type.Optional(RowVersion) },
  { additionalProperties: false, minProperties: 1 },
)
export type RoleTemplateChanges = Static<typeof RoleTemplateChanges>

export const roleTemplateList = { sort: ['name', 'code', 'created_at', 'updated_at'], q: true } as const
