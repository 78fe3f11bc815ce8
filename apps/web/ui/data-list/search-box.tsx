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
  /** Enter, once the list is that of the text. */
  onEnter: () => void
}

/** The search of a list, stored in the URL. */
export function SearchBox(props: SearchBoxProps) {
  const { q = '' } = useListSearch()
  const change = useChangeSearch()
  return <Box {...props} searched={q} onSearch={(text) => change({ q: text || undefined })} />
}

interface PrivateSearchBoxProps extends SearchBoxProps {
  value: string
  onChange: (text: string) => void
}

/** Like `SearchBox`, for people's names, which must not be in the URL. Returns the list to its first page. */
export function PrivateSearchBox({ value, onChange, ...props }: PrivateSearchBoxProps) {
  const change = useChangeSearch()
  const search = (text: string) => {
    onChange(text)
    change({})
  }
  return <Box {...props} searched={value} onSearch={search} />
}

interface BoxProps extends SearchBoxProps {
  searched: string
  onSearch: (text: string) => void
}

/** Searches 250 ms after the last key, or with Enter. `/` focuses the box. */
function Box({ label, searched, onSearch, onDown, onEnter }: BoxProps) {
  const t = useTranslations('ui.action')
  const input = useRef<HTMLInputElement>(null)
  const [text, setText] = useState(searched)
  const [sent, setSent] = useState(searched)
  const isEntered = useRef(false)
  // The browser's back and forward change the search, and the box follows.
  if (searched !== sent) {
    setSent(searched)
    setText(searched)
  }
  useKeys({ '/': () => input.current?.focus() })
  const apply = useRef(onSearch)
  const entered = useRef(onEnter)
  useEffect(() => {
    apply.current = onSearch
    entered.current = onEnter
  })
  useEffect(() => {
    if (text === searched) {
      if (isEntered.current) entered.current()
      isEntered.current = false
      return undefined
    }
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
        if (event.key !== 'ArrowDown' && event.key !== 'Enter') return
        event.preventDefault()
        if (event.key === 'ArrowDown') onDown()
        else if (text === searched) onEnter()
        else {
          isEntered.current = true
          onSearch(text)
        }
      }}
      leftSection={<IconSearch size={18} />}
      rightSection={text && <CloseButton aria-label={t('clear')} onClick={() => setText('')} />}
      w={{ base: '100%', xs: 320 }}
    />
  )
}
