import { Button, Group, Paper, Stack, Text, Title } from '@mantine/core'
import { type ReactNode, useState } from 'react'
import { useTranslations } from 'use-intl'
import { useRead } from '#ui/api/hooks.ts'
import { Loaded } from '#ui/feedback/loading.tsx'
import { ButtonLink } from '#ui/frame/links.tsx'
import { useClinic } from '#ui/session/clinic.tsx'
import { useMay } from '#ui/session/me.ts'
import { InviteColleague } from '../../parts/members/invite-colleague.tsx'
import { ContactSettings } from '../../parts/settings/contact-settings.tsx'
import { Logo } from '../../parts/settings/logo.tsx'
import { SettingsForm } from '../../parts/settings/settings-form.tsx'

/** Reminders, appearance, and the way to what is set once. */
export function GeneralTab() {
  const t = useTranslations('console.settings')
  const { id, slug } = useClinic()
  const may = useMay()
  const [inviting, setInviting] = useState(false)
  const settings = useRead('GET /v1/organizations/{id}/settings', { params: { id } })
  const organization = useRead('GET /v1/organizations/{id}', { params: { id } })
  const readOnly = !may('organizations.update_settings')
  return (
    <Stack maw={720}>
      <Loaded query={settings}>
        {({ data }) => (
          <>
            <Paper withBorder p="lg" component="section" aria-labelledby="visits">
              <Title order={2} id="visits" mb="md">
                {t('visits')}
              </Title>
              <SettingsForm settings={data} readOnly={readOnly} />
            </Paper>
            <Paper withBorder p="lg" component="section" aria-labelledby="logo">
              <Title order={2} id="logo" mb="md">
                {t('logo.title')}
              </Title>
              <Logo url={data.logo_url} readOnly={readOnly} />
            </Paper>
          </>
        )}
      </Loaded>
      <Paper withBorder p="lg" component="section" aria-labelledby="contact">
        <Title order={2} id="contact" mb="md">
          {t('contact.title')}
        </Title>
        <Loaded query={organization}>
          {({ data }) => <ContactSettings organization={data} readOnly={!may('organizations.update')} />}
        </Loaded>
      </Paper>
      {may('organizations.manage_privacy_notice') && (
        <Place title={t('notice.title')} text={t('notice.text')}>
          <ButtonLink variant="default" to="/$clinic/privacy-notice" params={{ clinic: slug }}>
            {t('notice.action')}
          </ButtonLink>
        </Place>
      )}
      {may('organizations.manage_members') && (
        <Place title={t('colleagues.title')} text={t('colleagues.text')}>
          <Button variant="default" onClick={() => setInviting(true)}>
            {t('colleagues.action')}
          </Button>
          <InviteColleague open={inviting} onClose={() => setInviting(false)} />
        </Place>
      )}
    </Stack>
  )
}

function Place({ title, text, children }: { title: string; text: string; children: ReactNode }) {
  return (
    <Paper withBorder p="lg" component="section">
      <Group justify="space-between">
        <Stack gap={2}>
          <Title order={2}>{title}</Title>
          <Text c="dimmed">{text}</Text>
        </Stack>
        {children}
      </Group>
    </Paper>
  )
}
