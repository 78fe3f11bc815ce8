import { Alert, Button, Checkbox, Group, Paper, Stack, Text, TextInput, Title } from '@mantine/core'
import { isFilledIn } from '@tendon/contracts/placeholder-values'
import type { PrivacyNotice, PrivacyNoticeTemplate } from '@tendon/sdk'
import { useState } from 'react'
import { useTranslations } from 'use-intl'
import { useRead, useWrite } from '#ui/api/hooks.ts'
import { Conflict } from '#ui/feedback/conflict.tsx'
import { Loaded } from '#ui/feedback/loading.tsx'
import { Problem } from '#ui/feedback/problem.tsx'
import { staleOf } from '#ui/feedback/stale.ts'
import { toast } from '#ui/feedback/toasts.tsx'
import { useUnsavedGuard } from '#ui/feedback/use-unsaved-guard.ts'
import { isSame } from '#ui/field-form/answer-rules.ts'
import { Page } from '#ui/frame/page.tsx'
import { useLanguage } from '#ui/i18n/i18n.tsx'
import { useClinic } from '#ui/session/clinic.tsx'
import { PublishDialog } from '../../parts/privacy-notice/publish-dialog.tsx'

/** The clinic fills in its own details, sees the resulting text with what follows from it, and publishes it. */
export function PrivacyNoticePage() {
  const t = useTranslations('console.notice')
  const { id } = useClinic()
  const notice = useRead('GET /v1/organizations/{id}/privacy-notice', { params: { id } })
  // What somebody else saves meanwhile must not replace what is being typed.
  const [edited, setEdited] = useState<PrivacyNotice>()
  const version = notice.data?.data.latest_template_version ?? 1
  const template = useRead(
    'GET /v1/privacy-notice-templates/{version}',
    { params: { version } },
    { enabled: notice.data !== undefined },
  )
  return (
    <Page title={t('title')}>
      <Text c="dimmed" maw={680}>
        {t('help')}
      </Text>
      <Loaded query={notice}>
        {(read) => (
          <Loaded query={template}>
            {(of) => (
              <NoticeForm
                key={(edited ?? read.data).version}
                notice={edited ?? read.data}
                template={of.data}
                onEdited={setEdited}
              />
            )}
          </Loaded>
        )}
      </Loaded>
    </Page>
  )
}

/** The placeholders of the text and of the chosen sections: others do not get into the notice. */
function usedPlaceholders(
  { body_with_placeholders, placeholders, toggleable_sections }: PrivacyNoticeTemplate,
  sections: readonly string[],
) {
  const chosen = toggleable_sections.filter(({ key }) => sections.includes(key))
  const texts = [body_with_placeholders, ...chosen.map(({ body }) => body)].flatMap((one) => Object.values(one))
  return placeholders.filter(({ key }) => texts.some((text) => text.includes(`{{${key}}}`)))
}

const valuesOf = ({ draft, placeholder_values }: PrivacyNotice): Record<string, string> => ({
  ...draft?.suggested_values,
  ...placeholder_values,
  ...draft?.placeholder_values,
})

const isNotice = (row: object): row is PrivacyNotice => 'placeholder_values' in row && 'published_version' in row

interface NoticeFormProps {
  notice: PrivacyNotice
  template: PrivacyNoticeTemplate
  /** Called with the notice that is being edited; undefined once it is published. */
  onEdited: (notice: PrivacyNotice | undefined) => void
}

function NoticeForm({ notice, template, onEdited }: NoticeFormProps) {
  const t = useTranslations('console.notice')
  const { language: locale } = useLanguage()
  const { id } = useClinic()
  const { draft } = notice
  const [values, setValues] = useState<Record<string, string>>(valuesOf(notice))
  const [sections, setSections] = useState<readonly string[]>(draft?.included_sections ?? [])
  const [tried, setTried] = useState(false)
  const refresh = ['/v1/organizations/{id}/privacy-notice']
  const publish = useWrite('POST /v1/organizations/{id}/privacy-notice/publish', {
    refresh,
    onDone: () => {
      onEdited(undefined)
      toast({ text: t('done') })
    },
  })
  const save = useWrite('PUT /v1/organizations/{id}/privacy-notice', {
    onDone: ({ data }) => {
      setVersion(data.version)
      publish.mutate({ params: { id }, body: { version: data.version } })
    },
  })
  const preview = useWrite('POST /v1/organizations/{id}/privacy-notice/preview')
  const final = useWrite('POST /v1/organizations/{id}/privacy-notice/preview')
  const isDirty = !isSame([values, sections], [valuesOf(notice), draft?.included_sections ?? []])
  useUnsavedGuard(isDirty && !publish.isSuccess)
  const textIn = (translations: Record<string, string | undefined>) => translations[locale] ?? translations.en ?? ''
  const body = {
    template_version: template.version,
    placeholder_values: Object.fromEntries(Object.entries(values).filter(([, value]) => value.trim() !== '')),
    included_sections: [...sections],
  }
  const used = usedPlaceholders(template, sections)
  const missing = used.filter(({ key, required }) => required && !isFilledIn(values[key] ?? ''))
  const [version, setVersion] = useState(notice.version)
  const stale = staleOf(save.error ?? publish.error)
  const stored = stale && isNotice(stale.current) ? stale.current : undefined
  const theirs = stored && valuesOf(stored)
  const theirSections = stored?.draft?.included_sections ?? []
  const namesOf = (keys: readonly string[]) =>
    template.toggleable_sections
      .filter(({ key }) => keys.includes(key))
      .map(({ name }) => textIn(name))
      .join(', ')
  const store = (of: number) => save.mutate({ params: { id }, body: { ...body, version: of } })
  const close = () => {
    for (const one of [final, save, publish]) one.reset()
  }
  const send = () => {
    setTried(true)
    if (missing[0]) document.querySelector<HTMLElement>(`[name="${CSS.escape(missing[0].key)}"]`)?.focus()
    else final.mutate({ params: { id }, body })
  }
  return (
    <Stack maw={680}>
      <Alert color={notice.published_version === null ? 'orange' : 'tendon'} variant="outline">
        {notice.published_version === null ? t('unpublished') : t('published', { version: notice.published_version })}
      </Alert>
      {used.map(({ key, required, label }) => (
        <TextInput
          key={key}
          name={key}
          label={textIn(label)}
          required={required}
          value={values[key] ?? ''}
          error={tried && missing.some((one) => one.key === key) ? t('missing') : undefined}
          onChange={(event) => {
            onEdited(notice)
            setValues({ ...values, [key]: event.currentTarget.value })
          }}
        />
      ))}
      {template.toggleable_sections.length > 0 && (
        <Checkbox.Group
          label={t('sections')}
          value={[...sections]}
          onChange={(chosen) => {
            onEdited(notice)
            setSections(chosen)
          }}
        >
          <Stack gap="sm" mt="xs">
            {template.toggleable_sections.map(({ key, name }) => (
              <Checkbox key={key} value={key} label={textIn(name)} />
            ))}
          </Stack>
        </Checkbox.Group>
      )}
      <Problem error={preview.error ?? final.error} />
      <Group>
        <Button loading={final.isPending} onClick={send}>
          {t('publish')}
        </Button>
        <Button variant="default" loading={preview.isPending} onClick={() => preview.mutate({ params: { id }, body })}>
          {t('preview')}
        </Button>
      </Group>
      <PublishDialog
        notice={notice}
        preview={stale ? undefined : final.data?.data}
        pending={save.isPending || publish.isPending}
        error={save.error ?? publish.error}
        onConfirm={() => store(version)}
        onClose={close}
      />
      <Conflict
        stale={stale}
        differences={[
          ...template.placeholders.map(({ key, label }) => ({
            label: textIn(label),
            theirs: theirs?.[key] ?? '',
            mine: values[key] ?? '',
          })),
          { label: t('sections'), theirs: namesOf(theirSections), mine: namesOf(sections) },
        ].filter((one) => one.theirs !== one.mine)}
        onTheirs={() => {
          if (stale && theirs) {
            setValues(theirs)
            setSections(theirSections)
            setVersion(stale.version)
          }
          close()
        }}
        onMine={() => stale && store(stale.version)}
        onClose={close}
      />
      {preview.data && (
        <Paper withBorder p="lg" component="section" aria-labelledby="preview">
          <Title order={2} id="preview" mb="sm">
            {t('preview')}
          </Title>
          <Text style={{ whiteSpace: 'pre-wrap', overflowWrap: 'anywhere' }}>
            {textIn(preview.data.data.assembled_body)}
          </Text>
        </Paper>
      )}
    </Stack>
  )
}
