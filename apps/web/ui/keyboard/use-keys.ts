import { useEffect, useLayoutEffect, useRef } from 'react'

const TYPING = /^(INPUT|TEXTAREA|SELECT)$/
/** The first key of a pair. */
const FIRST = 'g'
const PAIR_MS = 1_500

/** The last press of a key on the page, and what it means: `h`, or `gh` soon after `g`. */
let pressed = { event: new Event('keydown'), name: '' }

function nameOf(event: KeyboardEvent): string {
  if (pressed.event !== event) {
    const isSecond = pressed.name === FIRST && event.timeStamp - pressed.event.timeStamp < PAIR_MS
    pressed = { event, name: isSecond ? FIRST + event.key : event.key }
  }
  return pressed.name
}

/**
 * Single keys, such as `j` and `k`, and pairs that begin with `g`, such as `gh`, while nobody types and no dialog is open.
 * `/`-style keys work on every layout: by `event.key`.
 */
export function useKeys(keys: Readonly<Record<string, () => void>>): void {
  const current = useRef(keys)
  // Before the page is painted: a key never does what the page before it did.
  useLayoutEffect(() => {
    current.current = keys
  })
  useEffect(() => {
    const listen = (event: KeyboardEvent) => {
      const { target } = event
      if (!(target instanceof HTMLElement)) return
      if (event.ctrlKey || event.metaKey || event.altKey || event.defaultPrevented) return
      if (TYPING.test(target.tagName) || target.isContentEditable || target.closest('dialog, [role=menu]')) return
      const run = current.current[nameOf(event)]
      if (!run) return
      event.preventDefault()
      run()
    }
    document.addEventListener('keydown', listen)
    return () => document.removeEventListener('keydown', listen)
  }, [])
}
