import { Radio, Stack, Text, TextInput } from '@mantine/core'
import '@mantine/core/styles/Radio.layer.css'
import { type KeyboardEvent, useEffect, useState } from 'react'
import { useTranslations } from 'use-intl'
import { useList } from '#ui/api/hooks.ts'
import { Problem } from '#ui/feedback/problem.tsx'
import { Day } from '#ui/format/time.tsx'
import { IconSearch } from '#ui/icons/index.ts'

const WAIT_MS = 250
const MAX_PATIENTS = 6

interface PatientPickerProps {
  value: string
  /** Called with '' when the search changes or the chosen patient is no longer shown. */
  onChange: (id: string) => void
  error?: string | undefined
  /** What the search begins with. */
  start?: string
}

/** Finds a patient by name or phone. */
export function PatientPicker({ value, onChange, error, start = '' }: PatientPickerProps) {
  const t = useTranslations('console.calendar')
  const [text, setText] = useState(start)
  const [q, setQ] = useState(start)
  useEffect(() => {
    const timer = setTimeout(() => setQ(text.trim()), WAIT_MS)
    return () => clearTimeout(timer)
  }, [text])
  const patients = useList('GET /v1/patients/picker', { query: { q, limit: MAX_PATIENTS + 1 } })
  const found = patients.data?.items ?? []
  const items = found.slice(0, MAX_PATIENTS)
  const isGone = value !== '' && patients.data !== undefined && !items.some(({ id }) => id === value)
  useEffect(() => {
    if (isGone) onChange('')
  }, [isGone, onChange])
  const isCurrent = q === text.trim() && patients.data !== undefined && !patients.isPlaceholderData
  /** Enter chooses the only match. It never submits the form around the search. */
  const chooseOnEnter = (event: KeyboardEvent) => {
    if (event.key !== 'Enter') return
    event.preventDefault()
    const [only, second] = items
    if (isCurrent && only && !second) onChange(only.id)
  }
  return (
    <>
      <TextInput
        type="search"
        label={t('patient')}
        placeholder={t('searchPatient')}
        leftSection={<IconSearch size={18} />}
        value={text}
        autoComplete="off"
        data-autofocus
        onKeyDown={chooseOnEnter}
        onChange={(event) => {
          setText(event.currentTarget.value)
          onChange('')
        }}
      />
      {patients.data && items.length === 0 && <Text c="dimmed">{t('nobody')}</Text>}
      <Radio.Group aria-label={t('patient')} value={value} error={error} onChange={onChange}>
        <Stack gap={6}>
          {items.map(({ id, name, birth_date }) => (
            <Radio key={id} value={id} label={name} description={birth_date ? <Day value={birth_date} /> : undefined} />
          ))}
        </Stack>
      </Radio.Group>
      {found.length > items.length && <Text c="dimmed">{t('moreMatch')}</Text>}
      <Problem error={patients.error} />
    </>
  )
}
