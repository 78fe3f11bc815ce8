import { ADVICE, type AdviceCode } from '@tendon/pose'
import { useEffect, useRef, useState } from 'react'
import type { Seen } from '../camera/messages.ts'

/** No advice in the first seconds. */
const PATIENCE_MS = 6_000
const UNSEEN_MS = 3_000
const CHECK_MS = 500
/** Advice that is meaningless before the first repetition. */
const EARLY = new Set(['no_frames', 'low_coverage', 'unclear_movement'])

type Shown = Exclude<AdviceCode, 'none'> | null

/** What the patient can do so that the camera counts; null when there is nothing to improve. */
export function useAdvice(seen: Seen | null, reps: number): Shown {
  const [advice, setAdvice] = useState<Shown>(null)
  const latest = useRef({ seen, reps, seen_at: undefined as number | undefined })
  useEffect(() => {
    const seen_at = seen !== null && seen.reach !== null ? performance.now() : latest.current.seen_at
    latest.current = { seen, reps, seen_at }
  }, [seen, reps])
  useEffect(() => {
    const began = performance.now()
    const timer = setInterval(() => setAdvice(adviceOf(latest.current, began)), CHECK_MS)
    return () => clearInterval(timer)
  }, [])
  return advice
}

interface Latest {
  seen: Seen | null
  reps: number
  seen_at: number | undefined
}

function adviceOf({ seen, reps, seen_at }: Latest, began: number): Shown {
  const now = performance.now()
  if (now - (seen_at ?? began) > UNSEEN_MS) return seen === null ? 'step_into_the_picture' : 'show_the_whole_limb'
  const reason = seen?.reason ?? null
  if (reason === null || now - began < PATIENCE_MS || (reps === 0 && EARLY.has(reason))) return null
  const { code } = ADVICE[reason]
  return code === 'none' ? null : code
}
