import { Button, Group, Paper, Stack, Text, TextInput, Title } from '@mantine/core'
import { useQueryClient } from '@tanstack/react-query'
import type { MyPatientRecord } from '@tendon/sdk'
import { type ReactNode, useId } from 'react'
import { useTranslations } from 'use-intl'
import { useWholeList, useWrite } from '#ui/api/hooks.ts'
import { Loaded } from '#ui/feedback/loading.tsx'
import { Problem } from '#ui/feedback/problem.tsx'
import { toast } from '#ui/feedback/toasts.tsx'
import { SubmitButtons } from '#ui/field-form/submit-buttons.tsx'
import { useApiForm } from '#ui/form/use-api-form.ts'
import { Day } from '#ui/format/time.tsx'
import { useLanguage } from '#ui/i18n/i18n.tsx'
import { type Language, languages } from '#ui/i18n/language.ts'
import { useClinic } from '#ui/session/clinic.tsx'
import { useMe } from '#ui/session/me.ts'
import classes from '../../parts/me/me.module.css'
import { MyPage } from '../../parts/me/my-page.tsx'

export function ProfilePage() {
  const t = useTranslations('portal.profile')
  const { id, name } = useClinic()
  const records = useWholeList('GET /v1/me/patient-records')
  return (
    <MyPage title={t('title')}>
      <Stack gap="xl">
        <NameForm />
        <LanguageChoice />
        <Stack component="section" gap="sm">
          <Title order={2}>{t('record', { clinic: name })}</Title>
          <Text c="dimmed">{t('recordText')}</Text>
          <Loaded query={records}>
            {({ items }) => {
              const here = items.find(({ organization }) => organization.id === id)
              return here ? <RecordFacts record={here} /> : null
            }}
          </Loaded>
        </Stack>
      </Stack>
    </MyPage>
  )
}

function NameForm() {
  const t = useTranslations('portal.profile')
  const me = useMe()
  const client = useQueryClient()
  const write = useWrite('PATCH /v1/me', {
    onDone: () => {
      toast({ text: t('saved') })
      void client.invalidateQueries({ predicate: ({ queryKey }) => queryKey[1] === 'me' })
    },
  })
  const form = useApiForm(write, { name: me.name ?? '' })
  return (
    <form noValidate onSubmit={form.onSubmit((body) => write.mutate({ body }))}>
      <Stack>
        <TextInput
          {...form.text('name')}
          size="md"
          label={t('name')}
          description={t('nameHelp')}
          autoComplete="name"
          required
        />
        <Problem error={form.problem} />
        <SubmitButtons write={write} size="md" disabled={!form.isDirty} />
      </Stack>
    </form>
  )
}

function LanguageChoice() {
  const t = useTranslations('portal.profile')
  const frame = useTranslations('ui.frame')
  const { language } = useLanguage()
  const client = useQueryClient()
  const id = useId()
  const write = useWrite('PATCH /v1/me', { onDone: () => void client.invalidateQueries() })
  const choose = (next: Language) => write.mutate({ body: { preferred_language: next } })
  return (
    <Stack component="section" gap="sm">
      <Title order={2} id={id}>
        {t('language')}
      </Title>
      <Group role="group" aria-labelledby={id}>
        {languages.map((choice) => (
          <Button
            key={choice}
            size="md"
            lang={choice}
            variant={choice === language ? 'filled' : 'default'}
            aria-pressed={choice === language}
            onClick={() => choose(choice)}
          >
            {frame(choice)}
          </Button>
        ))}
      </Group>
      <Problem error={write.error} />
    </Stack>
  )
}

function RecordFacts({ record }: { record: MyPatientRecord }) {
  const t = useTranslations('portal.profile')
  const { address } = record
  const lines = address
    ? Object.values(address).filter((part): part is string => typeof part === 'string' && part !== '')
    : []
  return (
    <Paper withBorder p="md">
      <dl className={classes.facts}>
        <Fact label={t('name')}>{record.name}</Fact>
        <Fact label={t('birthDate')}>{record.birth_date && <Day value={record.birth_date} />}</Fact>
        <Fact label={t('email')}>{record.email}</Fact>
        <Fact label={t('phone')}>{record.phone}</Fact>
        <Fact label={t('address')}>{lines.join(', ')}</Fact>
      </dl>
    </Paper>
  )
}

function Fact({ label, children }: { label: string; children: ReactNode }) {
  const t = useTranslations('portal.profile')
  return (
    <div>
      <Text component="dt" size="sm" c="dimmed">
        {label}
      </Text>
      <dd>{children || t('nothing')}</dd>
    </div>
  )
}
