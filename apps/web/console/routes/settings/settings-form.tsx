import type { OrganizationSettings } from '@tendon/sdk'
import { useState } from 'react'
import { useTranslations } from 'use-intl'
import { useWrite } from '../../../ui/api/hooks.ts'
import { toast } from '../../../ui/feedback/toasts.tsx'
import { shownValue } from '../../../ui/field-form/shown-value.ts'
import type { ShownQuestion } from '../../../ui/field-form/translated.ts'
import { VersionedFields } from '../../../ui/field-form/versioned-fields.tsx'
import { useClinic } from '../../../ui/session/clinic.tsx'

const OFFSETS = [10_080, 4_320, 2_880, 1_440, 120, 60]
const HOUR = 60
const DAY = 24 * HOUR

type Values = Record<string, unknown>

const valuesOf = (settings: Partial<OrganizationSettings>): Values => ({
  field_reminder_offsets_minutes: (settings.reminder_offsets_minutes ?? []).map(String),
  field_feed_shows_details: settings.feed_shows_details ? 'details' : 'busy',
  field_brand_color: settings.brand_color ?? '',
})

/** Reminders, calendar feeds and the colour of the clinic. */
export function SettingsForm({ settings, readOnly }: { settings: OrganizationSettings; readOnly: boolean }) {
  const t = useTranslations('console.settings')
  const { id } = useClinic()
  const [version, setVersion] = useState(settings.version)
  const [values, setValues] = useState(valuesOf(settings))
  const write = useWrite('PATCH /v1/organizations/{id}/settings', {
    refresh: ['/v1/organizations'],
    onDone: ({ data }) => {
      setVersion(data.version)
      setValues(valuesOf(data))
      toast({ text: t('saved') })
    },
  })
  const offsetText = (minutes: number) => {
    if (minutes % DAY === 0) return t('daysBefore', { count: minutes / DAY })
    return minutes % HOUR === 0 ? t('hoursBefore', { count: minutes / HOUR }) : t('minutesBefore', { count: minutes })
  }
  const offsets = [...new Set([...OFFSETS, ...settings.reminder_offsets_minutes])].toSorted((a, b) => b - a)
  const questions: ShownQuestion[] = [
    {
      key: 'reminder_offsets_minutes',
      type: 'checkbox',
      label: t('reminders'),
      help_text: t('remindersHelp'),
      options: offsets.map(String),
      optionLabels: Object.fromEntries(offsets.map((minutes) => [String(minutes), offsetText(minutes)])),
    },
    {
      key: 'feed_shows_details',
      type: 'radio',
      label: t('feeds'),
      help_text: t('feedsHelp'),
      options: ['busy', 'details'],
      optionLabels: { busy: t('feedsBusy'), details: t('feedsDetails') },
    },
    { key: 'brand_color', type: 'text', label: t('color'), help_text: t('colorHelp'), max_length: 7 },
  ]
  const color = shownValue(values.field_brand_color).trim()
  const save = (of: number) =>
    write.mutate({
      params: { id },
      body: {
        reminder_offsets_minutes: (values.field_reminder_offsets_minutes as string[]).map(Number),
        feed_shows_details: values.field_feed_shows_details === 'details',
        brand_color: color === '' ? null : color,
        version: of,
      },
    })
  return (
    <VersionedFields
      fields={questions}
      values={values}
      onChange={setValues}
      write={write}
      version={version}
      onSave={save}
      valuesOf={valuesOf}
      onTheirs={(theirs, of) => {
        setValues(theirs)
        setVersion(of)
      }}
      problemTexts={{ brand_color: t('colorProblem') }}
      readOnly={readOnly}
    />
  )
}
