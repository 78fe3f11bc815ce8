import { useEffect, useState } from 'react'
import { flushSync } from 'react-dom'

/** Whether the page is shown on paper. Rendered before the browser lays out the pages to print. */
export function useIsPrinting(): boolean {
  const [isPrinting, setPrinting] = useState(() => matchMedia('print').matches)
  useEffect(() => {
    const paper = matchMedia('print')
    const set = (to: boolean) => flushSync(() => setPrinting(to))
    const [begin, end, change] = [() => set(true), () => set(false), () => set(paper.matches)]
    addEventListener('beforeprint', begin)
    addEventListener('afterprint', end)
    // Without a dialog of the browser, such as in its tools for developers.
    paper.addEventListener('change', change)
    return () => {
      removeEventListener('beforeprint', begin)
      removeEventListener('afterprint', end)
      paper.removeEventListener('change', change)
    }
  }, [])
  return isPrinting
}
