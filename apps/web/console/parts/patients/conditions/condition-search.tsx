import { Radio, Stack, Text, TextInput } from '@mantine/core'
import '@mantine/core/styles/Radio.layer.css'
import { useEffect, useState } from 'react'
import { useTranslations } from 'use-intl'
import { useList } from '#ui/api/hooks.ts'
import { useLanguage } from '#ui/i18n/i18n.tsx'
import { IconSearch } from '#ui/icons/index.ts'

const WAIT_MS = 250
const MAX_RESULTS = 8
const MIN_LETTERS = 2

interface ConditionSearchProps {
  text: string
  onText: (text: string) => void
  value: string | undefined
  onChange: (id: string) => void
}

/** Finds a condition of the library by name or ICD-10 code. */
export function ConditionSearch({ text, onText, value, onChange }: ConditionSearchProps) {
  const t = useTranslations('console.record.conditions')
  const { language: locale } = useLanguage()
  const [q, setQ] = useState('')
  useEffect(() => {
    const timer = setTimeout(() => setQ(text.trim()), WAIT_MS)
    return () => clearTimeout(timer)
  }, [text])
  const found = useList(
    'GET /v1/exercise-conditions',
    { query: { q, limit: MAX_RESULTS + 1 } },
    { enabled: q.length >= MIN_LETTERS },
  )
  const matches = q.length >= MIN_LETTERS ? found.data?.items : undefined
  const items = matches?.slice(0, MAX_RESULTS)
  return (
    <Stack gap="xs">
      <TextInput
        label={t('condition')}
        placeholder={t('search')}
        description={t('more')}
        leftSection={<IconSearch size={18} />}
        value={text}
        required
        autoComplete="off"
        onChange={(event) => onText(event.currentTarget.value)}
      />
      {items?.length === 0 && <Text c="dimmed">{t('nothing')}</Text>}
      {items !== undefined && items.length > 0 && (
        <Radio.Group aria-label={t('condition')} value={value ?? ''} onChange={onChange}>
          <Stack gap={6}>
            {items.map(({ id, name, icd10_code, translations }) => (
              <Radio
                key={id}
                value={id}
                label={`${translations[locale]?.name ?? name}${icd10_code === null ? '' : ` (${icd10_code})`}`}
              />
            ))}
          </Stack>
        </Radio.Group>
      )}
      {(matches?.length ?? 0) > MAX_RESULTS && <Text c="dimmed">{t('moreMatch')}</Text>}
    </Stack>
  )
}
