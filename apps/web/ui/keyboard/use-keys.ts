import { useEffect, useLayoutEffect, useRef } from 'react'

const TYPING = /^(INPUT|TEXTAREA|SELECT)$/

/** Single keys, such as `j` and `k`, while nobody types and no dialog is open. `/`-style keys work on every layout: by `event.key`. */
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
      const run = current.current[event.key]
      if (!run) return
      event.preventDefault()
      run()
    }
    document.addEventListener('keydown', listen)
    return () => document.removeEventListener('keydown', listen)
  }, [])
}
