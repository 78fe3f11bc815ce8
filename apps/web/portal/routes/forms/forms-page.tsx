import { Badge, Stack, Text, Title } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import type { FormSummary } from '@tendon/sdk'
import { useTranslations } from 'use-intl'
import { useWholeList } from '#ui/api/hooks.ts'
import { EmptyState } from '#ui/feedback/empty-state.tsx'
import { Loaded } from '#ui/feedback/loading.tsx'
import { translatedTitle } from '#ui/field-form/translated.ts'
import { Ago, Instant } from '#ui/format/time.tsx'
import { Page } from '#ui/frame/page.tsx'
import { useLanguage } from '#ui/i18n/i18n.tsx'
import { IconChevronRight, IconForms } from '#ui/icons/index.ts'
import { useClinic } from '#ui/session/clinic.tsx'
import classes from '../../parts/book/book.module.css'

/** The first page comes with the document. */
const PAGE_FORMS = 100

/** The person's forms at this clinic, unfinished ones first. */
export function FormsPage() {
  const t = useTranslations('portal.forms')
  const forms = useWholeList('GET /v1/forms', { query: { sort: '-created_at', limit: PAGE_FORMS } })
  return (
    <Page title={t('title')}>
      <Loaded query={forms}>
        {({ items }) =>
          items.length === 0 ? (
            <EmptyState icon={IconForms} title={t('none')} text={t('noneText')} />
          ) : (
            <Lists forms={items} />
          )
        }
      </Loaded>
    </Page>
  )
}

const isOpen = ({ status }: FormSummary) => status === 'pending' || status === 'in_progress'

function Lists({ forms }: { forms: readonly FormSummary[] }) {
  const t = useTranslations('portal.forms')
  const done = forms.filter((form) => !isOpen(form))
  return (
    <Stack gap="xl">
      <Stack component="section" gap="sm">
        <Title order={2}>{t('open')}</Title>
        {forms.some(isOpen) ? <FormLinks forms={forms.filter(isOpen)} /> : <Text>{t('noneOpen')}</Text>}
      </Stack>
      {done.length > 0 && (
        <Stack component="section" gap="sm">
          <Title order={2}>{t('done')}</Title>
          <FormLinks forms={done} />
        </Stack>
      )}
    </Stack>
  )
}

function FormLinks({ forms }: { forms: readonly FormSummary[] }) {
  const { language } = useLanguage()
  const t = useTranslations('portal.forms')
  const { slug } = useClinic()
  return (
    <ul className={classes.services}>
      {forms.map((form) => (
        <li key={form.id}>
          <Link to="/$clinic/forms/$id" params={{ clinic: slug, id: form.id }} className={classes.service}>
            <span className={classes.grow}>
              <Text fw={650} span display="block">
                {translatedTitle(form, language)}
              </Text>
              <Text span size="sm" c="dimmed">
                {form.amends_form_id !== null && `${t('correctionShort')} · `}
                <When form={form} />
              </Text>
            </span>
            {isOpen(form) && <Badge>{t(`status.${form.status}`)}</Badge>}
            <IconChevronRight size={20} />
          </Link>
        </li>
      ))}
    </ul>
  )
}

function When({ form }: { form: FormSummary }) {
  const t = useTranslations('portal.forms')
  if (form.amended_at !== null)
    return (
      <>
        {t('correctedShort')} <Instant value={form.amended_at} />
      </>
    )
  if (form.signed_at !== null)
    return (
      <>
        {t('signedOn')} <Instant value={form.signed_at} />
      </>
    )
  if (form.completed_at !== null)
    return (
      <>
        {t('filled')} <Instant value={form.completed_at} />
      </>
    )
  return (
    <>
      {t('sent')} <Ago value={form.created_at} />
    </>
  )
}
