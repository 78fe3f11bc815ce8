import { NativeSelect, TextInput } from '@mantine/core'
import { type ReactNode, useEffect, useState } from 'react'
import { useTranslations } from 'use-intl'
import { useList, useWholeList } from '#ui/api/hooks.ts'
import { IconSearch } from '#ui/icons/index.ts'
import { useClinic } from '#ui/session/clinic.tsx'

const WAIT_MS = 250
/** The API gives no more at once. */
const MAX_MEMBERS = 50

interface MemberSelectProps {
  name: string
  value: string
  error: ReactNode
  onChange: (event: { currentTarget: { value: string } }) => void
  /** Omitted for a new specialist. */
  specialistId?: string
  /** The account that is linked now, which may not be among those listed. */
  current?: Account | undefined
}

interface Account {
  id: string
  name: string | null
  email: string | null
}

const nameOf = ({ id, name, email }: Account) => name ?? email ?? id

/**
 * The account of a specialist. One that another specialist has cannot be chosen. Where not all members fit in, it says so and
 * offers a search.
 */
export function MemberSelect({ value, onChange, specialistId, current, ...field }: MemberSelectProps) {
  const t = useTranslations('console.specialist')
  const { id } = useClinic()
  const [text, setText] = useState('')
  const [q, setQ] = useState('')
  useEffect(() => {
    const timer = setTimeout(() => setQ(text.trim()), WAIT_MS)
    return () => clearTimeout(timer)
  }, [text])
  const members = useList('GET /v1/organizations/{id}/members/picker', {
    params: { id },
    query: { q, limit: MAX_MEMBERS },
  })
  const items: Account[] = members.data?.items ?? []
  const isCut = items.length >= MAX_MEMBERS
  const specialists = useWholeList('GET /v1/specialists', { query: { sort: 'name' } })
  const ownerOf = (human: string) =>
    specialists.data?.items.find(({ human_id, id: other }) => human_id === human && other !== specialistId)?.name
  const listed = current && items.every((one) => one.id !== current.id) ? [current, ...items] : items
  return (
    <>
      {(isCut || text !== '') && (
        <TextInput
          type="search"
          label={t('searchAccount')}
          leftSection={<IconSearch size={18} />}
          value={text}
          autoComplete="off"
          onKeyDown={(event) => {
            if (event.key === 'Enter') event.preventDefault()
          }}
          onChange={(event) => {
            setText(event.currentTarget.value)
            onChange({ currentTarget: { value: '' } })
          }}
        />
      )}
      <NativeSelect
        {...field}
        value={value}
        onChange={onChange}
        label={t('account')}
        description={isCut ? `${t('accountHelp')} ${t('accountsCut', { count: MAX_MEMBERS })}` : t('accountHelp')}
        data={[
          { value: '', label: t('noAccount') },
          ...listed.map((one) => {
            const owner = ownerOf(one.id)
            return {
              value: one.id,
              label: owner === undefined ? nameOf(one) : t('accountTaken', { account: nameOf(one), name: owner }),
              disabled: owner !== undefined,
            }
          }),
        ]}
      />
    </>
  )
}
