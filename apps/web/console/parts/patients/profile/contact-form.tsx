import { NativeSelect, SimpleGrid, Stack, Textarea, TextInput } from '@mantine/core'
import '@mantine/core/styles/SimpleGrid.layer.css'
import type { Patient } from '@tendon/sdk'
import { useTranslations } from 'use-intl'
import { useWrite } from '#ui/api/hooks.ts'
import { Problem } from '#ui/feedback/problem.tsx'
import { toast } from '#ui/feedback/toasts.tsx'
import { SubmitButtons } from '#ui/field-form/submit-buttons.tsx'
import { DateField } from '#ui/form/date-field.tsx'
import { FormConflict, rowsOf } from '#ui/form/form-conflict.tsx'
import { useApiForm } from '#ui/form/use-api-form.ts'

const SEXES = ['female', 'male', 'other', 'unknown'] as const
const LANGUAGES = ['ro', 'en'] as const

const valuesOf = (patient: Partial<Patient>) => ({
  first_name: patient.first_name ?? '',
  last_name: patient.last_name ?? '',
  phone: patient.phone ?? '',
  email: patient.email ?? '',
  birth_date: patient.birth_date ?? '',
  sex: SEXES.find((sex) => sex === patient.sex) ?? ('' as const),
  language_code: patient.language_code ?? '',
  notes: patient.notes ?? '',
})

export function ContactForm({ patient, readOnly }: { patient: Patient; readOnly: boolean }) {
  const t = useTranslations('console.record.profile')
  const write = useWrite('PUT /v1/patients/{id}', {
    refresh: ['/v1/patients'],
    onDone: () => toast({ text: t('saved') }),
  })
  const form = useApiForm(write, valuesOf(patient), { version: patient.version, valuesOf })
  const labels = {
    first_name: t('firstName'),
    last_name: t('lastName'),
    phone: t('phone'),
    email: t('email'),
    birth_date: t('birthDate'),
    sex: t('sex'),
    language_code: t('language'),
    notes: t('notes'),
  }
  const send = form.onSubmit((body, ifMatch) =>
    write.mutate({ params: { id: patient.id }, ifMatch, body: { ...body, address: patient.address } }),
  )
  const typed = { readOnly, autoComplete: 'off' }
  return (
    <form onSubmit={send} noValidate>
      <Stack>
        <SimpleGrid cols={{ base: 1, sm: 2 }}>
          <TextInput {...form.text('first_name')} {...typed} label={labels.first_name} required />
          <TextInput {...form.text('last_name')} {...typed} label={labels.last_name} required />
          <TextInput {...form.text('phone')} {...typed} label={labels.phone} type="tel" />
          <TextInput {...form.text('email')} {...typed} label={labels.email} type="email" />
          <DateField {...form.date('birth_date')} label={labels.birth_date} readOnly={readOnly} />
          <NativeSelect
            {...form.select('sex')}
            label={labels.sex}
            disabled={readOnly}
            data={[
              { value: '', label: t('notGiven') },
              ...SEXES.map((value) => ({ value, label: t(`sexes.${value}`) })),
            ]}
          />
          <NativeSelect
            {...form.select('language_code')}
            label={labels.language_code}
            disabled={readOnly}
            data={[
              { value: '', label: t('notGiven') },
              ...LANGUAGES.map((value) => ({ value, label: t(`languages.${value}`) })),
            ]}
          />
        </SimpleGrid>
        <Textarea
          {...form.text('notes')}
          label={labels.notes}
          description={t('notesHelp')}
          autosize
          minRows={3}
          readOnly={readOnly}
        />
        <Problem error={form.problem} />
        {!readOnly && <SubmitButtons write={write} />}
      </Stack>
      <FormConflict form={form} rows={rowsOf(labels)} />
    </form>
  )
}
