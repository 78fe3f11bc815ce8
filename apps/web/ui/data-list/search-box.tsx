import { CloseButton, TextInput } from '@mantine/core'
import { useEffect, useRef, useState } from 'react'
import { useTranslations } from 'use-intl'
import { IconSearch } from '../icons/index.ts'
import { useKeys } from '../keyboard/use-keys.ts'
import { useChangeSearch, useListSearch } from './list-search.ts'

const WAIT_MS = 250

/** Searches while one types. `/` goes into the box. */
export function SearchBox({ label }: { label: string }) {
  const t = useTranslations('ui.action')
  const { q = '' } = useListSearch()
  const change = useChangeSearch()
  const input = useRef<HTMLInputElement>(null)
  const [text, setText] = useState(q)
  const [searched, setSearched] = useState(q)
  // Back and forward change the URL: the box follows, but never while it waits for what was typed.
  if (q !== searched) {
    setSearched(q)
    setText(q)
  }
  useKeys({ '/': () => input.current?.focus() })

  const apply = useRef(change)
  useEffect(() => {
    apply.current = change
  })
  useEffect(() => {
    if (text === searched) return undefined
    const timer = setTimeout(() => {
      setSearched(text)
      apply.current({ q: text || undefined })
    }, WAIT_MS)
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
      leftSection={<IconSearch size={18} />}
      rightSection={text && <CloseButton aria-label={t('clear')} onClick={() => setText('')} />}
      w={{ base: '100%', xs: 320 }}
    />
  )
}
