import type { OrganizationSettings } from '@tendon/sdk'
import { useState } from 'react'
import { useTranslations } from 'use-intl'
import { useWrite } from '#ui/api/hooks.ts'
import { toast } from '#ui/feedback/toasts.tsx'
import { shownValue } from '#ui/field-form/shown-value.ts'
import type { ShownQuestion } from '#ui/field-form/translated.ts'
import { VersionedFields } from '#ui/field-form/versioned-fields.tsx'
import { useClinic } from '#ui/session/clinic.tsx'

const OFFSETS = [10_080, 4_320, 2_880, 1_440, 120, 60]
const HOUR = 60
const DAY = 24 * HOUR

type Values = Record<string, unknown>

const valuesOf = (settings: Partial<OrganizationSettings>): Values => ({
  field_reminder_offsets_minutes: (settings.reminder_offsets_minutes ?? []).map(String),
  field_feed_shows_details: settings.feed_shows_details ? 'details' : 'busy',
  field_waitlist_offers: settings.waitlist_offers ?? 'off',
  field_brand_color: settings.brand_color ?? '',
  field_emergency_number: settings.emergency_number ?? '',
})

/** Reminders, calendar feeds and the colour of the clinic. */
export function SettingsForm({ settings, readOnly }: { settings: OrganizationSettings; readOnly: boolean }) {
  const t = useTranslations('console.settings')
  const { id } = useClinic()
  const [base, setBase] = useState({ values: valuesOf(settings), version: settings.version })
  const [values, setValues] = useState(base.values)
  const write = useWrite('PATCH /v1/organizations/{id}/settings', {
    refresh: ['/v1/organizations'],
    onDone: ({ data }) => {
      setBase({ values: valuesOf(data), version: data.version })
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
    {
      key: 'waitlist_offers',
      type: 'radio',
      label: t('offers'),
      help_text: t('offersHelp'),
      options: ['off', 'auto'],
      optionLabels: { off: t('offersOff'), auto: t('offersAuto') },
    },
    { key: 'brand_color', type: 'text', label: t('color'), help_text: t('colorHelp'), max_length: 7 },
    {
      key: 'emergency_number',
      type: 'text',
      label: t('emergency'),
      help_text: t('emergencyHelp'),
      max_length: 15,
      required: true,
    },
  ]
  const color = shownValue(values.field_brand_color).trim()
  const save = (of: number) =>
    write.mutate({
      params: { id },
      body: {
        reminder_offsets_minutes: (values.field_reminder_offsets_minutes as string[]).map(Number),
        feed_shows_details: values.field_feed_shows_details === 'details',
        waitlist_offers: values.field_waitlist_offers === 'auto' ? 'auto' : 'off',
        brand_color: color === '' ? null : color,
        emergency_number: shownValue(values.field_emergency_number).trim(),
        version: of,
      },
    })
  return (
    <VersionedFields
      fields={questions}
      values={values}
      stored={base.values}
      onChange={setValues}
      write={write}
      version={base.version}
      onSave={save}
      valuesOf={valuesOf}
      onTheirs={(theirs, of) => {
        setBase({ values: theirs, version: of })
        setValues(theirs)
      }}
      problemTexts={{ brand_color: t('colorProblem'), emergency_number: t('emergencyProblem') }}
      readOnly={readOnly}
    />
  )
}
