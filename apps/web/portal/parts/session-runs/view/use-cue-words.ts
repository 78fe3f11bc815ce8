import { type RefObject, useEffect, useRef } from 'react'
import { useTranslations } from 'use-intl'
import type { Cue } from '../run/player-deps.ts'

/** The text of a spoken cue in the person's language. */
export function useCueWords(): RefObject<(cue: Cue) => string> {
  const t = useTranslations('portal.run.cues')
  const words = (cue: Cue) => (typeof cue === 'object' ? String(cue.count) : t(cue))
  const current = useRef(words)
  useEffect(() => {
    current.current = words
  })
  return current
}
