import { useEffect, useRef } from 'react'

/** Calls `run` each time the condition becomes true; not when it is true from the start. */
export function useWhen(isTrue: boolean, run: () => void): void {
  const latest = useRef(run)
  const was = useRef(isTrue)
  useEffect(() => {
    latest.current = run
  })
  useEffect(() => {
    if (isTrue && !was.current) latest.current()
    was.current = isTrue
  }, [isTrue])
}
