import { useBlocker } from '@tanstack/react-router'
import { useEffect, useRef, useState } from 'react'

export const AUTOSAVE_MS = 800

export type SaveState = 'saved' | 'waiting' | 'saving' | 'failed'

/** Saves `value` 800 ms after its last change; a change during a save is saved after it. `flush` saves at once. */
export function useAutosave<Value>(value: Value, save: (value: Value) => Promise<unknown>) {
  const [state, setState] = useState<SaveState>('saved')
  const latest = useRef({ value, save })
  const saved = useRef(value)
  const running = useRef<Promise<void>>(undefined)

  useEffect(() => {
    latest.current = { value, save }
  })

  const attempt = async (sent: Value, send: typeof save): Promise<void> => {
    try {
      await send(sent)
      saved.current = sent
      setState('saved')
    } catch {
      setState('failed')
    }
  }
  /** True when everything is saved. */
  const flush = async (): Promise<boolean> => {
    await running.current
    while (latest.current.value !== saved.current) {
      const { value: sent, save: send } = latest.current
      setState('saving')
      running.current = attempt(sent, send)
      await running.current
      if (saved.current !== sent) return false
    }
    return true
  }
  const run = useRef(flush)
  useEffect(() => {
    run.current = flush
  })

  useEffect(() => {
    if (value === saved.current) return undefined
    setState('waiting')
    const timer = setTimeout(() => void run.current(), AUTOSAVE_MS)
    return () => clearTimeout(timer)
  }, [value])

  useUnsavedGuard(state !== 'saved')
  return { state, flush }
}

/** Asks before a page with unsaved input is left, by a link or by closing the tab. */
export function useUnsavedGuard(dirty: boolean, question = ''): void {
  useBlocker({
    shouldBlockFn: () => dirty && question !== '' && !window.confirm(question),
    enableBeforeUnload: () => dirty,
  })
}
