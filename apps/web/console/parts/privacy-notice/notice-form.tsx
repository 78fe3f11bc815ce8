import { Alert, Button, Checkbox, Group, Paper, Stack, Text, TextInput, Title } from '@mantine/core'
import type { PrivacyNotice, PrivacyNoticeTemplate } from '@tendon/sdk'
import { useTranslations } from 'use-intl'
import { Problem } from '#ui/feedback/problem.tsx'
import { toast } from '#ui/feedback/toasts.tsx'
import { FormConflict } from '#ui/form/form-conflict.tsx'
import { useLanguage } from '#ui/i18n/i18n.tsx'
import { missingIn, usedPlaceholders } from './notice-rules.ts'
import { PublishDialog } from './publish-dialog.tsx'
import { useNoticeForm } from './use-notice-form.ts'

interface NoticeFormProps {
  notice: PrivacyNotice
  template: PrivacyNoticeTemplate
  /** Called with the notice that is being edited; undefined once it is published. */
  onEdited: (notice: PrivacyNotice | undefined) => void
}

export function NoticeForm({ notice, template, onEdited }: NoticeFormProps) {
  const t = useTranslations('console.notice')
  const { language } = useLanguage()
  const { form, write, preview, final, close, submit, store, showPreview } = useNoticeForm(notice, template, () => {
    onEdited(undefined)
    toast({ text: t('done') })
  })
  const textIn = (translations: Record<string, string | undefined>) => translations[language] ?? translations.en ?? ''
  const missing = missingIn(template, form.values)
  const fieldOf = (key: string) => {
    const field = form.text(`placeholder_values.${key}`)
    return { ...field, error: field.error !== undefined && missing.includes(key) ? t('missing') : field.error }
  }
  const namesOf = (keys: readonly string[]) =>
    template.toggleable_sections
      .filter(({ key }) => keys.includes(key))
      .map(({ name }) => textIn(name))
      .join(', ')
  return (
    <Stack maw={680}>
      <Alert color={notice.published_version === null ? 'orange' : 'tendon'} variant="outline">
        {notice.published_version === null ? t('unpublished') : t('published', { version: notice.published_version })}
      </Alert>
      <form onSubmit={submit} onChange={() => onEdited(notice)} noValidate>
        <Stack>
          {usedPlaceholders(template, form.values.included_sections).map(({ key, required, label }) => (
            <TextInput key={key} {...fieldOf(key)} label={textIn(label)} required={required} />
          ))}
          {template.toggleable_sections.length > 0 && (
            <Checkbox.Group {...form.choices('included_sections')} label={t('sections')}>
              <Stack gap="sm" mt="xs">
                {template.toggleable_sections.map(({ key, name }) => (
                  <Checkbox key={key} value={key} label={textIn(name)} />
                ))}
              </Stack>
            </Checkbox.Group>
          )}
          <Problem error={preview.error ?? final.error} />
          <Group>
            <Button type="submit" loading={final.isPending}>
              {t('publish')}
            </Button>
            <Button variant="default" loading={preview.isPending} onClick={showPreview}>
              {t('preview')}
            </Button>
          </Group>
        </Stack>
      </form>
      <PublishDialog
        notice={notice}
        preview={form.conflict.stale ? undefined : final.data?.data}
        pending={write.isPending}
        error={write.error}
        onConfirm={store}
        onClose={close}
      />
      <FormConflict
        form={form}
        rows={[
          ...template.placeholders.map(({ key, label }) => ({
            label: textIn(label),
            shown: ({ placeholder_values }: Partial<typeof form.values>) => placeholder_values?.[key] ?? '',
          })),
          {
            label: t('sections'),
            shown: ({ included_sections }: Partial<typeof form.values>) => namesOf(included_sections ?? []),
          },
        ]}
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
