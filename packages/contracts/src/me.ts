import { type Static, Type } from 'typebox'
import { ClinicFormats } from './formats.ts'
import { Enum, Id, Name, Nullable, Slug, Timestamp } from './shapes.ts'

const OrganizationSummary = Type.Object({
  id: Id,
  name: Name(200, 'Clinica Mlădița'),
  slug: Slug,
  language_code: Type.String({ examples: ['ro'] }),
  time_zone: Type.String({ examples: ['Europe/Bucharest'] }),
  formats: ClinicFormats,
})

export const Me = Type.Object({
  principal_id: Id,
  type: Enum(['human', 'service']),
  name: Nullable(Type.String({ examples: ['Ana Ionescu'] })),
  email: Nullable(Type.String({ examples: ['ana.ionescu@mladita.example'] })),
  email_verified: Type.Boolean({ examples: [true] }),
  preferred_language: Nullable(Type.String({ examples: ['ro'] })),
  language: Enum(['en', 'ro'], 'ro'),
  is_superadmin: Type.Boolean({ examples: [false] }),
  current_organization: Nullable(OrganizationSummary),
  permissions: Type.Array(Type.String(), { examples: [['organizations.view_directory']] }),
  memberships: Type.Array(
    Type.Object({
      organization: OrganizationSummary,
      role: Type.Object({
        id: Id,
        code: Type.String({ examples: ['admin'] }),
        name: Type.String({ examples: ['Admin'] }),
      }),
      specialist_id: Type.Unsafe<string | null>({
        ...Nullable(Id),
        description: 'Your own record as a specialist of this clinic, if there is one.',
      }),
      created_at: Timestamp,
    }),
  ),
  patient_records: Type.Array(Type.Object({ organization_id: Id, patient_id: Id, organization: OrganizationSummary })),
})
export type Me = Static<typeof Me>

export const MyChanges = Type.Object(
  {
    name: Type.Optional(Name(200, 'Ana Ionescu')),
    preferred_language: Type.Optional(Nullable(Enum(['en', 'ro'], 'ro'))),
  },
  { additionalProperties: false, minProperties: 1 },
)
export type MyChanges = Static<typeof MyChanges>

export const SwitchOrganization = Type.Object({ organization_id: Id }, { additionalProperties: false })

export const MembershipParams = Type.Object({ organizationId: Id })
