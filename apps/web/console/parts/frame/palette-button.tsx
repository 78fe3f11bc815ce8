import { ActionIcon } from '@mantine/core'
import { lazy, Suspense, useEffect, useState } from 'react'
import { useTranslations } from 'use-intl'
import { IconSearch } from '#ui/icons/index.ts'

const load = () => import('./palette.tsx')
const Palette = lazy(load)

/** Opens the palette: the button in the header, or Ctrl-K wherever the person is. */
export function PaletteButton() {
  const t = useTranslations('console.palette')
  const [open, setOpen] = useState(false)
  // Loaded before it is wanted: nothing that is typed right after Ctrl-K is lost.
  useEffect(() => void load(), [])
  useEffect(() => {
    const listen = (event: KeyboardEvent) => {
      if (event.key.toLowerCase() !== 'k' || !(event.ctrlKey || event.metaKey) || event.altKey) return
      event.preventDefault()
      // Over an open dialog it would hide what was typed there.
      if (!document.querySelector('dialog[open]')) setOpen(true)
    }
    document.addEventListener('keydown', listen)
    return () => document.removeEventListener('keydown', listen)
  }, [])
  return (
    <>
      <ActionIcon
        className="no-print"
        variant="subtle"
        color="gray"
        radius="xl"
        size={44}
        aria-label={t('title')}
        aria-keyshortcuts="Control+K"
        title={t('keys')}
        onClick={() => setOpen(true)}
      >
        <IconSearch size={22} />
      </ActionIcon>
      {open && (
        <Suspense fallback={null}>
          <Palette onClose={() => setOpen(false)} />
        </Suspense>
      )}
    </>
  )
}
