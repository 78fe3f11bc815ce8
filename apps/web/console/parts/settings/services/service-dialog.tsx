import type { NewService, Service } from '@tendon/sdk'
import { useState } from 'react'
import { useTranslations } from 'use-intl'
import { useWrite } from '#ui/api/hooks.ts'
import { Dialog } from '#ui/feedback/dialog.tsx'
import { toast } from '#ui/feedback/toasts.tsx'
import { shownValue } from '#ui/field-form/shown-value.ts'
import type { ShownQuestion } from '#ui/field-form/translated.ts'
import { VersionedFields } from '#ui/field-form/versioned-fields.tsx'
import { minorUnitsOf } from '#ui/format/money.ts'
import { useModeOptions } from '../../appointments/use-mode-options.ts'

interface ServiceDialogProps {
  /** 'new' for a new service; undefined: closed. */
  service: Service | 'new' | undefined
  onClose: () => void
}

export function ServiceDialog({ service, onClose }: ServiceDialogProps) {
  const t = useTranslations('console.settings.services')
  return (
    <Dialog
      open={service !== undefined}
      title={service === 'new' ? t('add') : (service?.name ?? '')}
      onClose={onClose}
      side
    >
      {service !== undefined && <ServiceForm service={service === 'new' ? undefined : service} onClose={onClose} />}
    </Dialog>
  )
}

/** The API gives it to a service that names no other currency. */
const DEFAULT_CURRENCY = 'RON'

type Values = Record<string, unknown>

const valuesOf = (service: Partial<Service>): Values => ({
  field_name: service.name ?? '',
  field_description: service.description ?? '',
  field_duration_minutes: service.duration_minutes ?? 50,
  field_slot_interval_minutes: service.slot_interval_minutes ?? 60,
  field_buffer_after_minutes: service.buffer_after_minutes ?? 0,
  field_modes: service.modes ?? ['in_person'],
  field_price_cents:
    service.price_cents == null ? null : service.price_cents / minorUnitsOf(service.currency ?? DEFAULT_CURRENCY),
  field_is_public: service.is_public === false ? 'no' : 'yes',
  field_requires_confirmation: service.requires_confirmation ? 'yes' : 'no',
  field_status: service.status ?? 'active',
})

const bodyOf = (values: Values, currency = DEFAULT_CURRENCY): NewService => {
  const price = values.field_price_cents
  return {
    name: shownValue(values.field_name).trim(),
    description: shownValue(values.field_description).trim() || null,
    duration_minutes: values.field_duration_minutes as number,
    slot_interval_minutes: values.field_slot_interval_minutes as number,
    buffer_after_minutes: values.field_buffer_after_minutes as number,
    modes: values.field_modes as Service['modes'],
    price_cents: typeof price === 'number' ? Math.round(price * minorUnitsOf(currency)) : (price as null),
    is_public: values.field_is_public === 'yes',
    requires_confirmation: values.field_requires_confirmation === 'yes',
    status: values.field_status as Service['status'],
  }
}

function useQuestions(service: Service | undefined): ShownQuestion[] {
  const t = useTranslations('console.settings.services')
  const tVisits = useTranslations('console.record.appointments')
  const yesNo = { options: ['yes', 'no'], optionLabels: { yes: t('yes'), no: t('no') } }
  return [
    { key: 'name', type: 'text', label: t('name'), required: true, max_length: 200 },
    { key: 'description', type: 'textarea', label: t('description'), help_text: t('descriptionHelp') },
    { key: 'duration_minutes', type: 'number', label: t('durationMinutes'), required: true },
    { key: 'slot_interval_minutes', type: 'number', label: t('interval'), help_text: t('intervalHelp') },
    { key: 'buffer_after_minutes', type: 'number', label: t('buffer'), help_text: t('bufferHelp') },
    {
      key: 'modes',
      type: 'checkbox',
      label: tVisits('mode'),
      ...useModeOptions(),
    },
    {
      key: 'price_cents',
      type: 'number',
      label: t('price'),
      help_text: t('priceHelp', { currency: service?.currency ?? DEFAULT_CURRENCY }),
    },
    { key: 'is_public', type: 'radio', label: t('isPublic'), ...yesNo },
    { key: 'requires_confirmation', type: 'radio', label: t('requiresConfirmation'), ...yesNo },
    ...(service === undefined
      ? []
      : [
          {
            key: 'status',
            type: 'select',
            label: t('status'),
            options: ['active', 'archived'],
            optionLabels: { active: t('active'), archived: t('archived') },
          } satisfies ShownQuestion,
        ]),
  ]
}

function ServiceForm({ service, onClose }: { service: Service | undefined; onClose: () => void }) {
  const t = useTranslations('console.settings.services')
  const questions = useQuestions(service)
  const [base, setBase] = useState({ values: valuesOf(service ?? {}), version: service?.version ?? 1 })
  const [values, setValues] = useState(base.values)
  const options = {
    refresh: ['/v1/services', '/v1/availability'],
    onDone: () => {
      toast({ text: t('saved') })
      onClose()
    },
  }
  const create = useWrite('POST /v1/services', options)
  const change = useWrite('PATCH /v1/services/{id}', options)
  const write = service ? change : create
  const save = (of: number) =>
    service
      ? change.mutate({ params: { id: service.id }, body: { ...bodyOf(values, service.currency), version: of } })
      : create.mutate({ body: bodyOf(values) })
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
      onCancel={onClose}
    />
  )
}
