import { useEffect, useRef, useState } from 'react'

const TICK_MS = 100

/** The remaining seconds. Stops while `running` is false and restarts when `key` changes. */
export function useTimer(seconds: number, running: boolean, onEnd: () => void, key: string): number {
  const [left, setLeft] = useState(seconds)
  const end = useRef(onEnd)
  const of = useRef(key)
  const rest = useRef(seconds)
  useEffect(() => {
    end.current = onEnd
  })
  useEffect(() => {
    if (of.current !== key) rest.current = seconds
    of.current = key
    setLeft(rest.current)
    if (!running) return undefined
    let before = performance.now()
    const timer = setInterval(() => {
      const now = performance.now()
      rest.current -= (now - before) / 1000
      before = now
      setLeft(Math.max(0, rest.current))
      if (rest.current > 0) return
      clearInterval(timer)
      end.current()
    }, TICK_MS)
    return () => clearInterval(timer)
  }, [key, running, seconds])
  return left
}
