import { useBlocker } from '@tanstack/react-router'
import { useCallback, useContext, useEffect, useRef } from 'react'
import { browserClock } from '../clock.ts'
import { CloseQuestions } from './dialog.tsx'
import { leaveWhenClean, mayLeave, type Unsaved } from './leave.ts'

interface Steps {
  current: { pathname: string }
  next: { pathname: string }
}

export interface GuardOptions extends Omit<Unsaved, 'isDirty'> {
  /** A step within the page, by its query, keeps what was typed. */
  isKeptInSteps?: boolean
}

/**
 * Asks before unsaved input is lost by a link, Back, a reload, closing the tab or the dialog around it; with `save` it saves
 * first, and asks only if that does not succeed. Returns the same question.
 */
export function useUnsavedGuard(
  dirty: boolean | (() => boolean),
  { save, text, isKeptInSteps = false }: GuardOptions = {},
): () => Promise<boolean> {
  const latest = useRef({ dirty, save, text })
  useEffect(() => {
    latest.current = { dirty, save, text }
  })
  const isDirty = useCallback(() => {
    const now = latest.current.dirty
    return typeof now === 'function' ? now() : now
  }, [])
  useEffect(() => leaveWhenClean(isDirty))
  const ask = useCallback(() => mayLeave({ ...latest.current, isDirty }, browserClock), [isDirty])
  useBlocker({
    shouldBlockFn: useCallback(
      async ({ current, next }: Steps) => !(isKeptInSteps && current.pathname === next.pathname) && !(await ask()),
      [ask, isKeptInSteps],
    ),
    enableBeforeUnload: useCallback(() => {
      if (!isDirty()) return false
      // It is sent while the browser asks.
      void latest.current.save?.()
      return true
    }, [isDirty]),
  })
  const questions = useContext(CloseQuestions)
  useEffect(() => {
    questions?.add(ask)
    return () => void questions?.delete(ask)
  }, [questions, ask])
  return ask
}
