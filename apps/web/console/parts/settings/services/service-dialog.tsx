import { NativeSelect, Stack, Textarea, TextInput } from '@mantine/core'
import type { Service } from '@tendon/sdk'
import { useFormatter, useTranslations } from 'use-intl'
import { useWrite } from '#ui/api/hooks.ts'
import { Dialog } from '#ui/feedback/dialog.tsx'
import { Problem } from '#ui/feedback/problem.tsx'
import { toast } from '#ui/feedback/toasts.tsx'
import { SubmitButtons } from '#ui/field-form/submit-buttons.tsx'
import { CheckChoices, RadioChoices } from '#ui/form/choices.tsx'
import { FormConflict, rowsOf } from '#ui/form/form-conflict.tsx'
import { useApiForm } from '#ui/form/use-api-form.ts'
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

const STATUSES = ['active', 'archived'] as const

/** The price is shown in the main unit of its currency. */
const valuesOf = (service: Partial<Service>) => ({
  name: service.name ?? '',
  description: service.description ?? '',
  duration_minutes: service.duration_minutes ?? 50,
  slot_interval_minutes: service.slot_interval_minutes ?? 60,
  buffer_after_minutes: service.buffer_after_minutes ?? 0,
  modes: service.modes ?? (['in_person'] as const),
  price_cents:
    service.price_cents == null
      ? ('' as const)
      : service.price_cents / minorUnitsOf(service.currency ?? DEFAULT_CURRENCY),
  is_public: service.is_public ?? true,
  requires_confirmation: service.requires_confirmation ?? false,
  status: service.status ?? 'active',
})

function ServiceForm({ service, onClose }: { service: Service | undefined; onClose: () => void }) {
  const t = useTranslations('console.settings.services')
  const tVisits = useTranslations('console.record.appointments')
  const { options: modes, optionLabels: modeLabels } = useModeOptions()
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
  const currency = service?.currency ?? DEFAULT_CURRENCY
  const form = useApiForm(write, valuesOf(service ?? {}), {
    version: service?.version,
    valuesOf,
    adapt: ({ price_cents: price, ...body }) => ({
      ...body,
      price_cents: typeof price === 'number' ? Math.round(price * minorUnitsOf(currency)) : price,
    }),
  })
  const send = form.onSubmit((body, version) =>
    service ? change.mutate({ params: { id: service.id }, body: { ...body, version } }) : create.mutate({ body }),
  )
  const yesNo = [
    { value: 'yes', label: t('yes') },
    { value: 'no', label: t('no') },
  ]
  const labels = {
    name: t('name'),
    description: t('description'),
    duration_minutes: t('durationMinutes'),
    slot_interval_minutes: t('interval'),
    buffer_after_minutes: t('buffer'),
    modes: tVisits('mode'),
    price_cents: t('price'),
    is_public: t('isPublic'),
    requires_confirmation: t('requiresConfirmation'),
    status: t('status'),
  }
  const format = useFormatter()
  const shown = (name: keyof typeof labels, value: unknown) => {
    if (typeof value === 'boolean') return t(value ? 'yes' : 'no')
    if (name === 'price_cents' && typeof value === 'number')
      return format.number(value, { style: 'currency', currency })
    const texts: Readonly<Record<string, string>> = name === 'modes' ? modeLabels : statusLabels
    return [value]
      .flat()
      .map((one) => texts[String(one)] ?? String(one))
      .join(', ')
  }
  const statusLabels = { active: t('active'), archived: t('archived') }
  return (
    <form onSubmit={send} noValidate>
      <Stack gap="lg">
        <TextInput {...form.text('name')} size="md" label={labels.name} required maxLength={200} />
        <Textarea
          {...form.text('description')}
          size="md"
          label={labels.description}
          description={t('descriptionHelp')}
          autosize
          minRows={3}
        />
        <TextInput {...form.number('duration_minutes')} size="md" label={labels.duration_minutes} required />
        <TextInput
          {...form.number('slot_interval_minutes')}
          size="md"
          label={labels.slot_interval_minutes}
          description={t('intervalHelp')}
        />
        <TextInput
          {...form.number('buffer_after_minutes')}
          size="md"
          label={labels.buffer_after_minutes}
          description={t('bufferHelp')}
        />
        <CheckChoices
          {...form.choices('modes')}
          label={labels.modes}
          options={modes.map((value) => ({ value, label: modeLabels[value] ?? value }))}
        />
        <TextInput
          {...form.number('price_cents')}
          size="md"
          label={labels.price_cents}
          description={t('priceHelp', { currency })}
        />
        <RadioChoices {...form.yesNo('is_public')} label={labels.is_public} options={yesNo} />
        <RadioChoices {...form.yesNo('requires_confirmation')} label={labels.requires_confirmation} options={yesNo} />
        {service && (
          <NativeSelect
            {...form.select('status')}
            size="md"
            label={labels.status}
            data={STATUSES.map((value) => ({ value, label: statusLabels[value] }))}
          />
        )}
        <Problem error={form.problem} />
        <SubmitButtons write={write} onCancel={onClose} />
      </Stack>
      <FormConflict form={form} rows={rowsOf(labels, shown)} />
    </form>
  )
}
