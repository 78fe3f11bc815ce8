import type { AnyRouter } from '@tanstack/react-router'

/** What had the focus, and what the page was called, when the navigation began. */
interface Before {
  focused: Element | null
  title: string | undefined
}

const headingOf = () => document.querySelector<HTMLElement>('h1[tabindex]')

/** On a page that stays, such as a record with tabs, the heading of the part that is new (`data-part`). */
function newHeading({ title }: Before): HTMLElement | null {
  const heading = headingOf()
  const part = heading?.textContent === title ? document.querySelector<HTMLElement>('h2[data-part]') : null
  return part ?? heading
}

/**
 * After a navigation to another path the focus goes to the page's heading: screen readers read it, and Tab goes on from
 * there. A page that puts the focus elsewhere keeps it, and so does the session player (`data-next`).
 */
export function focusHeadings(router: AnyRouter): void {
  let before: Before = { focused: null, title: undefined }
  let stop = () => {}
  router.subscribe('onBeforeNavigate', () => {
    before = { focused: document.activeElement, title: headingOf()?.textContent }
  })
  router.subscribe('onRendered', ({ fromLocation, pathChanged }) => {
    if (!fromLocation || !pathChanged) return
    stop()
    stop = keepOnHeading(before)
  })
}

/** The heading may come or be replaced when the page's data has come. Ends when the person does something. */
function keepOnHeading(before: Before): () => void {
  const events = ['keydown', 'pointerdown'] as const
  const observer = new MutationObserver(() => place())
  const stop = () => {
    observer.disconnect()
    for (const event of events) document.removeEventListener(event, stop, true)
  }
  let own: HTMLElement | null = null
  const place = () => {
    const focused = document.activeElement
    const isFree = focused === document.body || focused === before.focused || focused === own
    if (!isFree || document.querySelector('[data-next]')) return stop()
    if (focused === own || document.querySelector('dialog[open]')) return
    own = newHeading(before)
    own?.focus({ preventScroll: true })
  }
  observer.observe(document.body, { childList: true, subtree: true })
  for (const event of events) document.addEventListener(event, stop, true)
  place()
  return stop
}
