import { Kbd, Stack, Text, TextInput, VisuallyHidden } from '@mantine/core'
import { useNavigate } from '@tanstack/react-router'
import { type KeyboardEvent, useEffect, useId, useRef, useState } from 'react'
import { useTranslations } from 'use-intl'
import { Dialog } from '#ui/feedback/dialog.tsx'
import { Problem } from '#ui/feedback/problem.tsx'
import { IconSearch } from '#ui/icons/index.ts'
import classes from './palette.module.css'
import { type Hit, useHits } from './use-hits.ts'

/** Finds patients, pages and what there is to do. Enter opens the first hit, also when it is typed before the answer has come. */
export default function Palette({ onClose }: { onClose: () => void }) {
  const t = useTranslations('console.palette')
  const navigate = useNavigate()
  const list = useId()
  const [text, setText] = useState('')
  const [place, setPlace] = useState(0)
  const isEntered = useRef(false)
  const { hits, isCurrent, error } = useHits(text)
  const chosen = hits[Math.min(place, hits.length - 1)]

  function open(hit: Hit | undefined): void {
    if (!hit) return
    onClose()
    void navigate(hit.link)
  }
  useEffect(() => {
    if (!isEntered.current || !isCurrent) return
    isEntered.current = false
    open(chosen)
  })
  function press(event: KeyboardEvent): void {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key]
    if (step !== undefined && hits.length > 0) setPlace((place + step + hits.length) % hits.length)
    else if (event.key !== 'Enter') return
    else if (isCurrent) open(chosen)
    else isEntered.current = true
    event.preventDefault()
  }

  return (
    <Dialog open title={t('title')} size="md" onClose={onClose}>
      <Stack>
        <TextInput
          data-autofocus
          role="combobox"
          aria-label={t('label')}
          aria-expanded={hits.length > 0}
          aria-controls={list}
          aria-activedescendant={chosen ? `${list}-${chosen.key}` : undefined}
          placeholder={t('label')}
          autoComplete="off"
          leftSection={<IconSearch size={18} />}
          maxLength={100}
          value={text}
          onChange={(event) => {
            setText(event.currentTarget.value)
            setPlace(0)
            isEntered.current = false
          }}
          onKeyDown={press}
        />
        <Problem error={error} />
        <VisuallyHidden role="status">{isCurrent ? t('found', { count: hits.length }) : ''}</VisuallyHidden>
        <div id={list} role="listbox" aria-label={t('hits')} className={classes.hits}>
          {hits.map((hit, index) => (
            <Entry
              key={hit.key}
              hit={hit}
              id={`${list}-${hit.key}`}
              heading={hit.kind === hits[index - 1]?.kind ? undefined : t(`kinds.${hit.kind}`)}
              isChosen={hit === chosen}
              onOpen={() => open(hit)}
            />
          ))}
        </div>
        {hits.length === 0 && isCurrent && !error && <Text c="dimmed">{t('nothing', { text: text.trim() })}</Text>}
      </Stack>
    </Dialog>
  )
}

interface EntryProps {
  hit: Hit
  id: string
  heading: string | undefined
  isChosen: boolean
  onOpen: () => void
}

function Entry({ hit, id, heading, isChosen, onOpen }: EntryProps) {
  const Icon = hit.icon
  return (
    <>
      {heading !== undefined && (
        <div role="presentation" className={classes.heading}>
          {heading}
        </div>
      )}
      {/* oxlint-disable-next-line jsx-a11y/click-events-have-key-events, jsx-a11y/interactive-supports-focus -- the keys are those of the text field */}
      <div
        id={id}
        role="option"
        aria-selected={isChosen}
        className={classes.hit}
        ref={(node) => {
          if (isChosen) node?.scrollIntoView({ block: 'nearest' })
        }}
        onClick={onOpen}
      >
        <Icon size={20} />
        <span className={classes.name}>
          {hit.label}
          {hit.detail !== undefined && <span className={classes.detail}>{hit.detail}</span>}
        </span>
        {hit.keys?.map((key) => (
          <Kbd key={key}>{key}</Kbd>
        ))}
      </div>
    </>
  )
}
