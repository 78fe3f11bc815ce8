import { NativeSelect } from '@mantine/core'
import { useTranslations } from 'use-intl'
import { useServiceName } from '#ui/format/use-service-name.ts'
import type { NewVisit } from './use-new-visit.ts'

/** What free times depend on: the service, the specialist and how they meet. */
export function ChooseService({ visit }: { visit: NewVisit }) {
  const t = useTranslations('console.record.appointments')
  const serviceName = useServiceName()
  const { form, time, services, service, mode, offering } = visit
  const specialistField = form.select('specialist_id')
  const modeField = form.select('mode')
  const modes = service?.modes ?? []
  return (
    <>
      <NativeSelect
        {...form.select('service_id')}
        label={t('service')}
        value={service?.id ?? ''}
        data={(services.data?.items ?? []).map((one) => ({
          value: one.id,
          label: `${serviceName(one)} (${one.duration_minutes} min)`,
        }))}
        onChange={(event) => {
          form.setValues({ service_id: event.currentTarget.value, specialist_id: '', mode: '' })
          time.clear()
        }}
      />
      <NativeSelect
        {...specialistField}
        label={t('specialist')}
        data={[
          { value: '', label: t('anySpecialist') },
          ...offering.map(({ id, name }) => ({ value: id, label: name })),
        ]}
        onChange={(event) => {
          specialistField.onChange(event)
          time.clear()
        }}
      />
      {modes.length > 1 && (
        <NativeSelect
          {...modeField}
          label={t('mode')}
          value={mode}
          data={modes.map((value) => ({ value, label: t(`modes.${value}`) }))}
          onChange={(event) => {
            modeField.onChange(event)
            time.clear()
          }}
        />
      )}
    </>
  )
}
