import { CloseButton, TextInput } from '@mantine/core'
import { useEffect, useRef, useState } from 'react'
import { useTranslations } from 'use-intl'
import { IconSearch } from '../icons/index.ts'
import { useKeys } from '../keyboard/use-keys.ts'
import { useChangeSearch, useListSearch } from './list-search.ts'

const WAIT_MS = 250

interface SearchBoxProps {
  label: string
  /** The down arrow: to the first row of the list. */
  onDown: () => void
}

/** The search of a list, stored in the URL. */
export function SearchBox({ label, onDown }: SearchBoxProps) {
  const { q = '' } = useListSearch()
  const change = useChangeSearch()
  return <Box label={label} searched={q} onSearch={(text) => change({ q: text || undefined })} onDown={onDown} />
}

interface PrivateSearchBoxProps extends SearchBoxProps {
  value: string
  onChange: (text: string) => void
}

/** Like `SearchBox`, for people's names, which must not be in the URL. Returns the list to its first page. */
export function PrivateSearchBox({ label, value, onChange, onDown }: PrivateSearchBoxProps) {
  const change = useChangeSearch()
  const search = (text: string) => {
    onChange(text)
    change({})
  }
  return <Box label={label} searched={value} onSearch={search} onDown={onDown} />
}

interface BoxProps extends SearchBoxProps {
  searched: string
  onSearch: (text: string) => void
}

/** Searches 250 ms after the last key. `/` focuses the box. */
function Box({ label, searched, onSearch, onDown }: BoxProps) {
  const t = useTranslations('ui.action')
  const input = useRef<HTMLInputElement>(null)
  const [text, setText] = useState(searched)
  const [sent, setSent] = useState(searched)
  // The browser's back and forward change the search, and the box follows.
  if (searched !== sent) {
    setSent(searched)
    setText(searched)
  }
  useKeys({ '/': () => input.current?.focus() })
  const apply = useRef(onSearch)
  useEffect(() => {
    apply.current = onSearch
  })
  useEffect(() => {
    if (text === searched) return undefined
    const timer = setTimeout(() => apply.current(text), WAIT_MS)
    return () => clearTimeout(timer)
  }, [text, searched])

  return (
    <TextInput
      ref={input}
      type="search"
      aria-label={label}
      placeholder={label}
      value={text}
      onChange={(event) => setText(event.currentTarget.value)}
      onKeyDown={(event) => {
        if (event.key !== 'ArrowDown') return
        event.preventDefault()
        onDown()
      }}
      leftSection={<IconSearch size={18} />}
      rightSection={text && <CloseButton aria-label={t('clear')} onClick={() => setText('')} />}
      w={{ base: '100%', xs: 320 }}
    />
  )
}
