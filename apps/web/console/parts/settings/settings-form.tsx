import { Stack, TextInput } from '@mantine/core'
import type { OrganizationSettings } from '@tendon/sdk'
import { useTranslations } from 'use-intl'
import { useWrite } from '#ui/api/hooks.ts'
import { Problem } from '#ui/feedback/problem.tsx'
import { toast } from '#ui/feedback/toasts.tsx'
import { SubmitButtons } from '#ui/field-form/submit-buttons.tsx'
import { CheckChoices, RadioChoices } from '#ui/form/choices.tsx'
import { FormConflict, rowsOf } from '#ui/form/form-conflict.tsx'
import { useApiForm } from '#ui/form/use-api-form.ts'
import { useClinic } from '#ui/session/clinic.tsx'

const OFFSETS = [10_080, 4_320, 2_880, 1_440, 120, 60]
const HOUR = 60
const DAY = 24 * HOUR

const valuesOf = (settings: Partial<OrganizationSettings>) => ({
  reminder_offsets_minutes: settings.reminder_offsets_minutes ?? [],
  feed_shows_details: settings.feed_shows_details ?? false,
  waitlist_offers: settings.waitlist_offers ?? 'off',
  brand_color: settings.brand_color ?? '',
  emergency_number: settings.emergency_number ?? '',
})

/** Reminders, calendar feeds and the colour of the clinic. */
export function SettingsForm({ settings, readOnly }: { settings: OrganizationSettings; readOnly: boolean }) {
  const t = useTranslations('console.settings')
  const { id } = useClinic()
  const write = useWrite('PATCH /v1/organizations/{id}/settings', {
    refresh: ['/v1/organizations'],
    onDone: () => toast({ text: t('saved') }),
  })
  const form = useApiForm(write, valuesOf(settings), {
    version: settings.version,
    valuesOf,
    problemTexts: { brand_color: t('colorProblem'), emergency_number: t('emergencyProblem') },
  })
  const send = form.onSubmit((body, version) => write.mutate({ params: { id }, body: { ...body, version } }))
  const offsetText = (minutes: number) => {
    if (minutes % DAY === 0) return t('daysBefore', { count: minutes / DAY })
    return minutes % HOUR === 0 ? t('hoursBefore', { count: minutes / HOUR }) : t('minutesBefore', { count: minutes })
  }
  const offsets = [...new Set([...OFFSETS, ...settings.reminder_offsets_minutes])].toSorted((a, b) => b - a)
  const labels = {
    reminder_offsets_minutes: t('reminders'),
    feed_shows_details: t('feeds'),
    waitlist_offers: t('offers'),
    brand_color: t('color'),
    emergency_number: t('emergency'),
  }
  const shown = (name: keyof typeof labels, value: unknown) => {
    if (Array.isArray(value)) return value.map((minutes) => offsetText(Number(minutes))).join(', ')
    if (name === 'feed_shows_details') return t(value === true ? 'feedsDetails' : 'feedsBusy')
    if (name === 'waitlist_offers') return t(value === 'auto' ? 'offersAuto' : 'offersOff')
    return typeof value === 'string' ? value : ''
  }
  return (
    <form onSubmit={send} noValidate>
      <Stack gap="lg">
        <CheckChoices
          {...form.choices('reminder_offsets_minutes')}
          label={labels.reminder_offsets_minutes}
          description={t('remindersHelp')}
          disabled={readOnly}
          options={offsets.map((minutes) => ({ value: String(minutes), label: offsetText(minutes) }))}
        />
        <RadioChoices
          {...form.yesNo('feed_shows_details')}
          label={labels.feed_shows_details}
          description={t('feedsHelp')}
          disabled={readOnly}
          options={[
            { value: 'no', label: t('feedsBusy') },
            { value: 'yes', label: t('feedsDetails') },
          ]}
        />
        <RadioChoices
          {...form.radio('waitlist_offers')}
          label={labels.waitlist_offers}
          description={t('offersHelp')}
          disabled={readOnly}
          options={[
            { value: 'off', label: t('offersOff') },
            { value: 'auto', label: t('offersAuto') },
          ]}
        />
        <TextInput
          {...form.text('brand_color')}
          size="md"
          label={labels.brand_color}
          description={t('colorHelp')}
          maxLength={7}
          readOnly={readOnly}
        />
        <TextInput
          {...form.text('emergency_number')}
          size="md"
          label={labels.emergency_number}
          description={t('emergencyHelp')}
          maxLength={15}
          required
          readOnly={readOnly}
        />
        <Problem error={form.problem} />
        {!readOnly && <SubmitButtons write={write} />}
      </Stack>
      <FormConflict form={form} rows={rowsOf(labels, shown)} />
    </form>
  )
}
