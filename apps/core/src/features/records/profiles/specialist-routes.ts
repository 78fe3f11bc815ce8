import { ById, ChangedSpecialistProfile, ProfileChanges, SpecialistProfile } from '@tendon/contracts'
import type { TenantTx } from '@tendon/db'
import { permission } from '@tendon/http'
import type { Routes } from '../../../feature.ts'
import { recorder } from '../../../platform/recorder.ts'
import { lockValues, type PublishedDefinition } from '../custom-fields/index.ts'
import { specialistNotFound } from './errors.ts'
import { changeProfile, listFieldsOf, readProfile, type Subject, versionOf } from './profile.ts'
import { findSpecialistName } from './queries.ts'
import { shownFields } from './rules.ts'

const subjectOf = (id: string): Subject => ({ type: 'specialist', id, asPatient: false })

async function shown(tx: TenantTx, subject: Subject, fields: PublishedDefinition[]) {
  const profile = await readProfile(tx, subject, fields)
  return { specialist_id: subject.id, profile, version: versionOf(profile) }
}

const record = recorder({
  target: ({ id, name }: { id: string; name: string }) => ({ type: 'specialist', id, label: name }),
  payload: ({ id }) => ({ specialist_id: id }),
  acts: {
    updated: { action: 'specialists.update_profile', crud: 'U', event: 'specialist.profile.updated' },
  },
})

export const specialistProfileRoutes: Routes = (app) => {
  app.get(
    '/v1/specialists/:id/profile',
    {
      config: {
        access: permission('specialists.view_org'),
        envelope: 'named',
        summary: 'Get the profile of a specialist',
        description: 'Returns the custom fields and their values.',
        refusals: [specialistNotFound],
      },
      schema: { params: ById, response: { 200: SpecialistProfile } },
    },
    (request) =>
      request.tenant(async (tx) => {
        const subject = subjectOf(request.params.id)
        if (!(await findSpecialistName(tx, subject.id))) throw specialistNotFound()
        const fields = await listFieldsOf(tx, subject)
        const profile = await readProfile(tx, subject, fields)
        return { specialist_id: subject.id, profile, fields: shownFields(fields), version: versionOf(profile) }
      }),
  )

  app.put(
    '/v1/specialists/:id/profile',
    {
      config: {
        access: permission('specialists.manage'),
        envelope: 'named',
        versioned: 'header',
        summary: 'Update the profile of a specialist',
        description: 'Fields left out keep their value; null clears a value.',
        refusals: [specialistNotFound],
        constraints: { custom_field_values_entity_fkey: specialistNotFound },
      },
      schema: { params: ById, body: ProfileChanges, response: { 200: ChangedSpecialistProfile } },
    },
    (request) =>
      request.tenant(async (tx) => {
        const subject = subjectOf(request.params.id)
        const specialist = await findSpecialistName(tx, subject.id)
        if (!specialist) throw specialistNotFound()
        const fields = await listFieldsOf(tx, subject)
        await lockValues(tx, specialist.id)
        const current = await shown(tx, subject, fields)
        await request.mustMatch(tx, { id: specialist.id, version: current.version }, async () => current)
        const changes = await changeProfile(tx, subject, fields, { given: request.body })
        await record.updated(request, tx, specialist, specialist, { changes, publish: changes.length > 0 })
        return shown(tx, subject, fields)
      }),
  )
}
