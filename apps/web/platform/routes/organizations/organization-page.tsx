import { Button, NativeSelect, Paper, Stack, Table, TextInput, Title } from '@mantine/core'
import { useParams } from '@tanstack/react-router'
import { BackLink } from '#ui/frame/links.tsx'
import '@mantine/core/styles/Table.layer.css'
import type { Organization } from '@tendon/sdk'
import { useState } from 'react'
import { useTranslations } from 'use-intl'
import { useRead, useWholeList, useWrite } from '#ui/api/hooks.ts'
import { EmptyState } from '#ui/feedback/empty-state.tsx'
import { Loaded } from '#ui/feedback/loading.tsx'
import { Problem } from '#ui/feedback/problem.tsx'
import { toast } from '#ui/feedback/toasts.tsx'
import { SubmitButtons } from '#ui/field-form/submit-buttons.tsx'
import { FormConflict, rowsOf } from '#ui/form/form-conflict.tsx'
import { useApiForm } from '#ui/form/use-api-form.ts'
import { TIME_ZONES } from '#ui/format/time-zones.ts'
import { Page } from '#ui/frame/page.tsx'
import { IconMail, IconUsers } from '#ui/icons/index.ts'
import { InviteAdmin } from '../../parts/organizations/invite-admin.tsx'

export function OrganizationPage() {
  const t = useTranslations('platform.organizations')
  const { id } = useParams({ from: '/operator/organizations/$id' })
  const organization = useRead('GET /v1/organizations/{id}', { params: { id } })
  return (
    <Page title={organization.data?.data.name ?? t('title')} back={<BackLink to="/">{t('title')}</BackLink>}>
      <Loaded query={organization}>
        {({ data }) => (
          <>
            <Members id={id} />
            <Details key={id} organization={data} />
          </>
        )}
      </Loaded>
    </Page>
  )
}

const valuesOf = (of: Partial<Organization>) => ({
  name: of.name ?? '',
  slug: of.slug ?? '',
  time_zone: of.time_zone ?? '',
  legal_name: of.legal_name ?? '',
  contact_email: of.contact_email ?? '',
  phone: of.phone ?? '',
  website: of.website ?? '',
})

function Details({ organization }: { organization: Organization }) {
  const t = useTranslations('platform.organizations')
  const write = useWrite('PATCH /v1/organizations/{id}', {
    refresh: ['/v1/organizations'],
    onDone: () => toast({ text: t('saved') }),
  })
  const { id } = organization
  const form = useApiForm(write, valuesOf(organization), { version: organization.version, valuesOf })
  const send = form.onSubmit((body, version) => write.mutate({ params: { id }, body: { ...body, version } }))
  const labels = {
    name: t('name'),
    slug: t('slug'),
    time_zone: t('timeZone'),
    legal_name: t('legalName'),
    contact_email: t('contactEmail'),
    phone: t('phone'),
    website: t('website'),
  }
  return (
    <Paper withBorder p="lg" component="section" aria-labelledby="details">
      <form onSubmit={send} noValidate>
        <Stack maw={480}>
          <Title order={2} id="details">
            {t('details')}
          </Title>
          <TextInput {...form.text('name')} label={t('name')} required />
          <TextInput {...form.text('slug')} label={t('slug')} description={t('slugHelp')} required />
          <NativeSelect {...form.select('time_zone')} label={t('timeZone')} data={TIME_ZONES} />
          <TextInput {...form.text('legal_name')} label={t('legalName')} />
          <TextInput {...form.text('contact_email')} label={t('contactEmail')} type="email" />
          <TextInput {...form.text('phone')} label={t('phone')} type="tel" />
          <TextInput {...form.text('website')} label={t('website')} type="url" />
          <Problem error={form.problem} />
          <SubmitButtons write={write} />
        </Stack>
      </form>
      <FormConflict form={form} rows={rowsOf(labels)} />
    </Paper>
  )
}

function Members({ id }: { id: string }) {
  const t = useTranslations('platform.organizations')
  const members = useWholeList('GET /v1/organizations/{id}/members', { params: { id } })
  const [inviting, setInviting] = useState(false)
  const invite = (
    <Button leftSection={<IconMail size={18} />} onClick={() => setInviting(true)} w="fit-content">
      {t('invite')}
    </Button>
  )
  return (
    <Paper withBorder p="lg" component="section" aria-labelledby="members">
      <Stack>
        <Title order={2} id="members">
          {t('members')}
        </Title>
        <Loaded query={members}>
          {({ items }) =>
            items.length === 0 ? (
              <EmptyState icon={IconUsers} title={t('noMembers')} text={t('noMembersText')} action={invite} />
            ) : (
              <>
                <Table aria-labelledby="members">
                  <Table.Thead>
                    <Table.Tr>
                      <Table.Th>{t('name')}</Table.Th>
                      <Table.Th>{t('role')}</Table.Th>
                    </Table.Tr>
                  </Table.Thead>
                  <Table.Tbody>
                    {items.map(({ principal_id, name, email, role, status }) => (
                      <Table.Tr key={principal_id}>
                        <Table.Td>{name ?? email}</Table.Td>
                        <Table.Td>
                          {role.name}, {t(`status.${status}`)}
                        </Table.Td>
                      </Table.Tr>
                    ))}
                  </Table.Tbody>
                </Table>
                {invite}
              </>
            )
          }
        </Loaded>
      </Stack>
      <InviteAdmin id={id} open={inviting} onClose={() => setInviting(false)} />
    </Paper>
  )
}
