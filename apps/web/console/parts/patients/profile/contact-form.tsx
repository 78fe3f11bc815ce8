import { NativeSelect, SimpleGrid, Stack, Textarea, TextInput } from '@mantine/core'
import '@mantine/core/styles/SimpleGrid.layer.css'
import type { Patient, PatientDetails } from '@tendon/sdk'
import { useState } from 'react'
import { useTranslations } from 'use-intl'
import { useWrite } from '#ui/api/hooks.ts'
import { Conflict } from '#ui/feedback/conflict.tsx'
import { Problem } from '#ui/feedback/problem.tsx'
import { staleOf } from '#ui/feedback/stale.ts'
import { toast } from '#ui/feedback/toasts.tsx'
import { SubmitButtons } from '#ui/field-form/submit-buttons.tsx'
import { orNull, useApiForm } from '#ui/field-form/use-api-form.ts'

const NAMES = ['first_name', 'last_name', 'phone', 'email', 'birth_date', 'sex', 'language_code', 'notes'] as const
type Values = Record<(typeof NAMES)[number], string>

const valuesOf = (patient: Partial<Record<(typeof NAMES)[number], string | null>>): Values =>
  Object.fromEntries(NAMES.map((name) => [name, patient[name] ?? ''])) as Values

export function ContactForm({ patient, readOnly }: { patient: Patient; readOnly: boolean }) {
  const t = useTranslations('console.record.profile')
  const [version, setVersion] = useState(patient.version)
  const write = useWrite('PUT /v1/patients/{id}', {
    refresh: ['/v1/patients'],
    onDone: ({ data }) => {
      setVersion(data.version)
      toast({ text: t('saved') })
    },
  })
  const form = useApiForm(valuesOf(patient), write)
  const stale = staleOf(write.error)
  const theirs = stale && valuesOf(stale.current)
  const labels: Record<keyof Values, string> = {
    first_name: t('firstName'),
    last_name: t('lastName'),
    phone: t('phone'),
    email: t('email'),
    birth_date: t('birthDate'),
    sex: t('sex'),
    language_code: t('language'),
    notes: t('notes'),
  }
  const save = (values: Values, of: number) =>
    write.mutate({
      params: { id: patient.id },
      ifMatch: of,
      body: {
        first_name: values.first_name,
        last_name: values.last_name,
        phone: orNull(values.phone),
        email: orNull(values.email),
        birth_date: orNull(values.birth_date),
        sex: orNull(values.sex) as PatientDetails['sex'] & string,
        language_code: orNull(values.language_code),
        notes: orNull(values.notes),
        address: patient.address,
      },
    })
  const field = (name: keyof Values) => ({ ...form.bind(name), label: labels[name] })
  return (
    <form onSubmit={form.onSubmit((values) => save(values, version))} noValidate>
      <Stack>
        <SimpleGrid cols={{ base: 1, sm: 2 }}>
          <TextInput {...field('first_name')} required readOnly={readOnly} autoComplete="off" />
          <TextInput {...field('last_name')} required readOnly={readOnly} autoComplete="off" />
          <TextInput {...field('phone')} type="tel" readOnly={readOnly} autoComplete="off" />
          <TextInput {...field('email')} type="email" readOnly={readOnly} autoComplete="off" />
          <TextInput {...field('birth_date')} type="date" readOnly={readOnly} />
          <NativeSelect
            {...field('sex')}
            disabled={readOnly}
            data={[
              { value: '', label: t('notGiven') },
              ...(['female', 'male', 'other', 'unknown'] as const).map((value) => ({
                value,
                label: t(`sexes.${value}`),
              })),
            ]}
          />
          <NativeSelect
            {...field('language_code')}
            disabled={readOnly}
            data={[
              { value: '', label: t('notGiven') },
              ...(['ro', 'en'] as const).map((value) => ({ value, label: t(`languages.${value}`) })),
            ]}
          />
        </SimpleGrid>
        <Textarea {...field('notes')} description={t('notesHelp')} autosize minRows={3} readOnly={readOnly} />
        <Problem error={stale ? null : form.problem} />
        {!readOnly && <SubmitButtons write={write} />}
      </Stack>
      <Conflict
        stale={stale}
        differences={NAMES.filter((name) => theirs && theirs[name] !== form.values[name]).map((name) => ({
          label: labels[name],
          theirs: theirs?.[name] ?? '',
          mine: form.values[name],
        }))}
        onTheirs={() => {
          if (stale && theirs) {
            form.setValues(theirs)
            setVersion(stale.version)
          }
          write.reset()
        }}
        onMine={() => stale && save(form.values, stale.version)}
        onClose={() => write.reset()}
      />
    </form>
  )
}
